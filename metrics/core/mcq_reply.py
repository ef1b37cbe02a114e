"""A reply made ready for the rules, and what a rule reads in it."""

from dataclasses import dataclass
from functools import cached_property

from .letters import lower
from .mcq_claims import Claim, read_claims
from .mcq_slots import Slot, read_slot
from .mcq_texts import OptionTexts
from .reply import Span


@dataclass(frozen=True)
class Reply:
    """A reply made ready for the rules; all offsets are those of the reply as given."""

    text: str
    labels: tuple[str, ...]
    texts: OptionTexts

    @cached_property
    def low(self) -> str:
        """Return the text in lower case."""
        return lower(self.text)

    @cached_property
    def claims(self) -> list[Claim]:
        """Return what the reply says of the options it names."""
        return read_claims(self.text, self.low, self.labels, self.texts)

    def slot(self, start: int, end: int, leading: bool = False) -> Slot | None:
        """Read a place that should hold an option."""
        return read_slot(self.text, self.low, start, end, self.labels, self.texts, leading)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The labels a rule read, or why the reply as a whole has none."""

    labels: tuple[str, ...]
    span: Span | None
    no_answer: str = ""
