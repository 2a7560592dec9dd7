"""Destroying records for good, with everything that came from them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice

from toldonce.clock import to_micros
from toldonce.lang.vocabulary import stop_words
from toldonce.records import State
from toldonce.storage.rows import Rows
from toldonce.text.words import WORD, fold_word, text_grams

_WORD = re.compile(r"[^\W_]+")
_LEAVES = (
    "purge_drafts", "purge_outputs", "purge_counts", "purge_successors", "purge_questions", "purge_links",
    "purge_changes", "purge_aliases", "purge_names", "purge_answers", "purge_records",
)  # fmt: skip
_OF_A_PERSON = (
    "purge_user_conversations", "purge_user_keys", "purge_user_questions", "purge_user_amounts", "purge_user_changes",
    "purge_user_access_keys", "purge_user_held_values", "purge_user_sealed",
)  # fmt: skip
SHORTEST_WORD = 5
# At most this many words are looked for in the bytes of all files: each costs a pass over them.
MOST_WORDS = 40
_PAGE = 500


class PurgeTable:
    """What may be destroyed, and destroying it."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def find_by_state_before(self, space: str, state: State, *, before: datetime, limit: int = 500) -> list[int]:
        """Places of records that have been in that state since before a moment."""
        rows = self._rows.all(
            "ended_records", tenant=self._tenant, space=space, state=state, before=to_micros(before), limit=limit
        )
        return [row[0] for row in rows]

    def find_unused_by_state_before(self, space: str, state: State, *, before: datetime, limit: int = 500) -> list[int]:
        """The same, without records that others were drawn from: evidence stays as long as what rests on it."""
        rows = self._rows.all(
            "spent_records", tenant=self._tenant, space=space, state=state, before=to_micros(before), limit=limit
        )
        return [row[0] for row in rows]

    def of_space(self, space: str, *, limit: int = 500) -> list[int]:
        """Places of all records of a space."""
        return [row[0] for row in self._rows.all("space_seqs", tenant=self._tenant, space=space, limit=limit)]

    def of_user(self, user: str, *, space: str | None) -> list[int]:
        """Places of all records of a person, with the answers that they were given."""
        given = {"tenant": self._tenant, "user": user, "space": space}
        queries = ("user_seqs", "answer_seqs", "session_seqs")
        return sorted({row[0] for query in queries for row in self._rows.all(query, **given)})

    def find_echoes(self, user: str, *, space: str | None) -> list[int]:
        """Places of a machine's replies to others that repeat what in their conversation this person alone said."""
        talks: dict[str, list[tuple[int, str | None, str, str]]] = {}
        for row in self._rows.all("talks_with_replies", tenant=self._tenant, user=user, space=space):
            talks.setdefault(row[0], []).append(row[1:])
        found = []
        for said in talks.values():
            hers = _phrases(text for _, who, role, text in said if who == user and role == "user")
            hers -= _phrases(text for _, who, role, text in said if who != user and role == "user")
            replies = ((seq, text) for seq, who, role, text in said if who != user and role != "user")
            found += [seq for seq, text in replies if not hers.isdisjoint(_phrases([text]))]
        return found

    def find_sessions(self, seqs: Iterable[int]) -> set[str]:
        """The sessions that these records belong to."""
        rows = self._rows.all("sessions_of_seqs", tenant=self._tenant, seqs=json.dumps(sorted(seqs)))
        return {row[0] for row in rows}

    def planned_sessions(self, user: str, *, space: str | None) -> set[str]:
        """The sessions of a person that jobs still have to read."""
        rows = self._rows.all("sessions_of_jobs", tenant=self._tenant, user=user, space=space)
        return {row[0] for row in rows}

    def ended_sessions(self, sessions: Iterable[str], *, space: str | None) -> set[str]:
        """Those of these sessions that have no record left, in a space or with None in any."""
        named = json.dumps(sorted(sessions))
        left = self._rows.all("sessions_left", tenant=self._tenant, space=space, sessions=named)
        return set(sessions) - {row[0] for row in left}

    def read_names(self, user: str, *, space: str | None) -> set[str]:
        """What a person is called, their id among it."""
        rows = self._rows.all("person_names", tenant=self._tenant, user=user, space=space)
        return {name for row in rows for name in row if name} | {user}

    def read_words(self, seqs: Iterable[int]) -> set[str]:
        """The words of these records as they are written, without short ones."""
        rows = self._rows.all("texts_of", tenant=self._tenant, seqs=json.dumps(sorted(seqs)))
        return {word for row in rows for word in _WORD.findall(row[1]) if len(word) >= SHORTEST_WORD}

    def find_unused_words(self, words: Iterable[str], *, limit: int = MOST_WORDS) -> list[str]:
        """Those of these words that no record has now, the longest first."""
        ordered = sorted(set(words), key=lambda word: (-len(word), word))[: 10 * limit]
        gone = (word for word in ordered if not self._rows.one("holds_word", match=self._rows.matching((word,))))
        return list(islice(gone, limit))

    def still_said(self, texts: Iterable[str]) -> set[str]:
        """Those of these texts that something which is kept holds, as a part of a word or whole; one pass over all."""
        left = {text: text.casefold() for text in texts}
        found: set[str] = set()
        for kept in self._kept_texts() if left else ():
            said = {text for text, folded in left.items() if folded in kept}
            found |= said
            left = {text: folded for text, folded in left.items() if text not in said}
            if not left:
                break
        return found

    def _kept_texts(self) -> Iterator[str]:
        """Everything that is kept in writing, in large pieces, without its case."""
        beside = self._rows.one("kept_words_beside_records")
        yield _fold_bytes(beside[0] if beside else None)
        after = 0
        while (page := self._rows.one("page_of_kept_texts", after=after, limit=_PAGE)) and page[0] is not None:
            after = page[0]
            yield _fold_bytes(page[1])

    def with_derived(self, seqs: Iterable[int], *, whole: bool) -> list[int]:
        """These places and those of records drawn from them.

        Without `whole`, a record stays if it has another source and says nothing that only these said.
        """
        doomed = set(seqs)
        while True:
            drawn = {seq: sources for seq, sources in self._find_derived(doomed).items() if seq not in doomed}
            texts = {} if whole else self._texts({*drawn, *(s for sources in drawn.values() for s in sources)})
            more = {
                seq
                for seq, sources in drawn.items()
                if whole
                or not is_supported(
                    texts[seq], left=[texts[s] for s in sources - doomed], gone=[texts[s] for s in sources & doomed]
                )
            }
            if not more:
                return sorted(doomed)
            doomed |= more

    def _find_derived(self, seqs: Iterable[int]) -> dict[int, frozenset[int]]:
        """Places of records drawn directly from any of these, with the places of all their sources."""
        rows = self._rows.all("drawn_records", tenant=self._tenant, seqs=json.dumps(sorted(seqs)))
        return {row[0]: frozenset(json.loads(row[1])) for row in rows}

    def _texts(self, seqs: Iterable[int]) -> dict[int, str]:
        rows = self._rows.all("texts_of", tenant=self._tenant, seqs=json.dumps(sorted(seqs)))
        return {row[0]: row[1] for row in rows}

    def destroy(self, seqs: Sequence[int]) -> int:
        """Destroy records with their words, vectors, mentions, links, history, questions and unused drafts."""
        packed = json.dumps(list(seqs))
        removed = 0
        grams = self._rows.one("count_grams", seqs=packed)
        for query in _LEAVES:
            removed = self._rows.run(query, tenant=self._tenant, seqs=packed)
        if grams and grams[0]:
            self._rows.run("purge_grams")
        self._rows.run("purge_packs")
        self._rows.run("purge_shapes")
        self.drop_lone()
        return removed

    def note_destroyed(self, ids: Iterable[str]) -> None:
        """Remember that messages with an idempotency key were destroyed, so that a retry does not store them again."""
        self._rows.run_many("add_destroyed_message", [{"tenant": self._tenant, "id": one} for one in ids])

    def was_destroyed(self, record_id: str) -> bool:
        """Whether a message with an idempotency key was stored and destroyed."""
        return self._rows.one("was_destroyed", tenant=self._tenant, id=record_id) is not None

    def drop_lone(self) -> None:
        """Drop entities that nobody mentions and conversations without a message."""
        self._rows.run("purge_lone_entities", tenant=self._tenant)
        self._rows.run("purge_lone_conversations", tenant=self._tenant)

    def forget_person(
        self, user: str, *, space: str | None, sessions: Iterable[str] = (), gone: Iterable[str] = ()
    ) -> None:
        """Destroy what else is kept of a person beside records and documents: `sessions` and `gone` were theirs."""
        given = {"tenant": self._tenant, "user": user, "space": space}
        for query in _OF_A_PERSON:
            self._rows.run(query, **given)
        for query in ("purge_user_drafts", "purge_user_outputs", "purge_user_counts"):
            self._rows.run(query, tenant=self._tenant, space=space)
        theirs = self.ended_sessions(sessions, space=space)
        names = json.dumps(sorted({user, *theirs}))
        for query in ("purge_user_jobs", "purge_user_runs"):
            self._rows.run(query, tenant=self._tenant, space=space, names=names)
        for query in ("purge_run_errors", "purge_job_errors"):
            self._rows.run(query, tenant=self._tenant, user=user)
        self._forget_shown(theirs, set(gone), space=space)

    def forget_space(self, space: str) -> None:
        """Destroy what the last trace of a person's own space leaves."""
        for query in ("purge_space_runs", "purge_space_amounts"):
            self._rows.run(query, tenant=self._tenant, space=space)

    def _forget_shown(self, sessions: set[str], gone: set[str], *, space: str | None) -> None:
        for home, key, value in self._rows.all("list_shown", tenant=self._tenant, space=space):
            # A subagent has a list of its own, which is called after its session.
            name = key.removeprefix("shown:")
            is_theirs = name in sessions or name.rpartition("/")[0] in sessions
            if is_theirs or not gone.isdisjoint(value.split()):
                self._rows.run("drop_setting", tenant=self._tenant, space=home, key=key)

    def count_purges(self, space: str) -> int:
        """How often something was destroyed in a space: what was read before the count rose may be gone."""
        row = self._rows.one("count_purges", tenant=self._tenant, space=space)
        return int(row[0]) if row else 0

    def count_traces(self, user: str, *, space: str | None) -> dict[str, int]:
        """How many rows of each table still name a person, or point to a record that is gone."""
        mine = self._rows.one("traces_of_user", tenant=self._tenant, user=user, space=space) or ()
        lost = self._rows.one("orphans", tenant=self._tenant) or ()
        names = (
            "records", "people", "documents", "conversations", "questions", "memberships", "stored amounts", "spaces",
            "jobs", "runs", "audit log", "sealed items",
        )  # fmt: skip
        orphans = ("orphan vectors", "orphan mentions", "orphan times", "orphan links", "orphan changes")
        return dict(zip((*names, *orphans), (*mine, *lost), strict=True))


def _fold_bytes(raw: bytes | None) -> str:
    return (raw or b"").decode(errors="replace").casefold()


def is_supported(text: str, *, left: Collection[str], gone: Collection[str]) -> bool:
    """Whether every word that a text shares with sources that go is also in one that stays."""
    shared = _words_of(text) & frozenset().union(*map(_words_of, gone))
    return bool(left) and shared <= frozenset().union(*map(_words_of, left))


def _phrases(texts: Iterable[str]) -> set[tuple[str, ...]]:
    """The runs of words in texts that hold two words with content, as short as they can be."""
    stop, found = stop_words(), set()
    for text in texts:
        run: list[str] = []
        for word in map(fold_word, WORD.findall(text)):
            run.append(word)
            if word not in stop:
                if run[0] not in stop and len(run) > 1:
                    found.add(tuple(run))
                run = [word]
    return found


def _words_of(text: str) -> frozenset[str]:
    return frozenset((*_WORD.findall(text.casefold()), *text_grams(text).split()))
