import io
import json
import zipfile

import pytest
from PIL import Image

from builders.published import pictures, release
from builders.published.logicvista import import_logicvista
from common.errors import UserError


def edit(copy, change):
    file = copy / "data" / "dataset.json"
    records = json.loads(file.read_text(encoding="utf-8"))
    change(records)
    file.write_text(json.dumps(records), encoding="utf-8")


def _drop(key):
    return lambda records: records["v1_7"].pop(key)


def _set(key, value):
    return lambda records: records["v1_7"].__setitem__(key, value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_drop("answer"), "missing key 'answer': v1_7"),
        (_set("colour", "red"), "unknown key 'colour': v1_7"),
        (_set("skill", ["juggling"]), "skill is not a list of one of .*: v1_7"),
        (_set("skill", "spatial"), "skill is not a list of one of .*: v1_7"),
        (_set("broad_capability", [[]]), "broad_capability is not .*: v1_7"),
        (_set("question", None), "question is not a text: v1_7"),
        (_set("question", "\ud800"), "question is not a text: v1_7"),
        (_set("liscenced", True), "liscenced is neither 'true' nor 'false': v1_7"),
        (_set("answer", "yes"), "answer is not a list of option labels: v1_7"),
        (_set("answer", "I"), "answer is none of the question's options: v1_7"),
        (_set("imagename", "../../etc/passwd"), "imagename is not a plain file name: v1_7"),
        (lambda records: records.pop("v1_7"), "missing record: v1_7"),
        (lambda records: records.update(v1_448=records["v1_7"]), "unknown id: v1_448"),
        (lambda records: records.update(v1_7=3), "expected an object of records"),
    ],
)
def test_bad_records(copy, tmp_path, change, message):
    edit(copy, change)
    with pytest.raises(UserError, match=message):
        import_logicvista(copy, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"v1_0": ', "broken JSON"),
        ("[" * 100_000, "broken JSON"),
        ('{"v1_0": {}, "v1_0": {}}', "duplicate id or key: v1_0"),
        ('{"v1_0": {"answer": "A", "answer": "B"}}', "duplicate id or key: answer"),
        ("[]", "expected an object of records"),
        ("\xff", "broken JSON"),
    ],
)
def test_bad_json(copy, tmp_path, text, message):
    (copy / "data" / "dataset.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError, match=message):
        import_logicvista(copy, tmp_path / "out")


def _image(form, size=(30, 20)):
    buffer = io.BytesIO()
    Image.new("RGB", size).save(buffer, form)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the image cannot be decoded: v1_7"),
        (b"<svg/>", "the image cannot be decoded: v1_7"),
        (_image("PNG")[:-20], "the image cannot be decoded: v1_7"),
        (_image("GIF"), "the image is GIF, not PNG as its name says: v1_7"),
        (_image("JPEG"), "the image is JPEG, not PNG as its name says: v1_7"),
        (_image("PNG", (8000, 8000)), "the image has more than 40 megapixels: v1_7"),
        (_image("PNG", (20000, 20000)), "the image has more than 40 megapixels: v1_7"),
    ],
)
def test_bad_images(copy, tmp_path, data, message):
    (copy / "data" / "images" / "v1_7.png").write_bytes(data)
    with pytest.raises(UserError, match=message):
        import_logicvista(copy, tmp_path / "out", allow_missing=True)
    assert not (tmp_path / "out").exists()


def test_too_large_an_image_file(copy, tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "MAX_BYTES", 100)
    with pytest.raises(UserError, match="the image file is larger than"):
        import_logicvista(copy, tmp_path / "out")


def test_all_problems_are_told_at_once(copy, tmp_path):
    (copy / "data" / "images" / "v1_3.png").unlink()
    (copy / "data" / "images" / "v1_9.png").write_bytes(b"no picture")
    (copy / "data" / "images" / "v1_8.png").write_bytes(b"no picture")
    edit(copy, _drop("answer"))
    with pytest.raises(UserError) as error:
        import_logicvista(copy, tmp_path / "out")
    assert "4 problems" in str(error.value)
    assert "missing key 'answer': v1_7" in str(error.value)
    assert "decoded: v1_8, v1_9" in str(error.value)
    assert "missing image: v1_3" in str(error.value)


def test_a_failed_import_leaves_an_earlier_one(copy, tmp_path):
    made = import_logicvista(copy, tmp_path / "out")
    before = {file: file.read_bytes() for file in made.folder.rglob("*") if file.is_file()}
    edit(copy, _drop("answer"))
    with pytest.raises(UserError):
        import_logicvista(copy, tmp_path / "out")
    after = {file: file.read_bytes() for file in made.folder.rglob("*") if file.is_file()}
    assert before == after


def test_a_broken_manifest_beside_is_told_before_anything_is_written(stand_in, tmp_path):
    other = tmp_path / "data" / "other" / "manifest.json"
    other.parent.mkdir(parents=True)
    other.write_text("{}", encoding="utf-8")
    with pytest.raises(UserError, match="is no manifest"):
        import_logicvista(stand_in, tmp_path)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [other]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["../evil.png", "dataset.json"], "unsafe path"),
        (["/etc/evil.png", "dataset.json"], "unsafe path"),
        (["C:\\evil.png", "dataset.json"], "unsafe path"),
        (["a/dataset.json", "b/dataset.json"], "several dataset.json"),
        (["picture.png"], "has no dataset.json"),
    ],
)
def test_bad_zips(tmp_path, names, message):
    archive = tmp_path / "release.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for name in names:
            out.writestr(name, "{}")
    with pytest.raises(UserError, match=message):
        import_logicvista(archive, tmp_path / "out")


def test_zip_bomb(tmp_path):
    archive = tmp_path / "release.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("dataset.json", b" " * (8 << 20))
    with pytest.raises(UserError, match="zip bomb"):
        import_logicvista(archive, tmp_path / "out")


def test_zip_with_a_damaged_entry(stand_in, tmp_path):
    archive = tmp_path / "release.zip"
    with zipfile.ZipFile(archive, "w") as out:
        out.write(stand_in / "data" / "dataset.json", "dataset.json")
        for image in sorted((stand_in / "data" / "images").iterdir()):
            out.write(image, image.name)
    data = archive.read_bytes()
    picture = (stand_in / "data" / "images" / "v1_7.png").read_bytes()
    spot = data.index(picture[40:])
    archive.write_bytes(data[:spot] + b"?????" + data[spot + 5 :])
    with pytest.raises(UserError, match=r"the image cannot be read .*: v1_7"):
        import_logicvista(archive, tmp_path / "out")


def test_links_into_nowhere_are_missing_images(copy, tmp_path):
    image = copy / "data" / "images" / "v1_7.png"
    image.unlink()
    image.symlink_to(tmp_path / "nowhere")
    with pytest.raises(UserError, match="missing image: v1_7"):
        import_logicvista(copy, tmp_path / "out")


def test_out_that_is_a_file(stand_in, tmp_path):
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="out cannot be written"):
        import_logicvista(stand_in, tmp_path / "out")


def test_too_many_files(stand_in, tmp_path, monkeypatch):
    monkeypatch.setattr(release, "MAX_FILES", 10)
    with pytest.raises(UserError, match="more than 10 files"):
        import_logicvista(stand_in, tmp_path / "out")


def test_no_release(tmp_path):
    with pytest.raises(UserError, match="does not exist"):
        import_logicvista(tmp_path / "nothing", tmp_path / "out")
    with pytest.raises(UserError, match=r"has no dataset\.json"):
        import_logicvista(tmp_path, tmp_path / "out")
    (tmp_path / "notes.txt").write_text("no zip", encoding="utf-8")
    with pytest.raises(UserError, match="neither a folder nor a zip"):
        import_logicvista(tmp_path / "notes.txt", tmp_path / "out")
