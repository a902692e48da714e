"""The options on how files are read."""

from __future__ import annotations

import argparse
from dataclasses import fields

import pytest

from core.commands.options import LIMITS, add_reading_options, reading_from
from core.documents import ReadingLimits, ReadingSettings
from core.errors import SettingsError


def reading_with(*arguments: str) -> ReadingSettings:
    parser = argparse.ArgumentParser()
    add_reading_options(parser)
    return reading_from(parser.parse_args(arguments))


def test_without_options_files_are_read_as_usual():
    assert reading_with() == ReadingSettings()


def test_every_limit_can_be_changed():
    assert list(LIMITS) == [field.name for field in fields(ReadingLimits)]

    limits = reading_with(*(f"--limit={name}={n}" for n, name in enumerate(LIMITS, 1))).limits

    assert [getattr(limits, name) for name in LIMITS] == list(range(1, len(LIMITS) + 1))


@pytest.mark.parametrize(
    ("given", "bytes_"),
    [("7", 7), ("7kB", 7_000), ("7MB", 7_000_000), ("7gb", 7_000_000_000), ("9" * 18, 10**18 - 1)],
)
def test_limits_have_units(given, bytes_):
    assert reading_with(f"--limit=memory_bytes={given}").limits.memory_bytes == bytes_


@pytest.mark.parametrize(
    "given", ["", "0", "-1", "1.5", "1 GB", "1kkB", "GB", "٣", "²", "1" * 19, "1" * 5_000]
)
def test_what_is_no_limit_is_told(given):
    with pytest.raises(SettingsError, match="The limit seconds must be a whole number above 0"):
        reading_with(f"--limit=seconds={given}")


def test_an_unknown_limit_is_told_with_those_there_are():
    with pytest.raises(SettingsError, match=r"There is no limit “time”\. The limits are: file"):
        reading_with("--limit=time=3")


def test_passwords_are_lines(tmp_path):
    path = tmp_path / "passwords"
    path.write_bytes("\ufeffone\r\n\r\n two \n".encode())

    assert reading_with("--passwords", str(path)).passwords == ("one", " two ")


@pytest.mark.parametrize(("content", "reason"), [(None, "No such file"), (b"\xff", "in UTF-8")])
def test_passwords_that_cannot_be_read_are_told(tmp_path, content, reason):
    path = tmp_path / "passwords"
    if content:
        path.write_bytes(content)

    with pytest.raises(SettingsError, match=reason):
        reading_with("--passwords", str(path))
