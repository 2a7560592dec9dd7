"""A citation tells whether the lines it names still say what they said."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from toldonce.coding.citations import as_metadata, check_citation, cite_lines, read_citations
from toldonce.errors import InputError

CODE = "def login(user):\n    token = sign(user)\n    return token\n\n\ndef logout(user):\n    revoke(user)\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "auth.py").write_text(CODE)
    return tmp_path


def test_lines_that_stand_where_they_stood_are_fresh(root: Path) -> None:
    assert check_citation(root, cite_lines(root, "auth.py:1-3")).state == "fresh"
    assert check_citation(root, cite_lines(root, "auth.py")).state == "fresh"


def test_lines_that_moved_are_found_at_their_new_place(root: Path) -> None:
    citation = cite_lines(root, "auth.py:6-7")
    (root / "auth.py").write_text('"""Signing in."""\n\nimport jwt\n\n' + CODE)
    checked = check_citation(root, citation)
    assert (checked.state, checked.first) == ("moved", 10)
    assert checked.as_clause == "now at auth.py:10"


def test_changed_lines_are_stale_and_say_which(root: Path) -> None:
    citation = cite_lines(root, "auth.py:1-3")
    (root / "auth.py").write_text(CODE.replace("sign(user)", "sign(user, hours=24)"))
    checked = check_citation(root, citation)
    assert (checked.state, checked.as_clause) == ("stale", "auth.py:1-3 changed since")


def test_an_edit_elsewhere_leaves_the_cited_lines_fresh(root: Path) -> None:
    citation = cite_lines(root, "auth.py:1-3")
    (root / "auth.py").write_text(CODE.replace("revoke(user)", "revoke(user, now=True)"))
    assert check_citation(root, citation).state == "fresh"


def test_blanks_at_line_ends_and_line_endings_do_not_count(root: Path) -> None:
    citation = cite_lines(root, "auth.py:1-3")
    (root / "auth.py").write_bytes(CODE.replace("\n", "  \r\n").encode())
    assert check_citation(root, citation).state == "fresh"


def test_a_deleted_file_is_gone(root: Path) -> None:
    citation = cite_lines(root, "auth.py:2")
    (root / "auth.py").unlink()
    assert (check_citation(root, citation).state, citation.place) == ("gone", "auth.py:2")


def test_citations_survive_the_way_through_metadata(root: Path) -> None:
    citation = cite_lines(root, "auth.py:1-3")
    assert read_citations(as_metadata([citation])) == [citation]
    assert read_citations({"cites": ["auth.py", {"path": "x"}]}) == []


@pytest.mark.parametrize(
    ("spelling", "complaint"),
    [
        ("../secret.txt", "inside the project"),
        ("/etc/hostname", "inside the project"),
        ("nowhere.py", "cannot be cited"),
        ("auth.py:5-2", "not among them"),
        ("auth.py:1-99", "7 lines"),
        ("", "path, path:line"),
    ],
)
def test_what_cannot_be_cited_is_refused_with_the_reason(root: Path, spelling: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        cite_lines(root, spelling)


def test_a_link_out_of_the_project_is_not_followed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "key.txt"
    outside.write_text("one line\n")
    (root / "link.py").symlink_to(outside)
    with pytest.raises(InputError, match="inside the project"):
        cite_lines(root, "link.py:1")


def test_checking_takes_less_than_five_milliseconds_in_a_long_file(root: Path) -> None:
    (root / "long.py").write_text("\n".join(f"value_{n} = {n}" for n in range(5_000)))
    citation = cite_lines(root, "long.py:4000-4020")
    (root / "long.py").write_text("# moved\n" + "\n".join(f"value_{n} = {n}" for n in range(5_000)))
    began = time.process_time()
    for _ in range(20):
        assert check_citation(root, citation).state == "moved"
    assert (time.process_time() - began) / 20 < 0.005
