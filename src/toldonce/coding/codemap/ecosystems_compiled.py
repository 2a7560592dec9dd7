"""What manifests of compiled languages say of building, testing and checking: one function per language."""

from __future__ import annotations

import re
from collections.abc import Mapping

from toldonce.coding.codemap.manifests import Ecosystem, Folder, find_known_names


def read_go(folder: Folder) -> Ecosystem | None:
    """What a Go folder says; None when it is none."""
    # Before modules, a Go project had no manifest at all.
    source = folder.first_existing("go.mod", "Gopkg.toml", "glide.yaml") or next(
        iter(folder.matching_paths(r"[^/]+\.go")), ""
    )
    if not source:
        return None
    needs = folder.read_text("go.mod") + folder.read_text("Gopkg.toml")
    test = "ginkgo" if "onsi/ginkgo" in needs else "testify" if "stretchr/testify" in needs else "go test"
    lint = folder.matching_paths(r"\.golangci\.(ya?ml|toml|json)")
    commands = {
        "build": "go build ./...",
        "test": "go test ./...",
        "lint": "golangci-lint run" if lint else "go vet ./...",
    }
    frameworks = find_known_names(
        needs, "gin-gonic/gin labstack/echo gofiber/fiber spf13/cobra go-chi/chi grpc gorm.io/gorm"
    )
    return Ecosystem(
        language="go",
        source=source,
        build="go",
        test=test,
        linters=("golangci-lint",) if lint else (),
        frameworks=frameworks,
        commands=commands,
    )


def read_rust(folder: Folder) -> Ecosystem | None:
    """What a Rust folder says; None when it is none."""
    if not folder.first_existing("Cargo.toml"):
        return None
    text = folder.read_text("Cargo.toml")
    nextest = bool(folder.first_existing(".config/nextest.toml"))
    commands = {
        "build": "cargo build",
        "test": "cargo nextest run" if nextest else "cargo test",
        "lint": "cargo clippy",
    }
    return Ecosystem(
        language="rust",
        source="Cargo.toml",
        build="cargo",
        test="nextest" if nextest else "cargo test",
        linters=("clippy", *(("rustfmt",) if folder.first_existing("rustfmt.toml", ".rustfmt.toml") else ())),
        commands=commands,
        frameworks=find_known_names(text, "tokio axum actix-web rocket serde clap bevy tauri"),
    )


_JVM_TESTS = (
    ("kotest", r"kotest"), ("spock", r"spockframework|spock-core"), ("testng", r"testng"), ("scalatest", r"scalatest"),
    ("munit", r"\bmunit\b"), ("junit5", r"junit-jupiter|junit\.jupiter|useJUnitPlatform|junit-bom"),
    ("junit4", r"junit:junit|<artifactId>junit</artifactId>|org\.junit\b"),
    ("kotlin.test", r"kotlin\(\"test|kotlin-test"),
)  # fmt: skip


def read_jvm(folder: Folder) -> Ecosystem | None:
    """What a Java, Kotlin or Scala folder says; None when it is none."""
    source = folder.first_existing(
        "pom.xml",
        "build.gradle.kts",
        "build.gradle",
        "settings.gradle.kts",
        "settings.gradle",
        "build.sbt",
        "build.xml",
    )
    if not source:
        return None
    build = {"pom.xml": "maven", "build.sbt": "sbt", "build.xml": "ant"}.get(source, "gradle")
    inner = folder.matching_paths(
        r"(?:[^/]+/){0,2}(pom\.xml|build\.gradle(\.kts)?|build\.sbt)|gradle/libs\.versions\.toml"
    )[:20]
    text = "\n".join(folder.read_text(name) for name in (source, *inner))
    tests = (
        text
        + folder.read_test_openings("java")
        + folder.read_test_openings("kotlin")
        + folder.read_test_openings("scala")
    )
    test = next((name for name, mark in _JVM_TESTS if re.search(mark, text)), "") or next(
        (name for name, mark in _JVM_TESTS if re.search(mark, tests)), ""
    )
    program = {
        "maven": "./mvnw" if folder.first_existing("mvnw") else "mvn",
        "gradle": "./gradlew" if folder.first_existing("gradlew") else "gradle",
        "sbt": "sbt",
        "ant": "ant",
    }[build]
    goal = {"maven": "package", "gradle": "build", "sbt": "compile", "ant": "jar"}[build]
    linters = [
        name
        for name in ("checkstyle", "spotless", "ktlint", "detekt", "pmd", "scalafmt", "errorprone")
        if name in text.lower()
    ]
    return Ecosystem(
        language="java/kotlin/scala/groovy",
        source=source,
        build=build,
        test=test,
        linters=tuple(linters),
        commands={"build": f"{program} {goal}", "test": f"{program} test"},
        frameworks=find_known_names(text, "spring-boot quarkus micronaut android ktor hibernate lombok"),
    )


_C_TESTS = (
    ("googletest", r"gtest|googletest|GTest"),
    ("catch2", r"[Cc]atch2|catch\.hpp|catch_test_macros"),
    ("doctest", r"doctest"),
    ("boost.test", r"unit_test_framework|boost/test"),
    ("cmocka", r"cmocka"),
    ("unity", r"unity\.h|ThrowTheSwitch"),
    ("criterion", r"criterion"),
    ("check", r"<check\.h>|find_package\(check|dependency\('check'"),
    ("qtest", r"QtTest|Qt\d::Test"),
    ("ctest", r"enable_testing|add_test\("),
)


def read_c(folder: Folder) -> Ecosystem | None:
    """What a C or C++ folder says; None when it is none."""
    table = {
        "CMakeLists.txt": "cmake",
        "meson.build": "meson",
        "MODULE.bazel": "bazel",
        "WORKSPACE": "bazel",
        "xmake.lua": "xmake",
        "configure.ac": "autotools",
        "SConstruct": "scons",
    }
    source = folder.first_existing(*table)
    if not source and (
        folder.first_existing("Makefile", "makefile", "GNUmakefile")
        and folder.matching_paths(r"(?:[^/]+/)*[^/]+\.(c|cc|cpp|cxx)")
    ):
        source = folder.first_existing("Makefile", "makefile", "GNUmakefile")
    if not source:
        return None
    build = table.get(source, "make")
    inner = folder.matching_paths(r"(?:[^/]+/){0,2}(CMakeLists\.txt|meson\.build)|conanfile\.\w+|vcpkg\.json")[:20]
    text = (
        "\n".join(folder.read_text(name) for name in (source, *inner))
        + folder.read_test_openings("c")
        + folder.read_test_openings("c++")
    )
    test = next((name for name, mark in _C_TESTS if re.search(mark, text)), "")
    lines = {
        "cmake": ("cmake -B build && cmake --build build", "ctest --test-dir build"),
        "meson": ("meson setup build && meson compile -C build", "meson test -C build"),
        "bazel": ("bazel build //...", "bazel test //..."),
        "autotools": ("./configure && make", "make check"),
        "make": ("make", "make test"),
        "xmake": ("xmake", "xmake test"),
        "scons": ("scons", "scons test"),
    }[build]
    linters = [
        name
        for name, file in (("clang-tidy", ".clang-tidy"), ("clang-format", ".clang-format"))
        if folder.first_existing(file)
    ]
    return Ecosystem(
        language="c/c++",
        source=source,
        build=build,
        test=test,
        linters=tuple(linters),
        commands={"build": lines[0], "test": lines[1]},
        frameworks=find_known_names(text, "Qt5 Qt6 boost SDL2 fmt"),
    )


def read_dotnet(folder: Folder) -> Ecosystem | None:
    """What a .NET folder says; None when it is none."""
    projects = folder.matching_paths(r"(?:[^/]+/)*[^/]+\.(cs|fs|vb)proj")
    solution = folder.matching_paths(r"[^/]+\.slnx?")
    if not projects and not solution:
        return None
    text = "\n".join(
        folder.read_text(name) for name in (*projects[:30], *folder.matching_paths(r"Directory\.[\w.]+\.props"))
    )
    tests = (("xunit", r"xunit"), ("nunit", r"nunit"), ("mstest", r"mstest"), ("tunit", r"tunit"))
    test = next((name for name, mark in tests if re.search(mark, text, re.IGNORECASE)), "")
    return Ecosystem(
        language="c#/f#/visual basic",
        source=(solution or projects)[0],
        build="dotnet",
        test=test,
        linters=("editorconfig",) if folder.first_existing(".editorconfig") else (),
        commands={"build": "dotnet build", "test": "dotnet test"} if test else {"build": "dotnet build"},
        frameworks=find_known_names(text, "Microsoft.AspNetCore EntityFrameworkCore Avalonia Microsoft.Maui Blazor"),
    )


def read_elixir(folder: Folder) -> Ecosystem | None:
    """What a Elixir folder says; None when it is none."""
    return _single_manifest_ecosystem(
        folder, "mix.exs", "elixir", "mix", "exunit", {"build": "mix compile", "test": "mix test"}, known="phoenix ecto"
    )


def read_swift(folder: Folder) -> Ecosystem | None:
    """What a Swift folder says; None when it is none."""
    test = (
        "swift-testing"
        if re.search(r"^import Testing\b", folder.read_test_openings("swift"), re.MULTILINE)
        else "xctest"
    )
    return _single_manifest_ecosystem(
        folder, "Package.swift", "swift", "swift", test, {"build": "swift build", "test": "swift test"}
    )


def read_dart(folder: Folder) -> Ecosystem | None:
    """What a Dart folder says; None when it is none."""
    flutter = "flutter:" in folder.read_text("pubspec.yaml")
    name, test = ("flutter", "flutter_test") if flutter else ("dart", "test")
    return _single_manifest_ecosystem(
        folder, "pubspec.yaml", "dart", name, test, {"test": f"{name} test", "lint": f"{name} analyze"}
    )


def read_haskell(folder: Folder) -> Ecosystem | None:
    """What a Haskell folder says; None when it is none."""
    source = folder.first_existing("stack.yaml", "package.yaml") or (folder.matching_paths(r"[^/]+\.cabal") or [""])[0]
    build = "stack" if folder.first_existing("stack.yaml") else "cabal"
    text = "\n".join(folder.read_text(name) for name in ("package.yaml", *folder.matching_paths(r"[^/]+\.cabal")))
    test = next((name for name in ("hspec", "tasty", "hedgehog", "quickcheck", "hunit") if name in text.lower()), "")
    return _single_manifest_ecosystem(
        folder, source, "haskell", build, test, {"build": f"{build} build", "test": f"{build} test"}
    )


def read_zig(folder: Folder) -> Ecosystem | None:
    """What a Zig folder says; None when it is none."""
    return _single_manifest_ecosystem(
        folder, "build.zig", "zig", "zig", "zig test", {"build": "zig build", "test": "zig build test"}
    )


def _single_manifest_ecosystem(
    folder: Folder, source: str, language: str, build: str, test: str, commands: Mapping[str, str], *, known: str = ""
) -> Ecosystem | None:
    """A language whose one manifest settles everything."""
    if not source or not folder.first_existing(source):
        return None
    return Ecosystem(
        language=language,
        source=source,
        build=build,
        test=test,
        commands=commands,
        frameworks=find_known_names(folder.read_text(source), known),
    )
