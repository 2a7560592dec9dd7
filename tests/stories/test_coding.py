"""The coding preset: typed memories with half-lives, three tiers under a budget, nothing twice in a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import InputError, Memory
from toldonce.coding.citations import as_metadata, cite_lines, warn_of_changes
from toldonce.coding.codemap.seed import offer_seeds
from toldonce.errors import TextTooLong, TooMany


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("coding", space="shop")


def test_conventions_and_decisions_are_always_shown_gotchas_when_they_fit(memory: Memory) -> None:
    """The always-on tier needs no match; the task tier is searched."""
    memory.remember("Use tabs in Go files", kind="convention")
    memory.remember("Refresh token is not validated against Redis", kind="gotcha", metadata={"file": "auth.ts"})
    memory.remember("CSV export needs a BOM", kind="gotcha", metadata={"file": "export.py"})
    text = memory.context("users are logged out: refresh token problem", user="dev", session="s1").text
    assert "[CONVENTION]" in text
    assert "[GOTCHA] auth.ts\n! Refresh token is not validated against Redis" in text
    assert "BOM" not in text


def test_the_block_never_passes_its_budget(memory: Memory) -> None:
    """Whatever is remembered, the rendered text stays within the tokens it was given."""
    for number in range(60):
        memory.remember(
            f"Convention {number}: name the module after the noun it holds, number {number}", kind="convention"
        )
    for budget in (0, 30, 60, 200, 900, 1800):
        assert memory.context("module naming", user="dev", budget=budget).tokens <= budget


def test_nothing_is_shown_twice_in_a_session(memory: Memory) -> None:
    """A memory that is in the prompt already is not paid for again; another session sees it afresh."""
    memory.remember("Tests need REDIS_URL", kind="environment_quirk")
    first = memory.context("redis tests", user="dev", session="s1")
    again = memory.context("redis tests", user="dev", session="s1")
    other = memory.context("redis tests", user="dev", session="s2")
    assert [len(c.hits) for c in (first, again, other)] == [1, 0, 1]


def test_stale_context_ranks_below_lasting_knowledge(memory: Memory, clock: ManualClock) -> None:
    """0.6 similarity + 0.25 recency + 0.15 frequency; context has a half-life of 7 days, a decision none."""
    memory.remember("Payments retry: three attempts", kind="context")
    memory.remember("Payments retry: idempotency keys", kind="decision")
    clock.pass_time(days=60)
    hits = memory.recall("payments retry")
    assert [hit.record.kind for hit in hits] == ["decision", "context"]
    assert hits[1].why.parts["recency"] < 0.01
    assert hits[0].why.parts["recency"] == 1.0


def test_a_pinned_memory_never_fades(memory: Memory, clock: ManualClock) -> None:
    """Pinned counts as fresh for ever, and stands in the always-on tier."""
    note = memory.remember("The staging database is called heron", kind="context")
    memory.pin(note.id)
    clock.pass_time(days=365)
    assert memory.recall("staging database")[0].why.parts["recency"] == 1.0
    assert "heron" in memory.context("unrelated question", user="dev").text


def test_similar_hits_give_way_to_different_ones(memory: Memory) -> None:
    """Diversity: five ways to say one thing do not fill the answer."""
    for ending in ("today", "again today", "once more today", "yet again today"):
        memory.remember(f"The cache test fails on slow machines {ending}", kind="error_pattern")
    memory.remember("The cache key must include the locale", kind="gotcha")
    hits = memory.recall("cache test fails", limit=2)
    assert {hit.record.kind for hit in hits} == {"error_pattern", "gotcha"}


def test_a_memory_of_a_feature_branch_stays_there(memory: Memory) -> None:
    """Other branches' sessions do not see it."""
    memory.remember("Auth is half moved to OAuth", kind="context", branch="feature/oauth")
    assert memory.recall("OAuth auth", branches=["main"]) == []
    assert memory.recall("OAuth auth", branches=["main", "feature/oauth"])


def test_secrets_are_redacted_before_anything_is_written(memory: Memory) -> None:
    """The caller is told, the event is logged, and the key is nowhere."""
    key = "AKIA" + "IOSFODNN7QXMPLZQ"
    record = memory.remember(f"Deploy uses {key}", kind="environment_quirk")
    assert key not in record.text
    assert "[REDACTED:" in record.text
    assert record.notices


def test_limits_are_clear_errors(memory: Memory) -> None:
    """2 KB a memory, 50 a session."""
    with pytest.raises(TextTooLong, match="2048|2,048"):
        memory.remember("x " * 2000, kind="gotcha")
    for number in range(50):
        memory.remember(f"Learnt thing number {number} about module {number}", kind="session_insight", session="s1")
    with pytest.raises(TooMany, match="50"):
        memory.remember("One too many", kind="session_insight", session="s1")


def test_a_persons_memories_are_private_and_an_agents_are_the_projects(memory: Memory) -> None:
    """Default visibility depends on who wrote it."""
    mine = memory.remember("I dislike the linter", kind="preference", user="ana", author="person")
    ours = memory.remember("The linter runs in CI", kind="convention", user="ana")
    assert (mine.visibility, ours.visibility) == ("private", "project")
    assert [hit.record.id for hit in memory.recall("linter", user="ben")] == [ours.id]


def test_flagging_lists_what_to_review_and_can_be_undone(memory: Memory) -> None:
    """Wrong memories leave the prompt at once, with their reason."""
    old = memory.remember("Use npm", kind="convention")
    new = memory.correct(old.id, "Use pnpm")
    flagged = memory.flag(new.id, reason="we use yarn")
    assert [record.id for record in flagged.review] == [old.id]
    assert memory.recall("pnpm") == []
    assert memory.get(new.id).state_reason == "we use yarn"
    assert memory.restore(new.id).state == "active"


def test_a_deleted_project_is_restorable_then_gone(memory: Memory, clock: ManualClock) -> None:
    """Thirty days of grace; afterwards nothing is left."""
    memory.spaces.add("old-shop")
    memory.remember("The legacy cart lives in cart.php", kind="codebase_discovery", space="old-shop")
    memory.spaces.delete("old-shop")
    assert memory.recall("legacy cart", space="old-shop") == []
    memory.spaces.restore("old-shop")
    assert memory.recall("legacy cart", space="old-shop")
    memory.spaces.delete("old-shop")
    clock.pass_time(days=31)
    memory.tend()
    assert [space.name for space in memory.spaces.all()] == ["shop"]


def test_preferences_follow_a_person_across_projects(memory: Memory) -> None:
    """A person's own space is read together with the project at hand."""
    memory.remember("Ana prefers small commits", kind="preference", user="ana", space="@ana")
    memory.spaces.add("blog")
    assert memory.recall("commits", user="ana", space="blog")
    assert memory.recall("commits", user="ben", space="blog") == []


def test_an_unknown_kind_is_refused_with_the_known_ones(memory: Memory) -> None:
    """The error says what to write instead."""
    with pytest.raises(InputError, match="gotcha"):
        memory.remember("hello", kind="gossip")


def test_a_cited_memory_says_when_its_code_has_changed(memory: Memory, tmp_path: Path) -> None:
    """CODE citations: a fact about changed code is in doubt, a decision of people is only marked."""
    code = tmp_path / "auth.py"
    code.write_text("def refresh(token):\n    return renew(token)\n")
    cites = as_metadata([cite_lines(tmp_path, "auth.py:1-2")])
    memory.remember("refresh() does not check Redis", kind="gotcha", metadata=cites)
    memory.remember("Refresh tokens live one hour", kind="decision", metadata=cites)
    before = memory.context("refresh token Redis", annotate=warn_of_changes(tmp_path)).text
    code.write_text("def refresh(token):\n    check_redis(token)\n    return renew(token)\n")
    after = memory.context("refresh token Redis", annotate=warn_of_changes(tmp_path)).text
    assert "changed since" not in before
    assert "! refresh() does not check Redis (may be out of date: auth.py:1-2 changed since)" in after
    assert "! Refresh tokens live one hour (auth.py:1-2 changed since)" in after


def test_what_a_projects_files_say_counts_only_once_it_is_accepted(memory: Memory, tmp_path: Path) -> None:
    """CODE-3: conventions found in files are offered, not injected; a refused one is not offered again."""
    (tmp_path / "AGENTS.md").write_text(
        "- Always run `make lint` first\n- Never commit to main\n- Use tabs in Go files\n"
    )
    offered = offer_seeds(memory, tmp_path)
    assert "make lint" not in memory.context("how do I lint?", session="s1").text
    lint, commit, tabs = memory.review.waiting()
    memory.confirm(lint.id)
    memory.forget(commit.id, reason="refused at review")
    memory.correct(tabs.id, "Use gofmt in Go files")
    text = memory.context("how do I lint?", session="s2").text
    assert [len(offered), offer_seeds(memory, tmp_path), memory.review.waiting()] == [3, [], []]
    assert "make lint" in text
    assert "gofmt" in text
    assert "commit to main" not in text


def test_a_rule_that_chooses_differently_takes_the_older_ones_place(memory: Memory) -> None:
    """CODE-9: the old rule is deprecated, the new one supersedes it, and the caller is told."""
    tabs = memory.remember("Use tabs for indentation in this project", kind="convention")
    spaces = memory.remember("Use spaces, not tabs, for indentation in this project", kind="convention")
    again = memory.remember("Use spaces, not tabs, for indentation in this project", kind="convention")
    other = memory.remember("Use tabs for columns in the release notes", kind="convention")
    assert spaces.notices == (f"superseded: {tabs.id}",)
    assert (memory.get(tabs.id).state, memory.get(tabs.id).superseded_by) == ("superseded", spaces.id)
    assert (again.id, other.state) == (spaces.id, "active")


def test_the_same_in_other_words_is_not_kept_twice(open_memory: OpenMemory) -> None:
    """CODE-9: one of the three nearest that is closer than 0.92 is the same memory."""
    memory = open_memory("coding", space="shop", embedder="default")
    first = memory.remember("The payment tests need a running Redis server", kind="gotcha")
    memory.tend()
    same = memory.remember("Payment tests need the Redis server running", kind="gotcha")
    different = memory.remember("The payment tests need a running Postgres server", kind="gotcha")
    assert same.id == first.id
    assert different.id != first.id
