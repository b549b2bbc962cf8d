"""The git side of the fake: one bare repository each, read and written by git commands."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from attrs import frozen

ZERO = "0" * 40
RECEIVE_HOOK = """#!/bin/sh
# Refuses what the rule of a branch forbids; the names come from the server, which knows who pushes.
while read -r old new ref; do
  case " $FAKE_FORBIDDEN " in *" $ref "*)
    echo "Not allowed to push to protected branch ${ref#refs/heads/}" >&2; exit 1;;
  esac
  case "$old$new" in *0000000000000000000000000000000000000000*) continue;; esac
  case " $FAKE_NO_FORCE " in *" $ref "*)
    git merge-base --is-ancestor "$old" "$new" && continue
    echo "branch ${ref#refs/heads/} is protected from force push" >&2; exit 1;;
  esac
done
"""

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
}


class GitFailed(Exception):
    """A git command of the fake ended with an error."""


@frozen
class Merge:
    """What a trial merge gave: a tree, or a conflict."""

    tree: str
    conflict: bool


@frozen
class Git:
    """Reads and writes one bare repository."""

    path: Path

    @classmethod
    def create(cls, path: Path, branch: str) -> Git:
        """Make an empty bare repository that serves any commit by its id, also with a filter."""
        path.mkdir(parents=True)
        git = cls(path)
        git.run("init", "-q", "--bare", "-b", branch)
        for key, value in {
            "uploadpack.allowAnySHA1InWant": "true",
            "uploadpack.allowFilter": "true",
            "http.receivepack": "true",
            "receive.denyDeleteCurrent": "ignore",
            "core.quotePath": "false",
            "diff.algorithm": "histogram",
            "gc.auto": "0",
        }.items():
            git.run("config", key, value)
        hook = path / "hooks" / "pre-receive"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(RECEIVE_HOOK)
        hook.chmod(0o755)
        return git

    def output(self, *arguments: str, given: bytes = b"", author: str = "", check: bool = True) -> bytes:
        """Run git and return its output as bytes; `author` is who a commit is by."""
        environment = dict(ENVIRONMENT)
        if author:
            for role in ("AUTHOR", "COMMITTER"):
                environment[f"GIT_{role}_NAME"] = author
                environment[f"GIT_{role}_EMAIL"] = f"{author}@example.com"
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env=environment, input=given, capture_output=True, check=False
        )
        if check and done.returncode:
            raise GitFailed(f"git {' '.join(arguments)}: {done.stderr.decode('utf-8', 'replace')}")
        return done.stdout

    def run(self, *arguments: str, given: bytes = b"", author: str = "", check: bool = True) -> str:
        """Run git and return its output as text without the last line end."""
        done = self.output(*arguments, given=given, author=author, check=check)
        return done.decode("utf-8", "surrogateescape").removesuffix("\n")

    def ok(self, *arguments: str) -> bool:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        return done.returncode == 0

    def refs(self) -> dict[str, str]:
        """Return every ref and the object it names; read from the files, since every answer asks for some."""
        found: dict[str, str] = {}
        packed = self.path / "packed-refs"
        for line in packed.read_text().splitlines() if packed.exists() else []:
            if line[:1] not in ("#", "^"):
                sha, name = line.split(" ", 1)
                found[name] = sha
        for file in (self.path / "refs").rglob("*"):
            if file.is_file() and file.suffix != ".lock":
                found[str(file.relative_to(self.path))] = file.read_text().strip()
        return found

    def ref(self, name: str) -> str:
        """Return the commit of a ref or of a (short) commit id, or an empty text."""
        if name.startswith("refs/"):
            file = self.path / name
            return file.read_text().strip() if file.is_file() else self.refs().get(name, "")
        return self.run("rev-parse", "-q", "--verify", f"{name}^{{commit}}", check=False)

    def branch(self, name: str) -> str:
        return self.ref(f"refs/heads/{name}")

    def has_commit(self, sha: str) -> bool:
        return self.ok("cat-file", "-e", f"{sha}^{{commit}}")

    def set_ref(self, name: str, sha: str) -> None:
        self.run("update-ref", name, sha)

    def merge_base(self, one: str, other: str) -> str:
        return self.run("merge-base", one, other, check=False)

    def is_ancestor(self, old: str, new: str) -> bool:
        return self.ok("merge-base", "--is-ancestor", old, new)

    def count(self, spec: str) -> int:
        return int(self.run("rev-list", "--count", spec))

    def commits(self, *spec: str) -> list[str]:
        """Return commits, oldest first."""
        return self.run("rev-list", "--reverse", *spec, check=False).split()

    def content_changed(self, new: str, old: str, base: str) -> bool:
        """Tell whether a file differs from both the old head and the merge base, as the server asks it."""
        return bool(self.output("diff", "--name-only", "-z", new, old, base))

    def copy_objects(self, other: Git, sha: str) -> None:
        """Bring a commit of a fork here, held by no ref."""
        if not self.has_commit(sha):
            self.run("fetch", "-q", "--no-write-fetch-head", "--no-tags", str(other.path), sha)

    def try_merge(self, base: str, head: str) -> Merge:
        done = subprocess.run(
            ["git", "merge-tree", "--write-tree", base, head],
            cwd=self.path,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        return Merge(done.stdout.decode().split("\n", 1)[0], done.returncode != 0)

    def commit_tree(self, tree: str, parents: list[str], message: str, author: str) -> str:
        options = [part for parent in parents for part in ("-p", parent)]
        return self.run("commit-tree", tree, *options, given=message.encode(), author=author)

    def rebase(self, base: str, head: str, author: str) -> str:
        """Return the head rebased onto the base, or an empty text for a conflict."""
        work = tempfile.mkdtemp(prefix="fake-rebase-")
        try:
            self.run("clone", "-q", "--shared", "--no-checkout", str(self.path), work)
            clone = Git(Path(work))
            clone.run("checkout", "-q", "--detach", head)
            if not clone.ok(
                "-c", f"user.name={author}", "-c", f"user.email={author}@example.com", "rebase", "-q", base
            ):
                return ""
            sha = clone.run("rev-parse", "HEAD")
            self.copy_objects(clone, sha)
            return sha
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def commit_files(self, parent: str, files: dict[str, bytes | None], message: str, author: str) -> str:
        """Commit files on top of a commit (or of nothing) and return the new commit; None deletes a file."""
        index = {"GIT_INDEX_FILE": tempfile.mktemp(prefix="fake-index-")}  # noqa: S306 - git makes it, nobody else writes there
        environment = {**ENVIRONMENT, **index}

        def git(*arguments: str, given: bytes = b"") -> str:
            done = subprocess.run(
                ["git", *arguments], cwd=self.path, env=environment, input=given, capture_output=True, check=True
            )
            return done.stdout.decode().strip()

        try:
            if parent:
                git("read-tree", parent)
            for path, data in files.items():
                if data is None:
                    git("update-index", "--force-remove", path)
                    continue
                blob = git("hash-object", "-w", "--stdin", given=data)
                git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
            return self.commit_tree(git("write-tree"), [parent] if parent else [], message, author)
        finally:
            Path(index["GIT_INDEX_FILE"]).unlink(missing_ok=True)
