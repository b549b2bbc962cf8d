"""Runs git: argument lists, a scrubbed environment, a time-out, bounded output.

Nothing of the caller's environment reaches git but the absolute folders of PATH, so neither
`GIT_*` variables nor the user's or the system's configuration change what is seen. No transport is
allowed unless a `Server` is named, so a partial clone is never completed behind the review's back.
Only this module starts processes.
"""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from attrs import field

from werkrevisor_core.errors import GitError
from werkrevisor_core.records import frozen

SECONDS: Final = 300.0
"""Time that one git command may take. A diff of 200,000 files takes 10 to 40 s."""
NOWHERE: Final = "/nonexistent"
_STDERR: Final = 4096
"""Bytes kept of what git complains."""
_TICK: Final = 0.1
"""Seconds between two looks at the size of the files that git writes."""
_PIECE: Final = 1 << 16

_FIXED: Final[Mapping[str, str]] = {
    "LC_ALL": "C",
    "HOME": NOWHERE,
    "XDG_CONFIG_HOME": NOWHERE,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    # No protocol has this name: whatever transport a configuration names is refused. Git before
    # 2.44 does not know GIT_NO_LAZY_FETCH and still starts a fetch, which then ends here.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": os.devnull,
    "GIT_PAGER": "cat",
    "GIT_LITERAL_PATHSPECS": "1",
}


@frozen
class Server:
    """The one server that a git command may talk to.

    `origin` is its address down to the repositories, http or https, `url` that of the repository, which
    git knows as the remote `origin`. `header` is sent below the origin with every request, and nowhere
    else: no redirect is followed. It reaches git in its environment, which other users cannot read, never
    in an argument. `ca_file` names a file with authorities that are trusted instead of the system's.
    """

    origin: str
    url: str
    header: str = field(repr=False)
    ca_file: str = ""

    def environment(self) -> dict[str, str]:
        """Return what the environment of a command needs for it."""
        pairs = {
            f"http.{self.origin.rstrip('/')}/.extraHeader": self.header,
            "http.followRedirects": "false",
            "http.lowSpeedLimit": "1",
            "http.lowSpeedTime": "60",
            # Only what fetches knows that the rest of a partial clone is to be had from somewhere.
            "remote.origin.url": self.url,
            "remote.origin.promisor": "true",
            "remote.origin.partialCloneFilter": "blob:none",
        }
        if self.ca_file:
            pairs["http.sslCAInfo"] = self.ca_file
        variables = {"GIT_CONFIG_COUNT": str(len(pairs)), "GIT_ALLOW_PROTOCOL": self.protocol}
        for number, (key, value) in enumerate(pairs.items()):
            variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return variables

    @property
    def protocol(self) -> str:
        """`http` or `https`."""
        return self.origin.partition(":")[0]


@frozen
class Answer:
    """What a git command answered: exit status, output, and the beginning of its complaints."""

    status: int
    out: bytes
    complaint: str

    @property
    def lines(self) -> list[str]:
        """The lines of the output."""
        return self.out.decode("utf-8", "surrogateescape").split("\n")[:-1]


@frozen
class Git:
    """A git program and how it is run.

    `path` is the PATH that it gets, `directory` where it runs, `repository` the git directory (None
    where git has to look for one), `seconds` how long one command may take, `server` whom it may talk to.
    """

    program: str
    path: str
    directory: str
    repository: str | None = None
    seconds: float = SECONDS
    server: Server | None = None

    def run(self, *arguments: str, into: int = subprocess.DEVNULL, guard: Callable[[], None] = lambda: None) -> Answer:
        """Run one command whose output is small.

        Args:
            arguments: those of git.
            into: an open file that is its standard input; nothing where none is named.
            guard: called again and again while it runs; what it raises ends the command.

        Raises:
            GitError: git cannot be started or takes too long.
        """
        with self._started(arguments, subprocess.PIPE, into=into) as process:
            watch = _Watch(process, self._deadline(), _name(arguments), guard=guard)
            out = watch.collect(_number(process.stdout))
            return Answer(process.wait(), out, watch.complaint)

    def write(self, commands: Sequence[tuple[Sequence[str], int]], most: int) -> list[Answer]:
        """Run several commands at the same time, the output of each into an open file.

        Args:
            commands: (arguments, file descriptor) of each.
            most: bytes that each file may have.

        Raises:
            GitError: git cannot be started or takes too long, or a file gets too large.
        """
        deadline = self._deadline()
        with self._all_started(commands) as processes:
            answers = []
            for process, (arguments, _) in zip(processes, commands, strict=True):
                watch = _Watch(process, deadline, _name(arguments), tuple(target for _, target in commands), most)
                watch.collect(None)
                answers.append(Answer(process.wait(), b"", watch.complaint))
            watch.check()
            return answers

    @contextmanager
    def talk(self, *arguments: str) -> "Iterator[Dialogue]":
        """Keep one command running that answers requests line by line; it is ended on exit."""
        with self._started(arguments, subprocess.PIPE, into=subprocess.PIPE, complaints=subprocess.DEVNULL) as process:
            yield Dialogue(_number(process.stdin), _number(process.stdout), self.seconds)

    def _deadline(self) -> float:
        return time.monotonic() + self.seconds

    @contextmanager
    def _all_started(self, commands: Sequence[tuple[Sequence[str], int]]) -> "Iterator[list[subprocess.Popen[bytes]]]":
        processes: list[subprocess.Popen[bytes]] = []
        try:
            for arguments, target in commands:
                processes.append(self._start(arguments, target))
            yield processes
        finally:
            for process in processes:
                _end(process)

    @contextmanager
    def _started(
        self, arguments: Sequence[str], out: int, into: int = subprocess.DEVNULL, complaints: int = subprocess.PIPE
    ) -> "Iterator[subprocess.Popen[bytes]]":
        process = self._start(arguments, out, into, complaints)
        try:
            yield process
        finally:
            _end(process)

    def _start(
        self, arguments: Sequence[str], out: int, into: int = subprocess.DEVNULL, complaints: int = subprocess.PIPE
    ) -> "subprocess.Popen[bytes]":
        environment = {**_FIXED, "PATH": self.path}
        if self.server is not None:
            environment |= self.server.environment()
        if self.repository is not None:
            environment["GIT_DIR"] = self.repository
        try:
            return subprocess.Popen(  # noqa: S603 - an argument list, and no shell
                [self.program, *arguments],
                stdin=into,
                stdout=out,
                stderr=complaints,
                cwd=self.directory,
                env=environment,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as fault:
            raise GitError(f"git could not be started in {plain(self.directory)}: {fault}") from None


def _name(arguments: Sequence[str]) -> str:
    """Return the name of the command: what stands behind git's own options."""
    rest = list(arguments)
    while len(rest) > 2 and rest[0] in ("-c", "-C"):
        del rest[:2]
    return rest[0]


def _number(stream: "IO[bytes] | None") -> int:
    """Return the descriptor of a stream that the process was started with."""
    if stream is None:
        raise GitError("git was started without a pipe")
    return stream.fileno()


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # it leads a session of its own; its children end with it
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    process.wait()


class _Watch:
    """Waits for the end of a process, reads what it complains, and looks at time and size."""

    def __init__(  # noqa: PLR0913, PLR0917 (all that can end a process)
        self,
        process: "subprocess.Popen[bytes]",
        deadline: float,
        name: str,
        targets: tuple[int, ...] = (),
        most: int = 0,
        guard: Callable[[], None] = lambda: None,
    ) -> None:
        self._stderr = _number(process.stderr)
        self._deadline = deadline
        self._name = name
        self._targets = targets
        self._most = most
        self._guard = guard
        self._complaint = bytearray()

    @property
    def complaint(self) -> str:
        return self._complaint.decode("utf-8", "surrogateescape")

    def collect(self, stdout: int | None) -> bytes:
        """Read until the process closes its streams; return what it printed."""
        parts: list[bytes] = []
        poll = select.poll()
        open_streams = {self._stderr} | ({stdout} if stdout is not None else set())
        for stream in open_streams:
            poll.register(stream, select.POLLIN)
        while open_streams:
            for stream, _ in poll.poll(_TICK * 1000):
                piece = os.read(stream, _PIECE)
                if not piece:
                    poll.unregister(stream)
                    open_streams.discard(stream)
                elif stream == self._stderr:
                    self._complaint += piece[: _STDERR - len(self._complaint)]
                else:
                    parts.append(piece)
            self.check()
        return b"".join(parts)

    def check(self) -> None:
        self._guard()
        if time.monotonic() > self._deadline:
            raise GitError(
                f"`git {self._name}` took too long and was stopped; "
                "the repository may be damaged or too large, or its server too slow"
            )
        if any(os.fstat(target).st_size > self._most for target in self._targets):
            raise GitError(
                f"the diff is larger than {self._most:,} bytes and was not read: "
                "split the change, or name a nearer base"
            )


@frozen
class Dialogue:
    """Requests to a running git command and its answers, each read with a time-out."""

    _into: int
    _out: int
    _seconds: float
    _buffer: bytearray = field(factory=bytearray, repr=False)  # grows and shrinks in place

    def send(self, text: bytes) -> None:
        """Send requests; at most 4 kB, which a pipe takes without a reader."""
        try:
            os.write(self._into, text)
        except OSError:
            raise GitError("git stopped while it was asked for contents") from None

    def line(self) -> bytes:
        r"""Return the next line without its `\n`."""
        while (end := self._buffer.find(b"\n")) < 0:
            self._more()
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        while len(self._buffer) < size:
            self._more()
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def _more(self) -> None:
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        if not poll.poll(self._seconds * 1000):
            raise GitError("git took too long to answer what a file holds; the repository may be damaged")
        piece = os.read(self._out, _PIECE)
        if not piece:
            raise GitError("git stopped while it was asked for contents; the repository may be damaged")
        self._buffer.extend(piece)


def find_git(directory: str, seconds: float = SECONDS) -> Git:
    """Return the git of the PATH. Relative folders there are skipped: they could be the reviewed ones.

    Raises:
        GitError: there is none.
    """
    folders = [folder for folder in os.get_exec_path() if Path(folder).is_absolute()]
    for folder in folders:
        program = os.path.join(folder, "git")  # noqa: PTH118 - a str is what Popen takes
        if os.access(program, os.X_OK) and os.path.isfile(program):  # noqa: PTH113 - likewise
            return Git(program, os.pathsep.join(folders), directory, seconds=seconds)
    raise GitError("git was not found on the PATH: install git 2.38 or newer")


def git_version(git: Git | None = None) -> tuple[int, ...]:
    """Return the version of git, e.g. (2, 39, 5).

    Raises:
        GitError: there is no git, or it does not say its version.
    """
    answer = (git or find_git("/")).run("version")
    words = answer.lines[0].split() if answer.lines else []
    numbers = []
    for part in words[2].split(".") if len(words) > 2 else []:
        if not part.isascii() or not part.isdigit():
            break
        numbers.append(int(part))
    if not numbers:
        raise GitError("`git version` did not answer with a version: reinstall git 2.38 or newer")
    return tuple(numbers)


def plain(text: str) -> str:
    """Return text of unknown origin for an error sentence: one line, bounded, no control characters."""
    shown = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text[:201])
    return shown if len(shown) <= 200 else shown[:200] + "..."


def first_line(complaint: str) -> str:
    """Return git's own reason, without `fatal:`, for the end of an error sentence."""
    for line in complaint.split("\n"):
        for prefix in ("fatal: ", "error: "):
            if line.startswith(prefix):
                return plain(line[len(prefix) :])
    return plain(complaint.partition("\n")[0]) or "it gave no reason"
