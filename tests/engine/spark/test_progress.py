"""How far a run is, as it is told to whoever waits for it."""

from core.spark.session import Watch


def test_only_stages_are_told_and_no_lines_of_the_program(spark):
    watch = Watch(spark)
    spark.range(3).limit(0).toArrow()  # Spark names a job of no task by its line
    spark.sparkContext.setLocalProperty("spark.job.description", "_left_out")
    try:
        spark.range(3).toArrow()
    finally:
        spark.sparkContext.setLocalProperty("spark.job.description", None)

    (stage,) = watch.stages()
    assert stage.name == "_left_out"
    assert stage.summary().startswith("left out: ")
