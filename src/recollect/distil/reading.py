"""Reads each message of a conversation once, by rule: its sentences, and what each of them plainly says.

What is read here depends on the message alone. Notes and facts share it, and add what the conversation tells.
"""

from __future__ import annotations

from functools import cached_property

from recollect.distil.drafts import Said
from recollect.distil.instruction_detection import Wish, instructions_in
from recollect.distil.presupposed import presupposed_facts
from recollect.distil.prose import sentences
from recollect.distil.relations import Relation, relations
from recollect.distil.tenses import is_of_another_year
from recollect.lang.grammar import Predicate, Sentence
from recollect.lang.registry import language_of


class SentenceReading:
    """One sentence, with the people it names and the statements in it, read when they are first asked for."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self._grammar = language_of(sentence.language).extraction.grammar

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """The people and animals that it names as the speaker's own."""
        return tuple(relations(self.sentence))

    @cached_property
    def predicates(self) -> tuple[Predicate, ...]:
        """What it states or presupposes of its speaker."""
        return (*self._grammar.predicates(self.sentence), *presupposed_facts(self.sentence))


class MessageReading:
    """One message, with its sentences and instructions, read when they are first asked for."""

    def __init__(self, message: Said) -> None:
        self._message = message

    @cached_property
    def sentences(self) -> tuple[SentenceReading, ...]:
        """The sentences of its author's own words, in order."""
        return tuple(SentenceReading(sentence) for sentence in sentences(self._message.text))

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """Those of the sentences that are standing instructions."""
        return tuple(instructions_in(reading.sentence for reading in self.sentences))

    @cached_property
    def is_of_another_year(self) -> bool:
        """Whether it speaks of another year than the one it was said in."""
        return is_of_another_year(self._message.text, self._message.at)


class ConversationReading:
    """The messages of one conversation, each read once, however often it is asked for."""

    def __init__(self) -> None:
        self._messages: dict[Said, MessageReading] = {}

    def read(self, message: Said) -> MessageReading:
        """What a message says."""
        if message not in self._messages:
            self._messages[message] = MessageReading(message)
        return self._messages[message]

    def clear(self) -> None:
        """Forget the conversation."""
        self._messages.clear()
