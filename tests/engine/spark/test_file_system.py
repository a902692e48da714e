"""What is in a place, on disks of this machine and on others: told once, and told apart."""

import os
import secrets

import pytest

from core.documents.model import Role
from core.errors import ClusterError
from core.settings import ScanSettings
from core.spark.file_system import Folder
from core.spark.manifest import Manifest, RunOptions, Source
from core.spark.run import begun

SETTINGS = ScanSettings(k=4)
AUGUST, SEPTEMBER = 1_785_600_000, 1_788_300_000


@pytest.fixture(params=["here", "elsewhere"])
def place(request, spark, tmp_path):
    """Texts below a folder, as Spark names them: a view of disks is no local file system."""
    folder = tmp_path / "all" / "texts" / "below"
    folder.mkdir(parents=True)
    for name, time in (("a", AUGUST), ("b", SEPTEMBER)):
        written(folder / f"{name}.txt", "four", time)
    if request.param == "here":
        return folder.parent, str(folder.parent)
    conf = spark.sparkContext._jsc.hadoopConfiguration()
    name = f"held{secrets.token_hex(4)}"  # Hadoop keeps a view once it was seen
    conf.set(f"fs.viewfs.mounttable.{name}.link./all", f"file:{tmp_path}/all")
    return folder.parent, f"viewfs://{name}/all/texts"


def written(path, text, time):
    path.write_text(text)
    os.utime(path, (time, time))


def test_a_file_that_another_takes_the_place_of_is_noticed(spark, place):
    folder, named = place
    before = Folder(spark, named).held()
    assert before[:3] == (2, 8, SEPTEMBER * 1000)

    for text, time in (("five", AUGUST + 1), ("four", SEPTEMBER)):  # as large, and not the latest
        written(folder / "below" / "a.txt", text, time)
        assert Folder(spark, named).held()[:3] == before[:3]
        assert Folder(spark, named).held().state != before.state
    written(folder / "below" / "a.txt", "four", AUGUST)
    assert Folder(spark, named).held() == before


def test_the_time_of_a_folder_says_nothing(spark, place):
    """S3 has no folders: the time of one is that of the question."""
    folder, named = place
    before = Folder(spark, named).held()

    for path in (folder / "below", folder):
        os.utime(path)

    assert Folder(spark, named).held() == before


def test_a_run_goes_on_where_only_its_files_are_the_same(spark, place, tmp_path):
    folder, named = place

    def run(*, resume):
        options = RunOptions(resume=resume)
        return begun(spark, [named], str(tmp_path / "run"), SETTINGS, options)

    with pytest.raises(ZeroDivisionError), run(resume=False):
        1 / 0  # noqa: B018
    os.utime(folder)
    with run(resume=True) as again:
        assert again.result is None
    written(folder / "below" / "a.txt", "five", AUGUST + 1)
    with pytest.raises(ClusterError, match="the sources or what they hold are not what they"):
        run(resume=True).__enter__()


def test_sources_count_as_they_are(spark, tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("four")
    (tmp_path / "around").symlink_to(tmp_path)

    whole = Folder(spark, str(tmp_path)).held()
    some = Folder(spark, f"{tmp_path}/*.txt").held()
    one = Folder(spark, f"{tmp_path}/a.txt").held()

    assert (whole.files, some.files, some.bytes, one.files) == (2, 2, 8, 1)
    assert Folder(spark, f"{tmp_path}/*.pdf").held() is None
    assert Manifest(settings=SETTINGS, sources=(Source("a", Role.REVIEW, *whole),)).as_json()
