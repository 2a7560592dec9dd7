from __future__ import annotations

import pytest

from tests.coding.codemap.conftest import Project
from toldonce.coding.codemap.learn import past_tasks
from toldonce.coding.codemap.locate import find_related_documents, locate_files
from toldonce.coding.codemap.modules import module_map
from toldonce.coding.codemap.render import render_located
from toldonce.coding.codemap.task import read_task
from toldonce.errors import StoreError
from toldonce.tokens import count_tokens

SHOP = {
    "shop/cart.py": (
        "class Cart:\n    def add_item(self, item):\n        self.items.append(item)\n\n"
        "    def total(self):\n        return 0\n"
    ),
    "shop/session.py": (
        "SESSION_SECONDS = 300\n\ndef expire_session(user):\n    '''Log the user out when the session is over.'''\n"
    ),
    "shop/payment.py": (
        "from shop.cart import Cart\n\ndef charge(card, amount):\n    pass\n\ndef refund(card, amount):\n    pass\n"
    ),
    "shop/mail.py": "def send_receipt(address):\n    pass\n",
    "shop/rate.py": "def convert(amount, currency):\n    pass\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\ndef test_total(): pass\n",
    "docs/install.md": "# Install\n\nHow to install the shop with pip.\n",
}


@pytest.fixture
def shop(project: Project) -> Project:
    project.commit("Begin the shop", SHOP)
    project.scan()
    return project


def first(project: Project, task: str, **more: object) -> str:
    return locate_files(project.index(), task, **more).files[0].path  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "task, path",
    [
        ("users are logged out after 5 minutes because the session expires", "shop/session.py"),
        ("refund fails for foreign cards", "shop/payment.py"),
        ("convert gives too much", "shop/rate.py"),
        ("`add_item` appends twice", "shop/cart.py"),
        ("addItem in Cart appends twice", "shop/cart.py"),
        ("os usuários recebem o receipt no mail errado", "shop/mail.py"),
        ("Traceback in shop/rate.py line 3", "shop/rate.py"),
        ("shop.rate.convert is wrong", "shop/rate.py"),
    ],
)
def test_task_finds_its_file(shop: Project, task: str, path: str) -> None:
    assert first(shop, task) == path


def test_tests_stand_beside_the_files_not_among_them(shop: Project) -> None:
    found = locate_files(shop.index(), "cart total is wrong")
    assert "tests/test_cart.py" not in [file.path for file in found.files]
    assert found.tests == ("tests/test_cart.py",)


def test_similar_past_commits_vote_for_the_files_they_changed(shop: Project) -> None:
    task = "Round half cents in Swiss francs"
    before = [file.path for file in locate_files(shop.index(), task).files]
    shop.commit("Round Swiss francs to five cents", {"shop/rate.py": SHOP["shop/rate.py"] + "\nSTEP = 5\n"})
    shop.scan()
    found = locate_files(shop.index(), task)
    assert before[:1] != ["shop/rate.py"]
    assert found.files[0].path == "shop/rate.py"
    assert "1 similar commit" in found.files[0].reasons


def test_past_sessions_vote_for_the_files_they_ended_in(shop: Project) -> None:
    task = "the gizmo is wobbly"
    learned = {"shop/mail.py": ["make the wobbly gizmo stand still"], "gone.py": ["wobbly gizmo"]}
    # A word that no file holds is still a word that two tasks may share.
    found = locate_files(shop.index(), task, learned=learned)
    assert found.files[0].path == "shop/mail.py"
    assert "similar past task" in found.files[0].reasons


def test_records_of_earlier_work_tell_its_tasks_by_file() -> None:
    told = [
        ("Task: fix the gizmo.", {"file": "a.py", "files": ["a.py", "b.py"]}),
        ("It needs Redis.", {"file": "a.py"}),
        ("About nothing.", {"file": ""}),
        ("Odd.", {"files": "a.py"}),
    ]
    assert past_tasks(told) == {"a.py": ["Task: fix the gizmo.", "It needs Redis."], "b.py": ["Task: fix the gizmo."]}


def test_import_neighbours_of_a_good_match_are_brought_along(shop: Project) -> None:
    found = {file.path: file.reasons for file in locate_files(shop.index(), "charge the card").files}
    assert "import neighbour" in found["shop/cart.py"]


def test_lines_point_at_the_definition(shop: Project) -> None:
    file = locate_files(shop.index(), "refund fails for foreign cards").files[0]
    assert (file.places[0].name, file.places[0].line) == ("refund", 6)


def test_test_that_the_task_names_comes_first_among_the_tests(shop: Project) -> None:
    found = locate_files(shop.index(), "tests/test_cart.py is flaky when the mail is sent")
    assert found.tests[0] == "tests/test_cart.py" and found.named


def test_modules_of_the_files_are_named(shop: Project) -> None:
    known = module_map(shop.index())
    assert locate_files(shop.index(), "refund fails", known=known).modules == ("shop",)


def test_index_that_breaks_while_it_is_read_says_what_helps(shop: Project) -> None:
    index = shop.index()
    index.close()
    with pytest.raises(StoreError, match="delete it and scan again"):
        locate_files(index, "refund fails")


def test_naming_the_file_is_noticed_and_nothing_is_injected(shop: Project) -> None:
    found = locate_files(shop.index(), "please rename refund in shop/payment.py")
    assert found.named
    assert render_located(found) == ""


@pytest.mark.parametrize(
    "task",
    ["", "   ", "the of and", "!!! ???", '"', "NEAR(", "a OR b AND NOT", "\x00\x01", "日本語のタスク", "x" * 100_000],
)
def test_odd_tasks_never_fail(shop: Project, task: str) -> None:
    found = locate_files(shop.index(), task)
    assert found.confidence <= 1


def test_documents_stand_beside(shop: Project) -> None:
    assert find_related_documents(shop.index(), "how to install with pip") == ("docs/install.md",)


def test_tree_without_source_is_searched_in_what_it_has(project: Project) -> None:
    project.commit("begin", {"notes/garden.md": "# Tomatoes\n", "notes/car.md": "# Tyres\n"})
    project.scan()
    assert first(project, "water the tomatoes") == "notes/garden.md"


def test_empty_tree_gives_nothing(project: Project) -> None:
    project.scan()
    assert locate_files(project.index(), "anything at all").files == ()


def test_same_question_gives_the_same_answer(shop: Project) -> None:
    assert locate_files(shop.index(), "session expires") == locate_files(shop.index(), "session expires")


def test_confidence_is_higher_for_a_clear_task(shop: Project) -> None:
    clear = locate_files(shop.index(), "expire_session must log the user out when the session is over")
    vague = locate_files(shop.index(), "make amount and card and item better")
    assert clear.confidence > vague.confidence
    assert abs(sum(file.score for file in clear.files)) <= 1.001


def test_located_block_never_passes_its_budget(project: Project) -> None:
    files = {
        f"package{i % 7}/with_a_long_module_name_{i}.py": f"def handler_number_{i}(event):\n    return 'retry'\n"
        for i in range(60)
    }
    project.commit("begin", files)
    project.scan()
    found = locate_files(project.index(), "the event handler must retry")
    for budget in (1, 20, 60, 150):
        assert count_tokens(render_located(found, budget)) <= budget
    assert "handler_number" in render_located(found)


def test_word_that_few_files_define_points_to_them(project: Project) -> None:
    talk = "# download, download, download: how a download is made\n" * 3
    project.write({"lib/response.py": "def download(path):\n    pass\n", "lib/request.py": talk, "lib/app.py": talk})
    project.scan()
    found = locate_files(project.index(), "download is broken")
    assert found.files[0].path == "lib/response.py"
    assert "defines download" in found.files[0].reasons


def test_client_is_a_thing_of_code_and_clients_are_people() -> None:
    assert "client" in read_task("the test client keeps cookies").title
    assert "clients" not in read_task("our clients can't pay").title
    assert "users" not in read_task("users are logged out").title


def test_task_is_read_for_names_and_paths() -> None:
    task = read_task("Fix parseQuery\n\nSee `Foo.bar` and src\\app\\main.py, a_b() too")
    assert task.title[0] == "fix"
    assert {"parseQuery", "Foo", "bar", "a_b"} <= set(task.names)
    assert "src/app/main.py" in task.paths


def test_tests_that_are_called_after_the_task_are_listed(project: Project) -> None:
    project.commit(
        "begin",
        {
            "lib/request.js": "req.ip = function () { return trust(proxy) }\n",
            "lib/response.js": "res.send = function () {}\n",
            "test/req.ip.js": "describe('req', () => {})\n",
            "test/res.send.js": "describe('res', () => {})\n",
        },
    )
    project.scan()
    assert locate_files(project.index(), "the client ip is wrong behind a proxy").tests[0] == "test/req.ip.js"
