"""What readers of several formats share: packages, XML, the flow of a story, remarks."""
