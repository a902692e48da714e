"""What starts Python workers: it loads the engine once, and every worker is forked from it."""

from pyspark.daemon import manager

import core.spark.scan
from core.spark.session import versions

if __name__ == "__main__":
    assert core.spark.scan
    versions()  # reads all of the source
    manager()
