"""The columns of a LogicVista row; `schema.json` says the same of a row as JSON."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datasets import Features


def features() -> "Features":
    """Return the features of the config `published`.

    Columns:
        id: `v1_0` … `v1_447`.
        image: The picture, byte for byte as released; null if it was not there at the import.
        image_sha256: Its SHA-256 in hexadecimal; null without a picture.
        image_group: The first id with the same picture: items of a group are not independent.
        question: As released.
        options: The options that the question states, in order; `text` is empty where the label
            only points into the picture.
        labels: The labels that may answer; A to D where the question states none.
        answer: The right labels; empty if the item is not scorable.
        published_answer: The gold as released, before any correction.
        reasoning: The human explanation; empty for 44 spatial items.
        skill: One of `taxonomy.SKILLS`.
        capabilities: Those of the paper that can be told, `diagram` and `ocr`.
        broad_capability: As released.
        specific_capability: As released.
        source: The test publisher, as released.
        source_url: The publisher's page.
        licensed: The release's flag `liscenced`.
        scorable: False if no reply can be judged.
        unscorable_reason: Why not; else empty.
    """
    from datasets import Features, Image, List, Value

    string = Value("string")
    return Features(
        {
            "id": string,
            "image": Image(),
            "image_sha256": string,
            "image_group": string,
            "question": string,
            "options": List({"label": string, "text": string}),
            "labels": List(string),
            "answer": List(string),
            "published_answer": string,
            "reasoning": string,
            "skill": string,
            "capabilities": List(string),
            "broad_capability": string,
            "specific_capability": string,
            "source": string,
            "source_url": string,
            "licensed": Value("bool"),
            "scorable": Value("bool"),
            "unscorable_reason": string,
        }
    )
