"""Makes repositories with one large change, the same in every run.

Every file is source code in one of four languages and changes in as many places as its share of the
diff asks for; each place has its own hunk of about 400 bytes.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

KINDS: Final = ("imports", "mixed", "logic")
"""Import lines only; import lines and statements in every file; statements only."""
_HUNK: Final = 400
"""Bytes of diff that one changed place costs."""
_HEADER: Final = 250
"""Bytes of diff that the header of a file costs."""
_IMPORTS: Final = {
    "java": "import net.example.shop.part{a}.Order{b};",
    "kt": "import net.example.shop.part{a}.Order{b}",
    "ts": "import {{ order{b} }} from './shop/part{a}/order{b}';",
    "rs": "use crate::shop::part{a}::order{b};",
}
_END: Final = {"java": ";", "kt": "", "ts": ";", "rs": ";"}


def file_texts(number: int, places: int, kind: str) -> tuple[str, str, str]:
    """Return path, old text and new text of one file.

    Args:
        number: which file; decides on language, names and figures.
        places: changed places.
        kind: one of `KINDS`.
    """
    language = tuple(_IMPORTS)[number % len(_IMPORTS)]
    imports = {"imports": places, "mixed": max(1, places // 2), "logic": 0}[kind]
    statements = {"imports": 0, "mixed": max(1, places - imports), "logic": places}[kind]
    old: list[str] = []
    new: list[str] = []
    for place in range(imports):
        _import_place(language, number, place, old, new)
    old.append("")
    new.append("")
    for place in range(statements):
        _statement_place(_END[language], number, place, old, new)
    folder = f"src/module{number % 97}/part{number % 389}"
    return f"{folder}/Order{number}.{language}", "\n".join(old) + "\n", "\n".join(new) + "\n"


def _import_place(language: str, number: int, place: int, old: list[str], new: list[str]) -> None:
    """Append eight lines of which one is taken away and one comes in."""
    pattern = _IMPORTS[language]
    lines = [pattern.format(a=place, b=10 * number + line) for line in range(8)]
    old += lines
    new += [*lines[:3], pattern.format(a=place, b=f"{number}x"), *lines[4:]]


def _statement_place(end: str, number: int, place: int, old: list[str], new: list[str]) -> None:
    """Append eight lines of which one is taken away and two come in."""
    lines = [f"    total{line} = total{line} + price{place} * {number + line}{end}" for line in range(8)]
    old += lines
    new += [*lines[:3], f"    discount{place} = rate * {number}{end}", f"    total3 = discount{place}{end}", *lines[4:]]


def make_repository(folder: Path, files: int, size: int, kind: str) -> None:
    """Make a bare repository whose branch `main` changes `files` files with about `size` bytes of diff."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(folder)], check=True)
    places = max(1, round((size / files - _HEADER) / _HUNK))
    with subprocess.Popen(["git", "-C", str(folder), "fast-import", "--quiet"], stdin=subprocess.PIPE) as process:
        if process.stdin is None:
            raise RuntimeError("git was started without a pipe")
        for part in _stream(files, places, kind):
            process.stdin.write(part)
    if process.returncode:
        raise RuntimeError("git fast-import failed")


def _stream(files: int, places: int, kind: str) -> Iterator[bytes]:
    for which in (1, 2):
        yield b"commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata 0\n" % which
        for number in range(files):
            texts = file_texts(number, places, kind)
            data = texts[which].encode()
            yield b"M 100644 inline %s\ndata %d\n%s\n" % (texts[0].encode(), len(data), data)
