"""A page of charts with their annotations drawn over them."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from builders.manifest import write_atomically


def write_gallery(rows: Iterable[Mapping[str, Any]], title: str, path: Path) -> Path:
    """Write a page that needs nothing but itself.

    Args:
        rows: Rows of a simulated config, the image as `{"bytes": …}`.
        title: Title of the page.
        path: The HTML file.

    Returns:
        The file.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    charts = [{**row, "jpeg": base64.b64encode(row["image"]["bytes"]).decode()} for row in rows]
    page = environment.get_template("gallery.html.j2").render(rows=charts, title=title)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, page.encode())
    return path
