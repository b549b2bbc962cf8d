"""A list that layers only add to: what the host put there, a repository cannot take away."""

from attrs import frozen

from werkrevisor_core.config.layers import Config, Layer, LayerKind, load
from werkrevisor_core.registry import load_registry
from werkrevisor_core.rule import Merge, setting


@frozen
class Guarded:
    globs: tuple[str, ...] = setting(("built-in",), "Globs.", merge=Merge.EXTEND)


def loaded(*layers: tuple[LayerKind, str]) -> Config:
    return load([Layer(f"{kind}.toml", kind, text.encode()) for kind, text in layers], {"guarded": Guarded})


HOST = (LayerKind.HOST, '[guarded]\nglobs = ["auth"]\n')


def test_each_layer_adds():
    config = loaded(HOST, (LayerKind.REPOSITORY, '[guarded]\nglobs = ["pay"]\n'))
    assert config.section("guarded") == Guarded(("built-in", "auth", "pay"))
    assert config.origin("guarded", "globs") == "host.toml, repository.toml"


def test_an_empty_list_takes_nothing_away():
    assert loaded(HOST, (LayerKind.REPOSITORY, "[guarded]\nglobs = []\n")).section("guarded") == Guarded(
        ("built-in", "auth")
    )


def test_a_list_of_the_wrong_type_is_a_fault_and_takes_nothing_away():
    config = loaded(HOST, (LayerKind.REPOSITORY, '[guarded]\nglobs = "pay"\n'))
    assert len(config.faults) == 1
    assert config.section("guarded") == Guarded(("built-in", "auth"))


def test_a_repository_cannot_take_risky_paths_from_its_host():
    layers = [
        Layer("host", LayerKind.HOST, b'[risky_paths]\nglobs = ["**/auth/**"]\n'),
        Layer("repository", LayerKind.REPOSITORY, b"[risky_paths]\nglobs = []\n"),
    ]
    config = load(layers, load_registry().sections)
    assert config.section("risky_paths").globs == ("**/auth/**",)
