"""Croissant metadata (MLCommons, version 1.1) of a dataset's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from builders.manifest import Manifest

_TYPES = {"string": "sc:Text", "bool": "sc:Boolean", "image": "sc:ImageObject"}


def croissant(
    manifests: Sequence[Manifest], name: str, description: str, url: str
) -> dict[str, Any]:
    """Describe files and columns as Croissant JSON-LD, without its `@context`.

    Args:
        manifests: The configs, of one dataset.
        name: Name for people.
        description: What it is.
        url: Where it is described.
    """
    return {
        "@type": "sc:Dataset",
        "name": name,
        "description": description,
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "license": sorted({manifest.license for manifest in manifests}),
        "url": url,
        "version": f"{manifests[0].version}.0",
        "distribution": [node for manifest in manifests for node in _files(manifest)],
        "recordSet": [_records(manifest) for manifest in manifests],
    }


def _files(manifest: Manifest) -> list[dict[str, Any]]:
    files: list[dict[str, Any]] = [
        {
            "@type": "cr:FileObject",
            "@id": f"{manifest.config}/{name}",
            "name": name,
            "contentUrl": f"data/{manifest.config}/{name}",
            "contentSize": f"{entry.size} B",
            "encodingFormat": "application/x-parquet",
            "sha256": entry.sha256,
        }
        for name, entry in manifest.files.items()
    ]
    together = {
        "@type": "cr:FileSet",
        "@id": f"{manifest.config}-files",
        "name": f"{manifest.config}-files",
        "containedIn": [{"@id": file["@id"]} for file in files],
        "encodingFormat": "application/x-parquet",
        "includes": f"data/{manifest.config}/*.parquet",
    }
    return [*files, together]


def _records(manifest: Manifest) -> dict[str, Any]:
    fields = [_field(manifest, column, ()) for column in manifest.features]
    head = {"@type": "cr:RecordSet", "@id": manifest.config, "name": manifest.config}
    return {**head, "field": fields}


def _field(
    manifest: Manifest, column: Mapping[str, Any], within: tuple[str, ...]
) -> dict[str, Any]:
    path = (*within, column["name"])
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{manifest.config}/{'/'.join(path)}",
        "name": column["name"],
    }
    kind = column
    while "list" in kind and not isinstance(kind["list"], list):
        field["repeated"] = True
        kind = kind["list"] if isinstance(kind["list"], dict) else {"dtype": kind["list"]}
    if "list" in kind:
        parts = [_field(manifest, part, path) for part in kind["list"]]
        return {**field, "repeated": True, "subField": parts}
    steps = [*path[1:], *(["bytes"] if kind["dtype"] == "image" else [])]
    source: dict[str, Any] = {
        "fileSet": {"@id": f"{manifest.config}-files"},
        "extract": {"column": path[0]},
    }
    if steps:
        source["transform"] = {"jsonPath": ".".join(steps)}
    return {**field, "dataType": _data_type(kind["dtype"]), "source": source}


def _data_type(dtype: str) -> str:
    if dtype in _TYPES:
        return _TYPES[dtype]
    return "sc:Float" if dtype.startswith("float") else "sc:Integer"
