"""From the end of a session to the next one: what is learnt, told, and measured, on a small real repository."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import git
from tests.scripted import Scripted, Status, scripted
from toldonce import Memory
from toldonce.coding.codemap.scan import scan_tree
from toldonce.coding.hooks import LEARN, entry
from toldonce.coding.hooks.metrics import ENOUGH, compare_sessions, draw_bars, newest_session_figures, summarise_memory
from toldonce.coding.learn_session import learn_session
from toldonce.coding.project_context import project_context
from toldonce.coding.transcripts.learn import Lesson
from toldonce.config import project_digest
from toldonce.distil.writer import RulesWriter
from toldonce.errors import JobError, ModelError
from toldonce.jobs.task import LeasedJob
from toldonce.storage.tables.jobs import Run
from toldonce.trust import record_trust

START = datetime(2026, 5, 3, 9, 0, tzinfo=UTC)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository of forty files in which one has the fault, and a home without settings."""
    for name in [n for n in os.environ if n.startswith(("TOLDONCE_", "XDG_"))]:
        monkeypatch.delenv(name)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    root = tmp_path / "shop"
    for number in range(40):
        folder = root / "src" / f"part{number % 5}"
        folder.mkdir(parents=True, exist_ok=True)
        body = f"def step_{number}(session):\n    return session.get('expiry', {number})\n" * 12
        (folder / f"step_{number}.py").write_text(body, encoding="utf-8")
    (root / "src" / "part3" / "tokens.py").write_text("EXPIRY = 5 * 60  # minutes\n" * 3, encoding="utf-8")
    (root / "toldonce.toml").write_text('place = "../memory.db"\npreset = "coding"\n', encoding="utf-8")
    record_trust(root / "toldonce.toml", project_digest(root / "toldonce.toml"))
    for command in ("init -q -b main", "add .", "-c user.name=t -c user.email=t@t commit -q -m one"):
        git(*command.split(), cwd=root)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def memory(project: Path) -> Iterator[Memory]:
    with Memory.open(project.parent / "memory.db", "coding", embedder=None, background=False) as found:
        yield found


class Session:
    """An agent that works in a folder as real ones do: it asks its hooks, looks around, edits, and keeps a transcript.

    It reads the file that memory names; without a name it lists, searches and reads until it has found the fault.
    """

    def __init__(self, project: Path, name: str, *options: str) -> None:
        self.root = project
        self.name = name
        self.options = options
        self.rows: list[dict[str, Any]] = []
        self.told = ""

    def hook(self, event: str, **payload: Any) -> dict[str, Any]:
        raw = {"session_id": self.name, "cwd": str(self.root), "transcript_path": str(self.path), **payload}
        text = entry.answer_hook(["claude-code", event, "--no-tend", *self.options], json.dumps(raw).encode())
        answer: dict[str, Any] = json.loads(text) if text else {}
        self.told += answer.get("hookSpecificOutput", {}).get("additionalContext", "")
        return answer

    @property
    def path(self) -> Path:
        return self.root.parent / f"{self.name}.jsonl"

    def say(self, role: str, content: Any) -> None:
        row = {"type": role, "sessionId": self.name, "cwd": str(self.root), "uuid": str(len(self.rows))}
        at = (START + timedelta(seconds=len(self.rows))).isoformat()
        self.rows.append({**row, "timestamp": at, "message": {"id": str(len(self.rows)), "content": content}})

    def call(self, name: str, answer: str, *, failed: bool = False, **given: Any) -> None:
        key = f"t{len(self.rows)}"
        self.say("assistant", [{"type": "tool_use", "id": key, "name": name, "input": given}])
        self.say("user", [{"type": "tool_result", "tool_use_id": key, "content": answer, "is_error": failed}])
        self.hook("after-tool", tool_name=name, tool_input=given, tool_response=answer)

    def read(self, path: Path) -> None:
        self.call("Read", path.read_text(encoding="utf-8"), file_path=str(path))

    def discover(self) -> Path:
        """The file to change: the one that memory named, or found the long way."""
        files = sorted(self.root.rglob("*.py"))
        named = [file for file in files if file.name in self.told]
        if not named:
            self.call("Glob", "\n".join(map(str, files)), pattern="**/*.py")
            hits = [f"{f}:1: {f.read_text(encoding='utf-8').splitlines()[0]}" for f in files]
            self.call("Grep", "\n".join(hits), pattern="expiry")
            for file in files[:6]:
                self.read(file)
        found = named[0] if named else self.root / "src" / "part3" / "tokens.py"
        self.read(found)
        return found

    def work(self, prompt: str) -> Session:
        self.hook("session-start", source="startup")
        self.say("user", prompt)
        self.hook("prompt", prompt=prompt)
        file = self.discover()
        self.call("Bash", "Exit code 1\nE   AssertionError: 300 != 86400", failed=True, command="pytest -q")
        self.say("assistant", "The cause is that EXPIRY in tokens.py is the token lifetime in seconds, not minutes.")
        self.hook("before-edit", tool_name="Edit", tool_input={"file_path": str(file)})
        self.call("Edit", "ok", file_path=str(file), old_string="5 * 60", new_string="24 * 60 * 60")
        self.call("Bash", "3 passed", command="pytest -q")
        self.say("assistant", "Users stay logged in for a day now.")
        self.path.write_text("\n".join(map(json.dumps, self.rows)), encoding="utf-8")
        self.hook("session-end", reason="exit")
        return self


ASKED = (
    "Users are logged out after five minutes, the token expiry is wrong. In this project we never edit gen/ by hand."
)


def test_a_replayed_session_shows_less_discovery_with_memory_by_its_transcripts(project: Path, memory: Memory) -> None:
    """The same task twice on the same repository: what the first one learnt spares the second one the search."""
    first = Session(project, "first").work(ASKED)
    memory.tend()
    second = Session(project, "second").work("Users are logged out again, look at the token expiry once more.")
    memory.tend()
    one, two = newest_session_figures(memory.jobs.runs(name=LEARN))
    assert (one.session, one.with_memory, two.session, two.with_memory) == ("first", False, "second", True)
    assert one.discovery_tokens == sum_of_results(first) > 20 * two.discovery_tokens > 0
    assert two.discovery_tokens == sum_of_results(second)
    assert one.discovery_tokens - two.discovery_tokens > two.shown_tokens
    assert (two.shown > 0, two.used > 0, one.shown) == (True, True, 0)


def sum_of_results(session: Session) -> int:
    """Discovery tokens counted a second way: from the rows themselves, up to the first edit."""
    from toldonce import tokens

    total, names = 0, {}
    for row in session.rows:
        for block in row["message"]["content"] if isinstance(row["message"]["content"], list) else ():
            if block.get("type") == "tool_use":
                names[block["id"]] = block["name"]
            elif names[block["tool_use_id"]] == "Edit":
                return total
            elif names[block["tool_use_id"]] != "Bash":
                total += tokens.count_tokens(block["content"])
    return total


def test_what_is_learnt_names_its_messages_and_is_told_once_at_the_next_start(project: Path, memory: Memory) -> None:
    Session(project, "first").work(ASKED)
    memory.tend()
    (gotcha,) = [hit.record for hit in memory.recall("token lifetime seconds", kinds=["gotcha"])]
    assert gotcha.metadata["file"] == "src/part3/tokens.py" and gotcha.session == "first"
    assert "EXPIRY" in memory.get(gotcha.sources[0]).text
    assert gotcha.made_by == "claude-code" and gotcha.visibility == "project"
    (convention,) = [hit.record for hit in memory.recall("edit gen by hand", kinds=["convention"])]
    assert memory.get(convention.sources[0]).role == "user"
    notice = Session(project, "next").hook("session-start", source="startup")["systemMessage"]
    assert notice.startswith("Toldonce learned from the last session:\n- ") and 2 <= notice.count("\n- ") <= 5
    assert "systemMessage" not in Session(project, "later").hook("session-start", source="startup")


def test_records_of_a_settled_session_cite_code_and_a_fixed_bug_says_so(project: Path, memory: Memory) -> None:
    scan_tree(project, now=START)
    place = "src/part3/tokens.py"
    trouble = "Users are logged out early because the token EXPIRY is a lifetime in seconds, not minutes"
    known = memory.remember(trouble, "gotcha", metadata={"file": place})
    other = memory.remember("The clock of the build server is two hours late", "gotcha", metadata={"file": place})
    told = (
        f"Users are logged out. The bug is that `EXPIRY` in {place} is in seconds because it was copied from the shop."
    )
    Session(project, "first").work(told)
    memory.tend()
    (settled,) = [r for r in memory.review.records(kinds=["gotcha"]) if r.made_by == "rules"]
    assert settled.metadata["file"] == place and settled.metadata["cites"][0]["path"] == place
    assert memory.get(known.id).metadata["fixed"] == settled.metadata["fixed"] == place
    assert "fixed" not in memory.get(other.id).metadata
    shown = project_context(memory, "users are logged out", root=project).text
    assert f"(fixed in {place})" in next(line for line in shown.splitlines() if "lifetime in seconds, not" in line)
    hook = Session(project, "second")
    hook.hook("prompt", prompt="Users are logged out again, look at the token lifetime")
    assert f"(fixed in {place})" in hook.told


def test_what_was_forgotten_meanwhile_is_not_told(project: Path, memory: Memory) -> None:
    Session(project, "first").work(ASKED)
    memory.tend()
    for hit in memory.recall("token expiry EXPIRY edit gen hand", limit=20):
        memory.purge(hit.record.id) if hit.record.kind == "gotcha" else memory.forget(hit.record.id)
    assert Session(project, "next").hook("session-start", source="startup") == {}


def test_learning_twice_from_one_session_keeps_nothing_twice(project: Path, memory: Memory) -> None:
    session = Session(project, "first").work(ASKED)
    memory.tend()
    before = memory.stats()["kinds"]
    session.hook("session-end", reason="exit")
    memory.tend()
    assert memory.stats()["kinds"] == before
    assert memory.jobs.runs(name=LEARN)[0].counts["kept"] == 0
    assert len(newest_session_figures(memory.jobs.runs(name=LEARN))) == 1


def test_a_session_that_goes_on_is_heard_from_where_it_stopped(project: Path, memory: Memory) -> None:
    session = Session(project, "first").work(ASKED)
    memory.tend()
    session.say("user", "We decided to keep the refresh token for thirty days.")
    session.path.write_text("\n".join(map(json.dumps, session.rows)), encoding="utf-8")
    session.hook("session-end", reason="exit")
    memory.tend()
    assert [hit.record.text for hit in memory.recall("refresh token thirty days", kinds=["decision"])]
    assert memory.stats()["kinds"]["message"] == {"active": 4}


def test_a_feature_branch_keeps_its_experience_and_shares_what_people_said(project: Path, memory: Memory) -> None:
    git("checkout", "-q", "-b", "feature/day", cwd=project)
    Session(project, "first").work(ASKED)
    memory.tend()
    branches = {hit.record.kind: hit.record.branch for hit in memory.recall("token expiry seconds gen hand", limit=20)}
    assert branches["gotcha"] == branches["task_outcome"] == "feature/day"
    assert branches["convention"] is None


def test_private_words_and_secrets_of_a_transcript_are_not_kept(project: Path, memory: Memory) -> None:
    key = "AKIA" + "IOSFODNN7QXMPLZQ"
    session = Session(project, "first")
    session.say("user", "<private>my salary is 5</private>")
    session.say("user", f"We decided to deploy with the key {key} from now on and always.")
    session.path.write_text("\n".join(map(json.dumps, session.rows)), encoding="utf-8")
    session.hook("session-end", reason="exit")
    memory.tend()
    file = project.parent / "memory.db"
    content = file.read_bytes() + Path(f"{file}-wal").read_bytes()
    assert key.encode() not in content and b"salary" not in content
    assert memory.stats()["kinds"]["message"] == {"active": 1}


def test_a_transcript_that_is_gone_teaches_nothing(project: Path, memory: Memory) -> None:
    Session(project, "first").hook("session-end", reason="exit")
    (run,) = [run for run in memory.tend() if run.name == LEARN]
    assert run.status == "skipped" and newest_session_figures([run]) == []


def session_job(memory: Memory) -> Any:
    (job,) = memory.jobs.all()
    return job


def test_limits_of_the_preset_hold_for_what_a_writer_brings(project: Path) -> None:
    """Fifty a session and two kilobytes each."""
    nouns = [f"{a}{b}" for a in "abcdefgh" for b in "klmnopqrst"]

    class Wordy(RulesWriter):
        def ask(self, _work: object) -> list[Lesson]:
            texts = {noun: f"{noun} {noun}x needs {noun}y. " * 200 for noun in nouns}
            return [Lesson(type="quirk", text=text, summary=noun, sources=(0,)) for noun, text in texts.items()]

    place = project.parent / "memory.db"
    with Memory.open(place, "coding", embedder=None, background=False, writer=Wordy()) as memory:
        Session(project, "first").work(ASKED)
        learn_session(memory, LeasedJob(session_job(memory), now=memory.clock()))
        kept = memory.stats()["kinds"]["environment_quirk"]["active"]
        assert 45 <= kept <= 50
        quirks = memory.recall("needs", kinds=["environment_quirk"], limit=50)
        assert all(len(hit.record.text) <= 2048 for hit in quirks)


# With a language model


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as server:
        server.say(session={"learnt": [LESSON]})
        yield server


@pytest.fixture
def taught(project: Path, server: Scripted) -> Iterator[Memory]:
    """A memory whose writer is the scripted model, after a session."""
    place = project.parent / "memory.db"
    with Memory.open(place, "coding", embedder=None, background=False, writer=server.writer) as found:
        Session(project, "first").work(ASKED)
        yield found


LESSON = {
    "type": "quirk", "text": "The tests of this shop need a running clock server.", "summary": "Tests need a clock.",
    "file": "src/part3/tokens.py", "confidence": 0.7, "sources": ["m1"],
}  # fmt: skip


def test_with_a_model_its_lessons_are_kept_instead_of_those_of_rules(taught: Memory, server: Scripted) -> None:
    (run,) = [run for run in taught.tend() if run.name == LEARN]
    assert run.status == "completed" and run.counts["kept"] == 1
    assert "scripted" in run.detail["writer"] and "running clock server" in run.detail["output"]
    (hit,) = taught.recall("tests need clock server", kinds=["environment_quirk"])
    record = hit.record
    assert (record.text, record.summary, record.confidence) == (LESSON["text"], "Tests need a clock.", 0.7)
    assert record.metadata["file"] == "src/part3/tokens.py" and "scripted" in record.made_by
    assert taught.get(record.sources[0]).text == ASKED
    assert not taught.recall("EXPIRY token lifetime", kinds=["gotcha"])


def test_a_session_that_did_not_go_on_is_not_paid_for_twice(project: Path, taught: Memory, server: Scripted) -> None:
    taught.tend()
    Session(project, "first").hook("session-end", reason="exit")
    taught.tend()
    assert len(taught.jobs.runs(name=LEARN)) == 2 and server.calls["session"] == 1


def test_an_answer_is_let_go_of_once_its_lessons_are_kept(taught: Memory, server: Scripted) -> None:
    job = session_job(taught)
    learn_session(taught, LeasedJob(job, now=taught.clock()))
    learn_session(taught, LeasedJob(job, now=taught.clock()))
    assert server.calls["session"] == 2


def test_what_a_model_learnt_is_not_kept_when_something_was_destroyed_meanwhile(
    taught: Memory, server: Scripted
) -> None:
    known = taught.remember("The clock server runs on port 9.", "context")

    def meanwhile(_: Any) -> dict[str, Any]:
        taught.purge(known.id)
        return {"learnt": [LESSON]}

    server.say(session=meanwhile)
    with pytest.raises(JobError, match="starts again"):
        learn_session(taught, LeasedJob(session_job(taught), now=taught.clock()))
    assert not taught.recall("tests need clock server", kinds=["environment_quirk"])


def test_when_the_model_fails_the_session_waits_and_rules_learn_at_the_last_try(
    taught: Memory, server: Scripted
) -> None:
    server.say(session=Status(400))
    job = session_job(taught)
    with pytest.raises(ModelError):
        learn_session(taught, LeasedJob(replace(job, attempts=1), now=taught.clock()))
    assert not taught.recall("EXPIRY token lifetime", kinds=["gotcha"])
    done = learn_session(taught, LeasedJob(replace(job, attempts=job.max_attempts), now=taught.clock()))
    assert done.detail == {"writer": "rules"}
    (gotcha,) = [hit.record for hit in taught.recall("EXPIRY token lifetime", kinds=["gotcha"])]
    assert gotcha.made_by == "claude-code"


# The code map


def put_map(memory: Memory) -> None:
    from toldonce.coding.codemap.document import to_document
    from toldonce.coding.codemap.values import Module, ModuleMap

    modules = tuple(Module(name=f"part{n}", folder=f"src/part{n}/") for n in range(5))
    document = to_document(ModuleMap(modules=modules, languages={"python": 41}), space="main", at=START)
    memory.store.write(lambda t: t.documents.put(document))


def modules_of(memory: Memory) -> dict[str, str]:
    found = memory.store.read(lambda t: t.documents.get("main", "", "codemap"))
    assert found is not None
    return {module["name"]: module["confidence"] for module in found.data["modules"]}


def test_reads_and_edits_teach_the_map_and_its_short_form_opens_the_next_session(project: Path, memory: Memory) -> None:
    put_map(memory)
    Session(project, "first").work(ASKED)
    memory.tend()
    assert modules_of(memory)["part3"] == "partial" and modules_of(memory)["part4"] == "shallow"
    told = Session(project, "next")
    told.hook("session-start", source="startup")
    assert "part3" in told.told


def test_without_a_transcript_the_journal_teaches_the_map(project: Path, memory: Memory) -> None:
    put_map(memory)
    session = Session(project, "first")
    given = {"file_path": str(project / "src/part2/step_2.py")}
    session.hook("after-tool", tool_name="Edit", tool_input=given, tool_response="ok")
    session.hook("session-end", reason="exit")
    (run,) = [run for run in memory.tend() if run.name == LEARN]
    assert run.counts == {"taught": 1} and modules_of(memory)["part2"] == "partial"


def test_a_prompt_without_a_file_is_told_where_its_task_lies_once(project: Path, memory: Memory) -> None:
    from toldonce import tokens
    from toldonce.coding.codemap.scan import scan_tree

    scan_tree(project, now=START)
    session = Session(project, "first")
    session.hook("prompt", prompt="the token EXPIRY constant counts minutes where seconds are wanted")
    assert "src/part3/tokens.py" in session.told and tokens.count_tokens(session.told) < 200
    before = session.told
    session.hook("prompt", prompt="yes, the token EXPIRY constant, minutes and seconds")
    session.hook("prompt", prompt="go on")
    assert session.told == before
    named = Session(project, "second")
    named.hook("prompt", prompt="the EXPIRY constant in src/part3/tokens.py counts minutes where seconds are wanted")
    assert "Likely files" not in named.told


# Figures


def run_of(number: int, *, spent: int, with_memory: bool, edits: int = 1) -> Run:
    counts = {"discovery_tokens": spent, "with_memory": int(with_memory), "edits": edits, "shown": 2 * with_memory}
    at = START + timedelta(hours=number)
    key = f"{LEARN}:codex:s{number}"
    return Run(space="main", key=key, name=LEARN, started_at=at, ended_at=at, status="completed", counts=counts)


def many(count: int) -> list[Run]:
    return [run_of(n, spent=9_000 + 7 * n if n % 2 else 4_000 + 5 * n, with_memory=n % 2 == 0) for n in range(count)]


def test_a_saving_is_only_spoken_of_with_enough_sessions_of_both_sorts() -> None:
    few = compare_sessions(newest_session_figures(many(2 * ENOUGH - 2)))
    assert few.saved is None and not few.is_enough
    enough = compare_sessions(newest_session_figures(many(2 * ENOUGH)))
    assert enough.saved is not None and enough.low is not None and enough.high is not None
    assert 4_500 < enough.low < enough.saved < enough.high < 5_500
    assert compare_sessions(newest_session_figures(many(2 * ENOUGH))) == enough


def test_sessions_without_an_edit_count_for_neither_side_and_each_session_once() -> None:
    runs = [run_of(1, spent=10, with_memory=True), run_of(1, spent=999, with_memory=True)]
    runs += [run_of(2, spent=5, with_memory=False, edits=0), replace(run_of(3, spent=1, with_memory=False), counts={})]
    found = newest_session_figures(runs)
    assert [one.discovery_tokens for one in found] == [10, 5]
    assert (compare_sessions(found).with_memory.sessions, compare_sessions(found).without.sessions) == (1, 0)


def test_bars_fill_the_line_for_the_most_and_are_nothing_for_nothing() -> None:
    drawn = draw_bars([("one", 100, "█"), ("two", 50, "░"), ("three", 0, "█")], columns=60)
    assert abs(drawn[0].count("█") - 2 * drawn[1].count("░")) <= 1 and drawn[2].rstrip().endswith("0")
    assert draw_bars([("one", 0, "█")], columns=60) == []


def test_the_metrics_command_prints_a_table_a_chart_and_json(shell: Any) -> None:
    shell("init", "--preset", "coding", "--quiet")
    assert "No session was learnt from yet" in shell("metrics").stdout
    with Memory.open(shell.folder / "memory.db", embedder=None, background=False) as memory:
        for run in many(6):
            memory.store.write(lambda t, run=run: t.jobs.record(run))
    told = shell("metrics", "-n", "4").stdout
    assert "discovery" in told and "█" in told and "░" in told and "Not enough sessions yet" in told
    answer = shell.json("metrics")
    assert len(answer["sessions"]) == 6 and answer["comparison"]["saved"] is None


def test_a_first_figure_comes_with_ten_sessions() -> None:
    """CODE-29: tokens saved by name, before there are enough sessions for a sure answer."""
    assert summarise_memory(newest_session_figures(many(9))).first_saving is None
    found = summarise_memory(newest_session_figures(many(10)))
    assert found.saving_basis == "with and without memory" and 4_900 < (found.first_saving or 0) < 5_100
    alone = [run_of(n, spent=9_000 - 500 * n, with_memory=True) for n in range(10)]
    later = summarise_memory(newest_session_figures(alone))
    assert (later.saving_basis, later.first_saving) == ("later and earlier sessions", 2_500)


def test_hits_coverage_and_latency_are_counted_over_sessions() -> None:
    """CODE-29: memory hits, coverage and latency."""
    counts = ({"shown": 4, "used": 1, "latency_ms": 30}, {"shown": 0}, {"shown": 4, "used": 3, "latency_ms": 50})
    runs = [
        replace(run, counts={**run.counts, **given})
        for run, given in zip([run_of(n, spent=1, with_memory=True) for n in range(3)], counts, strict=True)
    ]
    found = summarise_memory(newest_session_figures(runs))
    assert (found.sessions, found.shown, found.hits, found.hit_rate) == (3, 8, 4, 0.5)
    assert found.coverage == 2 / 3 and found.latency_ms == 40
    assert summarise_memory([]).coverage == 0.0


def test_metrics_are_told_by_project_and_over_the_system(shell: Any) -> None:
    """CODE-29: per project and system; a project counts once its hooks ran on this machine."""
    for name, count in (("one", 12), ("two", 3)):
        folder = shell.folder / name
        shell("init", str(folder), "--preset", "coding", "--quiet")
        with Memory.open(folder / "memory.db", embedder=None, background=False) as memory:
            for run in many(count):
                memory.store.write(lambda t, run=run: t.jobs.record(run))
        raw = json.dumps({"session_id": "s", "cwd": str(folder), "source": "startup"}).encode()
        entry.answer_hook(["claude-code", "session-start", "--no-tend"], raw)
    answer = shell.json("metrics", "--system")
    assert sorted(one["sessions"] for one in answer["projects"].values()) == [3, 12]
    assert answer["system"]["sessions"] == 15 and answer["system"]["first_saving"] > 0
    told = shell("metrics", "--system").stdout
    assert "First figure, not certain yet" in told and "Coverage" in told and "Latency" in told
