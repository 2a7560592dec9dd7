"""Mentions by rule and by known name, and when two names are one thing."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toldonce.lang.vocabulary import normalise_alias
from toldonce.models.tagger import Gazetteer, Mention, RegexTagger, Tagger, lookup_marks, merge_mentions, same_entity


def tagged(text: str) -> list[tuple[str, str]]:
    return [(mention.text, mention.type) for mention in RegexTagger().tag(text)]


MENTIONS = st.builds(
    lambda start, length, confidence: Mention("x" * length, "other", start, start + length, confidence),
    st.integers(0, 60),
    st.integers(1, 12),
    st.sampled_from([0.4, 0.6, 0.9]),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ask @maria.s about it", [("@maria.s", "mention")]),
        ("ping <@123456> now", [("<@123456>", "mention")]),
        ("we love #open_source here", [("#open_source", "hashtag")]),
        ("write to ana.costa@example.org.", [("ana.costa@example.org", "email")]),
        ("see https://example.org/a?b=1, then", [("https://example.org/a?b=1", "url")]),
        ("see www.example.org.", [("www.example.org", "url")]),
        ("run `make test` first, then `make lint`", [("make test", "code"), ("make lint", "code")]),
        ("call get_user() and parseHeader twice", [("get_user()", "code"), ("parseHeader", "code")]),
        ("edit src/app/main.py please", [("src/app/main.py", "path")]),
        ("look in /etc/hosts or ~/notes/today", [("/etc/hosts", "path"), ("~/notes/today", "path")]),
        ("the bug is in window.py", [("window.py", "path")]),
        ("due 2024-03-05 at noon", [("2024-03-05", "date")]),
        ("due 3 March 2024 at noon", [("3 March 2024", "date")]),
        ("due March 3rd, 2024 at noon", [("March 3rd, 2024", "date")]),
        ("foi em 25 de abril de 1974 que", [("25 de abril de 1974", "date")]),
        ("in March 2024 it rained", [("March 2024", "date")]),
        ("they met in 1999 there", [("1999", "date")]),
    ],
)
def test_marked_spans_are_found_by_their_shape(text: str, expected: list[tuple[str, str]]) -> None:
    assert tagged(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we saw Dr. Almeida there", [("Almeida", "person")]),
        ("falei com a Sra. Dona Teresa ontem", [("Teresa", "person")]),
        ("I met my sister Zulmira there", [("Zulmira", "person")]),
        ("o meu vizinho Zacarias voltou", [("Zacarias", "person")]),
        ("then Maria Silva left", [("Maria Silva", "person")]),
        ("she joined Acme Inc. in spring", [("Acme Inc", "organization")]),
        ("studied at the University of Porto there", [("University of Porto", "organization")]),
        ("estuda na Universidade de Coimbra agora", [("Universidade de Coimbra", "organization")]),
        ("we live in Zwolle now", [("Zwolle", "location")]),
        ("moro em Aveiro há anos", [("Aveiro", "location")]),
        ("on Rua das Flores there", [("Rua das Flores", "location")]),
        ("the flight to São Paulo was late", [("São Paulo", "location")]),
        ("work on the Apollo project again", [("Apollo", "project")]),
        ("o projeto Aurora acabou", [("Aurora", "project")]),
        ("I like Kubernetes a lot", [("Kubernetes", "other")]),
        ("ask O'Brien and J. R. R. Tolkien", [("O'Brien", "other"), ("J. R. R. Tolkien", "other")]),
    ],
)
def test_names_get_the_type_their_words_and_neighbours_tell(text: str, expected: list[tuple[str, str]]) -> None:
    assert tagged(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Yesterday we had dinner. However, nobody came.",
        "Ontem jantámos em casa. Depois ninguém veio.",
        "I think I'm late. Don't wait.",
        "Meeting was long. Running is fun.",
        "Trabalhar foi bom. Felizmente é sexta.",
        "We meet on Monday in March.",
        "Encontro na Segunda-feira, em Março.",
        "THIS IS SO GOOD AND I LOVE IT",
        "either and/or, 24/7, he/she",
        "about 2000 people came, and in 2000 houses the light went out",
        "",
        "   \n ",
        "she cooks on Sundays and rests on Fridays",
        "a gente se vê aos Domingos",
        "juego los Sábados",
    ],
)
def test_common_words_and_numbers_are_no_names(text: str) -> None:
    assert tagged(text) == []


def test_a_sentence_initial_capital_counts_only_when_a_name_follows_through() -> None:
    assert tagged("Zulmira said hello.") == [("Zulmira", "other")]
    assert tagged("Bread tastes better here.") == []


def test_common_words_are_trimmed_from_a_run_of_capitals() -> None:
    assert tagged("Did Maria Silva call?") == [("Maria Silva", "person")]
    assert tagged("The United Nations met.") == [("United Nations", "other")]


def test_a_possessive_is_no_part_of_the_name() -> None:
    assert tagged("at Dr. Smith's house") == [("Smith", "person")]


def test_names_inside_an_address_are_not_taken_twice() -> None:
    assert tagged("see https://example.org/Maria/Silva") == [("https://example.org/Maria/Silva", "url")]


@given(st.text(max_size=200))
def test_every_mention_quotes_the_text_and_none_overlaps(text: str) -> None:
    mentions = RegexTagger().tag(text)
    assert all(text[m.start : m.end] == m.text and m.text for m in mentions)
    assert all(one.end <= other.start for one, other in itertools.pairwise(mentions))


def test_the_regex_tagger_is_a_fast_tagger() -> None:
    tagger: Tagger = RegexTagger()
    assert (tagger.name, tagger.accurate) == ("regex", False)


def test_of_overlapping_mentions_the_surest_wins() -> None:
    sure, long = Mention("Ana", "person", 0, 3, 0.9), Mention("Ana Costa", "other", 0, 9, 0.5)
    assert merge_mentions([long, sure]) == [sure]


def test_of_equally_sure_mentions_the_longest_wins() -> None:
    short, long = Mention("Costa", "person", 4, 9, 0.5), Mention("Ana Costa", "other", 0, 9, 0.5)
    assert merge_mentions([short, long]) == [long]


def test_touching_mentions_both_stay() -> None:
    one, other = Mention("ab", "other", 0, 2, 0.5), Mention("cd", "other", 2, 4, 0.9)
    assert merge_mentions([other, one]) == [one, other]


@given(st.lists(MENTIONS, max_size=25))
def test_merged_mentions_never_overlap_and_every_loser_met_a_winner(mentions: list[Mention]) -> None:
    kept = merge_mentions(mentions)
    assert all(one.end <= other.start for one, other in itertools.pairwise(kept))
    for lost in set(mentions) - set(kept):
        rivals = [k for k in kept if k.start < lost.end and lost.start < k.end]
        assert any((k.confidence, k.end - k.start) >= (lost.confidence, lost.end - lost.start) for k in rivals)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Maria Silva", "maria silva"),
        ("  MARIA   Silva ", "maria silva"),
        ("João's", "joao"),
        ("João’s", "joao"),
        ("The Beatles", "beatles"),
        ("O Globo", "globo"),
        ("an Apple", "apple"),
        ("An Nguyen", "an nguyen"),
        ("Acme Inc.", "acme inc"),
        ("“Conceição”", "conceicao"),
        ("C++", "c++"),
        ("The", "the"),
        ("", ""),
    ],
)
def test_a_name_is_looked_up_without_case_accents_articles_and_possessive(name: str, expected: str) -> None:
    assert normalise_alias(name) == expected


@given(st.text(max_size=40))
def test_normalising_twice_changes_nothing(name: str) -> None:
    assert normalise_alias(normalise_alias(name)) == normalise_alias(name)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Maria Silva", "maria silva"),
        ("João Conceição", "Joao Conceicao"),
        ("the Beatles", "Beatles"),
        ("Silva, Maria", "Maria Silva"),
        ("J. Silva", "João Silva"),
        ("J. R. Silva", "João Ricardo Silva"),
        ("IBM", "International Business Machines"),
        ("U.S.A.", "United States of America"),
        ("SNS", "Serviço Nacional de Saúde"),
    ],
)
def test_the_same_name_in_another_form_is_the_same_entity(a: str, b: str) -> None:
    assert same_entity(a, b)
    assert same_entity(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Maria", "Maria Silva"),
        ("Silva", "Maria Silva"),
        ("Maria Silva", "Maria Costa Silva"),
        ("Maria Silva", "Marta Silva"),
        ("J. Silva", "João Carlos Silva"),
        ("J. Silva", "Maria Silva"),
        ("J. Silva", "J. Costa"),
        ("X Corp", "Xerox Corp"),
        ("Plan B", "Plan Berlin"),
        ("M. S.", "Maria Silva"),
        ("ms", "Maria Silva"),
        ("MS", "Maria Silva"),
        ("New York", "York"),
        ("Porto", "Porto Alegre"),
    ],
)
def test_a_partial_or_different_name_is_never_the_same_entity(a: str, b: str) -> None:
    assert not same_entity(a, b)
    assert not same_entity(b, a)


def test_known_names_are_found_in_any_case_and_without_accents() -> None:
    known = Gazetteer({"João Conceição": "person", "Lisboa": "location"})
    found = known.tag("o joao conceicao e o JOÃO CONCEIÇÃO vivem em lisboa")
    assert [(m.text, m.type) for m in found] == [
        ("joao conceicao", "person"),
        ("JOÃO CONCEIÇÃO", "person"),
        ("lisboa", "location"),
    ]


def test_the_longest_known_name_wins() -> None:
    known = Gazetteer({"Maria": "person", "Maria Silva": "friend", "Silva": "surname"})
    assert [m.type for m in known.tag("maria silva met Maria and silva")] == ["friend", "person", "surname"]


def test_a_known_name_is_found_with_its_possessive_and_hyphen() -> None:
    known = Gazetteer({"Anne Marie": "person"})
    assert [m.text for m in known.tag("anne-marie's car")] == ["anne-marie"]


def test_a_known_name_does_not_reach_over_a_sentence_or_comma() -> None:
    known = Gazetteer({"Maria Silva": "person"})
    assert known.tag("I saw Maria, Silva and Ana") == []
    assert known.tag("I saw Maria!\nSilva left") == []


def test_a_known_name_is_not_found_inside_a_longer_word() -> None:
    assert Gazetteer({"Ana": "person"}).tag("banana analysis Anabela") == []


def test_a_name_that_is_a_common_word_needs_its_capital() -> None:
    known = Gazetteer({"Will": "person", "Al": "person"})
    assert [m.start for m in known.tag("will Will come, al or Al?")] == [5, 22]


def test_names_with_signs_are_found_whole() -> None:
    known = Gazetteer({"C++": "language", "Node.js": "runtime"})
    assert [(m.text, m.type) for m in known.tag("c++ and node.js but not C")] == [
        ("c++", "language"),
        ("node.js", "runtime"),
    ]


def test_names_in_scripts_without_spaces_are_found() -> None:
    assert [m.text for m in Gazetteer({"里斯本": "location"}).tag("我住在里斯本的北边")] == ["里斯本"]


def test_names_can_be_added_later_and_replace_their_type() -> None:
    known = Gazetteer()
    assert known.tag("Zulmira") == []
    known.add("Zulmira", "other")
    known.add("zulmira", "person")
    assert [m.type for m in known.tag("Zulmira")] == ["person"]
    assert len(known) == 1


def test_a_name_without_letters_is_left_out() -> None:
    assert len(Gazetteer({"...": "other", "": "other"})) == 0


@given(st.text(max_size=200))
def test_known_names_quote_the_text_and_never_overlap(text: str) -> None:
    known = Gazetteer({"a": "x", "a b": "y", "ß": "z", "b": "w"})
    mentions = known.tag(text)
    assert all(text[m.start : m.end] == m.text for m in mentions)
    assert all(one.end <= other.start for one, other in itertools.pairwise(mentions))


def test_tagging_a_message_stays_on_the_hot_path() -> None:
    text = (
        "I moved to Lisbon last week and stay with Ana Costa for now, the flat is near the river and quite cheap; "
        "write me at alex@example.org before 3 March, or just call when the boxes have arrived please."
    )
    known = Gazetteer({f"Person{n} Family{n}": "person" for n in range(5000)})
    assert min(_seconds(text, RegexTagger()) for _ in range(30)) < 0.2e-3
    assert min(_seconds(text, known) for _ in range(30)) < 0.1e-3


@pytest.mark.parametrize("text", ["a" + "_" * 40_000, "a/" * 20_000, "a." * 20_000 + "@", "A'" * 20_000, "1 " * 20_000])
def test_no_text_makes_tagging_slow(text: str) -> None:
    assert _seconds(text, RegexTagger()) < 2


def _seconds(text: str, tagger: Tagger) -> float:
    started = time.thread_time()
    tagger.tag(text)
    return time.thread_time() - started


@pytest.mark.parametrize(
    "one, other",
    [
        ("IBM", "International Business Machines"),
        ("ibm", "IBM"),
        ("Rui Silva", "Silva, Rui"),
        ("R. Silva", "Rui Silva"),
        ("the Blue Heron", "Blue Heron"),
        ("São Paulo", "sao paulo"),
        ("BBC", "British Broadcasting Corporation"),
        ("O.N.U.", "Organização das Nações Unidas"),
    ],
)
def test_names_that_are_one_share_a_mark(one: str, other: str) -> None:
    assert same_entity(one, other)
    assert lookup_marks(one) & lookup_marks(other)
