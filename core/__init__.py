"""The engine of Neardup: from a folder of documents to pairs and their evidence.

    folder ─▶ documents ─▶ text ─▶ shingles ─▶ signatures ─▶ candidate pairs ─▶ evidence ─▶ report

`find_pairs` works on texts in memory, `core.scan.flow.scan` on folders (a name of this package it
cannot be: the module has it); both take a `ScanSettings`. Names are loaded when they are first
used, so that the window can open before the compiled kernels are imported.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes time to import: see `core.program.end_signals`
if TYPE_CHECKING:
    from collections.abc import Callable

    from core.errors import NeardupError
    from core.evidence.pairs import Pairs
    from core.scan.in_memory import find_pairs
    from core.scan.scan import Scan
    from core.settings import PRESETS, ScanSettings

__all__ = ["PRESETS", "NeardupError", "Pairs", "Scan", "ScanSettings", "__version__", "find_pairs"]
__version__ = "0.1.0"


def loaded_when_used(package: str, modules: dict[str, tuple[str, ...]]) -> Callable[[str], object]:
    """The `__getattr__` of a package: loads a name, given by module, when it is first used."""
    homes = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> object:
        if name in homes:
            from importlib import import_module  # noqa: PLC0415 - as above

            return getattr(import_module(homes[name]), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load


__getattr__ = loaded_when_used(
    __name__,
    {
        "core.errors": ("NeardupError",),
        "core.evidence.pairs": ("Pairs",),
        "core.scan.in_memory": ("find_pairs",),
        "core.scan.scan": ("Scan",),
        "core.settings": ("PRESETS", "ScanSettings"),
    },
)
