"""The local Hub does for the real client what the Hub does."""

from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from hub_server.faults import FAULT_KINDS, Fault, FaultKind, Faults
from hub_server.server import TOKEN, HubServer
from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError

REPO = "lab/things"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HubServer]:
    with HubServer(tmp_path / "xet", hang_seconds=5) as server:
        yield server


@pytest.fixture
def api(server: HubServer) -> HfApi:
    api = HfApi(server.url, token=TOKEN)
    api.create_repo(REPO, repo_type="dataset")
    return api


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_text("---\nlicense: mit\n---\n# Things\n")
    (folder / "data" / "rows.parquet").write_bytes(bytes(range(256)) * 300)
    return folder


@pytest.mark.parametrize("way", ["xet", "lfs", "regular"])
def test_a_folder_comes_back_as_it_was_sent(
    way: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", way != "xet")
    with HubServer(tmp_path / "xet", regular_only=way == "regular") as server:
        api = HfApi(server.url, token=TOKEN)
        api.create_repo(REPO, repo_type="dataset")
        made = api.upload_folder(repo_id=REPO, repo_type="dataset", folder_path=folder)
        api.create_tag(REPO, tag="v1.0", revision=made.oid, repo_type="dataset")
        routes = {seen.route for seen in server.seen}
        assert ("xet-token" in routes, "lfs-put" in routes) == (way == "xet", way == "lfs")
        local = api.snapshot_download(
            REPO, repo_type="dataset", revision="v1.0", cache_dir=tmp_path / "cache"
        )
        for path in ("README.md", "data/rows.parquet"):
            assert (Path(local) / path).read_bytes() == (folder / path).read_bytes()
        before = len(server.seen)
        again = api.upload_folder(repo_id=REPO, repo_type="dataset", folder_path=folder)
        assert again.oid == made.oid
        assert not {"commit", "lfs-put"} & {seen.route for seen in server.seen[before:]}


def test_stale_files_go_in_the_same_commit(api: HfApi, folder: Path) -> None:
    api.upload_folder(repo_id=REPO, repo_type="dataset", folder_path=folder)
    (folder / "data" / "rows.parquet").rename(folder / "data" / "other.parquet")
    api.upload_folder(
        repo_id=REPO, repo_type="dataset", folder_path=folder, delete_patterns="data/*"
    )
    assert "data/other.parquet" in api.list_repo_files(REPO, repo_type="dataset")
    assert "data/rows.parquet" not in api.list_repo_files(REPO, repo_type="dataset")
    assert len(api.list_repo_commits(REPO, repo_type="dataset")) == 3


def test_refusals_are_those_of_the_hub(server: HubServer, api: HfApi) -> None:
    with pytest.raises(HfHubHTTPError, match="rights to write under the namespace 'others'"):
        api.create_repo("others/things", repo_type="dataset")
    with pytest.raises(HfHubHTTPError, match="409"):
        api.create_repo(REPO, repo_type="dataset")
    with pytest.raises(RepositoryNotFoundError):
        api.dataset_info("lab/nothing")
    with pytest.raises(RevisionNotFoundError):
        api.dataset_info(REPO, revision="v9.9")
    with pytest.raises(HfHubHTTPError, match="Invalid user token"):
        HfApi(server.url, token="hf_wrong").whoami()
    with pytest.raises(ValueError, match=r"Invalid metadata in README\.md"):
        api.upload_file(
            path_or_fileobj=b"---\na: [\n---\n",
            path_in_repo="README.md",
            repo_id=REPO,
            repo_type="dataset",
        )


def test_parts_of_files_are_served(server: HubServer, api: HfApi) -> None:
    api.upload_file(
        path_or_fileobj=b"0123456789", path_in_repo="a.txt", repo_id=REPO, repo_type="dataset"
    )
    url = f"{server.url}/datasets/{REPO}/resolve/main/a.txt"
    with urlopen(Request(url, headers={"Range": "bytes=2-4"})) as answer:
        assert (answer.status, answer.read()) == (206, b"234")
        assert answer.headers["Content-Range"] == "bytes 2-4/10"


@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_faults_happen_once_at_their_request(kind: FaultKind, server: HubServer) -> None:
    server.faults = Faults(Fault(kind, at=2, route="refs"))
    api = HfApi(server.url, token=TOKEN)
    api.create_repo(REPO, repo_type="dataset")
    url = f"{server.url}/api/datasets/{REPO}/refs"
    assert [status_of(url) for _ in range(3)] == [200, 503 if kind == "error" else 0, 200]
    assert server.faults.met == 1


def status_of(url: str) -> int:
    """Return the status of an answer; 0 where none came."""
    try:
        with urlopen(url, timeout=0.5) as answer:
            answer.read()
            return int(answer.status)
    except HTTPError as error:
        return error.code
    except (OSError, HTTPException):
        return 0
