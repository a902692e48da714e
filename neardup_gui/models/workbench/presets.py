"""The starting points that cut texts into the same shingles: their b × r are worth comparing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.settings import PRESETS, ScanSettings
from neardup_gui.models.setup.scan_settings import NAME, settings_from
from neardup_gui.models.workbench.setting_rows import Named


def presets_like(
    settings: ScanSettings, own: Iterable[Mapping[str, object]] = ()
) -> tuple[Named, ...]:
    """Those with the unit, the k and the kind of signatures of some settings.

    Args:
        settings: What is chosen.
        own: The user's own starting points, as they are stored.
    """
    known = {preset.name: preset.settings for preset in PRESETS}
    for stored in own:
        one, name = settings_from(stored), stored.get(NAME)
        if one is not None and isinstance(name, str):
            known[name] = one
    return tuple(
        Named(name, one.bands, one.rows, one.signature_size)
        for name, one in known.items()
        if (one.unit, one.k, one.signature) == (settings.unit, settings.k, settings.signature)
    )
