"""Archives that tests make."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection, Mapping


def zipped(
    files: Mapping[str, str | bytes],
    method: int = zipfile.ZIP_DEFLATED,
    *,
    stored: Collection[str] = ("mimetype",),
) -> bytes:
    """A ZIP file of these by their names, some without compression; the same every time."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files.items():
            compression = zipfile.ZIP_STORED if name in stored else method
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return file.getvalue()
