"""Faults on demand: which request goes wrong, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FaultKind = Literal["refuse", "hang", "cut", "error"]

FAULT_KINDS: tuple[FaultKind, ...] = ("refuse", "hang", "cut", "error")
"""`refuse`: closed unread; `hang`: no answer for long; `cut`: done, but the answer breaks off;
`error`: 503, not done."""


@dataclass(frozen=True)
class Fault:
    """A fault.

    Attributes:
        kind: What happens.
        at: The how many-th matching request meets it, from 1.
        route: Only requests of this route count; every one where empty.
        times: How many matching requests in a row meet it; more than the retries of the clients
            make it last.
    """

    kind: FaultKind
    at: int = 1
    route: str = ""
    times: int = 1


class Faults:
    """The faults to come.

    Args:
        faults: What goes wrong.
    """

    def __init__(self, *faults: Fault) -> None:
        self._faults = faults
        self._seen = [0] * len(faults)
        self.met = 0

    def next(self, route: str) -> FaultKind | None:
        """Return what befalls the next request of a route."""
        found: FaultKind | None = None
        for number, fault in enumerate(self._faults):
            if fault.route in ("", route):
                self._seen[number] += 1
                if 0 <= self._seen[number] - fault.at < fault.times:
                    found = fault.kind
        self.met += found is not None
        return found
