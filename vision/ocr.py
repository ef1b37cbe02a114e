"""The interface of all OCR engines: a picture goes in, lines of text come out."""

from typing import Protocol

from common.errors import UserError
from metrics.core.text_lines import TextLine
from vision.picture import Picture


class OcrError(UserError):
    """An engine that cannot work here: a package, a program or a file is missing."""


class OcrEngine(Protocol):
    """Reads text in pictures.

    Attributes:
        signature: Engine, version and options: everything that decides what is read.
    """

    @property
    def signature(self) -> str:
        """Engine, version and options, as they stand in a metric's signature."""

    def read(self, picture: Picture) -> tuple[TextLine, ...]:
        """Return the lines of text in a picture, unmerged and unfiltered."""
