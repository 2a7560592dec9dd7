from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.coding.codemap.conftest import NOW, Project
from tests.conftest import needs_git
from toldonce.coding.codemap.index import index_path, make_index, open_index
from toldonce.coding.codemap.scan import refresh_files
from toldonce.errors import InputError, StoreBusy


def test_scan_counts_files_by_language_and_role(project: Project) -> None:
    project.commit(
        "begin", {"a/x.py": "def f(): pass\n", "a/test_x.py": "import x\n", "README.md": "# Title\n", "web/i.ts": ""}
    )
    report = project.scan()
    assert report.files == 4
    assert report.languages == {"python": 2, "markdown": 1, "typescript": 1}
    assert report.roles == {"source": 2, "test": 1, "doc": 1}
    assert (report.added, report.commits, report.pending) == (4, 1, 0)


def test_second_scan_reads_nothing_when_nothing_changed(project: Project) -> None:
    project.commit("begin", {f"m{i}.py": f"x{i} = 1\n" for i in range(20)})
    project.scan()
    again = project.scan()
    assert (again.added, again.changed, again.removed, again.unchanged) == (0, 0, 0, 20)


def test_only_changed_files_are_read_again(project: Project) -> None:
    project.commit("begin", {f"m{i}.py": f"value{i} = 1\n" for i in range(20)})
    project.scan()
    project.write({"m3.py": "def newcomer(): pass\n", "extra.py": "def another(): pass\n"})
    (project.root / "m4.py").unlink()
    report = project.scan()
    assert (report.added, report.changed, report.removed, report.unchanged) == (1, 1, 1, 18)
    index = project.index()
    names = {row[0] for file in index.read_all("present_files") for row in index.read_all("symbols_of", file=file[0])}
    assert names == {"newcomer", "another"}


def test_touched_file_with_the_same_content_is_not_indexed_again(project: Project) -> None:
    project.commit("begin", {"m.py": "def f(): pass\n"})
    project.scan()
    os.utime(project.root / "m.py", (1, 1))
    assert refresh_files(project.root, ["m.py"], now=NOW, cache=project.cache) == 0


def test_refresh_reads_the_named_files_only(project: Project) -> None:
    project.commit("begin", {"a.py": "def a(): pass\n", "b.py": "def b(): pass\n"})
    project.scan()
    project.write({"a.py": "def changed(): pass\n", "b.py": "def unseen(): pass\n", "c.py": "def c(): pass\n"})
    (project.root / "d.py").unlink(missing_ok=True)
    assert refresh_files(project.root, ["a.py", "c.py", "gone.py"], now=NOW, cache=project.cache) == 2
    index = project.index()
    defined = {
        row[0] for row in index.read_all("defined_by", names='["changed", "unseen", "c", "b"]', low=1, high=1 << 62)
    }
    assert defined == {"changed", "b", "c"}


def test_file_that_went_away_is_no_longer_found(project: Project) -> None:
    project.commit("begin", {"a.py": "def vanish(): pass\n", "b.py": "y = 1\n"})
    project.scan()
    (project.root / "a.py").unlink()
    project.scan()
    index = project.index()
    assert [row[1] for row in index.read_all("present_files")] == ["b.py"]
    assert index.read_all("match_body", words='"vanish"', low=1, high=1 << 62, most=5) == []


def test_new_commits_are_added_to_history(project: Project) -> None:
    project.commit("first thing", {"a.py": "1\n"})
    project.scan()
    project.commit("second thing", {"a.py": "2\n", "b.py": "3\n"})
    assert project.scan().commits == 2
    # Rewritten history replaces what was known.
    project.git("commit", "-q", "--amend", "-m", "second thing, said better")
    assert project.scan().commits == 2


def test_scan_that_ran_out_of_time_says_so_and_the_next_goes_on(project: Project) -> None:
    project.commit("begin", {f"m{i}.py": f"def f{i}(): pass\n" for i in range(300)})
    report = project.scan(seconds=0)
    assert report.pending == 300
    assert "300 files are listed but not read yet" in report.notes[0]
    assert project.index().read_all("match_path", words='"m7"', low=1, high=1 << 62, most=5) != []
    assert project.scan().pending == 0


def test_damaged_index_is_made_anew(project: Project) -> None:
    project.commit("begin", {"a.py": "def f(): pass\n"})
    project.scan()
    index_path(project.root, project.cache).write_bytes(b"this is no database" * 500)
    assert open_index(project.root, cache=project.cache) is None
    assert project.scan().added == 1


def test_scan_beside_another_writer_waits_and_then_says_so(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.commit("begin", {"a.py": "def f(): pass\n"})
    project.scan()
    monkeypatch.setattr("toldonce.coding.codemap.index._WAIT_MS", 10)
    with make_index(project.root, cache=project.cache) as other, other.in_transaction():
        assert project.index().read_all("present_files"), "readers are not held up"
        with pytest.raises(StoreBusy, match="try again"):
            project.scan()
    assert project.scan().files == 1


def test_tree_that_was_never_scanned_has_no_index(project: Project) -> None:
    assert open_index(project.root, cache=project.cache) is None


def test_missing_folder_is_refused_with_advice(project: Project) -> None:
    project.root = project.root / "nowhere"
    with pytest.raises(InputError, match="not a folder"):
        project.scan()


# Broken repositories


@needs_git
def test_tree_without_git_is_listed_by_its_ignore_rules(project: Project) -> None:
    project.write(
        {
            ".gitignore": "*.log\n/build/\n!keep.log\n",
            "a.py": "1\n",
            "x.log": "1\n",
            "keep.log": "1\n",
            "build/o.py": "1\n",
            "deep/build/o.py": "1\n",
            "deep/.gitignore": "secret*\n",
            "deep/secret.py": "1\n",
            "node_modules/m/i.js": "1\n",
        }
    )
    report = project.scan()
    found = {row[1] for row in project.index().read_all("present_files")}
    assert found == {".gitignore", "deep/.gitignore", "a.py", "keep.log", "deep/build/o.py"}
    assert "not a git working tree" in report.notes[0]


def test_machine_without_git_scans_and_says_what_is_missing(project: Project, no_git: Callable[[], None]) -> None:
    project.commit("begin", {"a.py": "def f(): pass\n"})
    no_git()
    report = project.scan()
    assert report.files == 1 and report.commits == 0
    assert "git is not installed" in report.notes[0]


@needs_git
def test_broken_git_folder_is_told_apart(project: Project) -> None:
    project.write({"a.py": "x = 1\n", ".git": "gitdir: /nowhere\n"})
    report = project.scan()
    assert "git will not list this tree" in report.notes[0]
    assert {row[1] for row in project.index().read_all("present_files")} == {"a.py"}


def test_file_in_conflict_is_read_once(project: Project) -> None:
    project.commit("begin", {"a.py": "x = 1\n"})
    project.git("checkout", "-q", "-b", "side")
    project.commit("side", {"a.py": "x = 2\n"})
    project.git("checkout", "-q", "-")
    project.commit("main", {"a.py": "x = 3\n"})
    with pytest.raises(subprocess.CalledProcessError):
        project.git("merge", "-q", "side")
    assert project.scan().files == 1


def test_binary_and_huge_files_are_listed_but_not_read(project: Project) -> None:
    project.commit("begin", {"a.py": "x = 1\n", "blob.py": b"\x00\x01" * 50, "pic.png": b"\x89PNG\x00" * 20})
    with open(project.root / "huge.py", "wb") as file:
        file.truncate(1 << 30)
    report = project.scan()
    assert report.skipped == {"binary": 2, "larger than 1 MB": 1}
    assert report.examples["larger than 1 MB"] == ["huge.py"]
    assert project.scan().skipped == report.skipped, "a rescan tells the same"


def test_symbolic_links_are_never_followed(project: Project) -> None:
    project.commit("begin", {"a/x.py": "x = 1\n"})
    (project.root / "a" / "loop").symlink_to(project.root)
    (project.root / "again.py").symlink_to("a/x.py")
    report = project.scan()
    assert report.files == 1
    assert report.skipped == {"symbolic link": 2}


def test_link_loop_without_git_ends(project: Project) -> None:
    project.write({"a/x.py": "x = 1\n"})
    (project.root / "a" / "loop").symlink_to(project.root / "a")
    assert project.scan().files == 1


def test_names_that_are_not_utf8_are_reported(project: Project) -> None:
    project.commit("begin", {"a.py": "x = 1\n"})
    try:
        with open(os.fsencode(project.root) + b"/caf\xe9.py", "wb") as file:
            file.write(b"y = 2\n")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    report = project.scan()
    assert report.files == 1
    assert report.skipped == {"name is not UTF-8": 1}
    assert report.examples["name is not UTF-8"] == ["caf\\udce9.py"]


def test_text_in_another_encoding_is_still_found(project: Project) -> None:
    project.commit("begin", {"a.py": "# caf\xe9\ndef sugar(): pass\n".encode("latin-1")})
    project.scan()
    assert project.index().read_all("match_body", words='"sugar"', low=1, high=1 << 62, most=5) != []


def test_submodule_is_named_and_left_out(project: Project, tmp_path: Path) -> None:
    inner = Project(tmp_path / "inner", tmp_path)
    inner.root.mkdir()
    inner.commit("begin", {"lib.py": "z = 1\n"})
    project.commit("begin", {"a.py": "x = 1\n"})
    project.git("submodule", "add", "-q", str(inner.root), "vendored_lib")
    report = project.scan()
    assert report.skipped == {"submodule or nested repository": 1}
    assert report.examples["submodule or nested repository"] == ["vendored_lib"]


def test_shallow_clone_says_that_history_ends(project: Project, tmp_path: Path) -> None:
    project.commit("one", {"a.py": "1\n"})
    project.commit("two", {"a.py": "2\n"})
    clone = Project(tmp_path / "clone", tmp_path / "cache")
    project.git("clone", "-q", "--depth=1", f"file://{project.root}", str(clone.root))
    report = clone.scan()
    assert report.commits == 1
    assert "shallow clone: history ends after 1 commit" in report.notes[0]


def test_repository_without_a_commit_scans(project: Project) -> None:
    project.git("init", "-q")
    project.write({"a.py": "x = 1\n"})
    report = project.scan()
    assert (report.files, report.commits) == (1, 0)


def test_empty_folder_scans(project: Project) -> None:
    assert project.scan().files == 0


def test_a_repository_cannot_make_the_scan_run_its_programs(project: Project) -> None:
    project.commit("begin", {"a.py": "x = 1\n"})
    marker = project.root / "ran"
    project.git("config", "core.fsmonitor", f"touch {marker} #")
    project.scan()
    assert not marker.exists()
