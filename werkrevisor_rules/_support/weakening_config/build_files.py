"""Reads the settings of Maven, MSBuild and Gradle that decide about tests and checks."""

import re
from collections.abc import Iterator
from typing import Final

from attrs import evolve

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening_config.settings import Setting
from werkrevisor_rules._support.weakening_config.tree import MAX_DEPTH, MAX_TEXT, UnreadableConfig
from werkrevisor_rules._support.weakening_config.xml import Element, read_xml

_PLUGINS: Final = lazy(
    r"maven-(?:surefire|failsafe|checkstyle|pmd|enforcer|compiler|invoker)-plugin"
    r"|jacoco-maven-plugin|spotbugs-maven-plugin"
    r"|findbugs-maven-plugin|animal-sniffer-maven-plugin|pitest-maven|spotless-maven-plugin"
    r"|ktlint-maven-plugin"
    r"|detekt-maven-plugin|japicmp-maven-plugin|revapi-maven-plugin|license-maven-plugin"
    r"|dependency-check-maven"
    r"|cobertura-maven-plugin|formatter-maven-plugin|error-?prone.*|clirr-maven-plugin"
    r"|archunit.*|testng.*|kover.*"
)
_ADAPTERS: Final = lazy(
    r"Microsoft\.NET\.Test\.Sdk|xunit\.runner\.visualstudio|NUnit3?TestAdapter|MSTest\.TestAdapter|coverlet\.\w+"
)
_REFUSING: Final = lazy(r"-W|-Xlint|-Xdoclint")
_LISTS: Final = lazy(r"(?:in|ex)cludes|excludedGroups|goals|compilerArgs|rules|excludeTags|groups")


def maven_settings(text: str, path: str) -> Iterator[Setting]:
    """Yield the settings of a `pom.xml`: its properties, and the plugins that test and check.

    Raises:
        UnreadableConfig: it is not well formed or out of bounds.
    """
    root = read_xml(text)
    yield from _project(root, path, "")
    profiles = root.child("profiles")
    for profile in profiles.children if profiles else ():
        yield from _project(profile, path, f"profile {profile.child_text('id')}: ")


def _project(project: Element, path: str, scope: str) -> Iterator[Setting]:
    properties = project.child("properties")
    for element in properties.children if properties else ():
        yield Setting(
            "maven",
            f"properties.{element.name}" if not scope else f"{scope}{element.name}",
            path,
            element.line,
            element.text.strip(),
        )
    build = project.child("build")
    managed = build.child("pluginManagement") if build else None
    for holder in (build, managed):
        plugins = holder.child("plugins") if holder else None
        for plugin in plugins.children if plugins else ():
            name = plugin.child_text("artifactId")
            if _PLUGINS.fullmatch(name):
                key = f"{scope}plugin.{name}"
                below = list(_below(plugin, key, path))
                if not any(one.key.endswith(".skip") and one.text == "true" for one in below):
                    yield Setting("maven", key, path, plugin.line, name)
                yield from below


def _below(element: Element, key: str, path: str) -> Iterator[Setting]:
    """Yield the settings below an element; the tree is bounded by the reader."""
    for child in element.children:
        name = child.child_text("id") or child.name
        if child.name == "rules" and child.children:  # a list for the enforcer, limits for JaCoCo
            yield from _below(child, f"{key}.limits", path)
        if _LISTS.fullmatch(child.name) and child.children:
            yield Setting("maven", f"{key}.{child.name}", path, child.line, values=tuple(_texts(child)))
        elif child.children:
            yield from _below(
                child, f"{key}.{name}" if child.name not in ("configuration", "executions") else key, path
            )
        elif child.name not in ("groupId", "artifactId", "version", "id", "phase"):
            yield Setting("maven", f"{key}.{child.name}", path, child.line, child.text.strip())
        elif child.name == "phase":
            yield Setting("maven", f"{key}.skip", path, child.line, "true" if child.text.strip() == "none" else "false")


def _texts(element: Element) -> Iterator[str]:
    for child in element.children:
        text = child.name if child.children else child.text.strip() or child.name
        # Of a compiler's arguments only those that make it refuse more are of interest.
        if element.name != "compilerArgs" or _REFUSING.match(text):
            yield text


def msbuild_settings(text: str, path: str) -> Iterator[Setting]:
    """Yield the settings of a project file or a file of properties.

    Raises:
        UnreadableConfig: it is not well formed or out of bounds.
    """
    waiting = [read_xml(text)]
    while waiting:
        element = waiting.pop()
        waiting += element.children
        if element.name == "PackageReference" and _ADAPTERS.fullmatch(name := element.attributes.get("Include", "")):
            yield Setting("msbuild", "adapter", path, element.line, name)
        elif element.name == "Compile" and "Remove" in element.attributes:
            yield Setting("msbuild", "Compile.Remove", path, element.line, element.attributes["Remove"])
        elif not element.children and not element.attributes:
            yield Setting("msbuild", element.name, path, element.line, element.text.strip())


_COMMENT: Final = lazy(r"(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/")
_ASSIGNED: Final = lazy(
    r"\b((?:is)?[iI]gnoreFailures|ignoreTestFailures|enabled|isEnabled|minimum|minBound"
    r"|maximum|minValue|maxRetries|maxFailures"
    r"|maxWarnings|maxErrors|maxIssues|maximum(?:Error|Warning)Count|allWarningsAsErrors"
    r"|warningsAsErrors|abortOnError"
    r"|failOnWarning|failOnViolation|checkAllWarnings|(?:mutation|coverage)Threshold"
    r"|skip\w*Tests)"
    r"\s*(?:=|\.set\(|\.value\(|\(|\s)\s*[\"']?(true|false|-?[\d.]+)"
)
_LISTED: Final = lazy(
    r"\b((?:ex|in)clude(?:Tags|TestsMatching|Groups|Categories|Engines)?|excludes)\s*(?:=|\+="
    r"|\(|\s)\s*\[?((?:\s*[\"'][^\"'\n]*[\"']\s*,?)+)"
)
_ONLY_IF: Final = lazy(r"\bonlyIf\s*(?:\{|\()\s*(?!true\b)([^{}]+)")
_PLUGIN: Final = lazy(
    (
        r"(?:\bid\s*\(?\s*[\"']|\balias\s*\(\s*libs\.plugins\.|\bplugin\s*:\s*[\"']|^\s*`?)"
        r"(jacoco|checkstyle|pmd|[\w.-]*(?:detekt|ktlint|spotless|spotbugs|errorprone|kover"
        r"|animalsniffer|animal-sniffer"
        r"|binary[.-]compatibility[.-]validator|pitest|forbiddenapis|japicmp"
        r"|nullaway)[\w.-]*)[\"'`)]?"
    ),
    re.MULTILINE,
)
_RUNNER: Final = lazy(r"\b(useJUnitPlatform|useJUnit|useTestNG)\b")
_FLAG: Final = lazy(r"[\"'](-Werror)[\"']|\b(jacocoTestCoverageVerification)\b")
_TESTING: Final = lazy(r"test|check|jacoco|verif|lint|detekt|pmd|spotbugs|cover", re.IGNORECASE)
_BLOCK: Final = lazy(r"[{}]")


def gradle_settings(text: str, path: str) -> Iterator[Setting]:
    """Yield the settings of a build script, in Groovy or Kotlin, by the blocks that they stand in.

    Raises:
        UnreadableConfig: it is too long or nested too deeply.
    """
    if len(text) > MAX_TEXT:
        raise UnreadableConfig("it is too long")
    blocks: list[str] = []
    lists: dict[str, Setting] = {}
    plain = _COMMENT.sub(lambda match: match.group(1) or "\n" * match.group(0).count("\n"), text)
    for number, line in enumerate(plain.split("\n"), 1):
        for setting in _gradle_line(line[: MAX_DEPTH * 40], number, path, blocks):
            if setting.values is None:
                yield setting
            else:  # further calls add to the list
                known = lists.get(setting.key, setting)
                lists[setting.key] = evolve(
                    known, values=tuple(dict.fromkeys((*(known.values or ()), *setting.values)))
                )
        at = 0
        for mark in _BLOCK.finditer(line):
            if mark.group(0) == "{":
                blocks.append(line[at : mark.start()].strip()[-80:])
            elif blocks:
                blocks.pop()
            at = mark.end()
            if len(blocks) > MAX_DEPTH:
                raise UnreadableConfig("it is nested too deeply")
    yield from lists.values()


def _gradle_line(line: str, number: int, path: str, blocks: list[str]) -> Iterator[Setting]:
    scope = " > ".join(blocks)
    testing = _TESTING.search(f"{scope} {line.split('{', maxsplit=1)[0]}") is not None
    for found in (*_ASSIGNED.finditer(line), *_ONLY_IF.finditer(line)):
        name = "onlyIf" if len(found.groups()) == 1 else found.group(1)
        text = found.group(len(found.groups())).strip()
        if testing or name not in ("enabled", "isEnabled", "onlyIf"):
            yield Setting("gradle", f"{scope}.{name}", path, number, f"if {text}" if name == "onlyIf" else text)
    for found in _LISTED.finditer(line):
        if testing:
            values = tuple(re.findall(r"[\"']([^\"']*)[\"']", found.group(2)))
            yield Setting("gradle", f"{scope}.{found.group(1)}", path, number, values=values)
    for found in _PLUGIN.finditer(line):
        yield Setting("gradle", f"plugin.{found.group(1)}", path, number, found.group(1))
    for found in _RUNNER.finditer(line):
        yield Setting("gradle", "useJUnitPlatform or useJUnit", path, number, found.group(1))
    for found in _FLAG.finditer(line):
        yield Setting("gradle", found.group(1) or found.group(2), path, number, found.group(0))
