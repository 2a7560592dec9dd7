from __future__ import annotations

from pathlib import Path

import pytest

from tests.coding.codemap.conftest import Project
from toldonce.coding.codemap.imports import ImportResolver, find_imports
from toldonce.coding.codemap.learn import FileEvent, learn_from_events
from toldonce.coding.codemap.locate import locate_files
from toldonce.coding.codemap.modules import module_map
from toldonce.coding.codemap.render import describe_modules, module_line, tool_lines
from toldonce.coding.codemap.values import Module, ModuleMap


@pytest.mark.parametrize(
    "language, text, found",
    [
        (
            "python",
            (
                "import os, shop.cart as cart  # both\nfrom . import mail\nfrom ..base import (\n    One,\n    Two,\n)"
                "\n"
                '"""\nimport name of your application, for\nexample\n"""\n'
            ),
            ["os", "shop.cart", ".mail", "..base.One", "..base.Two", "..base"],
        ),
        (
            "typescript",
            "import { a } from './a'\nexport * from \"../b\"\nconst c = require('c/d')\nimport('e')\n",
            ["./a", "../b", "c/d", "e"],
        ),
        ("go", 'import "fmt"\nimport (\n\t"os"\n\tx "github.com/a/b/c"\n)\n', ["fmt", "os", "github.com/a/b/c"]),
        (
            "rust",
            "use crate::{a::B, c};\npub use super::d as e;\nmod f;\nuse serde::Serialize;\n",
            ["crate::a::B", "crate::c", "super::d", "self::f", "serde::Serialize"],
        ),
        ("java", "import static com.shop.Cart;\nimport java.util.List;\n", ["com.shop.Cart", "java.util.List"]),
        ("ruby", "require_relative 'cart'\nrequire 'rack'\n", ["./cart", "rack"]),
        ("c", '#include "cart.h"\n#include <stdio.h>\n', ["cart.h"]),
        ("php", "use Shop\\Cart;\n", ["Shop\\Cart"]),
        ("cobol", "COPY cart.\n", []),
    ],
)
def test_import_lines_are_read(language: str, text: str, found: list[str]) -> None:
    assert find_imports(text, language) == found


TREE = {
    "src/shop/__init__.py": "",
    "src/shop/json/__init__.py": "",
    "src/shop/cart.py": "",
    "scripts/build.py": "",
    "go.mod": "module example.org/shop\n\nrequire (\n\tgithub.com/a/b/v2 v2.0.1\n\tgopkg.in/yaml.v3 v3.0.1 // x\n)\n",
    "binding/form.go": "",
    "web/package.json": '{"name": "@shop/web", "dependencies": {"react": "1", "@scope/ui": "1"}}',
    "web/src/index.ts": "",
    "web/src/cart.ts": "",
    "crates/core/Cargo.toml": '[package]\nname = "shop-core"\n[dependencies]\nserde_json = "1"\n',
    "crates/core/src/lib.rs": "",
    "crates/core/src/cart/mod.rs": "",
    "lib/Cart.java": "",
    "native/cart.h": "",
    "native/cart.c": "",
    "Gemfile": "gem 'rack'\n",
    "lib/mail.rb": "",
    "broken/package.json": "[",
    "broken/Cargo.toml": "[",
    "list/package.json": "[]",
}


@pytest.mark.parametrize(
    "path, target, language, found",
    [
        ("src/shop/cart.py", ".json.dumps", "python", None),
        ("src/shop/cart.py", ".json", "python", "src/shop/json/__init__.py"),
        ("src/shop/cart.py", "json", "python", None),
        ("src/shop/json/__init__.py", "..cart", "python", "src/shop/cart.py"),
        ("tests/test_a.py", "shop.cart", "python", "src/shop/cart.py"),
        ("gin.go", "example.org/shop/binding", "go", "binding/form.go"),
        ("gin.go", "fmt", "go", None),
        ("web/src/index.ts", "./cart", "typescript", "web/src/cart.ts"),
        ("web/src/index.ts", "./cart.ts", "typescript", "web/src/cart.ts"),
        ("other/a.ts", "@shop/web", "typescript", "web/src/index.ts"),
        ("other/a.ts", "cart", "typescript", None),
        ("crates/core/src/lib.rs", "self::cart", "rust", "crates/core/src/cart/mod.rs"),
        ("crates/core/src/a/b.rs", "crate::cart::Cart", "rust", "crates/core/src/cart/mod.rs"),
        ("crates/cli/src/main.rs", "shop_core::cart", "rust", "crates/core/src/cart/mod.rs"),
        ("crates/core/src/cart/mod.rs", "super::cart", "rust", "crates/core/src/cart/mod.rs"),
        ("crates/core/src/lib.rs", "std::fmt", "rust", None),
        ("lib/Mail.java", "Cart", "java", "lib/Cart.java"),
        ("native/cart.c", "cart.h", "c", "native/cart.h"),
        ("other/a.c", "native/cart.h", "c", "native/cart.h"),
        ("lib/a.rb", "./mail", "ruby", "lib/mail.rb"),
    ],
)
def test_imports_are_resolved_by_path(tmp_path: Path, path: str, target: str, language: str, found: str | None) -> None:
    assert _resolver(tmp_path).find_file(path, target, language) == found


@pytest.mark.parametrize(
    "target, language, package",
    [
        ("werkzeug.http", "python", "werkzeug"),
        ("os.path", "python", ""),
        ("_typeshed.wsgi", "python", ""),
        ("shop.nothing", "python", ""),
        ("scripts.release", "python", ""),
        (".cart", "python", ""),
        ("react/dom", "typescript", "react"),
        ("@scope/ui/button", "typescript", "@scope/ui"),
        ("fs", "typescript", ""),
        ("@shop/web/x", "typescript", ""),
        ("github.com/a/b/v2/codec", "go", "github.com/a/b/v2"),
        ("gopkg.in/yaml.v3", "go", "gopkg.in/yaml.v3"),
        ("fmt", "go", ""),
        ("serde_json::Value", "rust", "serde_json"),
        ("shop_core::cart", "rust", ""),
        ("rack", "ruby", "rack"),
    ],
)
def test_external_packages_are_those_that_are_declared(
    tmp_path: Path, target: str, language: str, package: str
) -> None:
    assert _resolver(tmp_path).find_package(target, language) == package


def _resolver(root: Path) -> ImportResolver:
    for path, text in TREE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return ImportResolver(root, list(TREE))


def test_map_knows_packages_and_what_a_module_really_uses(project: Project) -> None:
    project.write(
        {
            "pyproject.toml": "[tool.pytest.ini_options]\n",
            "src/shop/__init__.py": "",
            "src/shop/cart/__init__.py": '"""What people are about to buy."""\n',
            "src/shop/cart/items.py": "import celery\nimport json\nfrom shop.mail import send\n",
            "src/shop/mail/__init__.py": "",
            "src/shop/mail/send.py": "import jinja2\nfrom json import dumps\n",
            "src/shop/json/__init__.py": "",
            "src/shop/json/dumps.py": "",
            "src/worker/celery/tasks.py": "",
            "src/worker/celery/more.py": "",
            "tests/conftest.py": "",
            "tests/test_items.py": "import pytest\n",
            **{f"src/shop/{folder}/more_{n}.py": "" for folder in ("cart", "mail", "json") for n in range(4)},
        }
    )
    project.scan()
    made = module_map(project.index())
    cart, mail = made.find_module("cart"), made.find_module("mail")
    assert cart is not None and mail is not None
    assert cart.depends_on == ("mail",) and cart.packages == ("celery",)
    assert mail.depends_on == () and mail.packages == ("jinja2",)
    assert "packages celery" in module_line(cart)
    assert made.tools.test_config == ("pyproject.toml", "tests/conftest.py")
    assert ("test configuration", "Test configuration: pyproject.toml, tests/conftest.py") in tool_lines(made)
    located = locate_files(project.index(), "items of the cart are lost", known=made)
    assert describe_modules(located, made)[0] == (
        "cart (src/shop/cart/, shallow); What people are about to buy; tests `pytest tests/test_items.py`; uses mail;"
        " packages celery"
    )


def test_command_of_a_script_that_names_its_tests_runs_a_modules_own(project: Project) -> None:
    script = "mocha --require test/support/env --check-leaks test/ test/acceptance/"
    project.write(
        {
            "package.json": f'{{"scripts": {{"test": "{script}"}}}}',
            "lib/request.js": "",
            "lib/response.js": "",
            "test/request.js": "",
            "test/support/env.js": "",
        }
    )
    project.scan()
    (lib,) = module_map(project.index()).modules
    assert lib.test_command == "npx mocha --require test/support/env --check-leaks test/request.js"


def test_settings_of_tools_and_workflows_are_neither_modules_nor_tests(project: Project) -> None:
    project.write({"src/a.py": "", "src/b.py": "", ".devcontainer/start.sh": "", ".github/run-tests.yml": "on: push\n"})
    project.scan()
    (only,) = module_map(project.index()).modules
    assert only.folder == "src/" and not only.tests


def test_tests_join_the_module_that_they_test_and_examples_none() -> None:
    cart = Module(name="cart", folder="src/cart/", files=("src/cart/basket.py",), tests=("tests/test_x.py",))
    mail = Module(name="mail", folder="src/mail/", files=("src/mail/send.py",), tests=("tests/test_y.py",))
    known = ModuleMap(modules=(cart, mail, Module(name="(top)", folder="")))
    events = [FileEvent("tests/test_send.py", "write", "s"), FileEvent("examples/send.py", "write", "s")]
    taught = learn_from_events(known, events)
    assert [module.learned for module in taught.modules] == [(), ("tests/test_send.py",), ()]


def test_file_learned_for_the_top_moves_to_the_module_that_its_folder_becomes(project: Project) -> None:
    project.write({"a.py": "", "b.py": "", "cart/a.py": "", "cart/b.py": ""})
    project.scan()
    before = learn_from_events(module_map(project.index()), [FileEvent("mail/send.py", "write", "s")])
    home = before.module_of("mail/send.py")
    assert home is not None and home.folder == ""
    project.write({"mail/send.py": "", "mail/text.py": ""})
    project.scan()
    after = module_map(project.index(), known=before).module_of("mail/send.py")
    assert after is not None and after.folder == "mail/"
