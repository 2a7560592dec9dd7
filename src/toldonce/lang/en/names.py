"""What tells names from other capitalised words in English; lists, all lower case."""

from __future__ import annotations

from toldonce.lang.base import Names

NAMES = Names(
    common=frozenset(
        """
        a about above actually af after again against ago ah ain aka all almost along already alright also although
        always am amazing an and another any anybody anyone anything anyway apparently are aren around as asap ask
        asked at away awesome back bad basically be because been before being believe best better between big both btw
        but by bye call called came can cannot cd check click come comes congrats congratulations cool could couldn
        crazy cute dad damn day days dear did didn diy do does doesn don done dont down dude during dvd each either
        else end enough even ever every everybody everyone everything exactly except faq father finally fine first
        follow for found from ftw full fun funny fyi gave get gets getting girl girls give go god goes going gone
        gonna good got great guess guy guys ha had hadn haha half happy hard has hasn hate have haven having he hell
        hello help hence her here hers hey hi him his hmm holy home honestly hope how however i id idk if ill im
        imagine imo in indeed instead interesting into is isn isnt it its ive just keep kind kk know last lately later
        learn leave less let lets life like listen literally little lmao lol long look looked looking looks lot love
        lovely made mainly make makes making man many maybe me mean meanwhile men might mine mom more moreover most
        mostly mother much mum must my myself need needs neither never new next nice no nobody none nope nor not note
        nothing now obviously of off often oh ok okay old omg on once one ones only or other others our out over own
        pc pcs people perfect perhaps personally play please pm possible pretty probably ps put quick quite rather
        read real really recently regarding remember right rip rofl sad said same saw say says second see seems seen
        send several shall she should shouldn show shut similarly simple simply since sit smh so some somebody somehow
        someone something sometimes soon sorry sounds start still stop such super sure take talk tbh tell terrible
        than thank thanks that the their them then there therefore these they thing things think third this those
        though thought three through thus time to today together tomorrow tonight too top totally tried true truly try
        trying turn tv two ugh under unfortunately unless until up update upon us use used using usually very video vs
        wait wake wanna want wanted was wasn watch watched watching way we welcome well went were what whatever when
        whenever where whether which while who whoever whole whom whose why will wish with within without woman women
        won wonder wonderful wont word work works worst would wouldn wow wrong wtf wth yeah year years yep yes
        yesterday yet yo you young your yours yup
        """.split()
    ),
    may_lead=frozenset("new old big little great super real top best young".split()),
    calendar=frozenset(
        """
        monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
        september october november december christmas easter spring summer autumn winter mondays tuesdays wednesdays
        thursdays fridays saturdays sundays
        """.split()
    ),
    given=frozenset(
        """
        aaron abigail adam alan albert alex alexander alice amanda amy andrea andrew angela anna anne anthony arthur
        ashley barbara ben benjamin betty bob bobby brandon brian bruce bryan carl carol caroline catherine charles
        charlotte chloe chris christina christine christopher cynthia dan daniel david deborah dennis diana diane
        donald donna dorothy douglas dylan edward elizabeth ella emily emma eric ethan eugene evelyn frances gabriel
        gary george gerald gregory hannah harold harry heather helen henry jack jacob james jane janet jason jeff
        jeffrey jennifer jeremy jerry jesse jessica jim joan joe john johnny jonathan joseph joshua joyce juan judith
        judy julia julie justin karen kate katherine kathleen keith kelly kenneth kevin kimberly kyle larry laura
        lauren lawrence leo liam linda lisa logan louis luke margaret martha martin mary matt matthew megan melissa
        mia michael michelle mike nancy nathan nicholas nick nicole noah oliver olivia pamela patricia patrick paul
        peter philip rachel ralph raymond rebecca richard robert roger ronald ruth ryan sam samantha samuel sandra
        sara sarah scott sean sharon shirley sophia sophie stephanie stephen steve steven susan teresa terry thomas
        tim timothy tom tony tyler victoria vincent walter wayne william zachary zoe
        """.split()
    ),
    places=frozenset(
        """
        africa america amsterdam angola argentina asia athens australia austria bangkok barcelona beijing belgium
        berlin boston brasil brazil brussels canada chicago chile china colombia copenhagen cuba denmark dubai dublin
        edinburgh egypt england europe finland france germany ghana greece hungary iceland india indonesia iran iraq
        ireland israel istanbul italy japan kenya lisbon london madrid malaysia manchester mexico miami milan montreal
        morocco moscow mozambique munich nairobi netherlands nigeria norway oslo pakistan paris peru philippines
        poland porto portugal prague rome russia scotland seattle seoul shanghai singapore spain stockholm sweden
        switzerland sydney taiwan thailand tokyo toronto turkey ukraine usa vancouver venice vienna vietnam wales
        warsaw washington zurich
        """.split()
    )
    | {"new york", "los angeles", "san francisco", "united states", "united kingdom"},
    organizations=frozenset(
        """
        inc ltd llc corp corporation company gmbh plc group foundation institute university college school bank
        association society committee council ministry department agency hospital museum federation airlines
        """.split()
    ),
    locations=frozenset(
        """
        street avenue road boulevard blvd lane square park bridge river lake mount mountain island beach bay valley
        county airport
        """.split()
    ),
    joins=frozenset("del della di du von van der den la of the &".split()),
    join_pattern=r"del|della|di|du|von|van|der|den|la|of(?:\ the)?|&",
    titles=frozenset("mr mrs ms miss dr prof professor sir capt rev".split()),
    title_pattern=r"Mrs?|Ms|Dr|Prof|Capt|Rev",
    follows=(r"['’]s\b|\ (?:is|was|has|had|will|would|said|says|told|went|lives|works|likes|wants|and\ [A-Z])\b"),
    endings=r"ly|ing|ed|tion|ness|ment|ful|less|ous|ble",
    own=frozenset("my his her our their your".split()),
    kin=frozenset(
        """
        brother sister wife husband son daughter mother father mom mum dad friend boss colleague neighbour neighbor
        girlfriend boyfriend partner cousin nephew niece
        """.split()
    ),
    towards=frozenset("in to".split()),
    dwelling=frozenset(
        """
        live lives lived living move moved moving born based arrived flew trip travel travelled traveled
        """.split()
    ),
    project=frozenset("project repo repository".split()),
    after_project=r"\ (?:project|repo|repository)\b",
    months=(
        r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
        r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    ),
    ordinal_marks=r"st|nd|rd|th",
    of=r"of\ ",
    before_year=r"in|since",
    articles=r"the|a|an(?=\s+[aeiou])",
    contractions="s|m|t|d|ve|re|ll",
    small=frozenset("of the and for a".split()),
)
