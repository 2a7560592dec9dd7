"""Conversations open, grow, end once and are settled once; their messages come back in order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from toldonce.conformance.samples import (
    NOW,
    SPACE,
    Reopen,
    a_conversation,
    a_record,
    keep_records,
    moment_after,
    write_each,
)
from toldonce.errors import StoreError
from toldonce.records import Conversation
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.conversations import Said


class ConversationsConformance:
    """What is being said, and what waits to be settled."""

    def test_an_open_conversation_is_found_by_its_key(self, store: Store) -> None:
        talk = _add_conversation(store, a_conversation(channel="#a"))
        assert store.read(lambda t: t.conversations.open_one(SPACE, talk.key)) == talk
        assert store.read(lambda t: t.conversations.get(talk.id)) == talk
        assert store.read(lambda t: t.conversations.open_one("work", talk.key)) is None
        assert store.read(lambda t: t.conversations.open_one(SPACE, "other")) is None
        assert store.read(lambda t: t.conversations.get("talk_none")) is None

    def test_a_key_has_at_most_one_open_conversation(self, store: Store) -> None:
        first = _add_conversation(store, a_conversation())
        with pytest.raises(StoreError):
            _add_conversation(store, a_conversation())
        store.write(lambda t: t.conversations.end(first.id, ended_by="quiet"))
        second = _add_conversation(store, a_conversation())
        assert store.read(lambda t: t.conversations.open_one(SPACE, first.key)) == second

    def test_it_is_known_when_something_of_a_person_was_last_settled(self, store: Store) -> None:
        for key, user, hour in (("k1", "alex", 1), ("k2", "alex", 3), ("k3", "alex", 2), ("k4", "sam", None)):
            talk = _add_conversation(store, a_conversation(key=key, user=user))
            if hour is not None:
                _mark_settled(store, talk, hours=hour)
        _mark_settled(store, _add_conversation(store, a_conversation(key="k5", user=None)), hours=4)
        assert store.read(lambda t: t.conversations.last_settled(SPACE)) == {"alex": moment_after(hours=3)}
        assert store.read(lambda t: t.conversations.last_settled("work")) == {}

    def test_what_was_said_last_in_a_conversation_is_told_in_order(self, store: Store) -> None:
        talk = _add_conversation(store, a_conversation())
        assert store.read(lambda t: t.conversations.last_said(talk.id)) == []
        for number in range(20):
            keep_records(store, a_record(f"number {number}", user="alex", conversation=talk.id, role="user"))
        keep_records(store, a_record("a reply", user="alex", conversation=talk.id, role="assistant"))
        said = store.read(lambda t: t.conversations.last_said(talk.id))
        assert said[-2:] == [Said("alex", True, "number 19"), Said("alex", False, "a reply")]
        assert len(said) == 16

    def test_what_was_said_last_in_a_session_is_found_after_its_conversation_ended(self, store: Store) -> None:
        ended = _add_conversation(store, a_conversation(session="s1"))
        keep_records(store, a_record("hers", user="maria", conversation=ended.id))
        store.write(lambda t: t.conversations.end(ended.id, ended_by="quiet"))
        alone = _add_conversation(store, a_conversation(key="user:sam", session=None, user="sam"))
        keep_records(store, a_record("his", user="sam", conversation=alone.id))

        def said(session: str | None, channel: str | None = None) -> list[str]:
            found = store.read(lambda t: t.conversations.last_said_in(SPACE, session=session, channel=channel))
            return [message.text for message in found]

        assert [said("s1"), said(None), said("s2"), said(None, "#a")] == [["hers"], ["his"], [], []]

    def test_messages_extend_it_in_both_directions(self, store: Store) -> None:
        talk = _add_conversation(store, a_conversation())
        moments = (moment_after(hours=2), moment_after(hours=1), moment_after(hours=-1))
        write_each(store, moments, lambda t, at: t.conversations.extend(talk.id, first=at, last=at))
        expected = replace(talk, messages=3, started_at=moment_after(hours=-1), updated_at=moment_after(hours=2))
        assert store.read(lambda t: t.conversations.get(talk.id)) == expected

    def test_it_ends_once_and_keeps_the_reason(self, store: Store) -> None:
        talk = _add_conversation(store, a_conversation())
        assert store.write(lambda t: t.conversations.end(talk.id, ended_by="day"))
        assert not store.write(lambda t: t.conversations.end(talk.id, ended_by="quiet"))
        assert store.read(lambda t: t.conversations.get(talk.id)) == replace(talk, state="ended", ended_by="day")
        assert store.read(lambda t: t.conversations.open_one(SPACE, talk.key)) is None

    def test_only_one_caller_settles_it(self, store: Store) -> None:
        talk = _add_conversation(store, a_conversation())
        store.write(lambda t: t.conversations.end(talk.id, ended_by="day"))
        assert store.write(lambda t: t.conversations.settle(talk.id, at=moment_after(hours=1)))
        assert not store.write(lambda t: t.conversations.settle(talk.id, at=moment_after(hours=2)))
        settled = store.read(lambda t: t.conversations.get(talk.id))
        assert settled is not None
        assert (settled.state, settled.settled_at) == ("settled", moment_after(hours=1))

    def test_a_settled_conversation_can_be_settled_again_once_it_is_reopened(self, store: Store) -> None:
        talk = _add_conversation(store, a_conversation())
        store.write(lambda t: t.conversations.end(talk.id, ended_by="day"))
        assert not store.write(lambda t: t.conversations.reopen(talk.id))
        _mark_settled(store, talk, hours=1)
        assert store.write(lambda t: t.conversations.reopen(talk.id))
        again = store.read(lambda t: t.conversations.find_unsettled(SPACE))
        assert again == [replace(talk, state="ended", ended_by="day")]
        assert store.write(lambda t: t.conversations.settle(talk.id, at=moment_after(hours=2)))

    def test_what_is_not_there_cannot_end_or_be_settled(self, store: Store) -> None:
        assert not store.write(lambda t: t.conversations.reopen("talk_none"))
        assert not store.write(lambda t: t.conversations.end("talk_none", ended_by="day"))
        assert not store.write(lambda t: t.conversations.settle("talk_none", at=NOW))

    def test_open_conversations_of_other_sessions_are_the_persons_own(self, store: Store) -> None:
        other = _add_conversation(store, a_conversation(key="session:s2", session="s2"))
        _add_conversation(store, a_conversation())
        _add_conversation(store, a_conversation(key="session:s3", session="s3", user="maria"))
        closed = _add_conversation(store, a_conversation(key="session:s4", session="s4"))
        store.write(lambda t: t.conversations.end(closed.id, ended_by="quiet"))
        elsewhere = store.read(lambda t: t.conversations.open_elsewhere(SPACE, user="alex", session="s1"))
        assert elsewhere == [other]

    def test_nobodys_conversations_are_told_apart_too(self, store: Store) -> None:
        nobody = _add_conversation(store, a_conversation(key="channel:#a", user=None, session=None, channel="#a"))
        assert store.read(lambda t: t.conversations.open_elsewhere(SPACE, user=None, session="s1")) == [nobody]
        assert store.read(lambda t: t.conversations.open_elsewhere(SPACE, user=None, session=None)) == []
        assert store.read(lambda t: t.conversations.open_elsewhere(SPACE, user="alex", session="s1")) == []

    def test_what_waits_to_be_settled_is_listed_oldest_first(self, store: Store) -> None:
        late = _add_conversation(store, a_conversation(key="b", session="s2", started_at=moment_after(hours=1)))
        early = _add_conversation(store, a_conversation(key="a", channel="#a", user="maria"))
        done = _add_conversation(store, a_conversation(key="c"))
        store.write(lambda t: t.conversations.settle(done.id, at=NOW))
        store.write(lambda t: t.conversations.end(late.id, ended_by="quiet"))

        def ids(tables: Tables, **only: str) -> list[str]:
            return [c.id for c in tables.conversations.find_unsettled(SPACE, **only)]

        assert store.read(ids) == [early.id, late.id]
        assert store.read(lambda t: ids(t, session="s2")) == [late.id]
        assert store.read(lambda t: ids(t, channel="#a")) == [early.id]
        assert store.read(lambda t: ids(t, user="maria")) == [early.id]
        assert store.read(lambda t: t.conversations.find_unsettled("work")) == []
        assert len(store.read(lambda t: t.conversations.find_unsettled(None))) == 2

    def test_all_conversations_of_a_space_are_listed(self, store: Store) -> None:
        one = _add_conversation(store, a_conversation(key="a"))
        two = _add_conversation(store, a_conversation(key="a", space="work"))
        assert store.read(lambda t: t.conversations.all(SPACE)) == [one]
        assert {c.id for c in store.read(lambda t: t.conversations.all(None))} == {one.id, two.id}

    def test_a_conversation_can_be_put_back_as_it_was(self, store: Store) -> None:
        given = a_conversation(
            messages=7,
            state="settled",
            ended_by="day",
            settled_at=moment_after(days=1),
            updated_at=moment_after(hours=3),
        )
        store.write(lambda t: t.conversations.restore(given))
        store.write(lambda t: t.conversations.restore(replace(given, messages=9)))
        assert store.read(lambda t: t.conversations.get(given.id)) == given

    def test_messages_come_in_the_order_they_were_said_page_by_page(self, store: Store) -> None:
        talk = _add_conversation(store, a_conversation())
        records = [a_record(f"m{n}", conversation=talk.id, at=moment_after(minutes=-n)) for n in range(5)]
        keep_records(store, *records, a_record("gone", conversation=talk.id, state="forgotten"), a_record("other"))
        first = store.read(lambda t: t.conversations.read_messages(talk.id, limit=3))
        rest = store.read(lambda t: t.conversations.read_messages(talk.id, after=first[-1][0]))
        assert [record for _, record in first + rest] == records
        assert store.read(lambda t: t.conversations.read_messages("talk_none")) == []

    def test_conversations_survive_reopening(self, store: Store, reopen: Reopen) -> None:
        talk = _add_conversation(store, a_conversation())
        store.write(lambda t: t.conversations.extend(talk.id, first=moment_after(hours=1), last=moment_after(hours=1)))
        again = reopen(store)
        kept = again.read(lambda t: t.conversations.open_one(SPACE, talk.key))
        assert kept == replace(talk, messages=1, updated_at=moment_after(hours=1))


def _add_conversation(store: Store, conversation: Conversation) -> Conversation:
    store.write(lambda t: t.conversations.add(conversation))
    return conversation


def _mark_settled(store: Store, talk: Conversation, *, hours: float) -> None:
    store.write(lambda t: t.conversations.settle(talk.id, at=moment_after(hours=hours)))
