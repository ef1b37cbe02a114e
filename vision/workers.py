"""An OCR engine at work on many pictures, in one process or in several."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import TypeVar

from vision.engines import load_engine
from vision.ocr import OcrEngine, OcrError

Item = TypeVar("Item")
Result = TypeVar("Result")

_engine: OcrEngine
"""The engine of a worker process: models take seconds to load."""


class EngineWorkers:
    """An engine and the processes that use it.

    Args:
        spec: The engine, see `load_engine`. It is made at once, so that one that is not there fails
            before any work is done.
        jobs: Number of processes; each loads an engine of its own.

    Raises:
        OcrError: The engine cannot work here.
        ValueError: There is no such engine.
    """

    def __init__(self, spec: str, jobs: int = 1) -> None:
        self.spec = spec
        self.jobs = jobs
        self._engine = load_engine(spec)

    @property
    def signature(self) -> str:
        """The engine's."""
        return self._engine.signature

    def work_through(
        self, work: Callable[[OcrEngine, Item], Result], items: Sequence[Item]
    ) -> Iterator[Result]:
        """Do some work with the engine on every item.

        Args:
            work: What to do; a function of a module, or a `partial` of one, so that it can be sent
                to other processes.
            items: What to do it on, e.g. paths of pictures.

        Returns:
            The results, in the order of the items, each as soon as it is there.

        Raises:
            OcrError: While iterating: a process was ended.
        """
        if self.jobs == 1 or len(items) < 2:
            return (work(self._engine, item) for item in items)
        return _by_processes(self.spec, work, items, min(self.jobs, len(items)))


def _by_processes(
    spec: str, work: Callable[[OcrEngine, Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[Result]:
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(jobs, context, _start, (spec,)) as pool:
            yield from pool.map(partial(_work, work), items)
    except BrokenProcessPool as error:
        raise OcrError(
            "a process that reads pictures was ended from outside, perhaps for want of memory",
            f"use fewer than {jobs} jobs",
        ) from error


def _start(spec: str) -> None:
    global _engine
    _engine = load_engine(spec)


def _work(work: Callable[[OcrEngine, Item], Result], item: Item) -> Result:
    return work(_engine, item)
