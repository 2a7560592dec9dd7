"""Every query that names a state of records says what it does with those that are doubted."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

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
