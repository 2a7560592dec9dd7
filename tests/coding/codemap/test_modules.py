from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

import pytest

from tests.coding.codemap.conftest import Project
from toldonce.coding.codemap.document import from_document, to_document
from toldonce.coding.codemap.learn import FileEvent, learn_from_events, update_module
from toldonce.coding.codemap.modules import command_for_tests, divide_into_folders, module_map
from toldonce.coding.codemap.naming import list_described_modules, sketch_unnamed_modules, with_names
from toldonce.coding.codemap.render import render_map
from toldonce.coding.codemap.values import Confidence, Module, ModuleMap
from toldonce.distil.drafts import ModuleDraft
from toldonce.errors import InputError
from toldonce.tokens import count_tokens

AT = datetime(2030, 1, 1, tzinfo=UTC)


def shop_files() -> dict[str, str]:
    files = {
        "pyproject.toml": "[build-system]\nbuild-backend = 'hatchling.build'\n[tool.pytest.ini_options]\n[tool.ruff]\n"
    }
    for folder in ("cart", "mail", "stock"):
        files[f"src/shop/{folder}/__init__.py"] = f'"""Everything about the {folder} of the shop."""\n'
        files |= {f"src/shop/{folder}/{folder}_{i}.py": f"def {folder}_{i}(): pass\n" for i in range(5)}
        files[f"tests/test_{folder}_1.py"] = f"from shop.{folder} import {folder}_1\n"
    files["src/shop/mail/send.py"] = "from shop.cart import cart_1\n"
    files["src/shop/__main__.py"] = "print('open')\n"
    return files


@pytest.fixture
def shop(project: Project) -> Project:
    project.commit("begin", shop_files())
    project.commit(
        "Mail the cart",
        {"src/shop/cart/cart_1.py": "1\n", "src/shop/mail/send.py": "from shop.cart import cart_1\n2\n"},
    )
    project.scan()
    return project


def test_modules_are_folders_with_files_tests_and_neighbours(shop: Project) -> None:
    made = module_map(shop.index())
    cart, mail = made.find_module("cart"), made.find_module("mail")
    assert cart is not None and mail is not None
    assert cart.folder == "src/shop/cart/" and cart.count == 6
    assert cart.description == "Everything about the cart of the shop."
    assert cart.tests == ("tests/test_cart_1.py",)
    assert mail.depends_on == ("cart",) and mail.related == ("cart",)
    assert cart.confidence is Confidence.SHALLOW
    assert made.tools.build == ("hatch",) and made.tools.test == ("pytest",)
    assert made.tools.commands["test"] == "pytest" and made.tools.entry_points == ("src/shop/__main__.py",)


def test_document_gives_the_map_back(shop: Project) -> None:
    made = module_map(shop.index())
    document = to_document(made, space="s", at=AT)
    assert document.version == 1
    assert from_document(document) == made
    assert document.data["short"] == render_map(made, 60)
    assert any(
        entry.section == "modules" and entry.text.startswith("cart (src/shop/cart/") for entry in document.entries
    )


def test_document_gets_a_version_only_when_something_changed(shop: Project) -> None:
    made = module_map(shop.index())
    first = to_document(made, space="s", at=AT)
    assert to_document(made, space="s", at=AT, previous=first) is first
    later = to_document(update_module(made, "cart", description="Baskets"), space="s", at=AT, previous=first)
    assert later.version == 2


def test_learned_knowledge_survives_a_rescan(shop: Project) -> None:
    said = {"description": "Baskets and what lies in them", "depends_on": ["redis"], "tests": ["e2e/basket.feature"]}
    known = update_module(module_map(shop.index()), "cart", **said)
    known = learn_from_events(
        known, [FileEvent("src/shop/mail/mail_2.py", "edit", session) for session in ("a", "b", "c")]
    )
    shop.commit("More", {"src/shop/cart/more.py": "x = 1\n"})
    shop.scan()
    again = module_map(shop.index(), known=known)
    cart, mail = again.find_module("cart"), again.find_module("mail")
    assert cart is not None and mail is not None
    assert cart.count == 7 and cart.description == "Baskets and what lies in them"
    assert cart.depends_on == ("redis",) and cart.tests == ("e2e/basket.feature", "tests/test_cart_1.py")
    assert mail.confidence is Confidence.MAPPED and mail.edited == ("a", "b", "c")


def test_a_new_name_is_used_by_the_neighbours_and_survives_a_rescan(shop: Project) -> None:
    known = update_module(module_map(shop.index()), "cart", name="shopping basket")
    again = module_map(shop.index(), known=known)
    for made in (known, again, module_map(shop.index(), known=again)):
        mail = made.find_module("mail")
        assert mail is not None and mail.depends_on == mail.related == ("shopping basket",)
        assert made.find_module("cart") is None and len(made.modules) == len(known.modules)
    assert "shopping basket" in render_map(again, 1000) and "shopping basket/" not in render_map(again, 1000)


def test_drafts_name_modules_partially_and_tell_who_belongs_together(shop: Project) -> None:
    made = update_module(module_map(shop.index()), "stock", description="What there is")
    sketched = {sketch.module: sketch for sketch in sketch_unnamed_modules(made, shop.index())}
    assert "stock" not in sketched and list_described_modules(made) == ["stock"]
    assert sketched["cart"].folder == "src/shop/cart/" and "cart_2" in sketched["cart"].symbols
    drafts = [
        ModuleDraft("cart", "shopping basket", "What is wanted.", ("mail", "gone")),
        ModuleDraft("mail", "letters", "What is sent."),
        ModuleDraft("stock", "store room", "Not asked for."),
        ModuleDraft("gone", "ghosts", "Not there."),
    ]
    named = with_names(made, drafts)
    basket, stock = named.find_module("shopping basket"), named.find_module("stock")
    assert basket is not None and stock is not None and named.find_module("ghosts") is None
    assert (basket.confidence, basket.related[0]) == (Confidence.PARTIAL, "letters")
    assert "gone" not in basket.related and stock.description == "What there is"
    assert with_names(named, drafts) == named


def test_a_draft_does_not_take_the_name_of_another_module(shop: Project) -> None:
    made = module_map(shop.index())
    assert with_names(made, [ModuleDraft("cart", "mail", "Mixed up.")]) == made


def test_reading_makes_a_module_partial_and_editing_in_three_sessions_maps_it() -> None:
    known = ModuleMap(modules=(Module(name="cart", folder="cart/"), Module(name="mail", folder="mail/")))
    seen = learn_from_events(known, [FileEvent("cart/a.py", "read", "one")])
    assert [module.confidence for module in seen.modules] == [Confidence.PARTIAL, Confidence.SHALLOW]
    events = [FileEvent("cart/a.py", "edit", session) for session in ("one", "one", "two")]
    assert learn_from_events(seen, events).modules[0].confidence is Confidence.PARTIAL
    assert (
        learn_from_events(seen, [*events, FileEvent("cart/b.py", "write", "three")]).modules[0].confidence
        is Confidence.MAPPED
    )


def test_new_file_joins_the_module_it_lies_in_or_nearest_to() -> None:
    cart = Module(name="cart", folder="src/cart/", tests=("tests/cart/test_a.py",))
    known = ModuleMap(modules=(cart, Module(name="mail", folder="src/mail/", files=("src/mail/send.py",))))
    taught = learn_from_events(
        known, [FileEvent("src/mail/new.py", "write", "s"), FileEvent("tests/cart/test_b.py", "read", "s")]
    )
    assert taught.modules[1].learned == ("src/mail/new.py",)
    assert taught.modules[0].learned == ("tests/cart/test_b.py",)
    home = taught.module_of("tests/cart/test_b.py")
    assert home is not None and home.name == "cart"


def test_learning_the_same_twice_changes_nothing() -> None:
    known = ModuleMap(modules=(Module(name="cart", folder="cart/"),))
    events = [FileEvent("cart/a.py", "edit", "one"), FileEvent("package-lock.json", "edit", "one")]
    once = learn_from_events(known, events)
    assert learn_from_events(once, events) == once
    assert once.modules[0].learned == ("cart/a.py",)


def test_update_names_the_wrong_field_and_makes_new_modules() -> None:
    made = update_module(ModuleMap(), "auth", description="Who may enter", folder="src/auth/", confidence="mapped")
    assert made.modules[0].said and made.modules[0].confidence is Confidence.MAPPED
    with pytest.raises(InputError, match="'colour'"):
        update_module(made, "auth", colour="red")
    with pytest.raises(InputError, match="shallow, partial or mapped"):
        update_module(made, "auth", confidence="certain")


def test_module_that_was_named_by_hand_stays_after_its_folder_went(shop: Project) -> None:
    known = update_module(module_map(shop.index()), "checkout", description="Paying", folder="src/shop/checkout/")
    assert module_map(shop.index(), known=known).find_module("checkout") is not None


def test_folders_are_divided_until_none_is_too_large() -> None:
    paths = [f"src/big/{part}/f{i}.py" for part in "abcdefghijklmnopqrstuvwxyzab" for i in range(10)] + ["setup.py"]
    folders = divide_into_folders(paths)
    assert "src/big/a/" in folders and "" in folders and "src/" not in folders
    assert divide_into_folders([]) == [""]
    small = ["src/auth/a.py", "src/auth/b.py", "src/billing/a.py", "src/billing/b.py"]
    assert divide_into_folders(small) == ["src/auth/", "src/billing/"]


def test_map_block_never_passes_its_budget(shop: Project) -> None:
    made = module_map(shop.index())
    for budget in (1, 15, 60, 200, 1000):
        assert count_tokens(render_map(made, budget)) <= budget
    short = render_map(made)
    assert "test `pytest`" in short and "Modules: " in short
    assert "Everything about the cart" in render_map(made, 1000)


def test_unknown_fields_of_a_later_version_are_left_out(shop: Project) -> None:
    document = to_document(module_map(shop.index()), space="s", at=AT)
    data = {**document.data, "modules": [{**row, "mood": "good"} for row in document.data["modules"]]}
    assert from_document(dataclasses.replace(document, data=data)) == from_document(document)


def test_examples_docs_fixtures_and_vendored_code_are_no_modules(project: Project) -> None:
    project.commit(
        "begin",
        {
            "src/shop/cart.py": "x = 1\n",
            "src/shop/price.py": "x = 1\n",
            "examples/celery/app.py": "import shop\n",
            "examples/celery/tasks.py": "import shop\n",
            "docs/conf.py": "x = 1\n",
            "third_party/lib/a.py": "x = 1\n",
        },
    )
    project.scan()
    map_ = module_map(project.index())
    assert [module.folder for module in map_.modules] == ["src/"]
    assert map_.module_of("examples/celery/app.py") is None
    assert map_.module_of("src/shop/new.py") is map_.modules[0]


def test_a_tree_of_examples_alone_has_modules(project: Project) -> None:
    project.commit("begin", {"examples/a/x.py": "x = 1\n", "examples/a/y.py": "x = 1\n"})
    project.scan()
    map_ = module_map(project.index())
    assert map_.modules and map_.module_of("examples/a/x.py") is not None


def test_descriptions_come_from_packages_and_readmes_not_from_chance_comments(project: Project) -> None:
    project.commit(
        "begin",
        {
            "package.json": '{"description": "A shop for tea and cups"}',
            "lib/index.js": "/*!\n * Module dependencies.\n */\nrequire('a')\n",
            "lib/a.js": "// The most common data formats of all.\nconst A = 1\n",
            "lib/b.js": "x()\n",
            "mail/README.md": "Sends receipts and reminders by mail.\n",
            "mail/send.js": "// install redis first, it is needed\nx()\n",
            "mail/text.js": "x()\n",
        },
    )
    project.scan()
    described = {module.folder: module.description for module in module_map(project.index()).modules}
    assert described["lib/"] == "A shop for tea and cups"
    assert "redis" not in described["mail/"]


@pytest.mark.parametrize(
    "command, run",
    [
        ("uv run pytest", "uv run pytest tests/test_a.py"),
        ("go test ./...", "go test ./auth/..."),
        ("npm test", "npm test -- tests/test_a.py"),
        ("yarn test", "yarn test tests/test_a.py"),
        ("make test", ""),
        ("", ""),
    ],
)
def test_a_module_knows_the_command_that_runs_its_tests(command: str, run: str) -> None:
    assert command_for_tests(command, "auth/", ["tests/test_a.py"]) == run


def test_names_of_modules_leave_src_out_unless_it_tells_two_apart(project: Project) -> None:
    files = {f"packages/{name}/src/{n}.ts": "" for name in ("core", "dom") for n in range(9)}
    project.write({**files, **{f"packages/dom/{n}.ts": "" for n in range(9)}})
    project.scan()
    assert {module.name for module in module_map(project.index()).modules} == {"core", "dom", "dom/src"}
