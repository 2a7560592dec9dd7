"""Divides a code base into modules by its folders, and draws what each holds from imports and history.

An index comes in, a map goes out; what was learned of a module earlier stays with it.
"""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from toldonce.coding.codemap.imports import ImportResolver
from toldonce.coding.codemap.index import Index
from toldonce.coding.codemap.languages import file_role, file_stem, runnable_tests, tested_stem
from toldonce.coding.codemap.manifests import entry_points, read_toolchain
from toldonce.coding.codemap.project_files import read_inside
from toldonce.coding.codemap.values import Module, ModuleMap, is_beside_core

# A folder is divided until it holds less than this share of the source files, or fewer than `_SMALLEST` files.
_LARGEST_SHARE = 1 / 24
_SMALLEST = 8
_MOST_MODULES = 60
_MOST_FILES = 8
_MOST_TESTS = 5
_MOST_LINKS = 5
_MOST_SAID = 20
_TOP = "(top)"
_TESTS_OF_COMMAND = 3
_LARGEST_MANIFEST = 400_000
_LONGEST_DESCRIPTION = 140
_MANIFESTS: Mapping[str, Callable[[str], Any]] = {
    "package.json": lambda text: json.loads(text).get("description"),
    "pyproject.toml": lambda text: tomllib.loads(text).get("project", {}).get("description"),
    "Cargo.toml": lambda text: tomllib.loads(text).get("package", {}).get("description"),
}
# Test runners to which paths of tests can be given.
_TAKES_PATHS = re.compile(
    r"(?:^| |/)(?:pytest|rspec|phpunit|pest|jest|vitest|mocha|ava|tap|uvu|jasmine|node --test|bun test|deno test"
    r"|mix test|rails test|dart test|flutter test|python -m unittest|nose2)(?: -.*)?$"
)
_README = re.compile(r"(?:^|/)readme(?:\.\w+)?$", re.I)
_UNDERLINE = re.compile(r"[~=*^-]{3,}")
_MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_NO_DESCRIPTION = re.compile(r"(?:module (?:dependencies|exports|variables)|expose |dependencies\b|constants?\b)", re.I)

FileRow = tuple[int, str, str, str, int, int, str, float]


def module_map(index: Index, *, known: ModuleMap | None = None) -> ModuleMap:
    """The map of a scanned tree; `known` is the map so far, whose learned parts are kept."""
    rows: list[FileRow] = index.read_all("present_files")
    sources = [row for row in rows if row[3] == "source"]
    sources = [row for row in sources if not is_beside_core(row[1])] or sources
    if not sources:
        sources = [row for row in rows if row[3] in ("doc", "config", "test")]
    folders = divide_into_folders([row[1] for row in sources])
    names = _short_folder_names(folders)
    home = {row[0]: folder for row in sources if (folder := _home_folder(row[1], folders)) is not None}
    inside: dict[str, list[FileRow]] = defaultdict(list)
    for row in sources:
        inside[home[row[0]]].append(row)
    paths = [row[1] for row in rows if row[3] != "vendored"]
    resolver = ImportResolver(index.root, paths)
    links, tests = _link_folders(index, home, resolver), _tests_by_folder(index, rows, home)
    made = [_build_module(folder, names, inside[folder], links=links, tests=tests[folder]) for folder in inside]
    tools = read_toolchain(index.root, paths)
    readmes = {row[1].rpartition("/")[0]: row[6] for row in rows if _README.search(row[1])}
    main = max(made, key=lambda module: module.count, default=None)
    made = [
        dataclasses.replace(
            module,
            description=module.description
            or (module is main and _read_manifest_description(index.root, ""))
            or (module.folder and _read_manifest_description(index.root, module.folder))
            or _plain_description(readmes.get(module.folder.rstrip("/"), "")),
            test_command=command_for_tests(
                tools.run_tests or tools.commands.get("test", ""),
                module.folder,
                module.tests,
                package=resolver.package_of(module.folder),
            ),
        )
        for module in made
    ]
    made.sort(key=lambda module: (-module.count, module.name))
    languages = Counter(row[2] for row in rows if row[3] in ("source", "test"))
    fresh = ModuleMap(
        modules=tuple(made),
        languages=dict(languages.most_common(12)),
        tools=tools,
    )
    return keep_learned(fresh, known) if known else fresh


def keep_learned(fresh: ModuleMap, known: ModuleMap) -> ModuleMap:
    """A new map with what was learned of the old one's modules, found again by folder or name."""
    old = {module.folder: module for module in known.modules}
    by_name = {module.name: module for module in known.modules}
    kept = tuple(
        _with_learned(module, _without_moved(fresh, old.get(module.folder) or by_name.get(module.name)))
        for module in fresh.modules
    )
    kept = rename_related(kept, {before.name: now.name for before, now in zip(fresh.modules, kept, strict=True)})
    here = {module.folder for module in kept} | {module.name for module in kept}
    # A module that a person or an agent named stays, even when its folder is no longer one of its own.
    said = tuple(m for m in known.modules if m.said and m.folder not in here and m.name not in here)
    return dataclasses.replace(fresh, modules=(*kept, *said))


def _without_moved(fresh: ModuleMap, old: Module | None) -> Module | None:
    """A module of the map so far without the files that it learned and that have a nearer module of their own now.

    What a person or an agent said stays.
    """
    if old is None or old.said:
        return old
    homes = {path: fresh.module_of(path) for path in old.learned}
    kept = tuple(p for p in old.learned if (home := homes[p]) is None or len(home.folder) <= len(old.folder))
    return dataclasses.replace(old, learned=kept)


def rename_related(modules: Iterable[Module], names: Mapping[str, str]) -> tuple[Module, ...]:
    """The modules with what they say of each other under new names; `names` tells them by the old ones."""
    return tuple(
        dataclasses.replace(
            module,
            depends_on=tuple(dict.fromkeys(names.get(other, other) for other in module.depends_on)),
            related=tuple(dict.fromkeys(names.get(other, other) for other in module.related)),
        )
        for module in modules
    )


def divide_into_folders(paths: Sequence[str]) -> list[str]:
    """Folders, each with a slash at its end, that hold a fair share of the files; "" holds what lies at the top."""
    limit = max(_SMALLEST, len(paths) * _LARGEST_SHARE)
    folders: list[str] = []
    _divide_folder("", list(paths), limit, folders)
    if len(folders) > _MOST_MODULES:
        sizes = Counter(_home_folder(path, folders) for path in paths)
        largest = sorted(folders, key=lambda folder: (-sizes[folder], folder))[:_MOST_MODULES]
        folders = [*largest, ""]
    return sorted(set(folders))


def _divide_folder(folder: str, paths: list[str], limit: float, folders: list[str]) -> None:
    inner: dict[str, list[str]] = defaultdict(list)
    here = 0
    for path in paths:
        first, slash, _ = path[len(folder) :].partition("/")
        if slash:
            inner[f"{folder}{first}/"].append(path)
        else:
            here += 1
    # What holds folders only, such as `src/` with `auth/` and `billing/` in it, is divided however small it is.
    if not inner or (len(paths) <= limit and folder and (here or len(inner) == 1)):
        folders.append(folder)
        return
    # A folder that only leads to another one is no module.
    if here or len(inner) > 1:
        small = [name for name, found in inner.items() if len(found) < 2]
        if here or small:
            folders.append(folder)
    for name, found in sorted(inner.items()):
        if len(found) >= 2 or len(inner) == 1:
            _divide_folder(name, found, limit, folders)


def _short_folder_names(folders: Iterable[str]) -> dict[str, str]:
    """Short names: the last part of a folder, with as many parts before it as keep it apart from the others."""
    folders = list(folders)
    alike = Counter(tuple(_telling_parts(folder)) for folder in folders)
    all_parts = {
        folder: parts if alike[tuple(parts := _telling_parts(folder))] == 1 else folder.rstrip("/").split("/")
        for folder in folders
    }
    names = {}
    for folder, parts in all_parts.items():
        for length in range(1, len(parts) + 1):
            end = parts[-length:]
            if sum(other[-length:] == end for other in all_parts.values()) == 1 and end != ["src"]:
                break
        names[folder] = "/".join(parts[-length:])
    return names


def _telling_parts(folder: str) -> list[str]:
    """The parts of a folder's path without `src`, which says nothing of what is in it."""
    parts = folder.rstrip("/").split("/") if folder else [_TOP]
    return [part for part in parts if part != "src"] or parts


def _home_folder(path: str, folders: Sequence[str]) -> str | None:
    return max((folder for folder in folders if path.startswith(folder)), key=len, default=None)


def _link_folders(
    index: Index, home: Mapping[int, str], resolver: ImportResolver
) -> dict[str, dict[str, Counter[str]]]:
    """For each folder, the folders it imports from, the external packages, and the folders it changes with."""
    found: dict[str, dict[str, Counter[str]]] = {
        kind: defaultdict(Counter) for kind in ("imports", "packages", "together")
    }
    ids = {row[1]: row[0] for row in index.read_all("present_files")}
    for path, language, target in index.read_all("all_imports"):
        here = home.get(ids[path])
        if here is None:
            continue
        other = resolver.find_file(path, target, language)
        there = home.get(ids[other]) if other else None
        if there is not None and there != here:
            found["imports"][here][there] += 1
        elif other is None and (package := resolver.find_package(target, language)):
            found["packages"][here][package] += 1
    for file, other_file, share in index.read_all("all_together"):
        if file in home and other_file in home and home[file] != home[other_file]:
            found["together"][home[file]][home[other_file]] += round(share * 100)
    return found


def _tests_by_folder(index: Index, rows: Sequence[FileRow], home: Mapping[int, str]) -> dict[str, list[str]]:
    """For each folder its tests, by what changed together and by name."""
    runnable = runnable_tests(row[1] for row in rows if row[3] == "test")
    tests = {row[0]: row[1] for row in rows if row[1] in runnable}
    by_stem: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row[0] in home:
            by_stem[file_stem(row[1])].add(home[row[0]])
    votes: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for file, other, share in index.read_all("all_together"):
        if file in home and other in tests:
            votes[home[file]][tests[other]] += share
    for path in tests.values():
        for folder in by_stem.get(tested_stem(path), ()):
            votes[folder][path] += 0.5 + _shared_path_parts(path, folder)
    best = {folder: sorted(found, key=lambda path: (-found[path], path)) for folder, found in votes.items()}
    return defaultdict(list, {folder: paths[:_MOST_TESTS] for folder, paths in best.items()})


def _shared_path_parts(path: str, folder: str) -> float:
    parts = set(path.split("/")[:-1])
    return 0.1 * sum(part in parts for part in folder.rstrip("/").split("/"))


def _build_module(
    folder: str,
    names: Mapping[str, str],
    rows: Sequence[FileRow],
    *,
    links: Mapping[str, Mapping[str, Counter[str]]],
    tests: Sequence[str],
) -> Module:
    telling = sorted(rows, key=lambda row: (-row[7], -row[5], row[1]))
    near = {
        kind: [names.get(f, f) for f, _ in found.get(folder, Counter()).most_common(_MOST_LINKS)]
        for kind, found in links.items()
    }
    return Module(
        name=names[folder],
        folder=folder,
        description=_describe_module(rows),
        count=len(rows),
        files=tuple(row[1] for row in telling[:_MOST_FILES]),
        entry_points=entry_points((row[1] for row in rows), most=3),
        tests=tuple(tests),
        depends_on=tuple(near["imports"]),
        packages=tuple(near["packages"]),
        related=tuple(near["together"]),
    )


def _describe_module(rows: Sequence[FileRow]) -> str:
    """What the module says of itself as a whole: in its index file, or in the comment of a Go package."""
    index_files = [
        row for row in rows if row[6] and file_stem(row[1]) != row[1].rpartition("/")[2].split(".")[0].lower()
    ]
    packages = [row for row in rows if row[2] == "go" and _is_package_comment(row[6], row[1])]
    said = [*sorted(index_files, key=lambda row: row[1].count("/")), *packages]
    return next((plain for row in said if (plain := _plain_description(row[6]))), "")


def _is_package_comment(text: str, path: str) -> bool:
    folder = path.rpartition("/")[0].rpartition("/")[2]
    return text.startswith(f"Package {folder} " if folder else "Package ")


def _read_manifest_description(root: Path, folder: str) -> str:
    """What the manifest of a folder says the package is for."""
    for name, read in _MANIFESTS.items():
        data = read_inside(root, f"{folder}{name}", most_bytes=_LARGEST_MANIFEST)
        try:
            said = read(data.decode("utf-8")) if data else None
        except (ValueError, AttributeError):
            continue
        if isinstance(said, str) and said.strip():
            return " ".join(said.split())[:_LONGEST_DESCRIPTION]
    return ""


def _plain_description(text: str) -> str:
    """A description, unless it is a heading of a part of the code rather than a sentence about the module."""
    plain = _MARKUP.sub(r"\1", _UNDERLINE.sub("", text)).replace("`", "").strip()
    return "" if plain.count(" ") < 2 or _NO_DESCRIPTION.match(plain) else plain


def command_for_tests(command: str, folder: str, tests: Sequence[str], *, package: str = "") -> str:
    """The command that runs a module's tests; empty where the project's command takes no paths."""
    paths = " ".join(tests[:_TESTS_OF_COMMAND])
    if command.startswith("go test"):
        return f"go test ./{folder}..." if folder else "go test ."
    if re.match(r"cargo (?:test|nextest run)$", command):
        return f"{command} -p {package}" if package else ""
    if not paths:
        return ""
    if _TAKES_PATHS.search(command) or command.startswith("yarn "):
        return f"{command} {paths}"
    return f"{command} -- {paths}" if re.match(r"(?:npm|pnpm|bun) ", command) else ""


def _with_learned(module: Module, old: Module | None) -> Module:
    if old is None:
        return module
    kept = dataclasses.replace(
        module, confidence=old.confidence, learned=old.learned, sessions=old.sessions, edited=old.edited
    )
    if not old.said:
        return kept
    return dataclasses.replace(
        kept,
        name=old.name,
        description=old.description,
        said=True,
        tests=_merge_limited(old.tests, module.tests),
        entry_points=_merge_limited(old.entry_points, module.entry_points),
        related=_merge_limited(old.related, module.related),
        depends_on=_merge_limited(old.depends_on, module.depends_on),
        packages=_merge_limited(old.packages, module.packages),
    )


def _merge_limited(said: Sequence[str], found: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*said, *found]))[:_MOST_SAID]


def is_mappable(path: str, language: str) -> bool:
    """Whether a file can belong to a module: not generated, vendored or without a known language."""
    return file_role(path, language) in ("source", "test", "doc", "config")
