"""Why a reader cannot read a file, as tests ask for it."""

import pytest

from core.documents.model import UnreadableError


def problem_of(read, *arguments, **options):
    """The error that reading raises, which has a sentence for the user."""
    with pytest.raises(UnreadableError) as caught:
        read(*arguments, **options)
    assert caught.value.detail.endswith(".")
    return caught.value
