"""Exact types: nothing is coerced, and each fault says where it is, what was expected and what stands there."""

import pytest
from attrs import field, frozen, make_class, validators

from werkrevisor_core.config.layers import Layer, LayerKind, load
from werkrevisor_core.config.plain import plain
from werkrevisor_core.models.verdict import Mode
from werkrevisor_core.rule import setting


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('max_files = "12"', 'max_files: expected int, got str "12"'),
        ("max_files = true", "max_files: expected int, got bool true"),
        ("max_files = 12.0", "max_files: expected int, got float 12.0"),
        ("max_files = [12]", "max_files: expected int, got list"),
        ("max_files = {a = 12}", "max_files: expected int, got table"),
        ("max_files = 2024-01-02", "max_files: expected int, got date"),
        ("max_files = 2024-01-02T03:04:05Z", "max_files: expected int, got datetime"),
        ("max_files = 03:04:05", "max_files: expected int, got time"),
        ("max_files = 9223372036854775808", "max_files: expected int of at most 64 bits, got int 9223372036854775808"),
        ("max_files = 0x1" + "f" * 100, "max_files: expected int of at most 64 bits, got an int beyond 64 bits"),
    ],
)
def test_int(faults, line, message):
    assert faults(f"[size]\n{line}") == [f"host.toml: [size] {message}"]


def test_the_largest_int_is_read(config):
    assert config("[size]\nmax_files = 9223372036854775807").section("size").max_files == 2**63 - 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('enabled = "false"', 'enabled: expected bool, got str "false"'),
        ("enabled = 0", "enabled: expected bool, got int 0"),
        ('whitespace_significant = "*.py"', 'whitespace_significant: expected list, got str "*.py"'),
        ("whitespace_significant = {a = 1}", "whitespace_significant: expected list, got table"),
        ('whitespace_significant = ["a", 1, "b", []]', "whitespace_significant[1]: expected str, got int 1"),
        ('imports = ["x"]', "imports: expected table, got list"),
        ('imports = {java = "import"}', 'imports.java: expected list, got str "import"'),
        ('imports = {"c++ h" = [1]}', 'imports."c++ h"[0]: expected str, got int 1'),
    ],
)
def test_bool_list_and_table(faults, line, message):
    assert faults(f"[mechanical]\n{line}")[0] == f"host.toml: [mechanical] {message}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ratio = nan", "ratio: expected finite float, got float nan"),
        ("ratio = -inf", "ratio: expected finite float, got float -inf"),
        ("ratio = 1e400", "ratio: expected finite float, got float inf"),
        ("ratio = 0x1" + "f" * 100, "ratio: expected finite float, got float inf"),
        ("ratio = false", "ratio: expected float, got bool false"),
        ('style = "c"', 'style: "c" is not a known value; known: a, b'),
        ("style = 1", "style: expected one of a, b, got int 1"),
        ('weight = "hihg"', 'weight: "hihg" is not a known value; known: high, low; did you mean high?'),
        ("weight = 2", "weight: expected one of low, high, got int 2"),
        ("either = true", "either: expected int or str, got bool true"),
        ("maybe = 1", "maybe: expected str, got int 1"),
        ("tags = [1]", "tags[0]: expected str, got int 1"),
        ("table = {a = true}", "table.a: expected int, got bool true"),
        ("rules = [3]", "rules[0]: expected table, got int 3"),
        ('rules = [{id = "a"}]', "rules[0].pattern is missing"),
        ('rules = [{id = "a", pattern = 1}]', "rules[0].pattern: expected str, got int 1"),
        (
            'rules = [{id = "a", pattern = "b", wieght = "low"}]',
            "rules[0].wieght is not a known key; known: id, pattern, weight; did you mean weight?",
        ),
        ("broken = 1", "broken could not be checked (RuntimeError)"),
    ],
)
def test_other_types(faults, line, message):
    assert faults(f"[wide]\n{line}") == [f"host.toml: [wide] {message}"]


def test_valid_values_of_every_type(config, weight, prose):
    loaded = config(
        '[wide]\nratio = 1\nstyle = "b"\nweight = "high"\ntags = ["x", "y"]\neither = "s"\nmaybe = "m"\n'
        'table = {a = 1}\n[[wide.rules]]\nid = "r"\npattern = "p"\nweight = "high"'
    )
    assert loaded.faults == ()
    wide = loaded.section("wide")
    assert (wide.ratio, type(wide.ratio)) == (1.0, float)
    assert wide.style == "b"
    assert wide.weight is weight.HIGH
    assert wide.tags == frozenset({"x", "y"})
    assert wide.either == "s"
    assert wide.maybe == "m"
    assert wide.table == {"a": 1}
    assert wide.rules == (prose("r", "p", weight.HIGH),)


def test_an_unknown_key_inside_a_value_of_the_repository_is_ignored_with_a_warning(config, prose):
    loaded = config(repository='[[wide.rules]]\nid = "r"\npattern = "p"\nmessage = "m"')
    assert loaded.faults == ()
    assert loaded.section("wide").rules == (prose("r", "p"),)
    assert loaded.warnings == (
        ".werkrevisor.toml: [wide] rules[0].message is not a known key; known: id, pattern, weight; it is ignored",
    )


def test_tables_of_a_config_cannot_be_changed(config):
    imports = config("[mechanical.imports]\nphp = []").section("mechanical").imports
    with pytest.raises(TypeError):
        imports["php"] = ("x",)


@frozen
class Pair:
    """Two numbers, the first below the second."""

    low: int = field(validator=validators.ge(0))
    high: int = 9

    def __attrs_post_init__(self):
        if self.low > self.high:
            raise ValueError("low is above high")
        if self.low == self.high:
            raise RuntimeError("a fault of the rule")


@frozen
class Pairs:
    """Tables that check themselves, declared as text."""

    pairs: "tuple[Pair, ...]" = setting((), "Pairs.")


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("{low = 10}", "pairs[0] low is above high"),
        ("{low = 9}", "pairs[0] could not be checked (RuntimeError)"),
        ("{low = -1}", "pairs[0].low 'low' must be >= 0: -1"),
    ],
)
def test_a_table_in_a_list_may_check_itself(pair, message):
    loaded = load([Layer("host.toml", LayerKind.HOST, f"[pairs]\npairs = [{pair}]".encode())], {"pairs": Pairs})
    assert [str(fault) for fault in loaded.faults] == [f"host.toml: [pairs] {message}"]


def test_a_command_line_may_give_values_that_are_structured_already():
    tables = {"engine": {"mode": Mode.RULES}, "pairs": {"pairs": [Pair(1)]}}
    loaded = load([Layer("command line", LayerKind.COMMAND_LINE, tables)], {"pairs": Pairs})
    assert loaded.faults == ()
    assert loaded.section("engine").mode is Mode.RULES
    assert loaded.section("pairs").pairs == (Pair(1),)


@pytest.mark.parametrize("wanted", [tuple[int, str], complex])
def test_a_setting_of_an_unsupported_type_is_the_rule_authors_mistake(wanted):
    odd = make_class("Odd", {"x": field(default=0, type=wanted)})
    with pytest.raises(TypeError, match=r"\[odd\] x: a setting cannot be of the type"):
        load([Layer("host.toml", LayerKind.HOST, b"[odd]\nx = 1")], {"odd": odd})
    with pytest.raises(TypeError, match="complex is no type of a setting"):
        plain(1j)
