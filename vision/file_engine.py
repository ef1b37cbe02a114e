"""The engine for texts that another reader wrote to a file: a cloud OCR, a model, a person."""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from metrics.core.text_lines import TextLine
from vision.ocr import OcrError
from vision.picture import Picture
from vision.text_formats import read_texts

_NAME_KEYS = ("image", "file_name", "filename", "file", "name", "custom_id", "id")


class FileEngine:
    """Gives out texts by the picture's file name.

    Args:
        path: JSON (`{"a.png": texts, …}` or a list of objects) or JSONL (an object a line).
            An object names its picture under `image`, `file_name`, `file`, `name`,
            `custom_id` or `id`, with or without folder and extension; the texts come in any
            form that `text_formats.read_texts` reads.

    Raises:
        OcrError: The file is missing or holds something else.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._texts: dict[str, Any] = {}
        for name, value in self._records():
            self._texts[Path(name).name] = value
            self._texts.setdefault(Path(name).stem, value)

    @property
    def signature(self) -> str:
        """The file's name: what wrote it is the user's knowledge."""
        return f"file-{self.path.name}"

    def read(self, picture: Picture) -> tuple[TextLine, ...]:
        """Return the texts that the file holds for a picture.

        Raises:
            OcrError: The file says nothing of the picture, or in a form that is not known.
        """
        for key in (picture.name, Path(picture.name).stem):
            if key in self._texts:
                try:
                    return _placed(read_texts(self._texts[key], picture.size))
                except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
                    raise OcrError(
                        f"{self.path}: cannot read the texts of {picture.name}",
                        f"see `flowlearn ocr --help` for the forms ({error})",
                    ) from error
        raise OcrError(
            f"{self.path} has no texts of {picture.name}", "add them, an empty list for none"
        )

    def _records(self) -> Iterator[tuple[str, Any]]:
        for value in self._values():
            if not isinstance(value, Mapping):
                raise self._malformed(f"expected objects, found {value!r:.60}")
            key = next((key for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
            if key is not None:
                yield value[key], {k: v for k, v in value.items() if k != key}
            else:
                yield from value.items()

    def _values(self) -> list[Any]:
        try:
            content = self.path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise OcrError(
                f"cannot read {self.path or 'a file'}", f"give file:PATH ({error})"
            ) from error
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            return list(self._lines(content))
        return value if isinstance(value, list) else [value]

    def _lines(self, content: str) -> Iterator[Any]:
        for number, line in enumerate(content.split("\n"), 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise self._malformed(f"line {number} is not JSON: {error}") from error

    def _malformed(self, reason: str) -> OcrError:
        return OcrError(f"{self.path}: {reason}", "write JSON or JSONL with an object a picture")


def _placed(lines: tuple[TextLine, ...]) -> tuple[TextLine, ...]:
    for line in lines:
        if not all(math.isfinite(number) for point in line.polygon for number in point):
            raise ValueError(f"the place of {line.text!r:.80} is not finite")
    return lines
