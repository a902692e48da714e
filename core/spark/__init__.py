"""The engine on a cluster: the same kernels on Arrow batches, shuffled by Apache Spark."""
