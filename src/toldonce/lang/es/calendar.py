"""The words and phrases that name times in Spanish, written without case and accents."""

from __future__ import annotations

from toldonce.lang.calendar import Calendar, OtherUses, Phrases, SentenceSigns, TimeWords, number_lines
from toldonce.lang.es.words import ONE_TIME, SETTING_OUT

_WORDS = TimeWords(
    months=number_lines(
        "enero\nfebrero\nmarzo\nabril\nmayo\njunio\njulio\nagosto\nseptiembre setiembre\noctubre\nnoviembre\ndiciembre",
        start=1,
    ),
    short_months={
        "ene": 1,
        "feb": 2,
        "mar": 3,
        "abr": 4,
        "may": 5,
        "jun": 6,
        "jul": 7,
        "ago": 8,
        "sep": 9,
        "sept": 9,
        "oct": 10,
        "nov": 11,
        "dic": 12,
    },
    weekdays=number_lines("lunes\nmartes\nmiercoles\njueves\nviernes\nsabado\ndomingo"),
    units={
        "hora": "hour",
        "horas": "hour",
        "dia": "day",
        "dias": "day",
        "semana": "week",
        "semanas": "week",
        "fin de semana": "weekend",
        "fines de semana": "weekend",
        "finde": "weekend",
        "findes": "weekend",
        "mes": "month",
        "meses": "month",
        "trimestre": "quarter",
        "trimestres": "quarter",
        "ano": "year",
        "anos": "year",
    },
    plural_units=frozenset(("horas", "dias", "semanas", "fines de semana", "findes", "meses", "trimestres", "anos")),
    numbers={
        **number_lines(
            """
            cero
            un una uno
            dos par
            tres
            cuatro algunos algunas pocos pocas
            cinco
            seis varios varias
            siete
            ocho
            nueve
            diez
            once
            doce
            """
        ),
        "quince": 15,
        "veinte": 20,
        "treinta": 30,
    },
    vague_numbers=frozenset("par algunos algunas pocos pocas varios varias".split()),
    day_offsets={
        "hoy": 0,
        "ayer": -1,
        "anteayer": -2,
        "antier": -2,
        "antes de ayer": -2,
        "manana": 1,
        "pasado manana": 2,
        "trasantier": -3,
    },
    nights={"anoche": -1, "antenoche": -2, "anteanoche": -2},
    day_parts={"manana": (5, 12), "mediodia": (12, 15), "tarde": (12, 20), "noche": (18, 30), "madrugada": (0, 6)},
    seasons=number_lines("primavera\nverano\notono\ninvierno"),
    ordinals=number_lines(
        "primer primero 1er 1º 1o\nsegundo 2do 2º 2o\ntercer tercero 3er 3º 3o\ncuarto 4to 4º 4o", start=1
    ),
    places={
        "primer": 1,
        "primero": 1,
        "primera": 1,
        "segundo": 2,
        "segunda": 2,
        "tercer": 3,
        "tercero": 3,
        "tercera": 3,
        "cuarto": 4,
        "cuarta": 4,
        "ultimo": -1,
        "ultima": -1,
    },
    feasts={
        "navidad": (0, 12, 24, 3),
        "navidades": (0, 12, 24, 3),
        "nochebuena": (0, 12, 24, 1),
        "dia de navidad": (0, 12, 25, 1),
        "nochevieja": (0, 12, 31, 1),
        "fin de ano": (0, 12, 31, 1),
        "ano nuevo": (1, 12, 31, 2),
        "dia de reyes": (0, 1, 6, 1),
        "reyes magos": (0, 1, 6, 1),
        "dia de muertos": (0, 11, 1, 2),
        "san valentin": (0, 2, 14, 1),
        "halloween": (0, 10, 31, 1),
    },
    sections={
        "inicio": "start",
        "inicios": "start",
        "comienzo": "start",
        "comienzos": "start",
        "principio": "start",
        "principios": "start",
        "mediados": "middle",
        "mitad": "middle",
        "fin": "end",
        "final": "end",
        "fines": "end",
        "finales": "end",
    },
    year_parts={"trimestre": 3, "semestre": 6},
    month_pieces={"fin de semana": 2, "finde": 2, "semana": 7},
)

_OTHER_USES = OtherUses(
    # Mayo is also what goes on a sandwich, and Julio a name.
    doubtful_months=frozenset(("abril", "mayo", "julio")),
    name_months=frozenset(("julio",)),
    doubtful_short_months=frozenset("mar ago dic ene".split()),
    name_weekdays=frozenset(("sabado", "domingo")),
    last_parts=frozenset(("noche",)),
    one_day_feasts="vispera|dia|nochebuena|nochevieja|fin|reyes",
    not_after_day=" en dia| por hoy",
    # "Por la mañana" is a part of the day, not tomorrow.
    not_days="(?:la|las|una|cada|esta|toda la|de|muy de) manana",
    recurrent="cada|tod[oa]s? l[oa]s|todo el|los|algun|algunos|ningun",
    weekday_prefix=(
        "(?:el|este|ese|pasado|proximo|del|al|desde|hasta|para|antes del?|despues del?|entre|ultimo|y|o|de)(?: el)?"
    ),
    weekend_prefix="el|este|ese|del|durante el|desde el|hasta el|para el|al",
    not_after_weekend="de|del",
    sure_month_prefix=(
        "en|durante|desde|hasta|tras|antes de|despues de|a partir de|mes de|inicios? de|principios de|comienzos de"
        "|mediados de|finales de|fines de|fin de|final de|para"
    ),
    month_prefix="entre|de",
    season_prefix=(
        "en|en el|en la|este|esta|durante el|durante la|desde el|desde la|hasta el|hasta la|antes del?|despues del?"
        "|(?:finales|fines|fin|principios|inicios|mediados) del?(?: la)?"
    ),
    not_after_season="o|y",
    feast_prefix="en|por la|estas|esta|la|el|las|hasta|despues de",
    quarter_prefix="en|el|del|desde|hasta",
    year_prefix=(
        "en|desde|hasta|antes de|despues de|tras|durante|ano|ano de|entre|inicios de|principios de|comienzos de|fin de"
        "|finales de|fines de|mediados de|a partir de|del|de"
    ),
    day_prefix="el|del|al|desde el|hasta el|para el|en el|en",
    short_date_prefix="el|dia|el dia|del",
    counted=r"euros?|dolares?|pesos?|soles|mil|calor\w+|personas?|palabras?",
    no_plurals=("ante", "despue", "adema", "lejo", "quiza", "tra", "entonce", "apena", "meno", "ma", "lo", "la"),
)

_PHRASES = Phrases(
    behind=r"ultim|pasad|antepasad|atras|\bhace\b",
    ahead="proxim|viene|entra|dentro|aqui",
    nearest="proxim|que viene|que entra",
    rolling="ultim",
    from_now=frozenset("este esta proximo proxima pasado pasada".split()),
    relative="ultim[ao]s?|pasad[ao]s?|proxim[ao]s?|est[aeo]s?|es[ae]",
    relative_name="ultim[ao]|pasad[ao]|proxim[ao]|est[ae]",
    relative_starts=frozenset(
        "ultimo ultima ultimos ultimas pasado pasada pasados pasadas proximo proxima proximos proximas este esta estos"
        " estas ese esa".split()
    ),
    unit_sides="pasad[ao]|antepasad[ao]|que viene|que entra|proxim[ao]",
    two_units="antepasad",
    before_number="un ",
    after_number=" de",
    half=" y medi[ao]",
    half_year="medio ano",
    or_so=" y pico| o asi",
    after_distance="atras",
    before_distance="hace|dentro de|de aqui a",
    distance_starts=frozenset("hace dentro de".split()),
    distance_about="como |casi |ya |mas o menos |aproximadamente |cerca de |mas de |poco mas de |solo |apenas ",
    not_after_distance=" que| y medi",
    some="unos|unas",
    lasting=frozenset(("hace",)),
    time_ahead="en",
    ahead_about="unos |unas |como |cerca de ",
    not_after_ahead="atras|de|del",
    weekday_side=(
        "pasad[ao]|antepasad[ao]|que viene|que entra|proximo|de la semana (?:pasada|que viene|que entra)|de esta semana"
        "|de la proxima semana|de la semana proxima"
    ),
    week_in_side="semana",
    year_words="(?:el |del )?(?:proximo ano|ano (?:pasado|que viene|que entra|proximo)|pasado ano)|(?:de )?este ano",
    of_year="de |del |del ano |en ",
    of_this_year=" del ano",
    not_after_year_part="de|del",
    of_month="de|del mes de",
    piece_of="de|del|en",
    day_marks="[º°]|ro|ero",
    first_day=frozenset(("primero",)),
    day_to="a|al|y el|y|hasta el|hasta",
    day_word="dia",
    bare_day_after=r"(?<=\bel )|(?<=\bal )",
    season_sides="pasad[ao]|que viene|proxim[ao]",
    feast_relative="ultim[ao]s?|proxim[ao]s?|pasad[ao]s?|est[ae]s?",
    feast_sides="pasad[ao]s?|que vienen?",
    section_of_unit="de (?:la |este |esta |ese |esa )|de (?=ano)|del ",
    section_of="de(?:l| la| el)? ",
    not_after_section="pasad|antepasad|que viene|que entra|anterior|siguiente|proxim",
    decade_before="anos|decada de(?: los)?",
    decade_starts=frozenset(("anos", "decada")),
    part_links="por la |de la |en la |a la |al |de ",
    week_of="del?|de la",
    week_of_day="dia ",
    date_after_weekday="dia |el dia |el ",
    since="desde|a partir del?",
    after="despues del?|tras",
    before="antes del?",
    until="hasta",
    between="entre|del?",
    between_both=frozenset(("entre",)),
    frame_articles="el|la|los|las|en|dia|mes de|del?",
    both=frozenset(("y", "y el")),
    to="hasta|a|al",
    weak_to=frozenset(("a", "al")),
    weak_year_to=frozenset(("a",)),
    link_articles="el|la|los|las|en|dia|del?",
    range_or="a|y|o",
    weekday_from="de ",
    back=".*atras|hace .*",
)

_FUTURE = (
    r"\b(?:voy|vas|va|vamos|van|ire|iremos|sera|seran|proxim[ao]s?|manana|que viene|que entra|programad[ao]s?"
    r"|agendad[ao]s?"
    r"|recuerdame|recordar|tendre|tendremos|hare|haremos|vendre|saldre|podre|[a-z]{3,}(?:aremos|eremos|iremos)"
    r"|quedamos)\b"
    rf"|\b(?:estoy|esta|estamos|estan) (?:me |se |nos )?(?:{SETTING_OUT})\b"
    rf"|\b(?:tengo|tenemos|tiene)(?: una?| mi)?(?: [a-z]+)? {ONE_TIME}\b|\bmi {ONE_TIME} es\b"
)
_SENTENCE = SentenceSigns(
    deadline="para (?:el |la )?",
    future=_FUTURE,
    looks_ahead=r"\b(?:quiere|quiero|planea|planeo|espera|pretende|empieza|termina|llega|vence)\b",
    not_alone="tod[oa]s? (?:el|la|los|las)|por lo menos|al menos|exactamente|justo",
    possessed=r" (?:escolar|lectivo|fiscal|academico)\b",
    step="est[ae]|proxim[ao]|ultim[ao]|pasad[ao]",
    owned="(?:mi|tu|su|nuestr[oa]) ",
    part_of="de|del",
    beyond="mas de|menos de",
    loosely_inside="como|casi|mas o menos|cerca de|aproximadamente|y pico|o asi|mas de",
    since="desde(?: el| la)?",
    after_since="con|en|como|y|pero|porque|por",
    then="(?:en|durante)[ -]|el (?:dia )?|(?:inicios|principios|comienzos|mediados|fines|finales) de ",
    after_then="con|en|para|por|al?|a las?|y|pero|porque|despues|antes",
    before_number="(?:el |del )?(?:dia )?",
    # Only the accent tells "mudó" from "mudo", so these forms are read as they are spelled.
    done_spelled=(
        r"\b\w{2,}(?:ó|aron|ieron|eron)\b|\b(?:fue|fueron|fui|hizo|hicieron|tuvo|tuvieron|estuvo|vino|vinieron|dijo"
        r"|quiso"
        r"|supo|trajo|hubo|dio|vio|pudo|puso|murió|nació|dejó)\b|\b(?:ha|han) \w+[aie]do\b"
    ),
    negated=r"\b(?:no|nunca|ni)\b",
    participle=r"[ai]d[ao]s? \Z",
    was_done=r"\b(?:fue|fueron|ha|han) (?:\w+ )?\w+ \Z",
    clause_end=r"\b(?:y|pero|que|porque|pues|cuando|donde|mientras)\b",
)

CALENDAR = Calendar(
    words=_WORDS,
    phrases=_PHRASES,
    other_uses=_OTHER_USES,
    sentence=_SENTENCE,
    signs=frozenset(
        """
        hoy ayer anteayer antier anoche antenoche anteanoche manana trasantier atras hace dentro aqui ultimo ultima
        ultimos ultimas proximo proxima proximos proximas este esta estos estas ese esa pasado pasada antepasado
        antepasada viene entra fin fines final finales finde inicio inicios comienzo comienzos principio principios
        mediados mitad trimestre semestre decada anos hora horas navidad navidades nochebuena nochevieja reyes muertos
        valentin halloween dia dias semana semanas mes meses ano medio
        """.split()
    ),
    little=frozenset(
        """
        que en fue hace de del los las un una con para por usted yo mi mis cuando donde quien hasta desde entre el la y
        no dia ella eso hice hicimos sobre hable es lo se al pero
        """.split()
    ),
    letters="[áéíóúñ¿¡]",
    is_day_first=True,
)
