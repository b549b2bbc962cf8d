"""Faults that tools of this kind had: imports, space and comments that mean something, on real git."""

import pytest

BOTH_WAYS = pytest.mark.parametrize("way", ["range", "diff"])


IMPORTS = {
    "33 a submodule is bound, too": ("a.py", "from a.b import x\nimport os\n", "import os\n"),
    "33 a plain import": ("a.py", "import a.b.c\nprint(a.b.c.d)\n", "import a.b\nprint(a.b.c.d)\n"),
    "35 an effect is dropped": ("a.js", 'import "./x.js";\nf();\n', "f();\n"),
    "35 an effect is added": ("a.ts", "f();\n", "import './x.js';\nf();\n"),
    "35 effects change places": ("a.js", 'import "./x";\nimport "./y";\n', 'import "./y";\nimport "./x";\n'),
    "35 an import without names": ("a.ts", "f();\n", "import {} from './x';\nf();\n"),
    "37 everything is exported": ("a.ts", "f();\n", "export * from './x';\nf();\n"),
    "37 a name is exported": ("a.ts", "f();\n", "export { x } from './x';\nf();\n"),
    "37 an import by require": ("a.ts", "f();\n", "import x = require('./x');\nf();\n"),
    "37 a type becomes an import that runs": (
        "a.ts",
        "import type { A } from './x';\nf();\n",
        "import { type A } from './x';\nf();\n",
    ),
    "39 C moves into the block": (
        "a.go",
        'package a\n\nimport "C"\n\nimport (\n\t"fmt"\n)\n',
        'package a\n\nimport (\n\t"C"\n\t"fmt"\n)\n',
    ),
    "39 a blank import": ("a.go", 'package a\n\nimport (\n\t"fmt"\n)\n', None),
    "39 a dot import": (
        "a.go",
        'package a\n\nimport (\n\t"os"\n)\n',
        'package a\n\nimport (\n\t. "fmt"\n\t"os"\n)\n',
    ),
    "39 a build tag": ("a.go", '//go:build linux\n\npackage a\n\nimport (\n\t"os"\n)\n', None),
    "41 cfg goes": ("a.rs", "#[cfg(test)]\nuse a::b;\nfn f() {}\n", "use a::b;\nfn f() {}\n"),
    "41 an import becomes public": ("a.rs", "use a::b;\nfn f() {}\n", "pub use a::b;\nfn f() {}\n"),
    "41 an import comes under an attribute": (
        "a.rs",
        "#[cfg(test)]\nmod tests {}\n",
        "#[cfg(test)]\nuse a::b;\nmod tests {}\n",
    ),
    "41 derives change places": (
        "a.rs",
        "#[derive(A)]\n#[derive(B)]\nstruct S;\n",
        "#[derive(B)]\n#[derive(A)]\nstruct S;\n",
    ),
}
NEW = {
    "39 a blank import": 'package a\n\nimport (\n\t"fmt"\n\t_ "net/http/pprof"\n)\n',
    "39 a build tag": '//go:build windows\n\npackage a\n\nimport (\n\t"io"\n\t"os"\n)\n',
}


@BOTH_WAYS
@pytest.mark.parametrize("name", [pytest.param(name, id=f"trap_{name.replace(' ', '_')}") for name in IMPORTS])
def test_imports_that_do_something_are_not_mechanical(repo, judged, name, way):
    path, old, new = IMPORTS[name]
    repo.commit({path: old})
    repo.commit({path: NEW.get(name) if new is None else new})
    result, files, _ = judged(way)
    assert (files[path]["mechanical"], files[path]["counts"]) == ([], True)
    assert result["verdict"] == "YELLOW"


@pytest.mark.parametrize(
    ("path", "old", "use"),
    [
        ("a.kt", "import net.one.ID", 'val s = "${ID}"\n'),
        ("a.ts", "import { ID } from './one';", "const s = `${ID}`;\n"),
    ],
)
def test_trap_43_a_name_used_only_inside_a_string_counts_as_used(repo, judged, path, old, use):
    repo.commit({path: f"{old}\n\n{use}"})
    repo.commit({path: f"{old.replace('one', 'two')}\n\n{use}"})
    result, files, reasons = judged()
    assert files[path]["mechanical"] == ["imports"]
    assert "rebinding_imports" in reasons
    assert result["verdict"] == "YELLOW"


SPACES = {
    "45 a statement leaves its branch": (
        "a.py",
        "if ok:\n    check(a)\n    grant(b)\n",
        "if ok:\n    check(a)\ngrant(b)\n",
    ),
    "49 a quoted scalar is joined": ("a.yaml", 'a: "one\n  two"\n', 'a: "one two"\n'),
    "49 a quoted scalar is split": ("a.yaml", 'a: "one two"\n', 'a: "one\n  two"\n'),
    "51 a type comment": ("a.py", "x = f()  # type: ignore\n", "x = f()  # type:ignore\n"),
    "51 an embed comment": ("a.go", "//go:embed x.txt\nvar s string\n", "// go:embed x.txt\nvar s string\n"),
    "51 a lint comment": ("a.js", "f(); // eslint-disable-line\n", "f();\n"),
    "51 a shebang": ("a.js", "#!/usr/bin/env node\nf();\n", "#! /usr/bin/env deno\nf();\n"),
    "51 noqa": ("a.py", "x = 1  # noqa\n", "x = 1\n"),
    "51 a hint in SQL": ("q.java", "/*+ index(a) */ f();\n", "/* + index(a) */ f();\n"),
}


@BOTH_WAYS
@pytest.mark.parametrize("name", [pytest.param(name, id=f"trap_{name.replace(' ', '_')}") for name in SPACES])
def test_space_and_comments_that_mean_something_are_not_mechanical(repo, judged, name, way):
    path, old, new = SPACES[name]
    repo.commit({path: old})
    repo.commit({path: new})
    result, files, _ = judged(way)
    assert (files[path]["mechanical"], files[path]["counts"]) == ([], True)
    assert result["verdict"] == "YELLOW"


@BOTH_WAYS
def test_trap_47_space_beside_a_real_change_is_counted_and_hides_nothing(repo, judged, way):
    repo.commit({"a.java": "class A {\n    int a;\n    int b;\n    int c;\n}\n"})
    repo.commit({"a.java": "class A {\n    int a; \n    int b = 1;\n    int c;\t\n}\n"})
    _, files, _ = judged(way)
    file = files["a.java"]
    assert (file["added"], file["removed"], file["mechanical"]) == (3, 3, [])
    assert "int b" in file["why"]
