"""Commands of other packages: found by entry point, and only where one of them may be meant."""

import subprocess
import sys

import pytest

SOURCE = """
def add(commands):
    parser = commands.add_parser("greet", help="say hello")
    parser.set_defaults(run=lambda options: print("hello") or 3)
"""


@pytest.fixture
def command(tmp_path):
    """Install a package with a command; returns the environment in which it is installed."""

    def install(source=SOURCE, name="greet", target="greeting:add"):
        site = tmp_path / "site"
        info = site / f"greeting_{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (site / "greeting.py").write_text(source)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: greeting-{name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[werkrevisor_commands]\n{name} = {target}\n")
        return {"PYTHONPATH": str(site)}

    return install


def test_it_runs(process, command):
    ran = process("greet", **command())
    assert (ran.status, ran.out) == (3, "hello\n")


def test_it_stands_in_the_help(process, command):
    env = command()
    assert "greet" in process("--help", **env).out
    assert "'greet'" in process("nonsense", **env).complaint


def test_a_built_in_command_does_not_look_for_it(process, command):
    env = command("raise SystemExit('loaded')")
    assert process("rules", **env).status == 0
    assert process("greet", **env).status != 0


@pytest.mark.parametrize(
    ("source", "target", "says"),
    [
        ("1 / 0", "greeting:add", "division by zero"),
        ("", "greeting:add", "has no attribute 'add'"),
        ("", "nowhere:add", "No module named 'nowhere'"),
        ("add = 5", "greeting:add", "not callable"),
    ],
)
def test_one_that_cannot_be_loaded_is_one_sentence(process, command, source, target, says):
    complaint = process("greet", **command(source, target=target)).complaint
    assert complaint.startswith(f"the command `greet` ({target}) cannot be loaded: ")
    assert says in complaint


def test_a_name_that_is_taken_is_one_sentence(process, command):
    complaint = process("nonsense", **command(name="review")).complaint
    assert complaint == "the command `review` comes from two packages; uninstall one of them"


def test_a_local_review_imports_no_client(process, repo):
    repo.commit({"a.txt": "1\n"})
    repo.commit({"a.txt": "2\n"})
    script = (
        "import sys; from werkrevisor_core.cli.main import main; "
        "status = main(['review', '--base', 'HEAD~1', '--format', 'json']); "
        "sys.stderr.write(','.join(sorted(set(sys.modules) & {'httpx', 'cattrs', 'werkrevisor_gitea.client'})))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=repo.path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("{")
    assert done.stderr == ""
