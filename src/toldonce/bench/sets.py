"""The public data sets that can be run, as a table: the files each needs and the loader that makes collections of them.

The data is the user's and lies in a folder of theirs; nothing of it comes with this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from toldonce.bench import longmemeval
from toldonce.bench.beam import read_beam
from toldonce.bench.choice import EVERY_QUESTION, QuestionChoice, choose_questions
from toldonce.bench.files import WantedFile, find_wanted_file, list_files, read_rows
from toldonce.bench.locomo import read_locomo, read_locomo_plus
from toldonce.bench.values import BenchQuestion, BenchTurn, Collection, Granularity, Passage
from toldonce.errors import InputError

Rows = list[Any]
Load = Callable[[Sequence[Rows], Granularity], list[Collection]]

LOCOMO = WantedFile(r"locomo(?!.?plus)[\w.-]*\.json", "locomo10.json")
ORACLE = WantedFile(r"(longmemeval_)?oracle[\w.-]*\.json", "longmemeval_oracle.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSource:
    """One set: its name and family, the files it needs, those it uses if they are there, and what may be looked for."""

    name: str
    family: str
    wants: tuple[WantedFile, ...]
    load: Load
    may_use: tuple[WantedFile, ...] = ()
    granularities: tuple[Granularity, ...] = ("turn",)
    by_name_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedSet:
    """A set that is ready to run."""

    name: str
    granularity: Granularity
    files: tuple[str, ...]
    collections: tuple[Collection, ...]
    categories: tuple[str, ...] = ()

    @property
    def questions(self) -> int:
        """How many questions it asks."""
        return sum(len(c.questions) for c in self.collections)


def _read_faquad(rows: Iterable[Mapping[str, Any]]) -> list[Collection]:
    """FaQuAD: Portuguese questions about the paragraphs of university pages."""
    passages, questions = [], []
    for name, text, asked in (one for row in rows for one in _paragraphs_of(row)):
        passages.append(Passage(id=name, session=name, turns=(BenchTurn(text),)))
        for one in asked:
            gold = frozenset({name})
            answers = (told["text"] if isinstance(told, Mapping) else told for told in one.get("answers", ()))
            questions.append(
                BenchQuestion(
                    id=f"{name}/{one['id']}",
                    text=one["question"],
                    gold=gold,
                    category="pt",
                    answer=str(next(answers, "")),
                )
            )
    return [Collection(id="faquad", passages=tuple(passages), questions=tuple(questions))]


def _paragraphs_of(row: Mapping[str, Any]) -> Iterable[tuple[str, str, list[Mapping[str, Any]]]]:
    if "doc" in row:
        return [(row["doc"], row["text"], row["questions"])]
    return [
        (f"{a}/{b}", paragraph["context"], paragraph["qas"])
        for a, article in enumerate(row["data"])
        for b, paragraph in enumerate(article["paragraphs"])
    ]


def _beam_of(size: str) -> BenchSource:
    wanted = WantedFile(rf"beam_{size}[\w.-]*\.jsonl", f"beam_{size.upper()}.jsonl")
    return BenchSource(name=f"beam-{size}", family="beam", wants=(wanted,), load=lambda rows, _: read_beam(rows[0]))


_BOTH: tuple[Granularity, ...] = ("session", "turn")
SOURCES: tuple[BenchSource, ...] = (
    BenchSource(
        name="locomo", family="locomo", wants=(LOCOMO,), granularities=("turn", "session"),
        load=lambda rows, granularity: read_locomo(rows[0], granularity),
    ),
    BenchSource(
        name="longmemeval-o48", family="longmemeval", wants=(ORACLE,), granularities=_BOTH,
        load=lambda rows, granularity: longmemeval.read_among_others(rows[0], granularity),
    ),
    BenchSource(
        name="longmemeval-pool", family="longmemeval", wants=(ORACLE,), granularities=_BOTH, by_name_only=True,
        load=lambda rows, granularity: longmemeval.read_pooled(rows[0], granularity),
    ),
    BenchSource(
        name="longmemeval-s", family="longmemeval", granularities=_BOTH,
        wants=(WantedFile(r"longmemeval_s(_cleaned)?\.json", "longmemeval_s.json"),),
        load=lambda rows, granularity: longmemeval.read_published(rows[0], granularity),
    ),
    BenchSource(
        name="longmemeval-scut", family="longmemeval", granularities=("session",),
        wants=(
            WantedFile(r"s_cut[\w.-]*questions\.jsonl", "s_cut_questions.jsonl"),
            WantedFile(r"s_cut[\w.-]*sessions\.jsonl", "s_cut_sessions.jsonl"),
        ),
        load=lambda rows, _: longmemeval.read_cut_haystacks(rows[0], rows[1]),
    ),
    _beam_of("100k"),
    _beam_of("500k"),
    BenchSource(
        name="faquad", family="faquad", load=lambda rows, _: _read_faquad(rows[0]),
        wants=(WantedFile(r"faquad[\w.-]*\.jsonl?|faquad/(train|dev)\.json", "faquad.jsonl"),),
    ),
    BenchSource(
        name="locomo-plus", family="locomo-plus", may_use=(LOCOMO,),
        wants=(WantedFile(r"locomo.?plus[\w.-]*\.jsonl?", "locomo_plus.json"),),
        load=lambda rows, _: read_locomo_plus(rows[0], rows[1] if len(rows) > 1 else ()),
    ),
)  # fmt: skip
NAMES = tuple(dict.fromkeys(name for source in SOURCES for name in (source.family, source.name)))


def load_sets(
    folder: Path,
    names: Sequence[str] = (),
    *,
    granularity: Granularity | Literal["both"] | None = None,
    choice: QuestionChoice = EVERY_QUESTION,
) -> list[LoadedSet]:
    """The named sets from a folder, or all that are in it, with the chosen questions of each."""
    files = list_files(folder)
    found = [
        _load_source(source, paths, granularity=one, choice=choice)
        for source in _choose_sources(names)
        if (paths := _find_source_paths(source, files)) is not None
        for one in (source.granularities if granularity == "both" else (granularity,))
    ]
    _check_all_there(folder, names, found)
    return _leave_out_unasked(found, choice, is_named=bool(names))


def _choose_sources(names: Sequence[str]) -> list[BenchSource]:
    for name in names:
        if name not in NAMES:
            raise InputError(f"there is no set {name!r}; choose some of {', '.join(NAMES)}")
    return [
        source
        for source in SOURCES
        if source.name in names or (not source.by_name_only and (not names or source.family in names))
    ]


def _find_source_paths(source: BenchSource, files: list[Path]) -> list[Path] | None:
    needed = [find_wanted_file(files, wanted) for wanted in source.wants]
    if None in needed:
        return None
    return [path for path in (*needed, *(find_wanted_file(files, w) for w in source.may_use)) if path is not None]


def _load_source(
    source: BenchSource, paths: list[Path], *, granularity: Granularity | None, choice: QuestionChoice
) -> LoadedSet:
    chosen = granularity if granularity in source.granularities else source.granularities[0]
    rows = [read_rows(path) for path in paths]
    try:
        made = source.load(rows, chosen)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as problem:
        what = f"it has no {problem}" if isinstance(problem, KeyError) else f"{type(problem).__name__} while reading it"
        raise InputError(f"{paths[0]} is not in the form of {source.name}: {what}") from problem
    return LoadedSet(
        name=source.name,
        granularity=chosen,
        files=tuple(path.name for path in paths),
        collections=choose_questions(made, choice),
        categories=tuple(sorted({question.category for collection in made for question in collection.questions})),
    )


def _leave_out_unasked(found: Sequence[LoadedSet], choice: QuestionChoice, *, is_named: bool) -> list[LoadedSet]:
    """The sets with a question to ask. One without is refused, unless sets were not named and questions were chosen."""
    asked = [one for one in found if one.questions]
    lacking = next((one for one in found if not one.questions), None)
    if lacking and (is_named or not asked or not (choice.is_answered or choice.categories)):
        what = "has an expected answer" if choice.is_answered else "can be scored"
        problem = f"{lacking.files[0]} has no question of {lacking.name} that {what}"
        if choice.categories:
            problem += f" in the categories {', '.join(choice.categories)}; it has {', '.join(lacking.categories)}"
        raise InputError(problem)
    return asked


def _check_all_there(folder: Path, names: Sequence[str], found: Sequence[LoadedSet]) -> None:
    """Every name that was asked for, or else anything at all, must have been found."""
    have = {one.name for one in found} | {s.family for s in SOURCES for one in found if s.name == one.name}
    missing = [name for name in names if name not in have]
    if missing or not found:
        sources = [s for s in SOURCES if not missing or s.name in missing or s.family in missing]
        shown = dict.fromkeys(" and ".join(wanted.shown for wanted in s.wants) for s in sources)
        what = f"has no files of {', '.join(missing)}" if missing else "is or holds no data set"
        raise InputError(
            f"{folder} {what}: looked for {', '.join(shown)}, in it and in every folder below it, also packed as .gz "
            "or .xz"
        )
