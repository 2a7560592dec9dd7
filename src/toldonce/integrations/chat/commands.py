"""What people can ask a bot about their own memory: see, search, correct, forget, export, opt out and in.

Who asks is the platform's id of the person. Only records of that person are shown or changed, and the platform's module
delivers the answer to that person alone.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from toldonce.access import acting_as
from toldonce.errors import InputError
from toldonce.integrations.chat.chat_memory import ChatMemory
from toldonce.integrations.chat.own_entries import OwnEntries, OwnEntry
from toldonce.records import personal_space

_MOST_SHOWN = 20
_MOST_FOUND = 10
_LONGEST_LINE = 180
NOT_YOURS = "There is no such entry of yours. `show` and `search` list your entries with their ids."
NOTHING = "Nothing is known about you here."
HELP = """\
show – what is known about you
search WORDS – find something among what you said and what is known about you
correct ID TEXT – replace an entry with what is true
forget ID – delete an entry and the messages of yours that it came from
opt-out – do not remember me any more; `opt-out delete` also deletes everything that is stored
opt-in – remember me again
export – everything that is stored about you, as a file"""


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """What to tell the person alone, with a file if there is one."""

    text: str
    file_name: str = ""
    file: bytes = b""


class MemoryCommands:
    """Answers the commands of people. Its methods wait for the store: call them in a thread."""

    def __init__(self, chat: ChatMemory) -> None:
        self._chat = chat
        self._memory = chat.memory
        self._by_word: Mapping[str, Callable[[str, str], CommandAnswer]] = {
            "": lambda user, _: self.show(user),
            "show": lambda user, _: self.show(user),
            "search": self.search,
            "correct": lambda user, rest: self.correct(user, *_split_word(rest)),
            "forget": self.forget,
            "opt-out": lambda user, rest: self.opt_out(user, delete=rest.casefold() == "delete"),
            "opt-in": lambda user, _: self.opt_in(user),
            "export": lambda user, _: self.export(user),
        }

    def run(self, user: str, text: str) -> CommandAnswer:
        """The answer to a command in words, as behind `/memory`."""
        word, rest = _split_word(text)
        command = self._by_word.get(word.casefold())
        return command(user, rest) if command else CommandAnswer(HELP)

    def show(self, user: str) -> CommandAnswer:
        """What is known about the person, newest first."""
        known = OwnEntries(self._chat, user).list_known(_MOST_SHOWN)
        if not known:
            return CommandAnswer(NOTHING)
        more = "\nThere may be more: `export` gives everything." if len(known) == _MOST_SHOWN else ""
        return CommandAnswer(_list_entries(known) + more)

    def search(self, user: str, query: str) -> CommandAnswer:
        """The person's own messages and what is known about them that fits a question."""
        if not query.strip():
            return CommandAnswer("Say what to look for: `search WORDS`.")
        found = OwnEntries(self._chat, user).search(query, _MOST_FOUND)
        return CommandAnswer(_list_entries(found) if found else "Nothing of yours fits that.")

    def suggest(self, user: str, typed: str) -> list[OwnEntry]:
        """Entries of the person for a field that completes what is typed."""
        own = OwnEntries(self._chat, user)
        return own.search(typed, _MOST_SHOWN) if typed.strip() else own.list_known(_MOST_SHOWN)

    def correct(self, user: str, entry_id: str, text: str) -> CommandAnswer:
        """Replace an entry by what the person says is true."""
        own = OwnEntries(self._chat, user)
        if (entry := own.find(_clean_id(entry_id))) is None:
            return CommandAnswer(NOT_YOURS)
        if not text.strip():
            return CommandAnswer("Say what is true instead: `correct ID TEXT`.")
        if entry.is_message:
            return CommandAnswer("That is a message: edit it where you wrote it, and the memory follows.")
        try:
            with acting_as(interface=self._chat.platform, person=user):
                newer = own.correct(entry, text)
        except InputError as problem:
            return CommandAnswer(f"That cannot be stored: {problem}")
        return CommandAnswer(f"Corrected. {_list_entries([newer])}")

    def forget(self, user: str, entry_id: str) -> CommandAnswer:
        """Delete an entry, the person's own messages that it came from, and what else was learnt from those alone."""
        own = OwnEntries(self._chat, user)
        if (entry := own.find(_clean_id(entry_id))) is None:
            return CommandAnswer(NOT_YOURS)
        with acting_as(interface=self._chat.platform, person=user):
            removed = own.forget(entry)
        if not removed:
            return CommandAnswer(
                "The line is gone. Which of your messages it came from is not clear: `search` finds them, and `forget`"
                " deletes each."
            )
        return CommandAnswer(f"Deleted, with {removed} stored {'record' if removed == 1 else 'records'} behind it.")

    def opt_out(self, user: str, *, delete: bool) -> CommandAnswer:
        """Do not remember the person any more; with `delete`, destroy what is stored."""
        with acting_as(interface=self._chat.platform, person=user):
            removed = self._erase(user) if delete else 0
            self._set_consent(user, is_given=False)
        done = f" Everything stored about you was deleted ({removed} records)." if delete else ""
        kept = "" if delete else " What is stored stays until you delete it with `opt-out delete`; nobody is shown it."
        return CommandAnswer(f"You are not remembered any more.{done}{kept} `opt-in` undoes this.")

    def opt_in(self, user: str) -> CommandAnswer:
        """Remember the person again."""
        with acting_as(interface=self._chat.platform, person=user):
            self._set_consent(user, is_given=True)
        return CommandAnswer("You are remembered again, from now on.")

    def export(self, user: str) -> CommandAnswer:
        """Everything of the person as a readable file."""
        parts: list[bytes] = []
        for space in self._chat.list_own_spaces(user):
            part = io.BytesIO()
            with acting_as(interface=self._chat.platform, person=user):
                self._memory.export(part, user=user, space=space, format="markdown")
            parts.append(part.getvalue())
        return CommandAnswer("This is everything that is stored about you.", "memory.md", b"\n".join(parts))

    def _erase(self, user: str) -> int:
        return sum(self._memory.erase(user=user, space=space).removed for space in self._chat.list_own_spaces(user))

    def _set_consent(self, user: str, *, is_given: bool) -> None:
        own = [personal_space(user)] if self._chat.rules.has_direct else []
        means = f"a command on {self._chat.platform}"
        for space in dict.fromkeys([*self._chat.list_own_spaces(user), *own]):
            self._memory.people.set_consent(user, is_given=is_given, means=means, space=space)


def _split_word(text: str) -> tuple[str, str]:
    word, _, rest = text.strip().partition(" ")
    return word, rest.strip()


def _clean_id(text: str) -> str:
    return text.strip().strip("`")


def _list_entries(entries: Sequence[OwnEntry]) -> str:
    return "\n".join(f"• {entry.at:%Y-%m-%d} {_shorten(entry.text)} `{entry.id}`" for entry in entries)


def _shorten(text: str) -> str:
    line = " ".join(text.split()).replace("`", "'")
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"


def split_answer(text: str, most: int) -> list[str]:
    """A text as parts of at most that many characters, cut between lines where that is possible."""
    parts: list[str] = []
    for line in text.splitlines() or [""]:
        if parts and len(parts[-1]) + 1 + len(line) <= most:
            parts[-1] += f"\n{line}"
        else:
            parts += [line[start : start + most] for start in range(0, max(len(line), 1), most)]
    return parts
