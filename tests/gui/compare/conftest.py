"""The view of two documents, shown."""

import pytest

from neardup_gui.views.compare.view import CompareView


@pytest.fixture
def view(qtbot):
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    with qtbot.waitExposed(view):
        view.show()
    return view
