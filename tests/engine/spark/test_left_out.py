"""What is left out is told as on one machine, in its order, however many texts have copies."""

from core.scan.audit_results import Cap, CapKind
from core.spark.scan import LEFT_OUT, caps_table, left_out, sentences_of
from core.spark.schemas import COPIES
from core.spark.spelled_out import copies_left_out
from tests.engine.spark.tables import number_of

TEXTS, COPIED = 300, 31


def test_what_is_left_out_is_told_in_the_order_of_one_machine(spark):
    """Of each text there are too many copies; numbers say which document is first, names do not."""
    texts = spark.range(TEXTS).selectExpr(f"10 * {COPIED} * id + 3 AS representative")
    copies = texts.selectExpr(
        f"explode(sequence(representative, representative + {10 * (COPIED - 1)}, 10)) AS number",
        "representative",
        "true AS reviewed",
    ).repartition(3)
    assert [f"{name} {kind.upper()}" for name, kind in copies.dtypes] == [
        one.replace("LONG", "BIGINT") for one in COPIES.split(", ")
    ]
    documents = copies.selectExpr("number", "concat('text ', reverse(string(number))) AS id")
    others = [
        Cap(CapKind.COMMON, 1234, number_of(7)),
        Cap(CapKind.WORDING, 5, number_of(9000)),
        Cap(CapKind.ALIKE, 77, number_of(1), "SimHash"),
    ]
    of_copies = [Cap(CapKind.COPIES, COPIED, number_of(COPIED * one)) for one in range(TEXTS)]

    caps = caps_table(spark, others[::-1], copies_left_out(copies))
    table = left_out(documents, caps)

    expected = [*others[:2], *of_copies, others[2]]
    assert sentences_of(table) == [
        cap.sentence(f"text {str(cap.document)[::-1]}") for cap in expected
    ]
    assert [one.split()[0] for one in LEFT_OUT.split(", ")] == table.columns
    rows = table.orderBy("place", "document").select("kind", "size", "document").collect()
    assert [tuple(row) for row in rows] == [
        (cap.kind.name.lower(), cap.size, cap.document) for cap in expected
    ]


def test_where_nothing_is_left_out_nothing_is_told(spark):
    copies = spark.createDataFrame([(3, 3, True)], COPIES)
    documents = spark.createDataFrame([(3, "a")], "number LONG, id STRING")

    assert sentences_of(left_out(documents, caps_table(spark, [], copies_left_out(copies)))) == []
