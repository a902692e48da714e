"""What tests of reviews share."""

import pytest


@pytest.fixture
def path(tmp_path):
    """Where a review may be written."""
    return tmp_path / "a.neardup"
