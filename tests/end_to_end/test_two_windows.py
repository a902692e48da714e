"""Two real windows on one review: the second reads, and takes over when the first is killed."""

import importlib.util
from pathlib import Path

import pytest

from core.commands.main import main

pytestmark = pytest.mark.end_to_end

spec = importlib.util.spec_from_file_location("desktop", Path(__file__).with_name("desktop.py"))
desktop_module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(desktop_module)
wait_until = desktop_module.wait_until

TEXT = " ".join(f"word{number * number % 97}" for number in range(200))
READ_ONLY = "read only"  # xdotool takes a regular expression


@pytest.fixture
def review(tmp_path):
    folder = tmp_path / "essays"
    folder.mkdir()
    for name in ("one.txt", "two.txt"):
        (folder / name).write_text(f"{TEXT} The end of {name}.")
    path = tmp_path / "autumn.neardup"
    assert main(["scan", str(folder), "--review", str(path), "--quiet"]) == 0
    return path


@pytest.fixture
def desktop(tmp_path):
    desktop = desktop_module.Desktop(tmp_path)
    yield desktop
    desktop.stop()


def test_a_review_passes_from_a_window_that_was_killed_to_the_next(desktop, review):
    desktop.start(review)
    first = desktop.application
    wait_until(lambda: desktop.windows("^autumn.neardup – Neardup$"), "first window", desktop)
    try:
        desktop.start(review)
        wait_until(lambda: desktop.windows(READ_ONLY), "second window, read only", desktop)
        before = review.read_bytes()
        desktop.focus(READ_ONLY)
        desktop.press("ctrl+s")
        assert main(["scan", str(review.parent / "essays"), "--review", str(review)]) == 1
        assert review.read_bytes() == before
    finally:
        first.kill()
        first.wait()
    wait_until(lambda: not desktop.windows("^autumn.neardup – Neardup$"), "one window", desktop)

    desktop.focus(READ_ONLY)
    desktop.press("alt+f", "t")
    wait_until(lambda: desktop.windows("^autumn.neardup – Neardup$"), "a taken review", desktop)
    assert not desktop.windows(READ_ONLY)

    desktop.press("ctrl+q")
    assert desktop.application.wait(desktop_module.PATIENCE) == 0
    assert [path.name for path in review.parent.glob("autumn*")] == ["autumn.neardup"]
