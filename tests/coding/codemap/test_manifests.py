"""Thirty small projects in more than ten languages: what builds them and what tests them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from toldonce.coding.codemap.manifests import entry_points, read_toolchain

Files = Mapping[str, str]
CSPROJ = (
    '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="{}" Version="1" /></ItemGroup></Project>'
)

# name: (files, build tool, test framework)
PROJECTS: dict[str, tuple[Files, str, str]] = {
    "python hatch": (
        {
            "pyproject.toml": "[build-system]\nbuild-backend = 'hatchling.build'\n[tool.pytest.ini_options]\n",
            "src/a.py": "",
        },
        "hatch",
        "pytest",
    ),
    "python poetry": (
        {
            "pyproject.toml": "[tool.poetry]\nname = 'a'\n[tool.poetry.group.dev.dependencies]\npytest = '^8'\n",
            "poetry.lock": "",
            "a.py": "",
        },
        "poetry",
        "pytest",
    ),
    "python uv": (
        {"pyproject.toml": "[project]\nname = 'a'\n[dependency-groups]\ndev = ['pytest']\n", "uv.lock": "", "a.py": ""},
        "uv",
        "pytest",
    ),
    "python setuptools unittest": (
        {
            "setup.py": "from setuptools import setup\nsetup()\n",
            "tests/test_a.py": "import unittest\nclass A(unittest.TestCase): pass\n",
        },
        "setuptools",
        "unittest",
    ),
    "python pip": ({"requirements.txt": "flask\n", "requirements-dev.txt": "pytest\n", "app.py": ""}, "pip", "pytest"),
    "python django": (
        {"requirements.txt": "Django==5\n", "manage.py": "", "shop/models.py": "", "shop/tests.py": ""},
        "pip",
        "django",
    ),
    "javascript npm jest": (
        {
            "package.json": '{"scripts": {"test": "jest"}, "devDependencies": {"jest": "29"}}',
            "package-lock.json": "{}",
            "index.js": "",
        },
        "npm",
        "jest",
    ),
    "javascript mocha": (
        {
            "package.json": '{"scripts": {"test": "mocha --require x test/"}, "devDependencies": {"mocha": "9"}}',
            "index.js": "",
        },
        "npm",
        "mocha",
    ),
    "javascript node test": (
        {"package.json": '{"scripts": {"test": "node --test"}}', "index.mjs": ""},
        "npm",
        "node:test",
    ),
    "typescript pnpm vitest": (
        {
            "package.json": '{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "1"}}',
            "pnpm-lock.yaml": "",
            "src/a.ts": "",
        },
        "pnpm",
        "vitest",
    ),
    "typescript yarn jest": (
        {
            "package.json": '{"packageManager": "yarn@4.1.0", "devDependencies": {"ts-jest": "29"}}',
            "src/a.ts": "",
        },
        "yarn",
        "jest",
    ),
    "typescript bun": (
        {"package.json": '{"scripts": {"test": "bun test"}}', "bun.lockb": "", "src/a.ts": ""},
        "bun",
        "bun test",
    ),
    "typescript deno": ({"deno.json": '{"tasks": {}}', "main.ts": ""}, "deno", "deno test"),
    "go plain": ({"go.mod": "module a\n\ngo 1.22\n", "main.go": "", "main_test.go": ""}, "go", "go test"),
    "go before modules": ({"command.go": "", "command_test.go": ""}, "go", "go test"),
    "go testify": (
        {
            "go.mod": "module a\nrequire github.com/stretchr/testify v1.9.0\n",
            "Makefile": "test:\n\tgo test\n",
            "a.go": "",
        },
        "go",
        "testify",
    ),
    "rust": ({"Cargo.toml": "[package]\nname = 'a'\n", "src/main.rs": ""}, "cargo", "cargo test"),
    "java maven junit5": (
        {
            "pom.xml": "<project><dependency><artifactId>junit-jupiter</artifactId></dependency></project>",
            "src/main/java/A.java": "",
        },
        "maven",
        "junit5",
    ),
    "java maven junit4": (
        {
            "pom.xml": "<project><dependency><artifactId>junit</artifactId></dependency></project>",
            "src/main/java/A.java": "",
        },
        "maven",
        "junit4",
    ),
    "java gradle testng": (
        {
            "build.gradle": "dependencies { testImplementation 'org.testng:testng:7' }\n",
            "gradlew": "",
            "src/main/java/A.java": "",
        },
        "gradle",
        "testng",
    ),
    "kotlin gradle kotest": (
        {
            "build.gradle.kts": 'dependencies { testImplementation("io.kotest:kotest-runner-junit5:5") }\n',
            "src/main/kotlin/A.kt": "",
        },
        "gradle",
        "kotest",
    ),
    "scala sbt": (
        {
            "build.sbt": 'libraryDependencies += "org.scalatest" %% "scalatest" % "3" % Test\n',
            "src/main/scala/A.scala": "",
        },
        "sbt",
        "scalatest",
    ),
    "c make": ({"Makefile": "all:\n\tcc a.c\n", "a.c": "", "tests/test_a.c": '#include "unity.h"\n'}, "make", "unity"),
    "c++ cmake googletest": (
        {
            "CMakeLists.txt": "project(a)\nadd_subdirectory(tests)\n",
            "tests/CMakeLists.txt": "find_package(GTest REQUIRED)\n",
            "a.cpp": "",
        },
        "cmake",
        "googletest",
    ),
    "c++ meson catch2": (
        {"meson.build": "project('a', 'cpp')\ncatch2 = dependency('catch2')\n", "a.cpp": ""},
        "meson",
        "catch2",
    ),
    "c# xunit": (
        {
            "App.sln": "",
            "App/App.csproj": CSPROJ.format("Serilog"),
            "App.Tests/App.Tests.csproj": CSPROJ.format("xunit"),
            "App/Program.cs": "",
        },
        "dotnet",
        "xunit",
    ),
    "c# nunit": ({"App.csproj": CSPROJ.format("NUnit"), "Program.cs": ""}, "dotnet", "nunit"),
    "ruby rspec": (
        {"Gemfile": "gem 'sinatra'\ngem 'rspec'\n", "app.rb": "", "spec/app_spec.rb": ""},
        "bundler",
        "rspec",
    ),
    "ruby minitest": (
        {"Gemfile": "gemspec\n", "a.gemspec": "s.add_development_dependency 'minitest'\n", "lib/a.rb": ""},
        "bundler",
        "minitest",
    ),
    "php phpunit": (
        {"composer.json": '{"require-dev": {"phpunit/phpunit": "^11"}}', "src/A.php": ""},
        "composer",
        "phpunit",
    ),
    "php pest": (
        {"composer.json": '{"require-dev": {"pestphp/pest": "^2", "phpunit/phpunit": "^10"}}', "src/A.php": ""},
        "composer",
        "pest",
    ),
    "elixir": ({"mix.exs": "defmodule A.MixProject do\nend\n", "lib/a.ex": ""}, "mix", "exunit"),
    "swift": (
        {
            "Package.swift": "// swift-tools-version:5.9\n",
            "Sources/A/a.swift": "",
            "Tests/ATests/aTests.swift": "import XCTest\n",
        },
        "swift",
        "xctest",
    ),
    "dart flutter": (
        {"pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter\n", "lib/main.dart": ""},
        "flutter",
        "flutter_test",
    ),
}


def made(root: Path, files: Files) -> list[str]:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return sorted(files)


@pytest.mark.parametrize("name", PROJECTS)
def test_build_tool_and_test_framework_of(name: str, tmp_path: Path) -> None:
    files, build, test = PROJECTS[name]
    tools = read_toolchain(tmp_path, made(tmp_path, files))
    assert (tools.build[:1], tools.test[:1]) == ((build,), (test,))


def test_main_language_comes_first(tmp_path: Path) -> None:
    files = {
        "go.mod": "module a\n",
        "package.json": '{"devDependencies": {"jest": "1"}}',
        "a.go": "",
        "b.go": "",
        "web/a.js": "",
    }
    assert read_toolchain(tmp_path, made(tmp_path, files)).build == ("go", "npm")


def test_scripts_are_called_by_the_package_manager(tmp_path: Path) -> None:
    files = {
        "package.json": '{"scripts": {"test": "vitest", "lint": "eslint ."}, "devDependencies": {"eslint": "9"}}',
        "bun.lock": "",
    }
    tools = read_toolchain(tmp_path, made(tmp_path, files))
    assert tools.commands == {"test": "bun run test", "lint": "bun run lint"}
    assert tools.linters == ("eslint",)


def test_build_backend_alone_is_not_what_people_run(tmp_path: Path) -> None:
    files = {"pyproject.toml": "[build-system]\nbuild-backend = 'pdm.backend'\n[tool.pytest.ini_options]\n", "a.py": ""}
    tools = read_toolchain(tmp_path, made(tmp_path, files))
    assert (tools.build, tools.commands["test"]) == (("pdm",), "pytest")


def test_makefile_fills_what_no_manifest_says(tmp_path: Path) -> None:
    files = {
        "Makefile": "build:\n\t./x\nlint:\n\t./y\n",
        "requirements.txt": "flask\n",
        "test_a.py": "import pytest\n",
        "a.py": "",
    }
    tools = read_toolchain(tmp_path, made(tmp_path, files))
    assert tools.build == ("pip", "make")
    assert tools.commands == {"test": "pytest", "build": "make build", "lint": "make lint"}


def test_manifests_in_folders_count_when_the_top_has_none(tmp_path: Path) -> None:
    files = {"README.md": "", "api/go.mod": "module a\n", "api/a.go": "", "web/package.json": "{}", "web/a.js": ""}
    tools = read_toolchain(tmp_path, made(tmp_path, files))
    assert set(tools.build) == {"go", "npm"}
    assert tools.commands["test"] == "cd api && go test ./..."


@pytest.mark.parametrize("name", ["pyproject.toml", "package.json", "composer.json", "pom.xml", "Cargo.toml"])
@pytest.mark.parametrize(
    "text", ["", "{", "[", "null", "\ufeff[[", '{"scripts": 3, "dependencies": [], "require": "x"}']
)
def test_broken_manifest_never_fails(name: str, text: str, tmp_path: Path) -> None:
    assert read_toolchain(tmp_path, made(tmp_path, {name: text})).build


def test_link_out_of_the_tree_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "outside.json").write_text('{"devDependencies": {"jest": "1"}}', encoding="utf-8")
    root = tmp_path / "tree"
    root.mkdir()
    (root / "package.json").symlink_to(tmp_path / "outside.json")
    assert read_toolchain(root, ["package.json"]).test == ()


def test_project_without_a_manifest_has_no_tools(tmp_path: Path) -> None:
    tools = read_toolchain(tmp_path, made(tmp_path, {"a.py": "", "notes.md": ""}))
    assert (tools.build, tools.test, dict(tools.commands)) == ((), (), {})


def test_entry_points_are_where_programs_begin() -> None:
    paths = ["src/pkg/__main__.py", "cmd/tool/main.go", "tests/main.py", "src/lib/deep.py", "manage.py"]
    assert entry_points(paths) == ("manage.py", "cmd/tool/main.go", "src/pkg/__main__.py")
