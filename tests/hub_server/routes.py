"""What the Hub's routes do: plain functions from a request to a response, on the store."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

import yaml
from hub_server.store import (
    Commit,
    Entry,
    NotFoundError,
    RefusedError,
    Repo,
    Store,
    apply,
    git_sha1,
)
from hub_server.xet import XetStore

_LARGE_BYTES = 10 << 20
_BINARY_SUFFIXES = {".parquet", ".jpg", ".png"}
_REPO = r"(?P<kind>model|dataset|space)s/(?P<name>[^/]+(?:/[^/]+?)?)"


@dataclass(frozen=True)
class Request:
    """A request.

    Attributes:
        method: `GET`, `HEAD`, …
        path: Path of the URL, percent-decoded where it names revisions and files.
        body: What was sent.
        user: Name of the token's owner; empty without a valid token.
    """

    method: str
    path: str
    body: bytes
    user: str

    def json(self) -> Any:
        """Return the body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Response:
    """A response.

    Attributes:
        body: Content.
        status: HTTP status.
        headers: Further headers.
    """

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON response."""
    described = {"Content-Type": "application/json", **(headers or {})}
    return Response(json.dumps(value).encode(), status, described)


class Hub:
    """The Hub behind the HTTP server.

    Args:
        xet: Where Xet uploads land.
        namespaces: Where the tokens' owners may write, by name of the owner.
        regular_only: Take every file as a regular one.
    """

    def __init__(self, xet: XetStore, namespaces: dict[str, list[str]], regular_only: bool) -> None:
        self.store = Store()
        self.xet = xet
        self.namespaces = namespaces
        self.regular_only = regular_only
        self.url = ""

    def routes(self) -> list[tuple[str, str, str, Callable[..., Response]]]:
        """Return name, method, pattern of the path, and function of each route."""
        api, rev = f"/api/{_REPO}", r"/(?P<revision>[^/]+)"
        return [
            ("whoami", "GET", r"/api/whoami-v2", self.whoami),
            ("validate-yaml", "POST", r"/api/validate-yaml", self.validate_yaml),
            ("create", "POST", r"/api/repos/create", self.create),
            ("preupload", "POST", f"{api}/preupload{rev}", self.preupload),
            ("lfs-batch", "POST", rf"/{_REPO}\.git/info/lfs/objects/batch", self.lfs_batch),
            ("lfs-put", "PUT", r"/lfs/(?P<oid>\w+)", self.lfs_put),
            ("lfs-verify", "POST", r"/lfs/(?P<oid>\w+)/verify", self.lfs_verify),
            ("xet-token", "GET", rf"{api}/xet-(?P<access>read|write)-token{rev}", self.xet_token),
            ("commit", "POST", f"{api}/commit{rev}", self.commit),
            ("tag", "POST", f"{api}/tag{rev}", self.tag),
            ("tag", "DELETE", rf"{api}/tag/(?P<tag>.+)", self.delete_tag),
            ("branch", "POST", rf"{api}/branch/(?P<branch>.+)", self.branch),
            ("refs", "GET", f"{api}/refs", self.refs),
            ("commits", "GET", f"{api}/commits{rev}", self.commits),
            ("tree", "GET", rf"{api}/tree{rev}(?:/(?P<path>.*))?", self.tree),
            ("paths-info", "POST", f"{api}/paths-info{rev}", self.paths_info),
            ("info", "GET", f"{api}(?:/revision{rev})?", self.info),
            ("resolve", "GET", rf"/{_REPO}/resolve{rev}/(?P<path>.+)", self.resolve),
            ("content", "GET", r"/content/(?P<oid>\w+)", self.content),
        ]

    # --- who, and what is there ---

    def whoami(self, request: Request) -> Response:
        """Say whose token it is."""
        if not request.user:
            raise RefusedError(401, "Invalid credentials in Authorization header")
        orgs = [{"name": name} for name in self.namespaces[request.user] if name != request.user]
        return answer({"type": "user", "name": request.user, "orgs": orgs})

    def info(self, request: Request, kind: str, name: str, revision: str = "main") -> Response:
        """Describe a repository at a revision."""
        repo = self.store.repo(kind, name)
        commit = repo.commit(revision)
        head = {"id": name, "author": name.split("/")[0], "sha": commit.oid, "private": False}
        siblings = [{"rfilename": path} for path in sorted(commit.files)]
        return answer({**head, "lastModified": commit.date, "tags": [], "siblings": siblings})

    def refs(self, request: Request, kind: str, name: str) -> Response:
        """List branches and tags."""
        repo = self.store.repo(kind, name)

        def listed(refs: dict[str, str], folder: str) -> list[dict[str, str]]:
            return [
                {"name": ref, "ref": f"refs/{folder}/{ref}", "targetCommit": oid}
                for ref, oid in refs.items()
            ]

        branches, tags = listed(repo.branches, "heads"), listed(repo.tags, "tags")
        return answer({"branches": branches, "converts": [], "tags": tags})

    def commits(self, request: Request, kind: str, name: str, revision: str) -> Response:
        """List the commits of a revision, newest first."""
        history = self.store.repo(kind, name).history(revision)
        return answer(
            [
                {"id": c.oid, "title": c.title, "message": "", "authors": [], "date": c.date}
                for c in history
            ]
        )

    def tree(
        self, request: Request, kind: str, name: str, revision: str, path: str | None = None
    ) -> Response:
        """List a folder; with `recursive`, all below it."""
        commit = self.store.repo(kind, name).commit(revision)
        prefix = f"{path}/" if path else ""
        recursive = re.search(r"\brecursive=(true|1)", request.path, re.IGNORECASE) is not None
        found = [entry for entry in _listing(commit) if entry["path"].startswith(prefix)]
        if path and not found:
            raise NotFoundError("EntryNotFound")
        depth = len(PurePosixPath(prefix).parts) + 1
        return answer(
            [e for e in found if recursive or len(PurePosixPath(e["path"]).parts) == depth]
        )

    def paths_info(self, request: Request, kind: str, name: str, revision: str) -> Response:
        """Describe some paths of a revision; those that do not exist are left out."""
        wanted = request.json()["paths"]
        wanted = {wanted} if isinstance(wanted, str) else set(wanted)
        commit = self.store.repo(kind, name).commit(revision)
        return answer([entry for entry in _listing(commit) if entry["path"] in wanted])

    # --- writing ---

    def validate_yaml(self, request: Request) -> Response:
        """Check the YAML block of a card."""
        content = request.json()["content"]
        block = re.match(r"---\n(.*?)\n---", content, re.DOTALL)
        try:
            metadata = yaml.safe_load(block[1]) if block else {}
        except yaml.YAMLError as error:
            return answer({"errors": [{"message": str(error)}], "warnings": []}, 400)
        problems = [] if isinstance(metadata, dict) else [{"message": "metadata must be a mapping"}]
        return answer({"errors": problems, "warnings": []}, 400 if problems else 200)

    def create(self, request: Request) -> Response:
        """Create a repository."""
        asked = request.json()
        kind = asked.get("type", "model")
        name = f"{asked.get('organization') or request.user}/{asked['name']}"
        self._may_write(request, name)
        self.store.create(kind, name, {"sdk": asked["sdk"]} if "sdk" in asked else {})
        return answer({"url": f"{self.url}/{kind}s/{name}", "name": name})

    def branch(self, request: Request, kind: str, name: str, branch: str) -> Response:
        """Create a branch."""
        repo = self._writable(request, kind, name)
        if branch in repo.branches:
            raise RefusedError(409, f"Branch {branch} already exists")
        repo.branches[branch] = repo.commit(request.json().get("startingPoint", "main")).oid
        return answer({})

    def tag(self, request: Request, kind: str, name: str, revision: str) -> Response:
        """Create a tag on a revision."""
        repo = self._writable(request, kind, name)
        tag = request.json()["tag"]
        if tag in repo.tags:
            raise RefusedError(409, f"Tag {tag} already exists")
        repo.tags[tag] = repo.commit(revision).oid
        return answer({})

    def delete_tag(self, request: Request, kind: str, name: str, tag: str) -> Response:
        """Delete a tag."""
        repo = self._writable(request, kind, name)
        if repo.tags.pop(tag, None) is None:
            raise NotFoundError("RevisionNotFound")
        return answer({})

    def preupload(self, request: Request, kind: str, name: str, revision: str) -> Response:
        """Say how each file is to be sent, and which content is there under its path."""
        files = self._writable(request, kind, name).commit(revision).files
        return answer(
            {
                "files": [
                    {
                        "path": file["path"],
                        "uploadMode": "lfs" if self._is_large(file) else "regular",
                        "shouldIgnore": False,
                        "oid": files[file["path"]].oid if file["path"] in files else None,
                    }
                    for file in request.json()["files"]
                ]
            }
        )

    def _is_large(self, file: dict[str, Any]) -> bool:
        binary = PurePosixPath(file["path"]).suffix in _BINARY_SUFFIXES
        return not self.regular_only and (binary or file["size"] > _LARGE_BYTES)

    def lfs_batch(self, request: Request, kind: str, name: str) -> Response:
        """Say where to put the large files that are not there yet."""
        self._writable(request, kind, name)
        objects = []
        for asked in request.json()["objects"]:
            oid = asked["oid"]
            actions = {
                "upload": {"href": f"{self.url}/lfs/{oid}", "header": {}},
                "verify": {"href": f"{self.url}/lfs/{oid}/verify", "header": {}},
            }
            there = oid in self.store.contents
            objects.append(
                {"oid": oid, "size": asked["size"], **({} if there else {"actions": actions})}
            )
        return answer({"transfer": "basic", "objects": objects})

    def lfs_put(self, request: Request, oid: str) -> Response:
        """Take a large file."""
        if hashlib.sha256(request.body).hexdigest() != oid:
            raise RefusedError(400, "The content is not what was announced")
        self.store.contents[oid] = request.body
        return Response()

    def lfs_verify(self, request: Request, oid: str) -> Response:
        """Confirm a large file."""
        if len(self.store.contents.get(oid, b"")) != request.json()["size"]:
            raise RefusedError(422, "The file is not there")
        return answer({})

    def xet_token(
        self, request: Request, kind: str, name: str, access: str, revision: str
    ) -> Response:
        """Hand out access to the Xet store."""
        self.store.repo(kind, name)
        if access == "write":
            self._may_write(request, name)
        expiry = int(time.time()) + 3600
        return answer(
            {"casUrl": self.xet.url, "exp": expiry, "accessToken": "xet"},
            headers={
                "X-Xet-Cas-Url": self.xet.url,
                "X-Xet-Access-Token": "xet",
                "X-Xet-Token-Expiration": str(expiry),
            },
        )

    def commit(self, request: Request, kind: str, name: str, revision: str) -> Response:
        """Make a commit of newline-delimited JSON: a header, then one change a line."""
        repo = self._writable(request, kind, name)
        lines = [json.loads(line) for line in request.body.splitlines()]
        header, *changes = lines
        parent = repo.commit(revision)
        if header["value"].get("parentCommit") not in (None, parent.oid):
            raise RefusedError(412, "A commit has happened since. Please refresh and try again.")
        xet = self._take_from_xet(changes)
        files = apply(parent.files, [self._change(change, xet) for change in changes])
        commit = repo.add_commit(revision, header["value"]["summary"], files)
        url = f"{self.url}/{kind}s/{name}/commit/{commit.oid}"
        return answer({"success": True, "commitOid": commit.oid, "commitUrl": url})

    def _take_from_xet(self, changes: list[dict[str, Any]]) -> dict[str, str]:
        """Take the contents that came through Xet; return their Xet hashes by SHA-256."""
        large = {c["value"]["oid"]: c["value"]["size"] for c in changes if c["key"] == "lfsFile"}
        hashes = {oid: xet for oid, xet in self.xet.hashes().items() if oid in large}
        missing = {xet: large[oid] for oid, xet in hashes.items() if oid not in self.store.contents}
        if missing:
            self.store.contents |= self.xet.read(missing)
        return hashes

    def _change(self, line: dict[str, Any], xet: dict[str, str]) -> tuple[str, str, Entry | None]:
        action, value = line["key"], line["value"]
        path = value["path"]
        if action == "file":
            return action, path, self.store.keep(base64.b64decode(value["content"]))
        if action != "lfsFile":
            return action, path, None
        oid = value["oid"]
        if oid not in self.store.contents:
            raise RefusedError(400, f"LFS pointer pointed to a file that does not exist: {path}")
        return action, path, Entry(oid, value["size"], lfs=True, xet=xet.get(oid, ""))

    # --- reading files ---

    def resolve(self, request: Request, kind: str, name: str, revision: str, path: str) -> Response:
        """Return a regular file, or the way to a large one."""
        commit = self.store.repo(kind, name).commit(revision)
        entry = commit.files.get(path)
        headers = {"X-Repo-Commit": commit.oid}
        if entry is None:
            raise NotFoundError("EntryNotFound")
        if not entry.lfs:
            return Response(
                self.store.contents[entry.oid], 200, {**headers, "ETag": f'"{entry.oid}"'}
            )
        headers |= {"X-Linked-Size": str(entry.size), "X-Linked-Etag": f'"{entry.oid}"'}
        if entry.xet:
            token = f"{self.url}/api/{kind}s/{name}/xet-read-token/{commit.oid}"
            headers |= {"X-Xet-Hash": entry.xet, "Link": f'<{token}>; rel="xet-auth"'}
        # Large files lie on another host, as the Hub's do: clients read these headers here first.
        elsewhere = self.url.replace("127.0.0.1", "localhost")
        return Response(b"", 302, {**headers, "Location": f"{elsewhere}/content/{entry.oid}"})

    def content(self, request: Request, oid: str) -> Response:
        """Return a large file."""
        return Response(self.store.contents[oid], 200, {"ETag": f'"{oid}"'})

    # --- rights ---

    def _writable(self, request: Request, kind: str, name: str) -> Repo:
        repo = self.store.repo(kind, name)
        self._may_write(request, name)
        return repo

    def _may_write(self, request: Request, name: str) -> None:
        namespace = name.split("/")[0]
        if not request.user:
            raise RefusedError(401, "Invalid credentials in Authorization header")
        if namespace not in self.namespaces[request.user]:
            message = f"You don't have the rights to write under the namespace {namespace!r}"
            raise RefusedError(403, message)


def _listing(commit: Commit) -> Iterator[dict[str, Any]]:
    """Yield folders and files of a commit, as the Hub describes them."""
    folders = {
        str(parent)
        for path in commit.files
        for parent in PurePosixPath(path).parents
        if parent.name
    }
    for folder in sorted(folders):
        yield {"type": "directory", "path": folder, "oid": git_sha1(folder.encode()), "size": 0}
    for path, entry in sorted(commit.files.items()):
        file = {"type": "file", "path": path, "oid": entry.oid, "size": entry.size}
        if entry.lfs:
            file["lfs"] = {"oid": entry.oid, "size": entry.size, "pointerSize": 130}
        yield {**file, "xetHash": entry.xet} if entry.xet else file


def decoded(groups: dict[str, str | None]) -> dict[str, str]:
    """Return the parts of a path that are there, percent-decoded."""
    return {key: unquote(value) for key, value in groups.items() if value is not None}
