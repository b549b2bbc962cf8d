"""The section `[risky_paths]` and the floor of risky paths that holds where no config says anything."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from werkrevisor_core.globs import Globs, glob_fault
from werkrevisor_core.records import frozen
from werkrevisor_core.rule import Merge, setting


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FLOOR: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "ci": _words("""
            .gitea .github .gitlab .gitlab-ci.yml *.gitlab-ci.yml .forgejo .woodpecker .woodpecker.y*ml .ci
            .circleci .drone.y*ml .travis.yml .appveyor.yml appveyor.yml Jenkinsfile Jenkinsfile.* *.jenkinsfile
            .azure-pipelines azure-pipelines*.y*ml bitbucket-pipelines.yml .buildkite .cirrus.yml .semaphore
            .teamcity .tekton .builds .build.yml buildspec*.y*ml cloudbuild*.y*ml codemagic.yaml .werkator*
        """),
        "own_config": (".werkrevisor.toml",),
        "git": (".git*", ".mailmap", ".lfsconfig"),
        "codeowners": ("CODEOWNERS",),
        "agent_instructions": _words("""
            AGENTS.md AGENTS.*.md AGENT.md CLAUDE.md CLAUDE.*.md GEMINI.md QWEN.md SKILL.md .agent .agents
            .claude .codex .gemini .qwen .cursor .cursorrules .cursorignore .windsurf .windsurfrules .clinerules
            .roo .roorules .roomodes .aider* .continue .continuerules .junie .kiro .amazonq .opencode
            opencode.json* .mcp.json mcp.json .goosehints .augment .augment-guidelines .trae .rules .copilot
            copilot-instructions.md *.instructions.md *.prompt.md
        """),
        "hooks": _words("""
            /hooks /.hooks /git-hooks .githooks githooks .husky .pre-commit-config.y*ml .pre-commit-hooks.y*ml
            lefthook*.y*ml .lefthook* lefthook.toml .overcommit.yml .lintstagedrc* lint-staged.config.*
        """),
        "build": _words("""
            Makefile Makefile.* GNUmakefile *.mk *.mak CMakeLists.txt *.cmake CMakePresets.json meson.build
            meson_options.txt meson.options BUILD.bazel WORKSPACE.bazel MODULE.bazel *.bzl .bazelrc
            .bazelversion BUCK .buckconfig *.gradle *.gradle.kts gradle.properties gradlew gradlew.bat
            gradle-wrapper.* buildSrc .mvn mvnw mvnw.cmd build.xml *.sbt build.sc build.rs .cargo Rakefile
            tox.ini noxfile.py setup.py setup.cfg MANIFEST.in Taskfile.y*ml justfile .justfile magefile.go
            SConstruct SConscript configure.ac configure.in *.am *.m4 *.nix build.zig build.zig.zon
            webpack*.config.* vite.config.* vitest.config.* rollup.config.* esbuild.config.* babel.config.*
            .babelrc* gulpfile.* Gruntfile.* turbo.json nx.json lerna.json rush.json .npmrc .yarnrc* .yarn
            .pnpmfile.cjs *.csproj *.fsproj *.vbproj *.vcxproj *.proj *.sln *.slnx *.props *.targets
            nuget.config *.xcodeproj *.xcconfig *.podspec *.gemspec Earthfile Tiltfile skaffold.yaml
            .goreleaser.y*ml .bumpversion.cfg
        """),
        "containers": _words("""
            Dockerfile Dockerfile.* *.dockerfile Containerfile Containerfile.* *.containerfile .dockerignore
            docker-compose*.y*ml compose*.y*ml podman-compose*.y*ml docker-bake.* Vagrantfile .devcontainer
            .devcontainer.json
        """),
        "dependencies": _words("""
            *.lock *.lockb *.lockfile package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml
            pnpm-workspace.yaml bower.json deno.json deno.jsonc import_map.json pyproject.toml
            *requirements*.txt *requirements*.in requirements constraints*.txt Pipfile pylock*.toml pdm.toml
            uv.toml environment*.y*ml conda-lock*.yml pixi.toml go.mod go.sum go.work go.work.sum modules.txt
            Cargo.toml rust-toolchain* pom.xml ivy.xml *.versions.toml verification-metadata.xml
            verification-keyring.* Gemfile gems.rb gems.locked composer.json packages.config packages.lock.json
            paket.dependencies paket.references global.json Package.swift Package.resolved Podfile Cartfile
            Cartfile.* pubspec.yaml mix.exs rebar.config conanfile.* vcpkg.json vcpkg-configuration.json
            elm.json stack.yaml *.cabal cabal.project* dune-project *.opam project.clj deps.edn renv.lock
            Manifest.toml Project.toml cpanfile cpanfile.snapshot shard.yml dub.json dub.sdl dub.selections.json
            .terraform.lock.hcl Chart.yaml .tool-versions .nvmrc .node-version .python-version .ruby-version
            .java-version .sdkmanrc mise.toml .mise.toml renovate.json* .renovaterc* dependabot.y*ml
        """),
    }
)
"""Globs that are risky everywhere, in groups that a host drops by name.

The globs match whatever lies below, too. Names that are also ordinary folder names (`build`,
`workspace`, `owners`) are missing on purpose: with case folded they would match half of all trees.
"""


def _unknown_floor(names: tuple[str, ...]) -> str | None:
    unknown = [name for name in names if name not in FLOOR]
    if not unknown:
        return None
    return f"names the unknown group {unknown[0]!r}; known are {', '.join(FLOOR)}"


@frozen
class RiskyPathsSettings:
    """The section `[risky_paths]`."""

    globs: tuple[str, ...] = setting(
        (),
        "Globs (as in .gitignore) of paths that a human looks at; every layer adds to the built-in ones.",
        merge=Merge.EXTEND,
        check=glob_fault,
    )
    drop_floor: tuple[str, ...] = setting(
        (), "Groups of the built-in globs that do not hold for this host.", host_only=True, check=_unknown_floor
    )


def risky_globs(settings: RiskyPathsSettings) -> Globs:
    """Return what is risky by these settings, ready to match paths whatever their case and composition."""
    floor = (glob for name, globs in FLOOR.items() if name not in settings.drop_floor for glob in globs)
    return Globs((*settings.globs, *floor), folded=True)
