"""The words and phrases that name times in Portuguese, written without case and accents."""

from __future__ import annotations

from toldonce.lang.calendar import Calendar, OtherUses, Phrases, SentenceSigns, TimeWords, number_lines
from toldonce.lang.pt.words import ONE_TIME, SETTING_OUT

_WORDS = TimeWords(
    months=number_lines(
        "janeiro\nfevereiro\nmarco\nabril\nmaio\njunho\njulho\nagosto\nsetembro\noutubro\nnovembro\ndezembro", start=1
    ),
    short_months={
        "jan": 1,
        "fev": 2,
        "mar": 3,
        "abr": 4,
        "mai": 5,
        "jun": 6,
        "jul": 7,
        "ago": 8,
        "set": 9,
        "out": 10,
        "nov": 11,
        "dez": 12,
    },
    weekdays=number_lines("segunda\nterca\nquarta\nquinta\nsexta\nsabado\ndomingo"),
    units={
        "hora": "hour",
        "horas": "hour",
        "dia": "day",
        "dias": "day",
        "semana": "week",
        "semanas": "week",
        "fim de semana": "weekend",
        "fins de semana": "weekend",
        "final de semana": "weekend",
        "mes": "month",
        "meses": "month",
        "trimestre": "quarter",
        "trimestres": "quarter",
        "ano": "year",
        "anos": "year",
    },
    plural_units=frozenset(("horas", "dias", "semanas", "fins de semana", "meses", "trimestres", "anos")),
    numbers={
        **number_lines(
            """
            zero
            um uma
            dois duas
            tres
            quatro alguns algumas poucos poucas
            cinco
            seis varios varias
            sete
            oito
            nove
            dez
            onze
            doze
            """
        ),
        "quinze": 15,
        "vinte": 20,
        "trinta": 30,
    },
    vague_numbers=frozenset("alguns algumas poucos poucas varios varias".split()),
    day_offsets={
        "hoje": 0,
        "ontem": -1,
        "anteontem": -2,
        "amanha": 1,
        "antes de ontem": -2,
        "depois de amanha": 2,
    },
    day_parts={"manha": (5, 12), "tarde": (12, 18), "noite": (18, 30), "madrugada": (0, 6)},
    seasons=number_lines("primavera\nverao\noutono\ninverno"),
    ordinals=number_lines("primeiro 1º 1o\nsegundo 2º 2o\nterceiro 3º 3o\nquarto 4º 4o", start=1),
    places={
        "primeiro": 1,
        "segundo": 2,
        "terceiro": 3,
        "quarto": 4,
        "primeira": 1,
        "segunda": 2,
        "terceira": 3,
        "quarta": 4,
        "ultimo": -1,
        "ultima": -1,
    },
    feasts={
        "natal": (0, 12, 24, 3),
        "vespera de natal": (0, 12, 24, 1),
        "dia de natal": (0, 12, 25, 1),
        "reveillon": (0, 12, 31, 1),
        "vespera de ano novo": (0, 12, 31, 1),
        "ano novo": (1, 12, 31, 2),
    },
    sections={
        "inicio": "start",
        "comeco": "start",
        "principio": "start",
        "comecos": "start",
        "meados": "middle",
        "meio": "middle",
        "fim": "end",
        "final": "end",
        "fins": "end",
        "finais": "end",
    },
    year_parts={"trimestre": 3, "semestre": 6},
    month_pieces={"fim de semana": 2, "semana": 7},
)

_OTHER_USES = OtherUses(
    doubtful_months=frozenset(("marco", "abril")),
    name_months=frozenset(("marco",)),
    spelled_months={"marco": "março"},
    doubtful_short_months=frozenset("mar set out ago mai dez".split()),
    # Portuguese weekdays are also ordinals: "na segunda vez", "a quinta do avô".
    ordinal_weekdays=frozenset("segunda terca quarta quinta sexta".split()),
    frequent_ordinals=frozenset("segunda quarta quinta".split()),
    name_weekdays=frozenset(("sabado", "domingo")),
    # These ordinals are days only where a sentence ends or goes on without their noun.
    after_ordinal_day=(
        r"e|ou|ate|as|a (?:noite|tarde|terca|quarta|quinta|sexta|sabado|domingo)"
        r"|de (?:manha|tarde|noite|madrugada)|eu|ele|ela|nos|nao|eles|elas|voces?|que vem|passada|quando|porque|com"
        r"|fui|foi|fomos|foram|vou|vai|vamos|tive|tivemos|estive|fiz"
        r"|fizemos|disse|[a-z]{3,}ei|falamos|comi|vi|dia"
    ),
    ordinal_use=(
        r"vez|vezes|parte|fase|guerra|divisao|edicao|temporada|posicao|fila|rodada|serie|classe|pagina|linha|etapa"
        r"|opcao|pessoa|tentativa|aula|versao|reuniao|semana|maior|melhor|pior|mais"
        r"|d[aeo]s? (?!manha|tarde|noite|madrugada)"
    ),
    last_parts=frozenset(("noite",)),
    # "Esta noite" is also the night that has just ended.
    unsure_parts=frozenset(("noite",)),
    one_day_feasts="vespera|dia",
    not_after_day=" em dia",
    recurrent="toda|todas as|todo|todos os|cada|aos|as|nas|nos",
    weekday_prefix=(
        r"(?:na|no|nesta|neste|esta|este|da|do|desde|ate|antes d[ea]|depois d[ea]|ultim[ao]|proxim[ao]|para|entre|[aoe]"
        r"|de)(?: a| o)?"
    ),
    weekend_prefix="no|n?este|n?esse|do|durante o|desde o|ate o",
    not_after_weekend="d[eo]",
    sure_month_prefix=(
        "em|durante|desde|ate|apos|antes de|depois de|a partir de|mes de|inicio de|fim de|final de|meados de|comeco de"
    ),
    month_prefix="entre|de",
    no_month_before="rio de",
    season_prefix=(
        "no|na|neste|nesta|durante [oa]|desde [oa]|ate [oa]|antes d[oa]|depois d[oa]|(?:fim|final|inicio|meados) d[oa]"
    ),
    not_after_season="ou|e",
    feast_prefix="no|o|do|ao|pelo",
    quarter_prefix="no|em|desde|ate",
    year_prefix=(
        "em|desde|ate|antes de|depois de|apos|durante|ano|ano de|entre|inicio de|fim de|final de|meados de|comeco de"
        "|a partir de"
    ),
    day_prefix="(?:no|o|ao|do|desde|ate|em|para o)(?: o| ao)?",
    short_date_prefix="dia",
    counted=r"reais|real|mil|calor\w+|pessoas?",
    no_plurals=("mo", "depoi", "ante"),
)

_PHRASES = Phrases(
    behind=r"ultim|passad|retrasad|atras|\bha\b|faz",
    ahead="proxim|vem|daqui|dentro",
    nearest="proxim|que vem",
    rolling="ultim",
    from_now=frozenset("este esta neste nesta deste desta proximo proxima".split()),
    relative="ultim[ao]s?|proxim[ao]s?|[dn]?est[ae]|n?ess[ae]",
    relative_name="ultim[ao]|proxim[ao]|[dn]?est[ae]",
    relative_starts=frozenset(
        "ultimo ultima ultimos ultimas proximo proxima proximos proximas este esta esse essa neste nesta nesse nessa"
        " deste desta".split()
    ),
    unit_sides="passad[ao]|retrasad[ao]|que vem",
    two_units="retrasad",
    half=" e mei[ao]",
    half_year="meio ano",
    after_distance="atras",
    before_distance="ha|faz|fazem|daqui a|dentro de",
    distance_starts=frozenset("ha faz fazem daqui dentro".split()),
    distance_about="cerca de |mais ou menos |quase |ja ",
    not_after_distance=" que| e mei",
    some="uns|umas",
    lasting=frozenset(("ha", "faz", "fazem")),
    # "Dentro de duas semanas" is a deadline to some and a day to others.
    loose_deadlines=frozenset(("dentro de",)),
    time_ahead="em",
    ahead_about="cerca de ",
    not_after_ahead="atras|d[aeo]s?",
    weekday_suffix="[- ]feira",
    weekday_side=("passad[ao]|retrasad[ao]|que vem|da semana (?:passada|que vem)|d?esta semana|da proxima semana"),
    week_in_side="semana",
    year_words="(?:d?o |no )?(?:proximo ano|ano (?:passado|que vem))|[dn]?este ano",
    of_year="de |do ano de ",
    of_this_year=" do ano",
    not_after_year_part="d[aeo]",
    of_month="de",
    piece_of="d[eo]|em",
    day_marks="[º°o]",
    first_day=frozenset(("primeiro",)),
    day_to="a|e|ate",
    day_word="dia",
    season_sides="passad[ao]|que vem",
    feast_relative="ultimo|proximo|n?este",
    feast_sides="passado|que vem",
    section_of_unit="d[oa] |d?est[ae] |dess[ae] ",
    section_of="d[eoa] ",
    not_after_section="passad|retrasad|que vem|anterior|seguinte",
    decade_before="anos|decada de",
    decade_starts=frozenset(("anos", "decada")),
    part_links="de |da |a |pela |na ",
    week_of="d[eo]",
    week_of_day="dia ",
    date_after_weekday="dia |o dia ",
    since="desde|a partir d[eoa]",
    after="depois d[eoa]|apos",
    before="antes d[eoa]",
    until="ate",
    between="entre|d[eo]",
    between_both=frozenset(("entre",)),
    frame_articles="o|a|em|no|na|ao|dia|d[eoa]",
    both=frozenset(("e",)),
    to="ate|a|ao",
    weak_to=frozenset(("a", "ao")),
    weak_year_to=frozenset(("a",)),
    link_articles="o|a|ao|em|no|na|dia",
    range_or="a|e|ou",
    weekday_from="de ",
    back=".*atras",
)

_FUTURE = (
    r"\b(?:vou|vai|vamos|vao|irei|iremos|sera|serao|proxim[ao]s?|amanha|que vem|marcad[ao]s?|agendad[ao]s?|lembr[ae])\b"
    rf"|\b(?:estou|esta|estamos|estao) (?:me |se |nos )?(?:{SETTING_OUT})\b"
    rf"|\b(?:tenho|temos|tem)(?: uma?| meu| minha)?(?: [a-z]+)? {ONE_TIME}\b|\b(?:meu|minha) {ONE_TIME} e\b"
)
_SENTENCE = SentenceSigns(
    deadline="para (?:[ao] )?",
    future=_FUTURE,
    not_alone="ou|tod[oa]s?(?: [oa])?|pelo menos|exatamente",
    possessed=r" (?:letivo|lectivo|escolar|fiscal)\b",
    step="[dn]?est[ae]|proxim[ao]|ultim[ao]",
    owned="(?:meu|minha|teu|tua|seu|sua|noss[oa]) ",
    part_of="d[aeo]",
    beyond="mais de|menos de",
    loosely_inside="cerca de|mais ou menos|quase",
    since="desde(?: [oa])?",
    after_since="com|em|n[ao]|como|e|mas|porque",
    then="(?:em|durante)[ -]|n[ao] (?:dia )?|(?:inicio|comeco|meados|fim|final) de ",
    after_then="com|em|para|pra|n[ao]s?|as|a|ao|e|mas|porque|por|depois|antes",
    before_number="(?:no |o )?(?:dia )?",
    # The verb that tells what is over and done; the present tense tells what has gone on since.
    done=(
        r"\b(?!estou|museu|pneu|chapeu|trofeu|europeu|judeu|liceu|romeu|ateu|plebeu)[a-z]{2,}(?:ou|eu|iu)"
        r"|\b(?:deu|leu|viu|riu|foi|foram|fez|fizeram|teve|tiveram|esteve|veio|vieram|disse|quis|soube|trouxe|houve)"
    ),
    negated=r"\b(?:nao|nunca|nem)\b",
    participle=r"[ai]d[ao]s? \Z",
    was_done=r"\bfo(?:i|ram) (?:\w+ )?\w+ \Z",
    clause_end=r"\b(?:e|mas|que|porque|pois|quando|onde|enquanto)\b",
)

CALENDAR = Calendar(
    words=_WORDS,
    phrases=_PHRASES,
    other_uses=_OTHER_USES,
    sentence=_SENTENCE,
    signs=frozenset(
        """
        hoje ontem anteontem amanha atras ha faz fazem daqui dentro ultimo ultima ultimos ultimas proximo proxima
        proximos proximas este esta esse essa neste nesta nesse nessa deste desta passado passada retrasado retrasada
        vem fim final inicio comeco meados trimestre semestre decada anos hora horas natal reveillon dia dias semana
        semanas mes meses ano
        """.split()
    ),
    little=frozenset(
        """
        que em foi ha de da dos das um uma com para por voce eu meu minha quando onde quem ate desde entre na nas ao o
        os e nao dia ele ela isso fiz fizemos sobre falei
        """.split()
    ),
    letters="[áàâãéêíóôõúç]",
    is_day_first=True,
)
