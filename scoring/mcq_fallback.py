"""A language model reads the multiple-choice replies that the rules leave open.

As in section 3.3 of the LogicVista paper: the model gets the question, the options and the reply,
and is asked again, with what was wrong, until its output validates. Off by default; what it decided
has the reason `llm`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from metrics.core.mcq import Choices, Extraction, extract
from scoring.endpoint import Endpoint, Message
from scoring.structured import ask_for

OPEN_REASONS = frozenset({"no_choice_made", "no_option_named", "conflicting"})
"""Reasons with which the rules leave a reply open.

The others are settled: an empty reply, a refusal, a hedge or a mere denial chooses nothing.
"""

_INSTRUCTION = """\
You read a person's reply to a multiple-choice question and report which options the reply chooses.

- Report only what the reply itself commits to. Do not solve the question, and do not correct it.
- A reply may give an option's text, or its meaning, instead of its label: report the label.
- If the reply changes its mind, the last decision counts.
- If it chooses several options as its answer, report all of them.
- If it weighs options without deciding, only rejects some, repeats the options, refuses, or says
  something that is no option, report an empty list.
"""


class ChosenOptions(BaseModel):
    """The options that a reply chooses."""

    model_config = ConfigDict(extra="forbid")

    letters: list[str] = Field(description="Labels of the options the reply chooses; [] for none.")

    @field_validator("letters")
    @classmethod
    def _allowed(cls, letters: list[str], info: ValidationInfo) -> list[str]:
        labels: tuple[str, ...] = (info.context or {})["labels"]
        unknown = [letter for letter in letters if letter not in labels]
        if unknown:
            raise ValueError(f"{unknown} not among the labels {list(labels)}")
        if len(set(letters)) < len(letters):
            raise ValueError("a label is named twice")
        return letters


def extraction_prompt(reply: str, choices: Choices, question: str = "") -> list[Message]:
    """Return the conversation that asks for the options a reply chooses.

    Args:
        reply: The reply to read.
        choices: The labels, or `{label: text}`.
        question: The question, where it is known.
    """
    texts = choices if isinstance(choices, Mapping) else dict.fromkeys(choices, "")
    options = "\n".join(f"({label}) {text}".rstrip() for label, text in texts.items())
    asked = f"Question:\n{question}\n\n" if question else ""
    return [
        {"role": "system", "content": _INSTRUCTION},
        {
            "role": "user",
            "content": f"{asked}Options:\n{options}\n\nReply between the lines:\n---\n{reply}\n---",
        },
    ]


@dataclass(frozen=True)
class FallbackExtractor:
    """Reads replies by the rules, and asks a model where they leave one open.

    Attributes:
        endpoint: The model.
        attempts: How often it is asked until its output validates.
    """

    endpoint: Endpoint
    attempts: int = 3

    @property
    def name(self) -> str:
        """Return the extractor's name for a signature."""
        return f"rules+llm({self.endpoint.model})"

    def __call__(self, reply: object, choices: Choices, question: str = "") -> Extraction:
        """Read a reply.

        Returns:
            What the rules read, or what the model read: reason `llm` with letters, `llm_none` if it
            found no choice, `llm_invalid` if its output never validated.

        Raises:
            UserError: The endpoint cannot be asked.
            ValueError: As for `extract`.
        """
        read = extract(reply, choices)
        if not isinstance(reply, str) or read.reason not in OPEN_REASONS:
            return read
        labels = tuple(str(label) for label in choices)
        answer = ask_for(
            ChosenOptions,
            self.endpoint,
            extraction_prompt(reply, choices, question),
            attempts=self.attempts,
            context={"labels": labels},
        )
        if answer.value is None:
            return Extraction((), "llm_invalid", None)
        chosen = tuple(label for label in labels if label in answer.value.letters)
        return Extraction(chosen, "llm" if chosen else "llm_none", None)
