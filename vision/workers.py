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


def work_through(
    spec: str, work: Callable[[OcrEngine, Item], Result], items: Sequence[Item], jobs: int = 1
) -> Iterator[Result]:
    """Do some work with an engine on every item.

    Args:
        spec: The engine, see `load_engine`. It is loaded before anything is returned, so that one
            that cannot work fails at once.
        work: What to do; a function of a module, or a `partial` of one, so that it can be sent to
            other processes.
        items: What to do it on, e.g. paths of pictures.
        jobs: Number of processes; each loads an engine of its own.

    Returns:
        The results, in the order of the items, each as soon as it is there.

    Raises:
        OcrError: The engine cannot work here; or, while iterating, a process was ended.
        ValueError: There is no such engine.
    """
    engine = load_engine(spec)
    if jobs == 1 or len(items) < 2:
        return (work(engine, item) for item in items)
    return _by_processes(spec, work, items, min(jobs, len(items)))


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
