"""The interface of all OCR engines: a picture goes in, lines of text come out."""

from typing import Protocol

from metrics.core.text_lines import TextLine
from vision.picture import Picture


class OcrError(RuntimeError):
    """An engine that cannot work here: a package, a program or a file is missing.

    Args:
        problem: What is missing.
        mend: The command or setting that mends it.
    """

    def __init__(self, problem: str, mend: str) -> None:
        super().__init__(f"{problem}: {mend}")
        self.problem = problem
        self.mend = mend


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
