"""`neardup settings`, and `--settings` of the other commands."""

import argparse
import json

import pytest

from core.commands.main import build_parser, main
from core.commands.options import add_setting_options, reading_from, settings_from
from core.reports.settings_file import read_settings_file
from core.settings import PRESETS


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "course.json"
    assert main(["settings", str(path), "--bands", "20", "--rows", "5", "--archives"]) == 0
    return path


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "essays"
    made.mkdir()
    words = [f"word{number}" for number in range(200)]
    (made / "one.txt").write_text(" ".join(words))
    (made / "two.txt").write_text(" ".join(words[:150]))
    return made


def parsed(*arguments):
    return build_parser(arguments[0]).parse_args(arguments)


def test_a_file_is_written_and_that_is_said(tmp_path, capsys):
    file = tmp_path / "course.json"

    assert main(["settings", str(file), "--bands", "20", "--rows", "5"]) == 0

    assert capsys.readouterr().out == f"Written: {file}\n"
    assert json.loads(file.read_text())["scan"]["bands"] == 20


@pytest.mark.parametrize("command", ["scan", "audit"])
def test_a_command_takes_the_settings_of_a_file(file, command):
    options = parsed(command, "folder", "--settings", str(file))

    assert settings_from(options) == PRESETS[0].settings.with_changes(
        bands=20, rows=5, reworked="careful"
    )
    assert reading_from(options).archives


def test_what_is_given_beside_a_file_wins(file):
    options = parsed(
        "scan", "folder", "--settings", str(file), "--rows=6", "--unit=char", "--no-archives",
        "--limit=seconds=7",
    )  # fmt: skip
    settings, reading = settings_from(options), reading_from(options)

    assert (settings.bands, settings.rows) == (20, 6)
    assert settings.keep_punctuation is True  # as usual with characters
    assert not reading.archives
    assert reading.limits.seconds == 7


def test_a_file_can_be_written_from_another(file, tmp_path):
    other = tmp_path / "other.json"

    assert main(["settings", "--settings", str(file), "--k", "7", str(other)]) == 0

    assert read_settings_file(other).scan == read_settings_file(file).scan.with_changes(k=7)


def test_a_preset_beside_a_file_is_refused(file, folder, capsys):
    assert main(["scan", str(folder), "--settings", str(file), "--preset", PRESETS[0].name]) == 2
    assert "--settings or --preset, not both" in capsys.readouterr().err


def test_a_scan_with_a_file_lists_what_it_asks_for(file, folder, tmp_path, capsys):
    found = tmp_path / "pairs.json"

    assert main(["scan", str(folder), "--settings", str(file), f"--pairs={found}"]) == 0

    told = json.loads(found.read_text())["settings"]
    assert (told["bands"], told["rows"]) == (20, 5)


def test_a_file_that_is_none_stops_the_command(folder, tmp_path, capsys):
    none = tmp_path / "none.json"
    none.write_text("{}")

    assert main(["scan", str(folder), "--settings", str(none)]) == 2
    assert "“none.json” cannot be used" in capsys.readouterr().err


def test_a_review_is_not_asked_under_the_settings_of_a_file(file, folder, tmp_path, capsys):
    review = tmp_path / "essays.neardup"
    assert main(["scan", str(folder), f"--review={review}", "--quiet"]) == 0

    asked = ["query", str(review), str(folder / "one.txt"), "--settings", str(file)]

    assert main(asked) == 2
    assert "under its own settings" in capsys.readouterr().err


def test_without_a_file_nothing_changes():
    parser = argparse.ArgumentParser()
    add_setting_options(parser)

    assert settings_from(parser.parse_args([])) == PRESETS[0].settings
