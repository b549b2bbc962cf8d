"""`config show`: valid TOML that loads to the same config, every value with its origin."""

import pytest

from werkrevisor_core.config.layers import Layer, LayerKind, load
from werkrevisor_core.config.show import show


def test_every_value_has_the_layer_it_came_from(config):
    text = show(config("[size]\nmax_files = 7", "[mechanical.imports]\njava = []", {"engine": {"mode": "rules"}}))
    assert "[size]\nmax_files = 7  # host.toml\nmax_lines = 1000  # default\n" in text
    assert '[engine]\nmode = "rules"  # command line\n' in text
    assert (
        '[mechanical]\nenabled = true  # default\nwhitespace_significant = ["*.py"]  # default\n'
        '[mechanical.imports]\njava = []  # .werkrevisor.toml\nts = ["import .*"]  # default\n'
    ) in text
    assert "# maybe is not set\n" in text
    assert text.startswith("version = 1\n\n[categories]\n")


def test_a_long_list_is_broken_over_lines(config):
    names = [f"user{number:02}" for number in range(20)]
    text = show(config(f"[gate]\nhuman_reviewers = {names}".replace("'", '"')))
    lines = text.split("\n")
    start = lines.index("human_reviewers = [  # host.toml")
    assert lines[start + 1] == "    " + " ".join(f'"user{number:02}",' for number in range(9))
    assert lines[start + 4] == "]"
    assert all(len(line) <= 100 for line in lines[start : start + 4])


HOSTILE = (
    '[mechanical]\nwhitespace_significant = ["\\"#\\\\", "\\u202e\\n\\u007f", "\\U0001f600\\U000e0001"]\n'
    '[mechanical.imports]\n"a b" = ["x"]\n"\\u0000" = []\n"" = []\n'
    '[wide]\ntable = {"k k" = 1, b = 2}\ntags = ["b", "a"]\nratio = 1e300\nmaybe = "m"\nweight = "high"\n'
    '[[wide.rules]]\nid = "#"\npattern = "[x]"\nweight = "high"'
)


@pytest.mark.parametrize("host", ["", "[size]\nmax_files = 3", HOSTILE])
def test_what_is_shown_loads_to_the_same_config(config, sections, host):
    shown = config(host)
    assert shown.faults == ()
    again = load([Layer("again.toml", LayerKind.HOST, show(shown).encode())], sections)
    assert again.faults == ()
    assert dict(again.sections) == dict(shown.sections)
    assert again.digest == shown.digest


def test_hostile_values_are_visible_and_cannot_break_out_of_their_line(config):
    assert all(line.isprintable() for line in show(config(HOSTILE)).split("\n"))


def test_a_section_that_no_active_rule_reads_is_named(config):
    assert "\n# [other] is set, but its rule is switched off\n" in show(
        config("[other]\nx = 1", known_elsewhere={"other": int})
    )


def test_a_secret_that_the_variable_holds_is_not_shown(config, monkeypatch):
    monkeypatch.setenv("BOT_TOKEN", "hunter2")
    text = show(config('[gitea]\ntoken_env = "BOT_TOKEN"'))
    assert 'token_env = "BOT_TOKEN"  # host.toml' in text
    assert "hunter2" not in text
