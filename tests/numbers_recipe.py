"""A cheap recipe for tests of the build machinery; workers import it by name."""

import time
from contextlib import contextmanager
from dataclasses import dataclass

from datasets import Features, Value

from builders.manifest import Manifest
from builders.shards import plan_shards
from common.errors import UserError

FEATURES = Features({"n": Value("int64"), "square": Value("int64")})
SHARDS = plan_shards({"train": 50, "test": 13}, 10)
MANIFEST = Manifest("numbers", "squares", "1.0", {"what": "squares"}, FEATURES._to_yaml_list())


@dataclass(frozen=True)
class NumbersRecipe:
    pause: float = 0.0
    fault: str = ""

    @contextmanager
    def open(self):
        yield self

    def features(self):
        return FEATURES

    def notes(self):
        return {"counted": 1}

    def rows(self, shard):
        for n in range(shard.start, shard.start + shard.count):
            time.sleep(self.pause)
            if self.fault and n == 27:
                raise {"user": UserError("no disk", "buy one"), "bug": KeyError("bug")}[self.fault]
            yield {"n": n, "square": n * n}
