"""Every query and every module that names a state of records says what it does with those that are doubted."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

import toldonce

# A doubted record is shown only under what doubts it, so most queries leave it out: what they look for must count.
LEFT_OUT = "left out"
DOUBTED = {
    "visible": LEFT_OUT,
    "same_text": LEFT_OUT,
    "known_of_person": LEFT_OUT,
    "proposed_records": LEFT_OUT,
    "same_subject": LEFT_OUT,
    "subject_values": LEFT_OUT,
    "records_to_enrich": LEFT_OUT,
    "fading_records": LEFT_OUT,
    "units": LEFT_OUT,
    "window_messages": LEFT_OUT,
    "entity_by_seq": LEFT_OUT,
    "conversation_messages": LEFT_OUT,
    "records_refused": LEFT_OUT,
    "any_doubted": "this is what tells whether there are any",
    "find_doubted": "this is what finds them, under the records that doubt them",
    "find_doubted_among": "this is what finds them among sources of a line",
    "find_over_doubted": "this is what finds the records that they are shown under",
    "given_way": "counts as one whose place another took",
    "state_then": "as of a moment before the doubt it was active",
    "state_now": "past its expiry it is expired",
    "browsed": "listed when its state is asked for",
    "browse_inactive": "listed when its state is asked for",
    "count_browsed": "counted when its state is asked for",
    "count_inactive": "counted when its state is asked for",
    "list_questions": "a question whether it still holds is open",
    "expired_records": "expires as an active one does",
    "count_session_records": "takes room in its session",
    "all_records": "listed when its state is asked for, or none",
    "ended_records": "purged for the state that is asked for; no job asks for this one",
    "spent_records": "purged for the state that is asked for; no job asks for this one",
    "count_by_kind": "counted under its own state",
    "page_of_kept_texts": "a word of it is still kept",
    "export_record": "exported with its state",
    "export_change": "exported with its history",
    "add_record": "stored with its state",
    "set_state": "stored with its state",
    "record_columns": "read with its state",
    "add_change": "stored in its history",
    "list_changes": "read in its history",
    "changes_in_time": "read in its history",
    "changes_after": "its history makes events",
    "stage_records": "stored with its state",
    "add_staged_records": "stored with its state",
}
# The states of conversations and jobs are others; the words of a query may hold the name of a column.
OF_OTHERS = {
    "job_columns", "kept_words_beside_records", "open_conversation", "other_open_conversations", "add_conversation",
    "end_conversation", "settle_conversation", "reopen_conversation", "get_conversation", "list_conversations",
    "restore_conversation", "all_conversations", "put_job", "scheduled_jobs", "stray_jobs", "free_stray_jobs",
    "next_job", "due_jobs", "next_due", "lease_job", "renew_lease", "reschedule_job", "count_rows",
    "export_conversation",
}  # fmt: skip


def queries_naming_a_state(backend: str) -> dict[str, str]:
    """Each query and each part of queries that has a column or a parameter for a state, without its comments."""
    text = files(f"toldonce.storage.{backend}").joinpath("queries.sql").read_text(encoding="utf-8")
    bare = re.sub(r"(?m)^--(?! (?:name|part): ).*$", "", text)
    pieces = re.split(r"(?m)^-- (?:name|part): (\w+)$", bare)[1:]
    named = dict(zip(pieces[::2], pieces[1::2], strict=True))
    return {name: sql for name, sql in named.items() if re.search(r"\bstates?\b|\{state_\w+\}", sql)}


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
def test_every_query_that_names_a_state_says_what_it_does_with_a_doubted_record(backend: str) -> None:
    assert queries_naming_a_state(backend).keys() - DOUBTED.keys() - OF_OTHERS == set()


def test_no_query_is_listed_that_names_no_state() -> None:
    both = {**queries_naming_a_state("sqlite"), **queries_naming_a_state("postgres")}
    assert (DOUBTED.keys() | OF_OTHERS) - both.keys() == set()


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
def test_what_leaves_a_doubted_record_out_asks_for_another_state(backend: str) -> None:
    found = queries_naming_a_state(backend)
    others = [name for name, done in DOUBTED.items() if done == LEFT_OUT]
    assert [name for name in others if not re.search(r"= '(active|proposed)'", found[name])] == []


# What code decides by the state of a record. A doubted one is not current: where what counts matters, it is left out.
BY_CODE = {
    "bench/own.py": LEFT_OUT,
    "bench/trial.py": LEFT_OUT,
    "capture/observe.py": "messages are never doubted",
    "capture/remember.py": "its history begins with the state that it is stored with",
    "cli/corrections.py": "asks whether something is proposed alone",
    "cli/text_output.py": "marked with its state",
    "coding/hooks/reader.py": "shown under the newer one",
    "distil/drafts.py": "an earlier value, as a superseded one is",
    "distil/doubt.py": "this is what doubts and asks",
    "distil/reconcile.py": "is no rival of a new record: the one that doubts it is",
    "distil/reflection.py": "an earlier value, as a superseded one is",
    "distil/reporting.py": "not told by reports: the newer one is",
    "distil/settle.py": "is not ended again by a name that a draft gives",
    "integrations/mem0.py": "is no memory of its own",
    "jobs/daily_digest.py": LEFT_OUT,
    "jobs/drafting.py": "an earlier value, as a superseded one is",
    "jobs/nightly.py": "is not judged again; past measures are the superseded ones",
    "jobs/reflect.py": "an earlier value, as a superseded one is",
    "operations/chat_messages.py": "messages are never doubted",
    "operations/corrections.py": "confirm, pin, restore and an answer bring it back",
    "operations/journals.py": "forgotten with its entry like any other",
    "operations/remembering.py": "asks whether something is proposed alone",
    "operations/sessions.py": "messages are never doubted",
    "operations/webhook_deliveries.py": "its text is not sent",
    "recall/search.py": "why_not says that it is doubted",
    "recall/sections.py": "messages are never doubted",
    "records.py": "is not current",
    "server/pages/acts.py": "brought back; its correction is not taken for that of the newer one",
    "server/pages/browse.py": "listed under the newer one, and by its state",
    "server/pages/home.py": "counted neither as known nor as replaced",
    "server/pages/markdown.py": "marked with its state",
    "server/pages/record.py": "its page says what doubts it",
    "storage/lifecycle.py": "this is what doubts, frees and moves it",
    "storage/readable_export.py": "marked as not current, its lines under the newer ones",
    "storage/timeline.py": "past its expiry it is expired",
    "storage/vault_export.py": "written under the newer one",
    "tools/memory.py": "shown under the newer one",
    "tools/records.py": "shown under the newer one",
}
_STATES = "active|doubted|proposed|superseded|expired|faded|flagged|forgotten"
_NAMES_A_STATE = re.compile(
    r"\bis_current(?:_record)?\b|HIDDEN_STATES|states=\["
    rf"""|\bstate(?:"\])? (?:==|!=|in|not in) [("{{]*(?:{_STATES})\b"""
)


def test_every_module_that_decides_by_a_state_says_what_it_does_with_a_doubted_record() -> None:
    package = Path(toldonce.__file__).parent
    found = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if "conformance" not in file.parts and _NAMES_A_STATE.search(file.read_text(encoding="utf-8"))
    }
    assert found ^ BY_CODE.keys() == set()
