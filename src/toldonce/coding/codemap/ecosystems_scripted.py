"""What Python, JavaScript, TypeScript, Ruby and PHP manifests say of building, testing and checking."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from toldonce.coding.codemap.manifests import Ecosystem, Folder, find_known_names


def read_python(folder: Folder) -> Ecosystem | None:
    """What a Python folder says; None when it is none."""
    source = folder.first_existing(
        "pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "requirements.txt", "environment.yml"
    )
    if not source:
        return None
    project = folder.read_toml("pyproject.toml")
    tools = set(project.get("tool", {}))
    build = _python_build(folder, project, tools)
    asked = _python_needs(folder, project)
    # A build backend alone does not say that the tool of that name is what people run.
    runner = {"uv": "uv.lock", "poetry": "", "pdm": "pdm.lock", "pipenv": ""}.get(build)
    prefix = f"{build} run " if runner is not None and (not runner or folder.first_existing(runner)) else ""
    test = _python_test(folder, tools, asked)
    runs = {"pytest": "pytest", "unittest": "python -m unittest", "nose2": "nose2", "django": "python manage.py test"}
    linters = [
        name
        for name in ("ruff", "black", "flake8", "mypy", "pylint", "isort", "pyright")
        if _uses_linter(name, folder, tools, asked)
    ]
    commands = {"test": prefix + runs[test]} if test else {}
    commands |= {"build": line} if (line := _PYTHON_BUILDS.get(build)) else {}
    commands |= {"lint": prefix + _PYTHON_LINTS[linters[0]]} if linters else {}
    frameworks = find_known_names(
        asked,
        "django flask fastapi starlette tornado aiohttp click typer pydantic sqlalchemy celery numpy pandas torch",
    )
    return Ecosystem(
        language="python",
        source=source,
        build=build,
        test=test,
        linters=tuple(linters),
        frameworks=frameworks,
        commands=commands,
    )


_PYTHON_BUILDS = {
    "uv": "uv build",
    "poetry": "poetry build",
    "pdm": "pdm build",
    "hatch": "hatch build",
    "flit": "flit build",
    "setuptools": "python -m build",
    "maturin": "maturin build",
}


_PYTHON_LINTS = {
    "ruff": "ruff check .",
    "black": "black --check .",
    "flake8": "flake8",
    "mypy": "mypy .",
    "pylint": "pylint .",
    "isort": "isort --check .",
    "pyright": "pyright",
}


def _python_build(folder: Folder, project: Mapping[str, Any], tools: set[str]) -> str:
    for lock, name in (("uv.lock", "uv"), ("poetry.lock", "poetry"), ("pdm.lock", "pdm"), ("Pipfile", "pipenv")):
        if folder.first_existing(lock):
            return name
    backend = str(project.get("build-system", {}).get("build-backend", ""))
    for part in ("poetry", "pdm", "hatch", "flit", "maturin", "setuptools", "scikit_build", "mesonpy", "uv"):
        if part in backend:
            return {"scikit_build": "scikit-build", "mesonpy": "meson-python"}.get(part, part)
    if "poetry" in tools:
        return "poetry"
    if folder.first_existing("setup.py", "setup.cfg", "pyproject.toml"):
        return "setuptools"
    return (
        "conda" if folder.first_existing("environment.yml") and not folder.first_existing("requirements.txt") else "pip"
    )


def _python_needs(folder: Folder, project: Mapping[str, Any]) -> str:
    """Everything that is asked to be installed, as one text."""
    parts = [str(project.get("project", {}).get(key, "")) for key in ("dependencies", "optional-dependencies")]
    parts += [str(project.get("dependency-groups", "")), str(project.get("tool", {}).get("poetry", ""))]
    parts += [str(project.get("tool", {}).get(name, {})) for name in ("uv", "pdm", "hatch", "tox")]
    names = (
        "setup.py",
        "setup.cfg",
        "Pipfile",
        "tox.ini",
        "noxfile.py",
        "environment.yml",
        *folder.matching_paths(r"[^/]*requirements[^/]*\.(txt|in)|requirements/[^/]*\.(txt|in)"),
    )
    return "\n".join([*parts, *(folder.read_text(name) for name in names)]).lower()


def _python_test(folder: Folder, tools: set[str], asked: str) -> str:
    if (
        "pytest" in tools
        or "pytest" in asked
        or folder.first_existing("pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py")
    ):
        return "pytest"
    tests = folder.read_test_openings("python")
    if re.search(r"^\s*(import|from) pytest\b", tests, re.MULTILINE):
        return "pytest"
    if folder.first_existing("manage.py"):
        return "django"
    if "nose2" in asked:
        return "nose2"
    if re.search(r"\bunittest\b|TestCase", tests):
        return "unittest"
    return "pytest" if tests else ""


def _uses_linter(name: str, folder: Folder, tools: set[str], asked: str) -> bool:
    if name in tools or re.search(rf"\b{name}\b", asked):
        return True
    return bool(
        folder.first_existing(
            f"{name}.toml", f".{name}.toml", f".{name}", f"{name}.ini", f".{name}rc", f"{name}config.json"
        )
    )


def read_javascript(folder: Folder) -> Ecosystem | None:
    """What a JavaScript or TypeScript folder says; None when it is none."""
    if deno := folder.first_existing("deno.json", "deno.jsonc"):
        commands = {"test": "deno test", "lint": "deno lint"}
        return Ecosystem(
            language="typescript/javascript",
            source=deno,
            build="deno",
            test="deno test",
            linters=("deno lint",),
            commands=commands,
        )
    if not folder.first_existing("package.json"):
        return None
    manifest = folder.read_json("package.json")
    needs = {
        **_manifest_table(manifest, "dependencies"),
        **_manifest_table(manifest, "devDependencies"),
        **_manifest_table(manifest, "peerDependencies"),
    }
    scripts = {name: str(line) for name, line in _manifest_table(manifest, "scripts").items()}
    build = _package_manager(folder, manifest)
    test = _javascript_test(folder, needs, scripts)
    linters = [
        name for name in ("eslint", "prettier", "@biomejs/biome", "oxlint", "tslint", "standard", "xo") if name in needs
    ]
    # `bun test` is bun's own runner, not the script of that name.
    call = {"npm": "npm run", "pnpm": "pnpm run", "yarn": "yarn", "bun": "bun run"}[build]
    commands = {name: f"{call} {name}" for name in ("build", "test", "lint", "dev", "start") if name in scripts}
    if "test" not in commands and test:
        commands["test"] = {"bun test": "bun test", "node:test": "node --test"}.get(test, f"npx {test}")
    frameworks = tuple(name for name in _JS_FRAMEWORKS if name in needs)
    return Ecosystem(
        language="typescript/javascript/vue/svelte",
        source="package.json",
        build=build,
        test=test,
        frameworks=frameworks,
        linters=tuple(name.removeprefix("@biomejs/") for name in linters),
        commands=commands,
        run_tests=_runner_without_paths(scripts.get("test", "")),
    )


# Options of test runners whose next word is their value.
_VALUED = frozenset(
    "--require -r --reporter -R --timeout -t --ui -u --config -c --file --import --loader --extension".split()
)


def _runner_without_paths(script: str) -> str:
    """A test script without the tests that it names, so that others can be given; empty when it names none."""
    words = script.split()
    if not words or words[0] not in ("mocha", "ava", "tap", "uvu", "jasmine") or re.search(r"[|&;]", script):
        return ""
    kept = [word for before, word in pairwise(words) if word.startswith("-") or before in _VALUED]
    return f"npx {' '.join([words[0], *kept])}" if len(kept) < len(words) - 1 else ""


def _package_manager(folder: Folder, manifest: Mapping[str, Any]) -> str:
    said = str(manifest.get("packageManager", "")).split("@")[0]
    if said in ("npm", "pnpm", "yarn", "bun"):
        return said
    locks = {
        "pnpm-lock.yaml": "pnpm",
        "pnpm-workspace.yaml": "pnpm",
        "yarn.lock": "yarn",
        "bun.lockb": "bun",
        "bun.lock": "bun",
    }
    return next((name for lock, name in locks.items() if folder.first_existing(lock)), "npm")


_JS_FRAMEWORKS = (
    "react vue svelte @angular/core next nuxt express fastify koa hono @nestjs/core electron astro vite webpack rollup "
    "esbuild typescript tailwindcss".split()
)


_JS_TESTS = (
    "vitest",
    "jest",
    "mocha",
    "ava",
    "jasmine",
    "tap",
    "uvu",
    "tape",
    "qunit",
    "karma",
    "@playwright/test",
    "cypress",
)


def _javascript_test(folder: Folder, needs: Mapping[str, Any], scripts: Mapping[str, str]) -> str:
    lines = " ".join(line for name, line in scripts.items() if name.startswith("test"))
    for name in _JS_TESTS:
        if re.search(rf"(?<![\w/-]){re.escape(name.split('/')[0].lstrip('@'))}(?![\w-])", lines):
            return name
    if re.search(r"\bnode\b[^&|]*--test", lines):
        return "node:test"
    if re.search(r"\bbun test\b", lines):
        return "bun test"
    for name in _JS_TESTS:
        if name in needs or (name == "jest" and "ts-jest" in needs):
            return name
    tests = folder.read_test_openings("javascript") + folder.read_test_openings("typescript")
    return "node:test" if "node:test" in tests else "bun test" if "bun:test" in tests else ""


def read_ruby(folder: Folder) -> Ecosystem | None:
    """What a Ruby folder says; None when it is none."""
    source = (
        folder.first_existing("Gemfile", "gems.rb")
        or (folder.matching_paths(r"[^/]+\.gemspec") or [""])[0]
        or folder.first_existing("Rakefile")
    )
    if not source:
        return None
    text = "\n".join(
        folder.read_text(name) for name in ("Gemfile", "gems.rb", "Rakefile", *folder.matching_paths(r"[^/]+\.gemspec"))
    )
    tests = folder.read_test_openings("ruby")
    if "rspec" in text or folder.first_existing(".rspec") or folder.matching_paths(r"spec/.*_spec\.rb"):
        test = "rspec"
    elif "minitest" in text or "minitest" in tests.lower():
        test = "minitest"
    else:
        test = "test-unit" if "test-unit" in text or "test/unit" in tests else ("minitest" if tests else "")
    build = "bundler" if folder.first_existing("Gemfile", "gems.rb") else "rake" if source == "Rakefile" else "gem"
    prefix = "bundle exec " if build == "bundler" else ""
    rails = bool(folder.first_existing("bin/rails", "config/application.rb"))
    run = "rspec" if test == "rspec" else "rake test"
    commands = {"test": "bin/rails test" if rails and test == "minitest" else prefix + run} if test else {}
    lints = "rubocop" in text or bool(folder.first_existing(".rubocop.yml"))
    commands |= {"lint": f"{prefix}rubocop"} if lints else {}
    return Ecosystem(
        language="ruby",
        source=source,
        build=build,
        test=test,
        linters=("rubocop",) if lints else (),
        commands=commands,
        frameworks=find_known_names(text, "rails sinatra rack hanami sidekiq"),
    )


def read_php(folder: Folder) -> Ecosystem | None:
    """What a PHP folder says; None when it is none."""
    if not folder.first_existing("composer.json"):
        return None
    manifest = folder.read_json("composer.json")
    needs = {**_manifest_table(manifest, "require"), **_manifest_table(manifest, "require-dev")}
    scripts = _manifest_table(manifest, "scripts")
    tests = (
        ("pest", "pestphp/pest"),
        ("codeception", "codeception/codeception"),
        ("behat", "behat/behat"),
        ("phpunit", "phpunit/phpunit"),
        ("phpspec", "phpspec/phpspec"),
    )
    test = next((name for name, package in tests if package in needs), "")
    test = test or (
        "phpunit"
        if folder.first_existing("phpunit.xml", "phpunit.xml.dist") or "symfony/phpunit-bridge" in needs
        else ""
    )
    linters = tuple(
        name
        for name in ("phpstan", "psalm", "php-cs-fixer", "php_codesniffer", "pint")
        if any(key.endswith(name) for key in needs)
    )
    commands = {"test": "composer test" if "test" in scripts else f"vendor/bin/{test}"} if test else {}
    commands |= {"lint": "composer lint"} if "lint" in scripts else {}
    return Ecosystem(
        language="php",
        source="composer.json",
        build="composer",
        test=test,
        linters=linters,
        commands=commands,
        frameworks=find_known_names(
            " ".join(needs), "laravel/framework symfony/framework-bundle slim/slim guzzlehttp/guzzle"
        ),
    )


def _manifest_table(manifest: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = manifest.get(key)
    return found if isinstance(found, dict) else {}
