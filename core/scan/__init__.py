"""The flow: a folder is read and signed, its pairs are listed, rescanned, queried and grouped."""
