"""What the `evaluate` modules share: inputs checked and carried safely, results made plain.

`evaluate` writes inputs into an Arrow file and fails there on `None`, NaN, numbers and lone
surrogates with errors that name nothing, and splits a bare string into characters. The mixin
checks inputs first and sends each item through the file as JSON in ASCII, which carries all of
them; `_compute` gets them back with `decode`.
"""

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any, ClassVar

import datasets
import evaluate


def decode(column: list[str]) -> list[Any]:
    """Return the items that the mixin sent through evaluate's file."""
    return [json.loads(item) for item in column]


def plain(value: Any) -> Any:
    """Return a result in plain dicts, lists, strings and numbers.

    Dataclasses become dicts, tuples become lists, NumPy scalars become Python's.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.item() if hasattr(value, "item") else value


class CheckedInputs:
    """Mixin of a metric module, written before `evaluate.Metric` in its bases.

    It is no Metric itself because evaluate takes the first Metric class that it meets in a script.

    Attributes:
        accepts: The types that each input's items may have, by input name. `predictions` may also
            be `None` or NaN, as tables of replies have them: both reach `_compute` as `None`, to
            be counted as a reply that is missing.
    """

    accepts: ClassVar[Mapping[str, tuple[type, ...]]]

    def module_info(self, description: str, inputs: str, citation: str) -> evaluate.MetricInfo:
        """Return the module's description for evaluate.

        Args:
            description: What the metric measures.
            inputs: Its arguments, results and examples (doctest).
            citation: BibTeX of the paper that it comes from.
        """
        return evaluate.MetricInfo(
            description=description,
            citation=citation,
            inputs_description=inputs,
            features=datasets.Features({name: datasets.Value("string") for name in self.accepts}),
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **inputs: Any) -> None:
        """Add a batch of items.

        Args:
            predictions: One prediction an item.
            references: One reference an item.
            **inputs: The metric's further inputs, one an item.

        Raises:
            ValueError: An input is unknown, missing, no list, of another length, or holds an item
                that the metric cannot take; nothing of the batch is added then.
        """
        batch = {"predictions": predictions, "references": references, **inputs}
        batch = {name: column for name, column in batch.items() if column is not None}
        if unknown := batch.keys() - self.accepts.keys():
            raise ValueError(f"unknown input: {', '.join(sorted(unknown))}")
        if missing := [name for name in self.accepts if name not in batch]:
            raise ValueError(f"missing input: {', '.join(missing)}")
        encoded = {name: self._encode(name, batch[name]) for name in self.accepts}
        lengths = {name: len(column) for name, column in encoded.items()}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{count} {name}" for name, count in lengths.items())
            raise ValueError(f"inputs differ in length: {told}")
        super().add_batch(**encoded)  # type: ignore[misc]  # of evaluate.Metric

    def add(self, *, prediction: Any = None, reference: Any = None, **inputs: Any) -> None:
        """Add one item.

        Args:
            prediction: The prediction.
            reference: The reference.
            **inputs: The metric's further inputs.

        Raises:
            ValueError: As for `add_batch`.
        """
        columns = {name: [item] for name, item in inputs.items()}
        if "references" in self.accepts:
            columns["references"] = [reference]
        self.add_batch(predictions=[prediction], **columns)

    def _encode(self, name: str, column: Any) -> list[str]:
        """Check the items of one input and write each as JSON."""
        if isinstance(column, (str, bytes, Mapping)):
            raise ValueError(f"{name}: expected a list, got one {type(column).__name__}")
        try:
            items = list(column)
        except TypeError:
            raise ValueError(f"{name}: expected a list, got {type(column).__name__}") from None
        return [self._encode_item(name, index, item) for index, item in enumerate(items)]

    def _encode_item(self, name: str, index: int, item: Any) -> str:
        item = plain(item)
        missing = item is None or (isinstance(item, float) and math.isnan(item))
        if missing and name == "predictions":
            return "null"
        types = self.accepts[name]
        # A truth value passes for a number only in Python.
        if missing or not isinstance(item, types) or (isinstance(item, bool) and bool not in types):
            wanted = " or ".join(kind.__name__ for kind in types)
            raise ValueError(f"{name}[{index}]: expected {wanted}, got {item!r:.80}")
        try:
            return json.dumps(item)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name}[{index}]: {error}") from None
