import pytest

from builders.simulated.config import CONFIG_NAMES, PRESETS, SimulatedConfig, load_config
from common.errors import UserError


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_valid_and_has_a_config_name(preset):
    config = load_config(preset=preset)
    assert config.config_name() == CONFIG_NAMES[preset]
    assert load_config(preset=preset) == config


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": 3}, "unknown key 'nodes'"),
        ({"preset": "fancy"}, "unknown preset 'fancy'"),
        ({"min_nodes": 9, "max_nodes": 4}, r"min_nodes \(9\) is above max_nodes \(4\)"),
        ({"min_nodes": 1}, "min_nodes: Input should be greater than or equal to 2"),
        ({"min_nodes": "many"}, "min_nodes: Input should be a valid integer"),
        ({"node_shapes": {"star": 1}}, "node_shapes: unknown star; known are rect"),
        ({"link_styles": {"~~>": 1}}, "link_styles: unknown ~~>"),
        ({"link_styles": {"-->": 0}}, "weights must be 0 or more, and one of them above 0"),
        ({"link_styles": {"-->": -1, "==>": 1}}, "weights must be 0 or more"),
        ({"orientations": {"XY": 1}}, "orientations: unknown XY"),
        ({"backgrounds": {"red": 1}}, "'red' is neither six hexadecimal digits nor 'random'"),
        ({"backgrounds": {"222222": 1}}, "background 222222: the links of theme default"),
        ({"theme": "pink"}, "theme: Input should be 'default'"),
        ({"label_style": "list"}, "label_style 'list' needs a word_list"),
        ({"label_style": "char", "max_nodes": 30}, "label_style 'char' has 26 letters"),
        ({"words_per_label": {"two": 1}}, "'two' is not a whole number"),
        ({"words_per_label": {"0": 1}}, "start at 1"),
        ({"min_contrast": 14}, "the links of theme default have contrast 12.63"),
        ({"jpeg_quality": 0}, "jpeg_quality: Input should be greater than or equal to 1"),
        ({"name": "My Config"}, "name: String should match pattern"),
    ],
)
def test_impossible_configurations_are_refused_with_the_reason(changes, message):
    with pytest.raises(UserError, match=message):
        load_config(**changes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: [", "not YAML"),
        ("- seed", "expected keys and values"),
        ("1: 2", "expected keys and values"),
        ("sead: 3", "unknown key 'sead'"),
    ],
)
def test_bad_files_are_refused_with_their_name(tmp_path, text, message):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(UserError, match=message) as error:
        load_config(str(path))
    assert "mine.yaml" in str(error.value)


def test_a_missing_file_is_refused():
    with pytest.raises(UserError, match=r"nowhere\.yaml: No such file"):
        load_config("nowhere.yaml")


def test_flags_override_the_file_and_the_file_overrides_the_preset(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("preset: rich\nmax_nodes: 7\nseed: 5\nbackgrounds: {C0C0C0: 1, '#abcdef': 2}\n")
    config = load_config(str(path), seed=6)
    assert (config.max_nodes, config.seed, config.connected) == (7, 6, True)
    assert config.backgrounds == {"C0C0C0": 1, "ABCDEF": 2}


def test_yaml_numbers_are_colours_too(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("theme: dark\nbackgrounds: {000000: 1}\n")
    assert load_config(str(path)).backgrounds == {"000000": 1}


def test_the_hash_leaves_out_counts_and_names_only():
    base = load_config().drawing_hash()
    assert load_config(train=1, test=1, name="other").drawing_hash() == base
    assert load_config(seed=1).drawing_hash() != base
    assert load_config(jpeg_quality=90).drawing_hash() != base


def test_the_hash_follows_the_word_list_not_its_path(tmp_path):
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("a\nb\nc\n")
    two.write_text("a\nb\nc\n")
    hashes = [
        SimulatedConfig(word_list=str(p), label_style="list").drawing_hash() for p in (one, two)
    ]
    assert hashes[0] == hashes[1]
    two.write_text("a\nb\nd\n")
    assert SimulatedConfig(word_list=str(two), label_style="list").drawing_hash() != hashes[0]
