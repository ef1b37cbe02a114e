"""From the records of LogicVista's `dataset.json` to the text columns of rows."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from builders.published.problems import Problem
from common.errors import UserError
from logicvista.errata import corrected
from logicvista.options import allowed_labels, parse_options
from logicvista.taxonomy import BROAD_CAPABILITIES, SKILLS, SPECIFIC_CAPABILITIES

ITEMS = 448
ITEM_IDS = tuple(f"v1_{number}" for number in range(ITEMS))

_MISSPELT_KEYS = {"sourceli,nk": "sourcelink"}
_STRING_KEYS = ("imagename", "question", "answer", "reasoning", "imagesource", "sourcelink")
_CHOICES = {
    "skill": tuple(SKILLS),
    "broad_capability": tuple(BROAD_CAPABILITIES),
    "specific_capability": SPECIFIC_CAPABILITIES,
}
_KEYS = (*_STRING_KEYS, *_CHOICES, "liscenced")
_FILE_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*")
_GOLD = re.compile(r"[A-I1-9](, ?[A-I1-9])*")

Record = dict[str, Any]


def read_records(source: str, data: bytes) -> dict[str, Record]:
    """Parse `dataset.json` into its records by id, misspelt keys mended.

    Raises:
        UserError: It is not JSON, an object twice has a key, or it is no object of objects.
    """
    twice: list[str] = []

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(name for name, _ in pairs)
        twice.extend(name for name, count in counts.items() if count > 1)
        return dict(pairs)

    mend = "Take dataset.json from the published release again."
    try:
        parsed = json.loads(data.decode("utf-8-sig"), object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{source}: broken JSON ({error})", mend) from error
    if twice:
        raise UserError(f"{source}: duplicate id or key: {', '.join(twice)}", mend)
    if not isinstance(parsed, dict) or not all(isinstance(r, dict) for r in parsed.values()):
        raise UserError(f"{source}: expected an object of records, id to record", mend)
    return {
        item: {_MISSPELT_KEYS.get(key, key): value for key, value in record.items()}
        for item, record in parsed.items()
    }


def record_problems(records: dict[str, Record], as_published: bool) -> Iterator[Problem]:
    """Yield all that is wrong with the records themselves, in their order."""
    for item in ITEM_IDS:
        if item not in records:
            yield "missing record", item
    for item, record in records.items():
        if item not in ITEM_IDS:
            yield "unknown id", item
        elif keys := [key for key in record if key not in _KEYS]:
            yield f"unknown key {', '.join(map(repr, keys))}", item
        elif keys := [key for key in _KEYS if key not in record]:
            yield f"missing key {', '.join(map(repr, keys))}", item
        else:
            yield from _value_problems(item, record, as_published)


def picture_names(records: dict[str, Record]) -> dict[str, str]:
    """Return the file names of the items' pictures, as far as the records give sound ones."""
    names = {item: records.get(item, {}).get("imagename") for item in ITEM_IDS}
    return {
        item: name
        for item, name in names.items()
        if isinstance(name, str) and _FILE_NAME.fullmatch(name)
    }


def _value_problems(item: str, record: Record, as_published: bool) -> Iterator[Problem]:
    for key in _STRING_KEYS:
        if not _is_text(record[key]):
            yield f"{key} is not a text", item
            return
    for key, choices in _CHOICES.items():
        value = record[key]
        if not (isinstance(value, list) and len(value) == 1 and value[0] in choices):
            yield f"{key} is not a list of one of {', '.join(choices)}", item
    if record["liscenced"] not in ("true", "false"):
        yield "liscenced is neither 'true' nor 'false'", item
    if not _FILE_NAME.fullmatch(record["imagename"]):
        yield "imagename is not a plain file name", item
    answer = record["answer"].strip()
    if answer and not _GOLD.fullmatch(answer):
        yield "answer is not a list of option labels", item
    elif not as_published and not set(_gold(item, record, as_published)) <= set(
        allowed_labels(record["question"])
    ):
        yield "answer is none of the question's options", item


def _is_text(value: object) -> bool:
    """Tell a string that UTF-8 can hold; JSON lets lone surrogates through."""
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def _gold(item: str, record: Record, as_published: bool) -> list[str]:
    released = record["answer"]
    answer = released if as_published else corrected(item, "answer", released)
    if isinstance(answer, list):
        return answer
    return list(dict.fromkeys(label.strip() for label in released.split(",") if label.strip()))


def _capabilities(item: str, broad: str, as_published: bool) -> list[str]:
    released = list(BROAD_CAPABILITIES[broad])
    capabilities = released if as_published else corrected(item, "capabilities", released)
    return capabilities if isinstance(capabilities, list) else released


def _labels(question: str, answer: list[str]) -> tuple[str, ...]:
    """Return the labels that may answer; letters where the released gold is one beside numbers.

    So `v1_190`, whose question offers 1 to 5, can be answered as published: with B.
    """
    labels = allowed_labels(question)
    return labels if set(answer) <= set(labels) else tuple("ABCDEFGHI"[: len(labels)])


def text_columns(item: str, record: Record, as_published: bool) -> dict[str, Any]:
    """Return a row's columns but for its picture.

    Args:
        item: The item's id.
        record: A record without problems.
        as_published: Leave gold and capabilities as released instead of applying the errata.
    """
    question = record["question"]
    answer = _gold(item, record, as_published)
    (broad,) = record["broad_capability"]
    scorable = bool(question.strip() and answer)
    return {
        "id": item,
        "question": question,
        "options": [
            {"label": label, "text": text} for label, text in parse_options(question).items()
        ],
        "labels": list(_labels(question, answer)),
        "answer": answer if scorable else [],
        "published_answer": record["answer"],
        "reasoning": record["reasoning"],
        "skill": record["skill"][0],
        "capabilities": _capabilities(item, broad, as_published),
        "broad_capability": broad,
        "specific_capability": record["specific_capability"][0],
        "source": record["imagesource"],
        "source_url": record["sourcelink"],
        "licensed": record["liscenced"] == "true",
        "scorable": scorable,
        "unscorable_reason": "" if scorable else "released without question or gold answer",
    }
