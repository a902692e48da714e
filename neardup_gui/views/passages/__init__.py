"""The list of passages and of the documents that hold one."""
