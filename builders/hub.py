"""Publishing on the Hub: plan, upload, tag, load back. Safe to repeat, safe to interrupt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from builders.hub_loading import load_back
from builders.hub_packages import Package
from common.errors import UserError

if TYPE_CHECKING:
    from huggingface_hub import HfApi

Action = Literal["publish", "refresh", "nothing"]
"""`publish`: upload and tag; `refresh`: the version is there, only texts about it changed;
`nothing`: all is there."""

WHAT_HAPPENS: dict[Action, str] = {
    "publish": "upload and tag",
    "refresh": "update the texts",
    "nothing": "nothing: published already",
}

_COMMIT_TITLE = "Publish {name} {version}"
_TIMEOUT_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be done for one package.

    Attributes:
        package: The package.
        repo: `namespace/name`.
        action: What is to be done.
        exists: Whether the repository is there.
        link: Where it stands, at its tag.
    """

    package: Package
    repo: str
    action: Action
    exists: bool
    link: str


def connect(token: str | None, timeout: float = _TIMEOUT_SECONDS) -> HfApi:
    """Return the client, which gives up on a Hub that does not answer.

    Args:
        token: Access token; without one the Hub is only read.
        timeout: Seconds without any answer after which a request fails.
    """
    import huggingface_hub
    from huggingface_hub.utils import _http

    def client() -> Any:
        # The library's own client waits without end.
        made = _http.default_client_factory()
        made.timeout = timeout
        return made

    huggingface_hub.set_client_factory(client)
    return huggingface_hub.HfApi(token=token or False)


def check_name(namespace: str) -> None:
    """Check that a namespace is written as those of the Hub are; it is not asked.

    Raises:
        UserError: It is not.
    """
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

    try:
        validate_repo_id(f"{namespace}/name")
    except HFValidationError:
        raise UserError(
            f"{namespace!r} is no name of the Hub",
            "give a user or an organisation: letters, digits, -, _ and . alone",
        ) from None


def plan(api: HfApi, namespace: str, packages: Sequence[Package]) -> tuple[Step, ...]:
    """Compare packages with what the Hub has. Nothing is sent.

    Raises:
        UserError: The token or the namespace is wrong, a version was published with other
            contents, a repository is not ours, or the Hub does not answer.
    """
    if api.token:
        with _told(api, "asking the Hub who you are"):
            _check_namespace(api, namespace)
    steps = []
    for package in packages:
        with _told(api, f"looking at {namespace}/{package.name}"):
            steps.append(_step(api, namespace, package))
    return tuple(steps)


def publish(api: HfApi, steps: Sequence[Step], tell: Callable[[str], None]) -> None:
    """Do what was planned, then load every version back from the Hub.

    The tag is set last, on the commit that the upload made and whose files were compared with
    ours: it never points at a part. A run that broke off is completed by the next one.

    Args:
        api: The client.
        steps: The plan.
        tell: Told of what is being done.

    Raises:
        UserError: Something failed; what was done so far stays, and a rerun goes on.
    """
    for step in steps:
        package = step.package
        if step.action != "nothing":
            tell(f"uploading {step.repo}")
            with _told(api, f"uploading {step.repo}"):
                oid = _upload(api, step)
            with _told(api, f"comparing {step.repo} with what was sent"):
                _check_upload(api, step, oid)
            if step.action == "publish":
                with _told(api, f"tagging {step.repo} {package.tag}"):
                    api.create_tag(step.repo, tag=package.tag, revision=oid, repo_type=package.kind)
        tell(f"loading {step.repo} {package.tag} back")
        with _told(api, f"loading {step.repo} {package.tag} back"):
            load_back(step.repo, package, str(api.token))


def _check_namespace(api: HfApi, namespace: str) -> None:
    me = api.whoami()
    mine = [me["name"], *(org["name"] for org in me.get("orgs", []))]
    if namespace not in mine:
        raise UserError(
            f"the token may not write into the namespace {namespace!r}",
            f"choose one of {', '.join(mine)}, or another token",
        )


def _step(api: HfApi, namespace: str, package: Package) -> Step:
    repo = f"{namespace}/{package.name}"
    exists = api.repo_exists(repo, repo_type=package.kind)
    action: Action = "publish"
    if exists:
        tags = api.list_repo_refs(repo, repo_type=package.kind).tags
        if any(tag.name == package.tag for tag in tags):
            action = _action_on_published(api, repo, package)
        else:
            _check_ours(api, repo, package)
    folder = "datasets" if package.kind == "dataset" else "spaces"
    link = f"{api.endpoint}/{folder}/{repo}/tree/{package.tag}"
    return Step(package, repo, action, exists, link)


def _action_on_published(api: HfApi, repo: str, package: Package) -> Action:
    """Decide for a version that is there already: same contents, or a mistake."""
    published = _contents(api, repo, package, package.tag)
    if changed := _differences(package, published, package.fixed):
        raise UserError(
            f"{repo} {package.tag} was published with other contents: {', '.join(changed[:5])}",
            f"raise the version of {package.name} and its changelog entry, then publish again",
        )
    newest = _contents(api, repo, package, "main")
    if _differences(package, newest, package.fixed):
        return "nothing"  # a newer version stands on main
    return "refresh" if _differences(package, newest) else "nothing"


def _contents(api: HfApi, repo: str, package: Package, revision: str) -> dict[str, str]:
    """Return the ids of the contents of a revision by path: sha256 of large files, else git's."""
    from huggingface_hub.hf_api import RepoFile

    tree = api.list_repo_tree(repo, revision=revision, repo_type=package.kind, recursive=True)
    files = [file for file in tree if isinstance(file, RepoFile)]
    return {file.path: file.lfs.sha256 if file.lfs else file.blob_id for file in files}


def _differences(
    package: Package, contents: Mapping[str, str], concerned: Callable[[str], object] = bool
) -> list[str]:
    """Return the paths at which a revision of the repository differs from the package."""
    stale = [path for path in contents if package.owns(path) and path not in package.digests]
    changed = [
        path for path, digests in package.digests.items() if contents.get(path) not in digests
    ]
    return sorted(path for path in (*stale, *changed) if concerned(path))


def _check_ours(api: HfApi, repo: str, package: Package) -> None:
    """Refuse to write over a repository that something else made."""
    commits = api.list_repo_commits(repo, repo_type=package.kind)
    start = _COMMIT_TITLE.split(" ")[0]
    if len(commits) > 1 and not any(c.title.startswith(f"{start} ") for c in commits):
        raise UserError(
            f"{repo} is there, but was not made by `flowlearn publish`",
            "choose another namespace, or delete or rename that repository",
        )


def _upload(api: HfApi, step: Step) -> str:
    """Bring the repository to the package's contents; return the commit."""
    package = step.package
    if not step.exists:
        sdk = "gradio" if package.kind == "space" else None
        api.create_repo(step.repo, repo_type=package.kind, exist_ok=True, space_sdk=sdk)
    title = _COMMIT_TITLE.format(name=package.name, version=package.version)
    contents = _contents(api, step.repo, package, "main")
    if not _differences(package, contents):
        return str(api.repo_info(step.repo, repo_type=package.kind).sha)
    made = api.upload_folder(
        repo_id=step.repo,
        repo_type=package.kind,
        folder_path=package.folder,
        commit_message=title,
        delete_patterns=[path for path in contents if package.owns(path)],
    )
    return made.oid


def _check_upload(api: HfApi, step: Step, oid: str) -> None:
    if lost := _differences(step.package, _contents(api, step.repo, step.package, oid)):
        raise UserError(
            f"{step.repo} does not hold what was sent: {', '.join(lost[:5])}", "publish again"
        )


@contextmanager
def _told(api: HfApi, doing: str) -> Iterator[None]:
    """Turn whatever the clients raise into one line, free of the token."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:  # HTTP, TLS, Xet and parsing errors of three libraries
        text = " ".join(f"{type(error).__name__}: {error}".split())
        if api.token:
            text = text.replace(str(api.token), "…")
        raise UserError(f"{doing} failed: {text:.500}", "run the command again") from None
