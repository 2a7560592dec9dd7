"""The words and phrases that name times in English, written without case and accents."""

from __future__ import annotations

from toldonce.lang.calendar import Calendar, OtherUses, Phrases, SentenceSigns, TimeWords, number_lines
from toldonce.lang.en.words import ONE_TIME, SETTING_OUT

_WORDS = TimeWords(
    months=number_lines(
        "january\nfebruary\nmarch\napril\nmay\njune\njuly\naugust\nseptember\noctober\nnovember\ndecember", start=1
    ),
    short_months={
        "jan": 1,
        "feb": 2,
        "mar": 3,
        "apr": 4,
        "jun": 6,
        "jul": 7,
        "aug": 8,
        "sep": 9,
        "sept": 9,
        "oct": 10,
        "nov": 11,
        "dec": 12,
    },
    weekdays=number_lines("monday\ntuesday\nwednesday\nthursday\nfriday\nsaturday\nsunday"),
    units={
        "hour": "hour",
        "hours": "hour",
        "day": "day",
        "days": "day",
        "week": "week",
        "weeks": "week",
        "weekend": "weekend",
        "weekends": "weekend",
        "month": "month",
        "months": "month",
        "quarter": "quarter",
        "quarters": "quarter",
        "year": "year",
        "years": "year",
    },
    plural_units=frozenset("hours days weeks weekends months quarters years".split()),
    numbers={
        **number_lines(
            """
            zero
            a an one
            two couple
            three
            four few
            five
            six several
            seven
            eight
            nine
            ten
            eleven
            twelve
            """
        ),
        "fifteen": 15,
        "twenty": 20,
        "thirty": 30,
    },
    vague_numbers=frozenset("couple few several".split()),
    day_offsets={
        "today": 0,
        "yesterday": -1,
        "tomorrow": 1,
        "day before yesterday": -2,
        "day after tomorrow": 2,
    },
    nights={"tonight": 0},
    day_parts={"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30)},
    seasons=number_lines("spring\nsummer\nautumn fall\nwinter"),
    ordinals=number_lines("first 1st\nsecond 2nd\nthird 3rd\nfourth 4th", start=1),
    places={"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1},
    feasts={
        "christmas": (0, 12, 24, 3),
        "christmas eve": (0, 12, 24, 1),
        "christmas day": (0, 12, 25, 1),
        "boxing day": (0, 12, 26, 1),
        "new year's eve": (0, 12, 31, 1),
        "new year's day": (0, 1, 1, 1),
        "new year's": (1, 12, 31, 2),
        "valentine's day": (0, 2, 14, 1),
        "halloween": (0, 10, 31, 1),
    },
    sections={
        "early": "early",
        "mid": "middle",
        "late": "late",
        "start": "start",
        "beginning": "start",
        "middle": "middle",
        "end": "end",
    },
    year_parts={"quarter": 3, "half": 6},
    needy_year_parts=frozenset(("quarter", "half")),
    month_pieces={"weekend": 2, "week": 7},
)

_OTHER_USES = OtherUses(
    verb_months=frozenset(("may", "march")),
    doubtful_months=frozenset("may march april june august".split()),
    doubtful_short_months=frozenset(("mar",)),
    capital_short_months=frozenset(("mar",)),
    last_parts=frozenset(("night", "evening")),
    one_day_feasts="eve|day",
    verb_relatives=frozenset(("last",)),
    last_is_verb=r"will|to|would|can|could|may|might|should|must|not|\w*n't|\w*'ll|did|does|do",
    recurrent=r"(?:every|each|most|any|some)(?: other)?",
    feast_before="black|good|easter|cyber|ash|palm|super|happy|bloody|casual|holy|fat|big",
    weekend_prefix="(?:over|at|on|during|since|until|before|after|by|of|for|from) the",
    not_after_weekend="of",
    sure_month_prefix="in|during|since|before|after|until|till|by|early|mid|late|of|throughout",
    month_prefix="from|through|between",
    season_prefix="(?:in|during|over|since|until|before|after|(?:end|start|beginning|middle) of) the",
    not_after_season="months|season|or|and",
    feast_prefix="(?:at|on|for|since|before|after|until|till|over|during|around|by)(?: the)?",
    quarter_prefix="in|during|since|before|after|until|by|of|for|from|late|early|the|and|to",
    year_prefix=(
        "in|since|before|after|until|till|during|throughout|from|year|between|around|by|early|mid|late|end of|start of"
        "|beginning of"
    ),
    decade_prefix=r"(?<!temperatures in )(?<!highs in )(?<!lows in )the (?:early |mid[- ]|late )?'?",
    day_prefix="(?:on|since|until|till|by|before|after)(?: the)?",
    short_date_prefix="on",
    counted="people|persons|euros?|dollars?|usd|eur|km|kg|gb|mb|words?|tokens?|bc",
    no_plurals=("alway", "plu", "acros", "perhap", "thi", "doe"),
)

_PHRASES = Phrases(
    behind="last|past|previous|before|ago|back",
    ahead="next|coming|after|from now",
    # English leaves open which weekend is the next one; these words do not.
    nearest="coming|upcoming",
    rolling="past",
    from_now=frozenset("last this next".split()),
    relative="this past|last|past|previous|this|next|coming|upcoming",
    relative_name="this past|last|past|previous|this|next|coming|upcoming",
    relative_starts=frozenset("last past previous this next coming upcoming".split()),
    unit_sides="before last|after next",
    two_units="before|after",
    before_number="a ",
    after_number=" of",
    half=" and a half",
    half_year="half a year",
    or_so=" or so",
    after_distance="ago|back|from now",
    time_ahead="in",
    ahead_about="about ",
    not_after_ahead="ago|of",
    weekday_week="(?:last|this|next) week",
    week_in_side="week",
    weeks_from="weeks? (?:from|on)",
    year_words="(?:last|this|next) year",
    of_year="of |in ",
    of_this_year=" of the year",
    of_month="of",
    piece_of="of|in",
    day_marks="st|nd|rd|th",
    day_to="to|through|and",
    month_day_article="the ",
    month_day_to="to|through",
    feast_relative="this past|last|past|previous|this|next|coming",
    section_adjectives="early|mid|late",
    section_adjective_in="in ",
    section_of_unit="of (?:the |this )?",
    section_of="of (?:the )?",
    not_after_section="before|after",
    decade_suffix=r"'?s(?! to (?:low|high)|.{0,24}(?:°|degree))",
    part_links="in the |at ",
    week_of="of",
    week_of_day="the ",
    date_after_weekday="the ",
    since="since|starting(?: from| in| on)?|as of",
    after="after",
    before="before|prior to",
    until="until|till|up to|by",
    between="between|from",
    between_both=frozenset(("between",)),
    frame_articles="in|on|the",
    both=frozenset(("and",)),
    to="to|until|till|through|thru",
    weak_year_to=frozenset(("to",)),
    link_articles="the|in|on",
    range_or="to|or|and",
    weekday_from="of |from ",
    back=".*(?:ago|back)",
)

_FUTURE = (
    r"\b(?:will|shall|gonna|(?<!was )(?<!were )going to|plan(?:s|ning)? (?:to|for)|upcoming|next|tomorrow|scheduled?"
    r"|remind)\b|'ll\b"
    rf"|(?:\b(?:am|is|are)|'(?:m|s|re)) (?:{SETTING_OUT})\b"
    r"|(?:(?<!did )\b(?:i|we) have|'ve got|\bhas|'m (?:running|taking|having))(?: an?| my| our)?"
    rf"(?: (?!from|after|of|about|for|since)[a-z-]+){{0,3}}? {ONE_TIME}\b"
    rf"|\b(?:my|our)(?: [a-z-]+){{0,3}}? {ONE_TIME} is\b"
)
_SENTENCE = SentenceSigns(
    deadline="by (?:the )?",
    future=_FUTURE,
    # Weaker signs, enough for "in three days": a time ahead or how long something took, never a time behind.
    looks_ahead=(
        r"\b(?:plans?|planning|wants?|hopes?|due|leaves?|starts?|begins?|ends?|opens?|moves?|fl(?:y|ies)"
        r"|go(?:es)?|arrives?|turns?|retires?|(?:is|am|are) (?:\w+ )?\w+ing)\b|\w'(?:s|m|re) \w+ing\b"
    ),
    not_alone="or|all|every|each|at least|exactly",
    possessed=r"'s?\b",
    step="last|next|previous|past|this",
    owned=r"(?:the|my|your|his|her|its|our|their|[a-z]+'s) (?:very )?",
    part_of="of",
    beyond="over|under|more than|less than|almost|nearly",
    loosely="about|around|roughly|approximately|some",
    loosely_inside="about|or so",
    since="since(?: the)?",
    after_since="with|at|in|as|and|but|because",
    then="on (?:the )?|(?:in|during)(?: early| late| mid)?[ -]|(?:start|beginning|middle|end) of ",
    after_then="at|with|for|in|to|from|and|but|because|by|around|after|before|as|near",
    before_number="the ",
)

CALENDAR = Calendar(
    words=_WORDS,
    phrases=_PHRASES,
    other_uses=_OTHER_USES,
    sentence=_SENTENCE,
    signs=frozenset(
        """
        today yesterday tomorrow tonight ago back now weekend last past previous this next coming upcoming before half
        quarter end start beginning middle q hour hours day days christmas boxing valentine halloween week weeks month
        months year years
        """.split()
    ),
    little=frozenset(
        """
        the and of what did i is was were on in to my when we you between since before after until from with have for
        at it
        """.split()
    ),
)
