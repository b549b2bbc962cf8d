"""Files that decide whether tests run: what counts as weaker, by kind, and what does not.

Every case is a small change. The expected kinds are those that a reader of the change would name.
"""

import subprocess
import sys

import pytest

from werkrevisor_core.models.change import Status
from werkrevisor_core.models.ports import Side
from werkrevisor_rules._support.weakening import ChangedText, Kind
from werkrevisor_rules._support.weakening_config import compare, concerns, files
from werkrevisor_rules._support.weakening_config.tree import MAX_TEXT

HEAD = "on: [push, pull_request]\njobs:\n  a:\n    steps:\n"
WORKFLOW = ".gitea/workflows/ci.yml"


def changed(path, old, new, old_path=None):
    status = Status.ADDED if old is None else Status.REMOVED if new is None else Status.MODIFIED
    return ChangedText(path, old_path or path, status, None, old, new)


def said(*files):
    return [(one.kind.value, one.side.value, one.line) for one in compare([changed(*file) for file in files])]


def kinds(*files):
    return sorted({one.kind.value for one in compare([changed(*file) for file in files])})


def run(*commands):
    return HEAD + "".join(f"      - run: {command}\n" for command in commands)


def script(*lines):
    return HEAD + "      - run: |\n" + "".join(f"          {line}\n" for line in lines)


def on(events):
    return f"on:\n{events}\njobs:\n  a:\n    steps:\n      - run: pytest\n"


COMMANDS = [
    # old, new, kinds
    ("pytest", "pytest -q --durations=3", []),
    ("pytest --cov-fail-under=90", "pytest --cov-fail-under=91", []),
    ("pytest --cov-fail-under=90", "pytest --cov-fail-under=89.5", ["floor-lowered"]),
    ("pytest --cov-fail-under=90", "pytest", ["floor-lowered"]),
    ("pytest", "pytest -k 'not db'", ["narrowed"]),
    ("pytest -m unit", "pytest -m slow", ["narrowed"]),
    ("pytest", "pytest --ignore=tests/x.py", ["narrowed"]),
    ("pytest", "pytest tests", []),
    ("pytest", "pytest tests/unit", ["narrowed"]),
    ("pytest tests more", "pytest tests", ["narrowed"]),
    ("pytest tests/a tests/b", "pytest tests", []),
    ("pytest shop", "pytest store", []),
    ("pytest -n 4 tests", "pytest tests", []),
    ("pytest -x tests", "pytest tests", []),
    ("pytest", "pytest --reruns 2", ["retry-added"]),
    ("pytest --timeout=10", "pytest --timeout=15", []),
    ("pytest --timeout=10", "pytest --timeout=20", ["timeout-raised"]),
    ("pytest --timeout=10", "pytest --timeout=0", ["timeout-raised"]),
    ("pytest", "pytest || true", ["non-failing"]),
    ("pytest", "pytest || echo bad", ["non-failing"]),
    ("pytest", "pytest || exit 1", []),
    ("pytest", "pytest || (echo bad; exit 1)", []),
    ("pytest", "pytest || { echo bad; echo worse; }", ["non-failing"]),
    ("pytest", "pytest || pytest --lf", ["retry-added"]),
    ("pytest", "pytest | tee log", ["non-failing"]),
    ("pytest", "set -o pipefail; pytest | tee log", []),
    ("pytest", "pytest &", ["non-failing"]),
    ("pytest", "if pytest; then echo good; fi", ["non-failing"]),
    ("pytest", "'if [ -n \"$X\" ]; then pytest; fi'", ["narrowed"]),
    ("pytest", "if false; then pytest; fi", ["ci-step-dropped"]),
    ("pytest", "set +e; pytest; echo done; rm -f x", ["non-failing"]),
    ("pytest", "set -e; pytest; rm -f x", []),
    ("pytest", "true || pytest", ["ci-step-dropped"]),
    ("pytest", "exit 0; pytest", ["ci-step-dropped"]),
    ("pytest", "test -d x && exit 0; pytest", []),
    ("pytest", "echo pytest", ["ci-step-dropped"]),
    ("pytest", "'true # pytest'", ["ci-step-dropped"]),
    ("pytest", "timeout 99 sudo -E env X=1 poetry run python -m pytest", []),
    ("pytest", "coverage run -m pytest", []),
    ("pytest", "python -m unittest", []),
    ("pytest", "./run-tests.sh", []),
    ("pytest", "python tools/run.py test", []),
    ("pytest", "bash -x scripts/test.sh", []),
    ("pytest", "node scripts/lint.mjs", ["ci-step-dropped"]),
    ("pytest", "bash -c", ["ci-step-dropped"]),
    ("pytest", "make", []),
    ("make lint test", "make test", ["ci-step-dropped"]),
    ("make", "make -i", ["non-failing"]),
    ("mypy --strict src", "mypy src", ["floor-lowered"]),
    ("mypy src tests", "mypy src", ["narrowed"]),
    ("mypy src", "ruff check src", ["ci-step-dropped"]),
    ("mypy src", "pyright src", []),
    ("mypy src", "mypy src --ignore-missing-imports", ["floor-lowered"]),
    ("ruff check .", "ruff check src", ["narrowed"]),
    ("ruff check .", "ruff check . --exit-zero", ["non-failing"]),
    ("ruff check --select E,F .", "ruff check --select E .", ["narrowed"]),
    ("ruff check .", "ruff check --select E .", []),
    ("ruff format --check .", "ruff format .", ["ci-step-dropped"]),
    ("black --check .", "black .", ["ci-step-dropped"]),
    ("black --check .", "ruff format --check", []),
    ("flake8 a", "pylint a", []),
    ("eslint . --max-warnings 0", "eslint . --max-warnings 5", ["floor-lowered"]),
    ("eslint . --max-warnings 0", "eslint .", ["floor-lowered"]),
    ("npx eslint .", "npx eslint . --quiet", ["floor-lowered"]),
    ("npm test", "npm test -- --passWithNoTests", ["non-failing"]),
    ("npm t", "yarn run test", []),
    ("npm run lint", "npm ci", ["ci-step-dropped"]),
    ("npm audit", "npm install", ["ci-step-dropped"]),
    ("npm run deploy", "npm run start", []),
    ("npm", "npm -v", []),
    ("npm test", "npm run test:unit", ["narrowed"]),
    ("npm run test:unit", "npm run test:fast", []),
    ("npm run test:vitest", "npm run test:unit", []),
    ("make test", "make test-smoke", ["narrowed"]),
    ("pytest", "make test-smoke", ["narrowed"]),
    ("deno task test", "deno task lint", ["ci-step-dropped"]),
    ("go test -tags integration ./...", "go test ./...", ["narrowed"]),
    ("mvn verify -P integration-test", "mvn verify", ["narrowed"]),
    ("mvn verify -P release", "mvn verify", []),
    ("pytest", "pytest -p no:randomly", []),
    ("pytest", "pytest -p no:x", ["narrowed"]),
    ("yarn jest", "npx jest -t x", ["narrowed"]),
    ("pnpm -r test", "pnpm test", ["narrowed"]),
    ("npx playwright test", "npx playwright test --retries=2", ["retry-added"]),
    ("npx playwright test", "npx playwright test --project=chromium", ["narrowed"]),
    ("npx playwright install", "npx playwright --version", []),
    ("npx vite", "npx vite serve", []),
    ("npx vite build", "npx vite", ["ci-step-dropped"]),
    ("npx prettier --check .", "npx prettier --write .", ["ci-step-dropped"]),
    ("jest --watch", "jest --version", []),
    ("go test -race ./...", "go test ./...", ["floor-lowered"]),
    ("go test ./...", "go test -race -count=1 ./...", []),
    ("go test ./...", "go test -short ./...", ["narrowed"]),
    ("go test ./...", "go test ./core/...", ["narrowed"]),
    ("go test -timeout 1m ./...", "go test -timeout 1h ./...", ["timeout-raised"]),
    ("go build ./...", "go test ./...", []),
    ("go build ./...", "go install ./...", ["ci-step-dropped"]),
    ("cargo +nightly test --all", "cargo test --workspace", []),
    ("cargo test --workspace", "cargo test --lib", ["narrowed"]),
    ("cargo test -p a,b", "cargo test -p a", ["narrowed"]),
    ("cargo clippy -- -D warnings", "cargo clippy", ["floor-lowered"]),
    ("cargo fmt --check", "cargo fmt", ["ci-step-dropped"]),
    ("cargo build", "cargo t", []),
    ("mvn -B verify", "mvn -B install", []),
    ("mvn verify", "mvn package", ["narrowed"]),
    ("mvn test", "mvn compile", ["narrowed"]),
    ("mvn compile", "mvn validate", ["narrowed"]),
    ("./mvnw verify", "./mvnw -DskipTests verify", ["narrowed"]),
    ("mvn verify", "mvn verify -Dmaven.test.failure.ignore=true", ["non-failing"]),
    ("mvn verify", "mvn site", ["ci-step-dropped"]),
    ("mvn verify -DskipTests", "mvn verify -Dmaven.test.skip", []),
    ("mvn verify --projects a", "mvn verify --projects b", []),
    ("mvn verify -pl '!a'", "mvn verify -pl '!b'", []),
    ("mvn verify", "mvn verify -pl '!b'", ["narrowed"]),
    ("mvn verify", "mvn verify -pl b", ["narrowed"]),
    ("./gradlew check", "./gradlew check -x test", ["narrowed"]),
    ("./gradlew :app:build", "./gradlew assemble", ["narrowed"]),
    ("./gradlew test lint", "./gradlew clean build", []),
    ("./gradlew apiVerify", "./gradlew apiVerify --info", []),
    ("pytest", "pytest {posargs} $X run", []),
    ("./gradlew apiVerify", "./gradlew publish", ["ci-step-dropped"]),
    ("dotnet test", "dotnet test --filter Category!=Slow", ["narrowed"]),
    ("tox", "tox -e py313", ["narrowed"]),
    ("tox -e py313,lint", "tox -e lint,py313", []),
    ("pre-commit run --all-files", "pre-commit run", ["narrowed"]),
    ("pre-commit run --all-files", "pre-commit install", ["ci-step-dropped"]),
    ("twine check dist/*", "twine upload dist/*", ["ci-step-dropped"]),
    ("trivy fs . --exit-code 1", "trivy fs . --severity HIGH --exit-code 1", ["narrowed"]),
    ("coverage report --fail-under=80", "coverage report --fail-under=70", ["floor-lowered"]),
    ("make test", "make deploy", ["ci-step-dropped"]),
    ("task", "just", []),
    ("hatch run test", "hatch run test -x", []),
    ("python build.py", "python -V", ["ci-step-dropped"]),
    ("retry 3 pytest", "pytest", []),
    ("timeout", "python", []),
    ("X=1", "cargo +nightly", []),
    ("docker build .", "docker run x", ["ci-step-dropped"]),
    ("go vet ./...", "go", ["ci-step-dropped"]),
    ("pytest --min-version=1.2.3", "pytest --min-version=1.2.2", []),
    ("pylint -- 'a'", "pylint a", []),
    ("uv run --with x --extra y pytest", "uv run pytest", []),
    ("cd a && npm test", "cd a && npm test -- -u", ["non-failing"]),
    ("cd a && npm test", "cd b && npm test", []),
    ("pytest", "pwsh -c 'Invoke-Pester", ["ci-step-dropped"]),
    ("'echo \"$(pytest)'", "'echo \"'", []),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), COMMANDS)
def test_commands(old, new, expected):
    assert kinds((WORKFLOW, run("echo start", old), run("echo start", new))) == expected


STEP = HEAD + "      - name: unit\n        run: pytest\n"


def step(text):
    return STEP + f"        {text}\n"


WORKFLOWS = [
    ("a step may fail", STEP, step("continue-on-error: true"), ["non-failing"]),
    ("a step may not fail", STEP, step("continue-on-error: false"), []),
    ("an entry of the matrix may fail", STEP, step("continue-on-error: ${{ matrix.new }}"), []),
    ("an input says that it may fail", STEP, step("continue-on-error: ${{ inputs.soft }}"), ["non-failing"]),
    ("it could fail only now", step("continue-on-error: true"), STEP, []),
    ("what could not fail is gone", step("continue-on-error: true"), run("ls"), []),
    ("a job may fail", STEP, STEP.replace("    steps", "    continue-on-error: true\n    steps"), ["non-failing"]),
    ("never", STEP, step("if: ${{ false }}"), ["ci-step-dropped"]),
    ("on the main branch only", STEP, step("if: github.ref == 'refs/heads/main'"), ["path-filter"]),
    ("on one system", STEP, step("if: runner.os == 'Linux' && matrix.python == '3.13'"), []),
    ("for every pull request, too", STEP, step("if: github.event_name == 'push' || github.event_name == 'pull_request'"), []),
    ("always", STEP, step("if: always() && true"), []),
    ("an empty condition", STEP, step("if:"), []),
    ("no draft", STEP, step("if: github.event.pull_request.draft == false"), []),
    ("one more condition", step("if: env.A == '1'"), step("if: env.A == '1' && env.B == '1'"), ["path-filter"]),
    ("another shell that goes on", STEP, step("shell: bash {0}").replace("run: pytest", "run: 'pytest; ls; rm x'"), ["non-failing"]),
    ("another shell that stops", STEP, step("shell: bash -el {0}").replace("run: pytest", "run: 'pytest; rm x'"), []),
    ("bash has pipefail", STEP, step("shell: bash").replace("run: pytest", "run: pytest | tee x"), []),
    ("shells of job and workflow", "defaults:\n  run:\n    shell: bash\n" + STEP, "defaults:\n  run:\n    shell: bash\n" + STEP, []),
    ("another folder", STEP, step("working-directory: sub"), []),
    (
        "the test of one folder is gone",
        run("ls") + "      - run: npm test\n        working-directory: web\n      - run: npm test\n        working-directory: api\n",
        run("ls") + "      - run: npm test\n        working-directory: api\n",
        ["ci-step-dropped"],
    ),
    ("a job for a folder", STEP, STEP.replace("    steps", "    defaults:\n      run:\n        working-directory: x\n    steps"), []),
    ("a new step of a soft kind", STEP, STEP + "      - run: ruff check . || true\n", []),
    ("a new job", STEP, STEP + "  b:\n    continue-on-error: true\n    steps:\n      - run: tox\n", []),
    ("it moved to another job", run("pytest", "mypy a"), run("pytest") + "  b:\n    steps:\n      - run: mypy a\n", []),
    ("a step with no command", STEP, STEP + "      - name: x\n      - odd\n", []),
    ("the only job is gone", STEP, "on: pull_request\njobs: {}\n", ["ci-step-dropped"]),
    ("a nightly job is gone", on("  schedule:\n    - cron: x"), None, []),
    ("only at night", STEP, on("  schedule:\n    - cron: x"), ["ci-step-dropped"]),
    ("no longer for pull requests", on("  push:\n  pull_request:"), on("  push:"), ["path-filter"]),
    ("no longer pushed", on("  push:\n  pull_request:"), on("  pull_request:"), []),
    ("never for pull requests", on("  push:"), on("  merge_group:"), ["path-filter"]),
    ("pushes to fewer branches", on("  push:\n    branches: [a, b]"), on("  push:\n    branches: [a]"), ["path-filter"]),
    ("more branches", on("  pull_request:\n    branches: [a]"), on("  pull_request:\n    branches: [a, b]"), []),
    ("fewer branches", on("  pull_request:\n    branches: [a, b]"), on("  pull_request:\n    branches: [b]"), ["path-filter"]),
    ("branches left out", on("  pull_request:"), on("  pull_request:\n    branches-ignore: [a]"), ["path-filter"]),
    ("a path left out", on("  pull_request:\n    paths: ['**']"), on("  pull_request:\n    paths: ['**', '!src/**']"), ["path-filter"]),
    ("documents left out", on("  pull_request:"), on("  pull_request:\n    paths-ignore: ['docs/**', '**.md', LICENSE]"), []),
    ("only once", on("  pull_request:"), on("  pull_request:\n    types: [opened]"), ["path-filter"]),
    ("on labels too", on("  pull_request:"), on("  pull_request:\n    types: [opened, synchronize, reopened, labeled]"), []),
    ("from either event", on("  pull_request:\n  pull_request_target:\n    branches: [a]"), on("  pull_request:\n  pull_request_target:"), []),
    ("another linter's action", run("ruff check ."), HEAD + "      - uses: astral-sh/ruff-action@v3\n", []),
    ("an action softens", HEAD + "      - uses: x/trivy-action@v1\n        with:\n          exit-code: '1'\n",
     HEAD + "      - uses: x/trivy-action@v1\n        with:\n          exit-code: '0'\n", ["non-failing"]),
    ("an action runs goals", HEAD + "      - uses: gradle/gradle-build-action@v2\n        with:\n          arguments: check\n",
     HEAD + "      - uses: gradle/gradle-build-action@v2\n        with:\n          arguments: check -x test\n", ["narrowed"]),
    ("an action runs cargo", HEAD + "      - uses: actions-rs/cargo@v1\n        with:\n          command: test\n", run("ls"), ["ci-step-dropped"]),
    ("an action runs maven", HEAD + "      - uses: x/maven-build@v1\n        with:\n          args: verify\n", run("mvn verify"), []),
    ("an action's arguments", HEAD + "      - uses: x/golangci-lint-action@v1\n        with:\n          args: --fast\n          skip-cache: 'true'\n", run("ls"), ["ci-step-dropped"]),
    ("an upload is gone", HEAD + "      - uses: actions/upload-artifact@v4\n      - uses: actions/checkout@v4\n", run("ls"), []),
    ("an action of the project's own that checks nothing is gone", HEAD + "      - uses: ./.gitea/actions/setup\n", run("ls"), []),
    ("an action runs a command again", run("npm test"), HEAD + "      - uses: nick-fields/retry@v3\n        with:\n          max_attempts: 3\n          command: npm test\n", ["retry-added"]),
    ("warnings fail no more", "env:\n  RUSTFLAGS: -D warnings -g\n" + STEP, "env:\n  RUSTFLAGS: -g\n" + STEP, ["floor-lowered"]),
    ("a flag of another kind", "env:\n  RUSTFLAGS: -g\n" + STEP, "env:\n  RUSTFLAGS: ''\n" + STEP, []),
    ("options in a variable", STEP, step("env:\n          PYTEST_ADDOPTS: -k fast"), ["narrowed"]),
    ("a hook is skipped", STEP, step("env:\n          SKIP: mypy\n          OTHER: x"), ["narrowed"]),
    ("CodeQL is gone", HEAD + "      - uses: github/codeql-action/analyze@v3\n", run("ls"), ["ci-step-dropped"]),
    ("no mapping", STEP, "- a\n", ["ci-step-dropped"]),
    ("tags are no branch", on("  push:"), on("  push:\n    tags: [v1]"), []),
    ("two events at once", on("  push:\n  pull_request_target:"), on("  push:\n  pull_request:"), []),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), [row[1:] for row in WORKFLOWS], ids=[row[0] for row in WORKFLOWS])
def test_workflows(old, new, expected):
    assert kinds((WORKFLOW, old, new)) == expected


def test_evidence_names_lines_of_the_change():
    old, new = run("pytest", "mypy a"), run("pytest -k x")
    assert said((WORKFLOW, old, new)) == [("narrowed", "new", 5), ("ci-step-dropped", "old", 6)]
    assert said((WORKFLOW, script("a", "pytest"), script("a", "b", "pytest -k x"))) == [("narrowed", "new", 8)]
    [one] = compare([changed(WORKFLOW, on("  push:\n  pull_request:"), on("  push:"))])
    assert (one.side, one.line, one.was, one.now) == (Side.OLD, 3, "pull_request", None)


def test_the_evidence_of_a_renamed_file_names_the_path_of_its_side():
    [one] = compare([changed("ci/off.yml", run("pytest"), run("pytest"), WORKFLOW)])
    assert (one.kind, one.side, one.path) == (Kind.CI_STEP_DROPPED, Side.OLD, WORKFLOW)


CALL = "on: workflow_call\njobs:\n  t:\n    steps:\n      - run: mypy a\n"
SEVERAL = [
    ("into a called workflow", [(WORKFLOW, run("mypy a"), HEAD.replace("    steps:\n", "    uses: ./.gitea/workflows/types.yml\n")), (".gitea/workflows/types.yml", None, CALL)], []),
    ("into a workflow that nothing calls", [(WORKFLOW, run("mypy a"), run("ls")), (".gitea/workflows/types.yml", None, CALL)], ["ci-step-dropped"]),
    ("the call is gone", [(WORKFLOW, HEAD.replace("    steps:\n", "    uses: ./.gitea/workflows/types.yml\n"), run("ls"))], ["ci-step-dropped"]),
    ("into a composite action", [(WORKFLOW, run("pytest"), HEAD + "      - uses: ./.gitea/actions/unit\n"), (".gitea/actions/unit/action.yml", None, "runs:\n  steps:\n    - run: pytest\n")], []),
    ("into a script that stops", [(WORKFLOW, run("pytest -q"), run("./ci/test.sh")), ("ci/test.sh", None, "#!/bin/sh -e\npytest -q\nls\n")], []),
    ("into a script that goes on", [(WORKFLOW, run("pytest -q"), run("./ci/test.sh")), ("ci/test.sh", None, "pytest -q\nls\n")], ["non-failing"]),
    ("out of a script", [(WORKFLOW, run("./ci/test.sh"), run("pytest -q")), ("ci/test.sh", "set -e\npytest -q\nls\n", None)], []),
    ("out of a script, but one", [(WORKFLOW, run("./ci/test.sh"), run("pytest")), ("ci/test.sh", "set -e\npytest\nmypy a\n", None)], ["ci-step-dropped"]),
    ("a definition does not care when it is called", [("Makefile", "test:\n\tpytest -q\n", "x:\n\tls\n"), (WORKFLOW, None, on("  push:").replace("pytest", "pytest -q"))], []),
    ("a script of something else", [("ci/deploy.sh", "npm run build\n", "ls\n")], []),
    ("into a Makefile that is called", [(WORKFLOW, run("mypy a"), run("make types")), ("Makefile", "x:\n\tls\n", "x:\n\tls\ntypes:\n\tmypy a\n")], []),
    ("from GitLab to Gitea", [(".gitlab-ci.yml", "a:\n  script: [pytest]\n", None), (WORKFLOW, None, run("pytest"))], []),
    ("from GitLab to Gitea, at night", [(".gitlab-ci.yml", "a:\n  script: [pytest]\n", None), (WORKFLOW, None, on("  schedule: []"))], ["ci-step-dropped"]),
    ("settings move with their values", [("setup.cfg", "[tool:pytest]\nxfail_strict = true\n", "[x]\n"), ("pytest.ini", None, "[pytest]\nxfail_strict = true\n")], []),
    ("settings move and fall", [(".coveragerc", "[report]\nfail_under = 90\n", None), ("pyproject.toml", "", "[tool.coverage.report]\nfail_under = 80\n")], ["floor-lowered"]),
    ("one linter follows another", [(".flake8", "[flake8]\nselect = E,F\nmax-complexity = 9\n", None), ("ruff.toml", None, "[lint]\nselect = ['E']\n")], []),
    ("one runner follows another", [("jest.config.js", "module.exports = { coverageThreshold: { global: { lines: 80 } } }", None), ("vitest.config.ts", None, "export default { test: { coverage: { thresholds: { lines: 80 } } } }")], []),
    ("one runner follows another and loses", [("jest.config.js", "module.exports = { coverageThreshold: { global: { lines: 80 } } }", None), ("vitest.config.ts", None, "export default { test: { coverage: { thresholds: { lines: 70 } } } }")], ["floor-lowered"]),
    ("a marker and what it leaves out come together", [("pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q -m 'not stress'\nmarkers =\n    stress: slow\n")], []),
    ("a marker that was there is left out", [("pytest.ini", "[pytest]\naddopts = -q\nmarkers = stress\n", "[pytest]\naddopts = -q -m 'not stress'\nmarkers = stress\n")], ["narrowed"]),
    ("two replacements by one", [(WORKFLOW, run("flake8 a", "pylint a"), run("ruff check a"))], ["ci-step-dropped"]),
    ("two replacements by one that gathers", [(WORKFLOW, run("flake8 a", "pylint a"), run("pre-commit run"))], []),
    ("the replacement is held back", [(WORKFLOW, run("flake8 a"), HEAD + "      - run: ruff check a\n        if: env.X\n")], ["path-filter"]),
    ("the replacement may fail", [(WORKFLOW, run("flake8 a"), run("ruff check a || true"))], ["ci-step-dropped"]),
    ("the hook of another tool", [(".pre-commit-config.yaml", "repos:\n- repo: x\n  hooks:\n  - id: mypy\n    args: [--strict]\n", "repos:\n- repo: x\n  hooks:\n  - id: mypy\n")], ["floor-lowered"]),
    ("a hook by hand only", [(".pre-commit-config.yaml", "repos:\n- repo: x\n  hooks:\n  - id: black\n  - id: end-of-file\n", "repos:\n- repo: x\n  hooks:\n  - id: black\n    stages: [manual]\n  - id: end-of-file\n")], ["non-failing"]),
    ("an unknown hook is gone", [(".pre-commit-config.yaml", "repos:\n- repo: x\n  hooks:\n  - id: check-yaml\n  - name: x\n", "repos: []\n")], ["ci-step-dropped"]),
]  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), [row[1:] for row in SEVERAL], ids=[row[0] for row in SEVERAL])
def test_files_together(files, expected):
    assert kinds(*files) == expected


LAB = "t:\n  script:\n    - pytest\n"
GITLAB = [
    ("gone", LAB, "t:\n  script:\n    - ls\n", ["ci-step-dropped"]),
    ("may fail", LAB, LAB + "  allow_failure: true\n", ["non-failing"]),
    ("may fail with a status", LAB, LAB + "  allow_failure:\n    exit_codes: 3\n", ["non-failing"]),
    ("may not fail", LAB, LAB + "  allow_failure: false\n", []),
    ("by hand", LAB, LAB + "  when: manual\n", ["non-failing"]),
    ("never", LAB, LAB + "  when: never\n", ["ci-step-dropped"]),
    ("later steps", LAB, LAB + "  when: always\n", []),
    ("again", LAB, LAB + "  retry: 2\n", ["retry-added"]),
    ("again, at most", LAB + "  retry: 1\n", LAB + "  retry:\n    max: 2\n", ["retry-added"]),
    ("not again", LAB + "  retry: 2\n", LAB + "  retry: 0\n", []),
    ("by default again", LAB, "default:\n  retry: 1\n" + LAB, ["retry-added"]),
    ("set up for all", "before_script: [mypy a]\n" + LAB, LAB, ["ci-step-dropped"]),
    ("a rule for merge requests", LAB, LAB + "  rules:\n    - if: $CI_PIPELINE_SOURCE == \"merge_request_event\"\n", []),
    ("a rule for the main branch", LAB, LAB + "  rules:\n    - if: $CI_COMMIT_BRANCH == \"main\"\n", ["path-filter"]),
    ("a rule for some paths", LAB, LAB + "  rules:\n    - changes: [src/**]\n", ["path-filter"]),
    ("a rule that lets all through", LAB, LAB + "  rules:\n    - if: $X\n      when: never\n    - when: on_success\n", []),
    ("a rule that stops", LAB, LAB + "  rules:\n    - when: never\n    - when: on_success\n", ["path-filter"]),
    ("a rule by which it may fail", LAB, LAB + "  rules:\n    - allow_failure: true\n", ["non-failing"]),
    ("an odd rule", LAB, LAB + "  rules:\n    - odd\n", ["path-filter"]),
    ("only the main branch", LAB, LAB + "  only: [main]\n", ["path-filter"]),
    ("only merge requests", LAB, LAB + "  only:\n    refs: [merge_requests]\n", []),
    ("only some paths", LAB, LAB + "  only:\n    changes: [a]\n", ["path-filter"]),
    ("not for merge requests", LAB, LAB + "  except: [merge_requests]\n", ["path-filter"]),
    ("not for tags", LAB, LAB + "  except: [tags]\n", []),
    ("from a template", LAB, ".b:\n  script: [pytest]\nt:\n  extends: .b\n", []),
    ("a template that may fail", LAB, ".b:\n  allow_failure: true\nt:\n  extends: [.b, .none]\n  script: [pytest]\n", ["non-failing"]),
    ("by reference", ".s: [pytest]\nt:\n  script:\n    - !reference [.s]\n    - [mypy a]\n    - {a: b}\n", ".s: [pytest]\nt:\n  script:\n    - !reference [.s]\n", ["ci-step-dropped"]),
    ("a template in a circle", LAB, "t:\n  extends: t\n", ["not-compared"]),
    ("a header", LAB, "spec:\n  inputs: {}\n---\n" + LAB, []),
    ("no failure of a pipe is lost", LAB, "t:\n  script:\n    - pytest | tee x\n", []),
    ("a word for all", LAB, LAB + "stages: [a]\nimage: x\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), [row[1:] for row in GITLAB], ids=[row[0] for row in GITLAB])
def test_gitlab(old, new, expected):
    assert kinds((".gitlab-ci.yml", old, new)) == expected


OTHER = [
    (".circleci/config.yml", "jobs:\n  t:\n    steps:\n      - run: pytest\n", "jobs:\n  t:\n    steps:\n      - run:\n          command: pytest\n", []),
    (".circleci/config.yml", "jobs:\n  t:\n    steps:\n      - run: pytest\n", "jobs:\n  t:\n    steps: [checkout]\n", ["ci-step-dropped"]),
    (".woodpecker.yml", "steps:\n  t:\n    commands: [pytest]\n", "steps:\n  t:\n    commands: [pytest]\n    failure: ignore\n", ["non-failing"]),
    (".travis.yml", "script:\n  - pytest\n  - {a: b}\n", "script: ls\n", ["ci-step-dropped"]),
    ("Makefile", "test:\n\tpytest\n", "test:\n\t-pytest\n", ["non-failing"]),
    ("Makefile", "test:\n\tpytest\n", "test:\n\t@pytest; true\n", ["non-failing"]),
    ("Makefile", "test: ; pytest\n", "test:\n\tpytest -q \\\n\t\t-k x\n", ["narrowed"]),
    ("Makefile", "GO ?= go\nFLAGS := -race\ntest:\n\t$(GO) test $(FLAGS) ./...\n", "GO ?= go\nFLAGS :=\ntest:\n\t$(GO) test $(FLAGS) ./...\n", ["floor-lowered"]),
    ("Makefile", "check: lint test docs\nall: x\n.PHONY: lint\n", "check: test\nall: x\n.PHONY: lint\n", ["ci-step-dropped"]),
    ("Makefile", "deploy:\n\tnpm run build\n", "deploy:\n\tls $$X\n", []),
    ("Makefile", "x" * (MAX_TEXT + 1), "x:\n", ["not-compared"]),
    ("Makefile", "test:\n\tpytest\n\\", "test:\n\tpytest # x\n", []),
    ("Makefile", "A = $(A)$(A)\ntest:\n\tpytest\n", "A = " + "x" * 15_000 + "\ntest:\n\tpytest $(A)$(A)\n", ["not-compared"]),
    ("sub/package.json", '{"scripts": {"test": "jest", "lint": "eslint .", "x": 1}}', '{"scripts": {"test": "jest", "x": []}}', ["ci-step-dropped"]),
    ("package.json", '{"scripts": {"jest": "jest", "test": "npm run jest"}}', '{"scripts": {"test": "jest"}}', []),
    ("package.json", '{"scripts": {"test": "jest && eslint ."}}', '{"scripts": {"test": "jest; eslint ."}}', ["non-failing"]),
    ("package.json", '{"scripts": {"pretest": "tsc"}, "jest": {"testTimeout": 5}}', '{"scripts": {"pretest": "tsc"}, "jest": {"testTimeout": 50}}', ["timeout-raised"]),
    ("package.json", '{"scripts": {"watch": "jest -t x", "start": "vite build"}}', "{}", []),
    ("tox.ini", "[testenv]\ncommands =\n    pytest \\\n      -q\n", "[testenv]\ncommands =\n    - pytest -q\n", ["non-failing"]),
    ("tox.ini", "[testenv]\ncommands = pytest\n[a]\n", "[testenv]\ncommands = pytest\nignore_outcome = true\n", ["non-failing"]),
    ("tox.ini", "[tox]\nenvlist = py39, py313, lint\n", "[tox]\nenvlist = py313, lint\n", []),
    ("tox.ini", "[tox]\nenvlist = py313, lint\n", "[tox]\nenvlist = py313\n", ["narrowed"]),
    ("tox.toml", "[env_run_base]\ncommands = [['pytest']]\n", "[env.a]\ncommands = [['ls']]\n", ["ci-step-dropped"]),
    ("pyproject.toml", "[tool.tox]\nlegacy_tox_ini = '''\n[testenv]\ncommands = pytest\n'''\n", "[tool.tox]\n", ["ci-step-dropped"]),
    ("pyproject.toml", "[tool.hatch.envs.a.scripts]\ntest = ['pytest', 'mypy a']\n", "[tool.hatch.envs.a.scripts]\ntest = 'pytest'\n", ["ci-step-dropped"]),
    ("pyproject.toml", "[tool.poe.tasks]\ntest = { cmd = 'pytest' }\nx = { shell = 'ls' }\ny = { z = 1 }\n", "[tool.poe.tasks]\n", ["ci-step-dropped"]),
    ("noxfile.py", "def t(s):\n    s.run('pytest', x)\n    f()\n    s.x()\n", "def t(s):\n    s.run('pytest', x, success_codes=[0, 1])\n", ["non-failing"]),
    ("noxfile.py", "def t(s):\n    s.run('pytest')\n", "def t(s:\n", ["not-compared"]),
    ("noxfile.py", "#" * MAX_TEXT, "x\n", ["not-compared"]),
    ("ci/lint.sh", "set -eu\nmypy a\n", "set -eu\nls\n", ["ci-step-dropped"]),
    ("ci/lint.sh", "mypy a; ls\n", "mypy a || exit 1; ls\n", []),
    (".mvn/maven.config", "-B\n", "-B\n-DskipTests\n", ["narrowed"]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new", "expected"), OTHER)
def test_other_commands(path, old, new, expected):
    assert kinds((path, old, new)) == expected


SETTINGS = [
    ("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = ['tests', 'more']\n", "[tool.pytest.ini_options]\ntestpaths = ['tests']\n", ["narrowed"]),
    ("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = ['a/typing']\n", "[tool.pytest.ini_options]\ntestpaths = ['a/types']\n", []),
    ("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = ['a']\n", "[tool.pytest.ini_options]\ntestpaths = ['a/b']\n", ["narrowed"]),
    ("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = ['a']\n", "[tool.pytest]\n", []),
    ("pytest.toml", "[pytest]\nxfail_strict = true\n", "[pytest]\nxfail_strict = false\n", ["floor-lowered"]),
    ("pytest.ini", "[pytest]\nfilterwarnings =\n    error\n    ignore::x\n", "[pytest]\nfilterwarnings =\n    ignore::x\n", ["floor-lowered"]),
    ("pytest.ini", "[pytest]\naddopts = -ra --strict-markers\n", "[pytest]\naddopts = -ra\n", ["narrowed"]),
    ("pytest.ini", "[pytest]\nnorecursedirs = x\n", "[pytest]\nnorecursedirs = x y\n", ["narrowed"]),
    ("pytest.ini", "[pytest]\ntimeout = 10\n", "[pytest]\ntimeout = 60\n", ["timeout-raised"]),
    (".coveragerc", "[report]\nexclude_also = a\n", "[report]\nexclude_also =\n    a\n    if TYPE_CHECKING:\n    : \\.{3}\n", []),
    (".coveragerc", "[run]\nsource = a,b\n", "[run]\nsource = a\n", ["floor-lowered"]),
    (".coveragerc", "[report]\nfail_under = 90\n", "[report]\nfail_under = 90\nprecision = 2\n", []),
    (".coveragerc", "[report]\nfail_under = 90\n", "[report]\nfail_under = off\n", ["floor-lowered"]),
    (".coveragerc", "[report]\nfail_under = x\n", "[report]\nfail_under = 2\n", []),
    ("mypy.ini", "[mypy]\nstrict = true\n[mypy-a.*,b]\ndisallow_untyped_defs = true\n", "[mypy]\nstrict = true\n[mypy-a.*,b]\nignore_errors = True\n", ["floor-lowered"]),
    ("mypy.ini", "[mypy]\nwarn_return_any = true\n", "[mypy]\nstrict = true\n", []),
    ("pyproject.toml", "[tool.mypy]\nstrict = true\n", "[tool.mypy]\nstrict = true\n[[tool.mypy.overrides]]\nmodule = ['a', 'b']\nignore_errors = true\n", ["floor-lowered"]),
    ("pyproject.toml", "[tool.mypy]\nfollow_imports = 'normal'\n", "[tool.mypy]\nfollow_imports = 'skip'\n", ["floor-lowered"]),
    ("pyproject.toml", "[tool.mypy]\nfollow_imports = 'normal'\n", "[tool.mypy]\nfollow_imports = 'odd'\n", []),
    ("ruff.toml", "[lint]\nselect = ['E', 'F']\nignore = []\n", "[lint]\nselect = ['E501']\nextend-select = ['F']\n", ["floor-lowered"]),
    ("ruff.toml", "lint.select = ['E501']\n", "lint.select = ['E']\n", []),
    ("ruff.toml", "lint.select = ['E501']\n", "lint.select = ['ALL']\n", []),
    ("ruff.toml", "lint.mccabe.max-complexity = 9\n", "lint.mccabe.max-complexity = 12\n", ["floor-lowered"]),
    ("ruff.toml", "lint.mccabe.max-complexity = 9\n", "line-length = 12\n", ["floor-lowered"]),
    ("tox.ini", "[flake8]\nignore = E1\n", "[flake8]\nextend-ignore = E1,E2\n", ["floor-lowered"]),
    (".pylintrc", "[MASTER]\nfail-under=9.5\n", "[MASTER]\nfail-under=9\n", ["floor-lowered"]),
    ("setup.cfg", "[pylint.messages]\ndisable = a\n", "[pylint.messages]\ndisable = a,b\n", ["floor-lowered"]),
    ("jest.config.js", "module.exports = { coverageThreshold: { global: { lines: 90 } } };\n", "module.exports = { coverageThreshold: { global: { lines: 80 } } };\n", ["floor-lowered"]),
    ("jest.config.js", "module.exports = { testMatch: ['**/*.test.ts'] };\n", "module.exports = { testMatch: ['**/fast/*.test.ts'] };\n", ["narrowed"]),
    ("jest.config.js", "module.exports = { testMatch: ['**/*.test.ts'] };\n", "module.exports = { testMatch: ['**/*.spec.ts'] };\n", []),
    ("jest.config.js", "module.exports = { testMatch: ['a?b'] };\n", "module.exports = { testMatch: ['a/b'] };\n", []),
    ("jest.config.json", '{"testPathIgnorePatterns": []}', '{"testPathIgnorePatterns": ["/node_modules/", "vat"]}', ["narrowed"]),
    ("vitest.config.ts", "export default defineConfig({ test: { retry: 0 } })\n", "export default defineConfig({ test: { retry: process.env.CI ? 3 : 0 } })\n", ["retry-added"]),
    ("vite.config.ts", "export default { test: { exclude: [] }, optimizeDeps: { exclude: [] } }\n", "export default { test: { exclude: [] }, optimizeDeps: { exclude: ['x'] } }\n", []),
    ("playwright.config.ts", "export default { forbidOnly: !!process.env.CI }\n", "export default { forbidOnly: false }\n", ["floor-lowered"]),
    (".eslintrc.json", '{"rules": {"a": ["error", {"x": "off"}], "b": 2}}', '{"rules": {"a": ["warn", {"x": "off"}], "b": 2}}', ["floor-lowered"]),
    (".eslintrc.json", '{"rules": {"b": 2}}', '{"rules": {}}', ["floor-lowered"]),
    (".eslintrc.json", '{"rules": {"b": 0}}', '{"rules": {"b": "error"}}', []),
    (".eslintrc.json", '{"rules": {"b": 0}}', "{}", []),
    ("eslint.config.js", "export default [{ files: ['a'], rules: { r: 'error' } }]\n", "export default [{ files: ['a'], rules: { r: 'error', s: 'off' } }]\n", ["floor-lowered"]),
    ("tsconfig.json", '{"compilerOptions": {"strict": true}}', '{"compilerOptions": {"strict": false}}', ["floor-lowered"]),
    ("tsconfig.build.json", '{"compilerOptions": {"strictNullChecks": true}}', '{"compilerOptions": {"strict": true}}', []),
    (".golangci.yml", "linters:\n  enable: [a, b]\n", "linters:\n  enable: [a]\n", ["floor-lowered"]),
    (".golangci.toml", "[run]\ntests = true\n", "[run]\ntests = false\n", ["narrowed"]),
    ("codecov.yml", "coverage:\n  status:\n    patch: true\n", "coverage:\n  status:\n    patch: off\n", ["non-failing"]),
    ("codecov.yml", "coverage:\n  status:\n    project:\n      default:\n        target: 85%\n", "coverage:\n  status:\n    project:\n      default:\n        target: auto\n", []),
    ("Cargo.toml", "[lib]\nname = 'a'\n", "[lib]\nname = 'a'\ntest = false\n", ["undiscovered"]),
    ("Cargo.toml", "[lints.clippy]\na = 'deny'\n", "[lints.clippy]\na = { level = 'warn' }\n", ["floor-lowered"]),
    ("Cargo.toml", "[[test]]\nname = 'a'\n", "[[test]]\nname = 'a'\nrequired-features = ['x']\n", ["narrowed"]),
    ("Cargo.toml", "[[test]]\nname = 'a'\n", "[[test]]\nname = 'a'\n[[test]]\nname = 'b'\nrequired-features = ['x']\n", []),
    ("Cargo.toml", "[lints.clippy]\na = 'deny'\n", "[lints.clippy]\na = 'deny'\nb = 'allow'\n", ["floor-lowered"]),
    ("Cargo.toml", "[lib]\n", "[lints.clippy]\na = 'deny'\nb = 'allow'\n", []),
    (".cargo/config.toml", "[build]\nrustflags = ['-Dwarnings']\n", "[build]\nrustflags = []\n", ["floor-lowered"]),
    (".config/nextest.toml", "[profile.ci]\nretries = 0\n", "[profile.ci]\nretries = 3\n", ["retry-added"]),
    (".eslintignore", "# c\ndist/\n", "# c\ndist/\nsrc/legacy/\n", ["floor-lowered"]),
    ("stryker-config.json", '{"stryker-config": {"thresholds": {"break": 80}}}', '{"stryker-config": {"thresholds": {"break": 60}}}', ["floor-lowered"]),
    ("deno.json", '{"tasks": {"test": "deno test"}}', '{"tasks": {"test": "deno test || true"}}', ["non-failing"]),
    ("sonar-project.properties", "sonar.exclusions=a\n", "sonar.exclusions=a,b\n", ["floor-lowered"]),
    (".editorconfig", "[*.cs]\ndotnet_diagnostic.CA1.severity = error\n", "[*.cs]\ndotnet_diagnostic.CA1.severity = none\n", ["floor-lowered"]),
    ("gradle.properties", "a=b\n", "a=b\nskipTests=true\n", ["narrowed"]),
    ("conf/detekt.yml", "build:\n  maxIssues: 0\n", "build:\n  maxIssues: 5\n", ["floor-lowered"]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new", "expected"), SETTINGS)
def test_settings(path, old, new, expected):
    assert kinds((path, old, new)) == expected


def pom(inner, properties="", profile=""):
    return (
        f"<project><properties>{properties}</properties><build><plugins>{inner}</plugins></build>"
        f"<profiles><profile><id>p</id><properties>{profile}</properties></profile></profiles></project>"
    )


def plugin(name, inner=""):
    return f"<plugin><artifactId>{name}</artifactId>{inner}</plugin>"


def configured(inner):
    return pom(plugin("maven-surefire-plugin", f"<version>3</version><configuration>{inner}</configuration>"))


JACOCO = "<executions><execution><id>c</id>{}<configuration><rules><rule><limits><limit><minimum>{}</minimum></limit></limits></rule></rules></configuration></execution></executions>"
MAVEN = [
    (configured(""), configured("<testFailureIgnore>true</testFailureIgnore>"), ["non-failing"]),
    (configured(""), configured("<skipTests>true</skipTests>"), ["narrowed"]),
    (configured(""), configured("<skipTests>false</skipTests>"), []),
    (configured(""), configured("<excludes><exclude>**/X</exclude><exclude/></excludes>"), ["narrowed"]),
    (configured("<includes><include>a</include><include>b</include></includes>"), configured("<includes><include>a</include></includes>"), ["narrowed"]),
    (configured(""), configured("<rerunFailingTestsCount>2</rerunFailingTestsCount>"), ["retry-added"]),
    (configured(""), pom(""), ["ci-step-dropped"]),
    (pom(plugin("maven-release-plugin", "<configuration><arguments>-q</arguments></configuration>")), pom(plugin("maven-release-plugin", "<configuration><arguments>-DskipTests</arguments></configuration>")), []),
    (pom(plugin("jacoco-maven-plugin", JACOCO.format("<phase>test</phase>", "0.8"))), pom(plugin("jacoco-maven-plugin", JACOCO.format("<phase>none</phase>", "0.8"))), ["ci-step-dropped", "narrowed"]),
    (pom("", "<skipITs>false</skipITs>"), pom("", "<skipITs>true</skipITs>"), ["narrowed"]),
    (pom("", "<jacoco.minimum>0.8</jacoco.minimum>"), pom("", "<jacoco.minimum>0.7</jacoco.minimum>"), ["floor-lowered"]),
    (pom("", "", "<gpg.skip>false</gpg.skip>"), pom("", "", "<gpg.skip>true</gpg.skip>"), []),
    (pom("", "", "<a>1</a>"), pom("", "", "<maven.test.skip>true</maven.test.skip>"), ["narrowed"]),
    (pom("", "", ""), pom("", "", "<maven.test.skip>true</maven.test.skip>"), []),
    (pom(plugin("maven-compiler-plugin", "<configuration><compilerArgs><arg>-Werror</arg><arg>-g</arg></compilerArgs></configuration>")), pom(plugin("maven-compiler-plugin", "<configuration><compilerArgs><arg>-g:none</arg></compilerArgs></configuration>")), ["floor-lowered"]),
    ("<project/>", "<project><build/></project>", []),
    ("<project/>", '<!DOCTYPE project [<!ENTITY a "b">]><project>&a;</project>', ["not-compared"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), MAVEN)
def test_maven(old, new, expected):
    assert kinds(("pom.xml", old, new)) == expected


def project(inner):
    return f"<Project>{inner}</Project>"


MSBUILD = [
    ("<P><TreatWarningsAsErrors>true</TreatWarningsAsErrors></P>", "<P><TreatWarningsAsErrors>false</TreatWarningsAsErrors></P>", ["floor-lowered"]),
    ("<P><NoWarn>$(NoWarn);A1</NoWarn></P>", "<P><NoWarn>$(NoWarn);A1;A2</NoWarn></P>", ["floor-lowered"]),
    ('<I><PackageReference Include="xunit.runner.visualstudio" Version="1"/><PackageReference Include="x"/></I>', '<I><PackageReference Include="x"/></I>', ["undiscovered"]),
    ("<I/>", '<I><Compile Remove="VatTests.cs"/><Compile Include="a"/></I>', ["narrowed"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), MSBUILD)
def test_msbuild(old, new, expected):
    assert kinds(("a/A.Tests.csproj", project(old), project(new))) == expected


GRADLE = [
    ("tasks.test {\n    useJUnitPlatform()\n}\n", "tasks.test {\n    useJUnitPlatform()\n    ignoreFailures = true\n}\n", ["non-failing"]),
    ("test {\n    useJUnitPlatform()\n}\n", "test {\n}\n", ["ci-step-dropped"]),
    ("test {\n    useJUnit()\n}\n", "test {\n    useJUnitPlatform()\n}\n", []),
    ("test { }\n", "test { useJUnitPlatform { excludeTags 'slow', 'db' } }\n", ["narrowed"]),
    ("test {\n}\n", "test {\n    enabled = false\n}\n", ["narrowed"]),
    ("test {\n}\n", "test {\n    onlyIf { false }\n}\n", ["narrowed"]),
    ("jar {\n}\n", "jar {\n    enabled = false\n    exclude 'x'\n}\n", []),
    ("// test { ignoreFailures = true }\n/* { */ x = '//'\n", "test { }\n", []),
    ("jacocoTestCoverageVerification { violationRules { rule { limit { minimum = 0.8 } } } }\n", "jacocoTestCoverageVerification { violationRules { rule { limit { minimum = 0.7 } } } }\n", ["floor-lowered"]),
    ("plugins {\n    id(\"jacoco\")\n}\n", "plugins {\n}\n", ["ci-step-dropped"]),
    ("kotlinOptions { freeCompilerArgs = ['-Werror'] }\n", "kotlinOptions { }\n}\n", ["ci-step-dropped"]),
    ("{" * 60, "x\n", ["not-compared"]),
    ("x" * (MAX_TEXT + 1), "x\n", ["not-compared"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), GRADLE)
def test_gradle(old, new, expected):
    assert kinds(("build.gradle.kts", old, new)) == expected


def test_a_file_that_cannot_be_read_is_named():
    [one] = compare([changed(WORKFLOW, run("pytest"), "a: b: c\n")])
    assert (one.kind, one.path, one.note) == (Kind.NOT_COMPARED, WORKFLOW, "line 1: a key stands inside a value")


def test_a_new_file_that_cannot_be_read_weakens_nothing_and_replaces_nothing():
    assert kinds((WORKFLOW, run("pytest"), run("ls")), (".gitea/workflows/b.yml", None, "a: b: c\n")) == [
        "ci-step-dropped"
    ]


def test_new_files_cannot_weaken():
    assert kinds((".coveragerc", None, "[run]\nomit = x\n"), (WORKFLOW, None, run("pytest || true"))) == []


@pytest.mark.parametrize("text", [script("make x" + "(" * 70), script(*["make test"] * 500)])
def test_a_script_that_hurts_ends_within_its_bound(text):
    assert kinds((WORKFLOW, text, text)) == []


def test_too_many_checks_are_named_as_not_compared():
    text = script(*[f"pytest -k {number}" for number in range(700)])
    assert kinds((WORKFLOW, text, text.replace("-k", "-q -k"))) == ["not-compared"]


def test_more_text_than_is_compared_is_named():
    text = "-B\n" * 300_000
    found = compare([changed(f"m{number}/.mvn/maven.config", text, text) for number in range(10)])
    assert [(one.kind, one.path) for one in found] == [
        (Kind.NOT_COMPARED, f"m{number}/.mvn/maven.config") for number in (8, 9)
    ]


def test_scripts_that_call_each_other_end():
    loop = "x:\n\tmake test\n\tmake test\ntest:\n\tmake test\n\tmake test\n" + "\tmake test\n" * 20
    assert kinds((WORKFLOW, run("make test"), run("make test")), ("Makefile", loop, loop)) == ["not-compared"]


@pytest.mark.parametrize(
    ("path", "decides"),
    [
        (WORKFLOW, True),
        ("a/pom.xml", True),
        ("Makefile", True),
        ("ci/run", True),
        ("src/a.py", False),
        ("README.md", False),
    ],
)
def test_which_files_are_read(path, decides):
    assert concerns(path) is decides


def test_other_files_are_not_looked_at():
    assert compare([changed("src/a.py", "skip", "|| true")]) == []


def test_a_file_that_aliases_make_too_large_is_named():
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    text += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))
    assert kinds(("codecov.yml", text, text)) == ["not-compared"]


def test_no_reader_is_loaded_where_no_such_file_changed():
    code = (
        "import sys; from werkrevisor_rules._support.weakening_config import compare; assert compare([]) == [];"
        "sys.exit(any(name.endswith(('.readers', '.yaml', 'tomllib', 'expat')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("ending", files._SOURCES)  # noqa: SLF001 (what the shortcut leaves out)
def test_the_shortcut_leaves_out_only_what_no_row_matches(ending):
    names = [
        "src/Order",
        "scripts/run",
        "ci/build.d/step",
        "deep/bin/x",
        ".github/workflows/x",
        "x.config",
        "jest.config",
    ]
    for name in names:
        path = name + ending
        assert files.reader_of(path) is None
        assert not any(pattern.fullmatch(path) for _, pattern in files._ROWS)  # noqa: SLF001
    assert files.reader_of("Makefile" + ending) == "make"
