"""What the local Hub keeps: repositories with git-like commits, branches and tags."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any


class NotFoundError(Exception):
    """Something does not exist.

    Args:
        code: What the Hub puts into `X-Error-Code`.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class RefusedError(Exception):
    """A request that the Hub answers with an error.

    Args:
        status: HTTP status.
        message: What the Hub says.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def git_sha1(data: bytes) -> str:
    """Return git's id of a blob."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@dataclass(frozen=True)
class Entry:
    """A file of a commit.

    Attributes:
        oid: Id of the content: sha256 of large files, git's sha1 of regular ones.
        size: In bytes.
        lfs: Whether it is kept as a large file.
        xet: Hash in the Xet store; empty for files that came another way.
    """

    oid: str
    size: int
    lfs: bool
    xet: str = ""


@dataclass(frozen=True)
class Commit:
    """A commit.

    Attributes:
        oid: Its id.
        parent: Id of its parent; empty for the first.
        title: First line of its message.
        files: Entries by path.
        date: When it was made.
    """

    oid: str
    parent: str
    title: str
    files: Mapping[str, Entry]
    date: str


@dataclass
class Repo:
    """A repository.

    Attributes:
        kind: `model`, `dataset` or `space`.
        name: `namespace/name`.
        settings: What it was created with, e.g. the SDK of a Space.
        commits: By id.
        branches: Ids of commits by name.
        tags: Ids of commits by name.
    """

    kind: str
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def add_commit(self, branch: str, title: str, files: Mapping[str, Entry]) -> Commit:
        """Add a commit to a branch.

        Raises:
            NotFoundError: There is no such branch.
        """
        if self.commits and branch not in self.branches:
            raise NotFoundError("RevisionNotFound")
        parent = self.branches.get(branch, "")
        date = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        facts = [
            self.name,
            parent,
            title,
            len(self.commits),
            sorted((p, e.oid) for p, e in files.items()),
        ]
        oid = hashlib.sha1(json.dumps(facts).encode()).hexdigest()
        self.commits[oid] = Commit(oid, parent, title, dict(files), date)
        self.branches[branch] = oid
        return self.commits[oid]

    def commit(self, revision: str) -> Commit:
        """Return the commit of a branch, a tag or an id.

        Raises:
            NotFoundError: There is none.
        """
        revision = revision.removeprefix("refs/heads/").removeprefix("refs/tags/")
        oid = self.branches.get(revision) or self.tags.get(revision) or revision
        if oid not in self.commits:
            raise NotFoundError("RevisionNotFound")
        return self.commits[oid]

    def history(self, revision: str) -> list[Commit]:
        """Return a commit and those before it, newest first."""
        commits = [self.commit(revision)]
        while commits[-1].parent:
            commits.append(self.commits[commits[-1].parent])
        return commits


class Store:
    """All repositories, and the contents of their files by id."""

    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.contents: dict[str, bytes] = {}

    def repo(self, kind: str, name: str) -> Repo:
        """Return a repository.

        Raises:
            NotFoundError: There is none.
        """
        try:
            return self.repos[kind, name]
        except KeyError:
            raise NotFoundError("RepoNotFound") from None

    def create(self, kind: str, name: str, settings: Mapping[str, Any]) -> Repo:
        """Create a repository with its first commit, as the Hub does.

        Raises:
            RefusedError: It exists.
        """
        if (kind, name) in self.repos:
            raise RefusedError(409, f"You already created this {kind} repo")
        repo = self.repos[kind, name] = Repo(kind, name, settings)
        attributes = self.keep(b"*.parquet filter=lfs diff=lfs merge=lfs -text\n")
        repo.add_commit("main", "initial commit", {".gitattributes": attributes})
        return repo

    def keep(self, data: bytes) -> Entry:
        """Keep the content of a regular file."""
        oid = git_sha1(data)
        self.contents[oid] = data
        return Entry(oid, len(data), lfs=False)

    def files(self, commit: Commit) -> dict[str, bytes]:
        """Return the contents of a commit's files by path."""
        return {path: self.contents[entry.oid] for path, entry in commit.files.items()}

    def state(self) -> dict[str, Any]:
        """Return what every branch and tag holds: equal for equal outcomes, whatever the way."""
        return {
            f"{kind}s/{name}": {
                "settings": dict(repo.settings),
                **{
                    f"{group}/{ref}": {p: e.oid for p, e in sorted(repo.commits[oid].files.items())}
                    for group, refs in (("branches", repo.branches), ("tags", repo.tags))
                    for ref, oid in sorted(refs.items())
                },
            }
            for (kind, name), repo in sorted(self.repos.items())
        }


def apply(
    files: Mapping[str, Entry], changes: Iterable[tuple[str, str, Entry | None]]
) -> dict[str, Entry]:
    """Return files with changes made: `(action, path, entry)`, action as in the commit's lines.

    Raises:
        NotFoundError: A file to delete is not there.
    """
    changed = dict(files)
    for action, path, entry in changes:
        if entry:
            changed[path] = entry
        elif action == "deletedFolder":
            changed = {p: e for p, e in changed.items() if not p.startswith(path.rstrip("/") + "/")}
        elif changed.pop(path, None) is None:
            raise NotFoundError("EntryNotFound")
    return changed
