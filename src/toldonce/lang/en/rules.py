"""The English rules: how people say what is worth knowing about them; rows only, tried in order."""

from __future__ import annotations

from toldonce.lang.en.words import (
    AIM,
    CONDITION,
    COUNT,
    DAY,
    DIET,
    DOING,
    DONE,
    DONE_PARTICIPLE,
    EMPLOYER,
    JOB,
    KIN,
    MONTH,
    OCCASION,
    OWNED,
    PAST,
    PEOPLE,
    PET,
    REGULARLY,
    SOON,
    TONGUE,
)
from toldonce.lang.grammar import ANY_JOB, ENDED, REACHED, WEAKER, Rule

# Where a value ends and the circumstances begin.
_TIL = (
    r"(?=$| (?:with|for|since|because|after|before|during|until|to (?:be|study|work|live|start)|along|together"
    rf"|which|{PAST}|{SOON}|{REGULARLY}|now|right now|currently|lately|recently|at the age|when|where|as|from"
    r"|by)\b)"
)
_V = rf"(?P<value>.+?){_TIL}"
_NUMBER = (
    r"(?P<value>\d[\d.,]*(?: ?(?:kg|kgs|kilos?|kilograms|lbs?|pounds|stone|cm|m|meters|metres|feet|foot|ft|inches|in"
    r"|['\"]\d*)\b)?[^,;]{0,12})"
)
_NAME = r"(?P<value>(?-i:[A-ZÀ-Ý])[\w'-]+(?: (?-i:[A-ZÀ-Ý])[\w'.-]+){0,2})"
_WHO = r"(?-i:[A-ZÀ-Ý])[\w'-]+(?:,? (?:and )?(?-i:[A-ZÀ-Ý])[\w'-]+){0,3}"
_SIZE = (
    r"(?:really |very |big |huge |little |small |old |new |young(?:er|est)? |older |oldest |own |beautiful |cute "
    r"|rescue |lovely |sweet |amazing |dear |late |twin |\w+-year-old )*"
)
_DEED = r"(?!be able|see if|make sure|know|find out|figure|understand|hear|chat|talk|learn more|ask)"
_ASKED_FOR = (
    r"(?! (?:some |more |any |a few |new |other |good |additional |honest |a )*(?:[\w-]+ ){0,3}?(?:advice|help|tips"
    r"|guidance|suggestions?|ideas?|ways?|resources|recommendations?|feedback|strateg\w+|insights?|something|input"
    r"|options|information|info|support|inspiration|recipes?|prompts?)\b)"
)
_LIKED = (
    r"(?P<value>(?!to (?:know|see|hear|ask|get|have|thank|make sure|share|add|think|say|talk|believe|help$)\b|the"
    r" idea|the"
    r" fact|how\b|what\b|when\b|where|if\b|sound|being able|hearing|seeing|knowing|the way|the look|the thought|the"
    r" feeling|the name|the pic).+)"
)

_SELF = (
    Rule("my", rf"my (?:full |first |real |given |last )?name is {_NAME}$", "fact", "name", "name"),
    Rule("my", rf"my nickname is {_NAME}", "fact", "nickname", "name"),
    Rule("my",
        rf"my (?:\w+ )?birthday is (?:on )?(?P<value>(?:the )?(?:{MONTH}|\d|next|tomorrow|{DAY}|today).*)",
        "fact", "birthday"),
    Rule("my", r"my pronouns are (?P<value>[\w/ ]{2,20})", "fact", "pronouns"),
    Rule("my", r"my (?:work |personal )?e-?mail(?: address)? is (?P<value>\S+)", "fact", "email", "email"),
    Rule("my",
        r"my (?:cell |mobile |work )?(?:phone|number|phone number) is (?P<value>[+\d][\d ().-]+)",
        "fact", "phone", "phone"),
    Rule("my",
        rf"my (?:current |new )?(?:weight|body weight) is (?:now |at |about |around )?{_NUMBER}",
        "fact", "weight", "number"),
    Rule("my", rf"my height is {_NUMBER}", "fact", "height", "number"),
    Rule("my", r"my (?:native|first) language is (?P<value>\w+)", "fact", "language"),
    Rule("my", r"my time ?zone is (?P<value>.+)", "fact", "timezone", "short"),
    Rule("my",
        r"my (?:main |big |biggest |next |new |ultimate |long-term |short-term |current |ambitious |personal |career"
        r" |fitness |\w+ing )*(?:goal|aim|dream|target|objective|resolution|ambition)(?: right now| now| for"
        rf" [\w ]+?| this {MONTH}| this year)? is (?:to |that )?(?P<value>.+)", "goal", "goal"),
    Rule("my", r"my (?:job|work) is (?:as )?(?P<value>(?:a|an) .+)", "fact", "occupation", "short", confidence=WEAKER),
    Rule("my",
        r"my (?:absolute |all-time |current )?(?:favorite|favourite) (?P<favourite>[\w ]{2,30}?) (?:is|are|has"
        r" always been|would be) (?:definitely |probably |still )?(?P<value>.+)", "preference"),
    Rule("my",
        r"my (?:go-to|usual) (?P<favourite>[\w ]{2,30}?) (?:is|are) (?P<value>.+)", "preference", confidence=WEAKER),
    Rule("my", r"my preference (?:is|for|toward|towards) (?:for |to )?(?P<value>.+)", "preference", "preference"),
    Rule("my",
        r"my (?:main |biggest )?(?:hobby|hobbies|passion|passions) (?:is|are|include) (?P<value>.+)",
        "preference", "likes"),
    Rule("my", rf"my (?:\w+ )?{OCCASION} (?:is|will be) (?P<value>(?:coming up )?{SOON}.*)", "event", None),
)  # fmt: skip

_BEING = (
    Rule("am", rf"am an? (?P<age>\d\d)[- ]year[- ]old (?P<value>(?:[\w'/-]+ ){{0,4}}?{JOB})\b.*", "fact", "occupation"),
    Rule("am",
        rf"am (?:a |an |on a |on the )?(?:strict |lifelong |mostly )?(?P<value>{DIET})(?: diet)?", "fact", "diet"),
    Rule("am", r"am (?:severely |highly |deathly |very |mildly )*allergic to (?P<value>.+)", "fact", "allergy"),
    Rule("am",
        r"am (?P<value>diabetic|asthmatic|epileptic|autistic|dyslexic|color ?blind|colour ?blind|anemic|hypertensive"
        r"|pregnant|deaf|blind|prediabetic|pre-diabetic)", "fact", "health"),
    Rule("am", r"am (?P<value>[1-9]\d)(?: years? old| yrs? old|yo)", "fact", "age"),
    Rule("am", r"am (?P<value>[1-9]\d)$", "fact", "age", confidence=WEAKER),
    Rule("am turned", r"(?:am turning|turned) (?P<value>[1-9]\d)(?: years old)?", "fact", "age"),
    Rule("am", rf"am {_NUMBER} tall", "fact", "height", "number"),
    Rule("am", rf"am (?:from|born and raised in) {_V}", "fact", "origin", "place"),
    Rule("am", rf"am (?:living|based|residing|located) in {_V}", "fact", "residence", "place"),
    # A house for the weekend or for the summer is no residence: nothing may follow that says for how long.
    Rule("am rent",
        r"(?:am (?:currently |now )?renting|rent) (?P<value>an? (?:[\w'-]+ ){0,3}?(?:house|flat|apartment|room|studio"
        r"|condo|cottage|bungalow) in (?-i:[A-ZÀ-Ý])[\w'-]+(?: (?-i:[A-ZÀ-Ý])[\w'-]+){0,2})"
        r"(?:$| (?:with my|since|now|near)\b.*)",
        "fact", "residence", "place"),
    Rule("am",
        r"am (?P<value>married|engaged|divorced|single|widowed|separated|a widow|a widower|in a relationship"
        r"|happily married|newly married|recently divorced|newly engaged)(?:$| (?:to|with|for|now)\b.*)",
        "fact", "marital_status"),
    Rule("am", r"am getting (?P<value>married|divorced)\b.*", "event", None),
    Rule("am",
        r"am (?P<value>retired|unemployed|self-employed|between jobs|out of work|jobless|freelancing|on maternity"
        r" leave|on paternity leave|on sick leave)(?:$| .*)", "status", "employment"),
    Rule("am",
        rf"am (?:a |an |the )(?P<value>(?:[\w'-]+ ){{0,4}}?{JOB})(?: (?:at|for|with)"
        rf" (?P<employment>(?-i:[A-ZÀ-Ý]).+?){_TIL})?(?:$| (?:at|for|with|in|from|by|who|and|on|specializing"
        r"|working)\b.*)", "fact", "occupation"),
    Rule("am",
        rf"am (?:currently )?working as (?:a |an |the )?(?P<occupation>.+?)(?: (?:at|for|with) {_V}|$)",
        "fact", "employment", "workplace"),
    Rule("am", rf"am working (?:at|for) {_V}", "fact", "employment", "workplace"),
    Rule("am",
        r"am (?:studying|majoring in|doing a degree in|pursuing a degree in|getting a degree in) (?P<value>(?-i:[\w"
        rf" &-]+?))(?: at {_WHO})?{_TIL}", "fact", "education", "short"),
    Rule("am",
        r"am (?P<value>in (?:high school|college|grad school|law school|med school|medical school)|a (?:freshman"
        r"|sophomore|junior|senior)\b.*)", "fact", "education"),
    Rule("am", rf"am (?:fluent|conversational|proficient) in (?P<value>{TONGUE}.*)", "fact", "language"),
    Rule("am", rf"am (?:learning|studying)(?: how to speak)? (?P<value>{TONGUE})", "status", "language"),
    Rule("am", rf"am (?:half |originally )?(?P<value>(?-i:{PEOPLE}))(?:$|-| (?:by|and|but)\b.*)", "fact", "origin"),
    Rule("am",
        rf"am {_NAME}(?:,? an? (?:(?P<age>\d\d)[- ]year[- ]old (?P<occupation>[\w'/ -]{{3,40}}|(?:[\w'/-]+"
        rf" ){{0,4}}?{JOB}))\b.*)?$", "fact", "name", "person", confidence=WEAKER),
    Rule("am",
        r"am (?P<value>(?:a )?(?:left-handed|right-handed|night owl|early bird|morning person|night person|introvert"
        r"|extrovert|homebody|perfectionist|procrastinator|visual learner|hands-on learner|introverted|single (?:mom"
        r"|mum|dad|parent|mother|father)|vegetable gardener|dog person|cat person|(?:proud )?(?:mom|mum|mother|dad"
        r"|father|parent) (?:of|to) .+))$", "fact", "trait"),
    Rule("am",
        r"am (?:really |such |also )*(?:into|passionate about|obsessed with|fond of|keen on|drawn to|interested"
        r" in(?! \w+ing\b| (?:the|a|an|your|this) )|hooked on|crazy about|partial to|big on"
        r"|a (?:[\w-]+ ){0,2}(?:fan|lover|enthusiast|supporter) of|all about) (?P<value>.+)", "preference", "likes"),
    Rule("am",
        r"am (?P<value>(?:more|most) (?:comfortable|familiar|productive|at ease) (?:with|in|using|when) .+)",
        "preference", "preference"),
    Rule("am",
        r"am trying to (?:avoid|stay away from|cut out|cut (?:back|down) on|eat less|drink less)"
        r" (?P<value>(?!(?:an?|the|any|that|\w+ing)\b).+)",
        "preference", "avoids", confidence=WEAKER),
    Rule("am",
        r"am a (?:total |big |huge |real |true |die-hard |avid )?(?P<value>(?:[\w-]+ ){1,3})(?:fan|lover|enthusiast"
        r"|buff|geek|nerd|junkie|addict)", "preference", "likes"),
    Rule("am", r"am (?:more of )?an? (?P<value>[\w-]+ (?:person|learner))", "preference", "likes"),
    Rule("am_not",
        r"am not (?:really |much |exactly |big |that )*(?:into|fond of|keen on|interested in|a (?:[\w-]+ )*(?:fan"
        r"|lover) of|crazy about|comfortable with) (?P<value>.+)", "preference", "dislikes"),
    Rule("am", r"am (?:terrified|scared|afraid|deathly afraid) of (?P<value>.+)", "preference", "dislikes"),
    Rule("am",
        rf"am (?:hoping|aiming|saving(?: up)?|training|intending|set) (?:to|on|for) (?P<value>{_DEED}.+)",
        "goal", "goal"),
    Rule("am",
        rf"am (?:planning|looking) (?:to|on) (?P<value>{_DEED}(?!get some|find)\w+ \w.+)",
        "goal", "goal", confidence=WEAKER),
    Rule("am",
        r"am trying to (?P<value>(?:keep|limit|cut|reduce) .*\b(?:under|below|within|down|out)\b.+)",
        "goal", "goal", confidence=WEAKER),
    Rule("am", rf"am (?:looking|searching|hunting) for{_ASKED_FOR} (?P<value>.+)", "status", confidence=WEAKER),
    Rule("am",
        r"am (?:going|flying|traveling|travelling|heading|driving|moving|relocating|returning|visiting|seeing"
        r"|meeting|having|hosting|starting|leaving|attending|taking|performing|playing|running|getting|throwing"
        rf"|presenting|launching|opening|participating)\b(?P<value>.* {SOON}.*)", "event"),
    Rule("am", rf"am (?:moving|relocating) to {_V}", "event", None, "place"),
    Rule("am", r"am expecting (?:a baby|my|our|twins|\w+ child).*", "status", "family", value="expecting a baby"),
    Rule("am",
        rf"am (?:currently |now )?{DOING} (?P<value>(?!on it|together|hard|well|fine|good|ok|okay|great|better"
        r"|amazing|alright|a lot|time|sure|forward|fun|my (?:part|best)|the same|a project$|on a project$|progress"
        r"|some progress|the time|a difference|options$|(?:for|since) ).+)", "status"),
    Rule("was",
        rf"was (?:born|raised|born and raised|brought up) in (?P<value>(?-i:[A-ZÀ-Ý]).*?|a .*?){_TIL}",
        "fact", "origin", "place"),
    Rule("was", rf"was born (?:on|in) (?P<value>(?:the )?(?:{MONTH}|\d).*)", "fact", "birthday"),
    Rule("was have", r"(?:was|have been) (?:recently )?diagnosed with (?P<value>.+)", "fact", "health"),
    Rule("was",
        r"was (?:promoted|hired|appointed|made|elected|recruited|selected|chosen)\b(?: as| to| by)? (?P<value>.+)",
        "status", None),
    Rule("was got",
        r"(?:was|got) (?:laid off|fired|let go|made redundant)\b.*",
        "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("was got have",
        r"(?:was|got|have been|have gotten) (?:accepted|admitted) (?:to|into|by|at|for) (?P<value>.+)", "event", None),
    Rule("was", rf"was (?:in|at|on) (?P<value>.+ {PAST})", "event"),
)  # fmt: skip

_HAVING = (
    Rule("have",
        r"have (?:been )?(?:married|together)(?: (?:to|with) \w+)? for .+", "fact", "marital_status", value="married"),
    Rule("have", rf"have (?P<value>(?:{COUNT} )?{_SIZE}{KIN})(?: (?:who|in|of|and)\b.*|,.*|$)", "person", "family"),
    Rule("have",
        rf"have (?P<value>{COUNT} {_SIZE}(?:[\w-]+ ){{0,2}}?{PET})(?:$|,.*| (?:and|at|who|that)\b.*)", "fact", "pet"),
    Rule("have",
        r"have (?:a |an )?(?:severe |bad |mild |serious )*(?P<value>(?:[\w-]+ )?(?:allergy|allergies"
        r"|intolerance|sensitivity)(?: to .+)?)", "fact", "allergy"),
    Rule("have suffer live struggle",
        r"(?:have(?: been (?:dealing|struggling|living) with)?|suffer from|live with|struggle with) (?:really |very"
        rf" |bad |mild |severe |chronic |some )*(?P<value>{CONDITION})(?:$| .*|,.*)", "fact", "health"),
    Rule("have",
        r"have (?:a|an|my) (?P<value>(?:[\w'-]+ )?(?:degree|bachelor's|master's|masters|bachelors|phd|doctorate|mba"
        r"|diploma)(?: (?:in|from) .+)?)", "fact", "education"),
    Rule("have", rf"have (?:a|an|my|another|{COUNT}) (?:[\w'-]+ ){{0,4}}?{OCCASION} (?P<value>.*{SOON}.*)", "event"),
    Rule("have own",
        rf"(?:have|own) (?:a|an|my own|{COUNT}) (?P<value>(?:[\w'-]+ ){{0,3}}?{OWNED})(?:$| (?:in|of|at|from|called"
        r"|named|and|that|with|where|on|for)\b.*|,.*)", "fact", "possession"),
    Rule("have", r"have (?:wanted|dreamed|dreamt|hoped) (?:to|of|about) (?P<value>.+)", "goal", "goal"),
    Rule("have",
        r"have (?:got )?an? (?:\w+ )?(?:preference|weakness|soft spot|thing|taste|passion|love) for (?P<value>.+)",
        "preference", "likes"),
    Rule("have", r"have (?:always )?preferred (?P<value>.+)", "preference", "preference", confidence=WEAKER),
    Rule("have", r"have (?:loved|liked|enjoyed) (?P<value>.+)", "preference", "likes", confidence=WEAKER),
    Rule("have", r"have (?:hated|disliked) (?P<value>.+)", "preference", "dislikes", confidence=WEAKER),
    Rule("have", rf"have (?:been living|lived|been based) in {_V}", "fact", "residence", "place"),
    Rule("have", rf"have (?:been working|worked) (?:at|for) {_V}", "fact", "employment", "workplace"),
    Rule("have",
        r"have (?:been working|worked) as (?:a |an )?(?P<value>.+?)(?: (?:at|for) .+|$)",
        "fact", "occupation", "short"),
    Rule("have", rf"have (?:moved|relocated)(?: back| out)?(?: from [\w ]+?)? to {_V}", "status", "residence", "place"),
    Rule("have",
        r"have been (?!feeling|thinking|wondering|having|meaning|waiting|hearing|wanting|hoping|looking|going"
        r" through|noticing|considering|debating|loving|dying|seeing|doing (?:well|good|great|ok|fine|better|amazing"
        r"|alright|pretty|really|my|the same)|trying to (?:figure|understand|decide|find|think|see|determine)"
        r"|struggling to|getting (?:a lot|some|better|worse|an?|the|this|these|errors?)|working (?:hard|on (?:it|a"
        r" project|some)$)|busy|telling|asking|talking|making (?:progress|some|a difference)|experiencing"
        r"|encountering)(?P<value>\w+ing (?!as usual|hard$|well$|a lot$|options$|(?:for|since) ).+)", "status"),
    Rule("have",
        r"have (?:recently |finally |just |officially )*(?:quit|left|lost|resigned from) (?:my|the)"
        r" (?P<value>(?:[\w'-]+ ){0,3}?(?:job|position|role)\b.*)",
        "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("have",
        r"have (?:recently |finally |just |officially )*(?:quit|resigned from)"
        rf" (?P<value>the (?:[\w'-]+ ){{0,2}}?{EMPLOYER}){_TIL}", "status", "employment", mark=ENDED),
    Rule("have",
        rf"have (?:recently |finally |just |also |officially )*{DONE_PARTICIPLE} (?P<value>(?!to say|to admit|to be"
        r"|on it|so\b|a lot$|care\b|up on).+)", "event"),
)  # fmt: skip

_LIVING = (
    Rule("live reside stay",
        r"(?:live|reside) (?:alone |together |currently |right |with my [\w ]+? )?(?:in|near|outside|outside of"
        rf"|just outside|at|on) {_V}", "fact", "residence", "place"),
    Rule("live", r"live (?P<value>(?:alone|with my .+|abroad))", "fact", "household", "short"),
    Rule("moved relocated",
        r"(?:moved|relocated)(?: back| out| over| away| up| down)?(?: here| there)?(?: from [\w ]+?)? (?:to|into)"
        rf" {_V}", "status", "residence", "place"),
    Rule("grew", rf"grew up (?:in|on|near) {_V}", "fact", "origin", "place"),
    Rule("come", rf"come from {_V}", "fact", "origin", "place"),
    Rule("work",
        rf"work (?:part-time |full-time |remotely )?as (?:a |an |the )?(?P<occupation>.+?)(?: (?:at|for|with) {_V}"
        r"|$)", "fact", "employment", "workplace"),
    Rule("work",
        r"work (?:part-time |full-time |remotely )?as (?:a |an |the )?(?P<value>.+)", "fact", "occupation", "short"),
    Rule("work",
        r"work (?:part-time |full-time |remotely )?(?:at|for|with) (?!home|night|(?:a|the) (?:lot|same"
        rf"|few))(?P<value>.+?)(?: as (?:a |an |the )?(?P<occupation>.+)|{_TIL})", "fact", "employment", "workplace"),
    Rule("work",
        r"work (?P<value>(?:from home|remotely|nights|night shifts?|the night shift|part-time|full-time|freelance"
        r"|weekends)\b.*)", "fact", "work_mode"),
    Rule("work", rf"work in (?P<value>.+?){_TIL}", "fact", "occupation", "trade"),
    Rule("work",
        rf"work in (?P<value>(?:an?|(?-i:[A-ZÀ-Ý])).+?){_TIL}", "fact", "employment", "workplace", confidence=WEAKER),
    Rule("started began",
        r"(?:started|began) (?:eating|drinking) (?P<value>(?!(?:my|the|an?|some|this|that|it|at|in|out|up)\b).+?)"
        r"(?: again\b.*)?$", "preference", "habit"),
    Rule("started begin began",
        r"(?:started|began) (?:a |my )?(?:new )?(?:job|role|position|work|working)(?: as (?:a |an |the"
        rf" )?(?P<occupation>.+?))? (?:at|for|with) {_V}", "status", "employment", "workplace"),
    Rule("started began",
        rf"(?:started|began) (?:(?:a |my )?(?:new )?(?:job|role|position)|working) as (?:a |an |the )?{_V}",
        "status", "occupation", "short"),
    Rule("started", rf"started at (?P<value>(?-i:[A-ZÀ-Ý]).+?){_TIL}", "status", "employment", "workplace"),
    Rule("got landed accepted took found",
        rf"(?:got|landed|accepted|took|found) (?:a|an|the|my) (?:[\w'-]+ ){{0,4}}?(?:job|position|offer|role"
        rf"|internship)(?: as (?:a |an |the )?(?P<occupation>.+?))? (?:at|with|from|for) {_V}",
        "status", "employment", "workplace"),
    Rule("joined",
        r"joined (?P<value>(?-i:[A-ZÀ-Ý])[\w&. -]+) as (?:a |an |the |their )?(?P<occupation>.+?)"
        rf"{_TIL}", "status", "employment", "workplace"),
    Rule("quit left lost resigned",
        rf"(?:quit|left|lost|resigned from) (?:my|the) (?:[\w'-]+ ){{0,3}}?(?:job|position|role|gig)(?: (?:at|with)"
        rf" {_V}.*|\b.*)", "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("quit resigned",
        rf"(?:quit|resigned from) (?P<value>the (?:[\w'-]+ ){{0,2}}?{EMPLOYER}){_TIL}",
        "status", "employment", mark=ENDED),
    Rule("quit left resigned",
        rf"(?:quit|left|resigned from) (?P<value>(?-i:[A-ZÀ-Ý])[\w&.-]+(?: (?-i:[A-ZÀ-Ý])[\w&.-]+)?){_TIL}",
        "status", "employment", value=ANY_JOB, mark=ENDED, confidence=WEAKER),
    Rule("got", r"got (?P<value>married|engaged|divorced|remarried)(?:$| .*)", "status", "marital_status"),
    Rule("married", r"married (?P<value>my .+|(?-i:[A-Z])\w+.*)", "status", "marital_status", value="married"),
    Rule("retired", r"retired\b.*", "status", "employment", value="retired"),
    Rule("study", rf"study (?P<value>(?!for|hard|at|a lot).+?)(?: (?:at|in) .+|{_TIL})", "fact", "education", "short"),
    Rule("study", r"study at (?P<value>.+)", "fact", "education", "short"),
    Rule("major majored graduated", rf"(?:major(?:ed)? in|graduated(?: from| with| in)?) {_V}", "fact", "education"),
    Rule("speak", rf"speak (?P<value>(?:\w+ )?{TONGUE}.*)", "fact", "language"),
    Rule("weigh", rf"weigh (?:about |around |in at |roughly |only )*{_NUMBER}", "fact", "weight", "number"),
    Rule("teach coach", r"(?:teach|coach) (?P<value>.+)", "fact", "occupation"),
    Rule("run own manage lead",
        r"(?:run|own|manage|lead) (?P<value>(?:a|an|my own|our|my|the|two) .+)", "fact", "occupation"),
    Rule("take",
        r"take (?P<value>(?:[\w-]+ ){0,3}?(?:medication|medicine|insulin|antidepressants|pills|supplements|vitamins"
        r"|metformin|ibuprofen|statins?)\b.*)", "fact", "health"),
    Rule("identify", r"identify as (?P<value>.+)", "fact", "identity"),
)  # fmt: skip

_LIKING = (
    Rule("prefer prefer_not", r"prefer (?P<value>(?!not to say).+)", "preference", "preference"),
    Rule("would", r"would (?:much |really )?(?:rather|prefer)(?: to)? (?P<value>.+)", "preference", "preference"),
    Rule("love like enjoy prefer appreciate",
        r"(?:love|like|enjoy|prefer|appreciate) (?P<value>(?:it )?(?:when|if) (?!you\b).+)", "preference", "likes"),
    Rule("hate dislike", r"(?:hate|dislike) (?P<value>(?:it )?(?:when|if) .+)", "preference", "dislikes"),
    Rule("do_not can_not",
        r"(?:do not (?:really |particularly )*(?:like|enjoy|appreciate)|can not (?:stand|bear))"
        r" (?P<value>(?:it )?(?:when|if) .+)", "preference", "dislikes"),
    Rule("love adore like enjoy favor favour", rf"(?:love|adore|like|enjoy|favou?r) {_LIKED}", "preference", "likes"),
    Rule("work learn focus think study sleep concentrate",
        r"(?P<value>(?:work|learn|focus|think|study|sleep|concentrate) best .+)", "preference", "preference"),
    Rule("stick opt", r"(?:stick (?:to|with)|opt for) (?P<value>.+)", "preference", "habit", confidence=WEAKER),
    Rule("find",
        r"(?P<value>find .+ (?:easier|better|clearer|nicer|more \w+)\b.* than .+)", "preference", "preference"),
    Rule("would",
        r"would like to (?P<value>stick (?:to|with) .+)", "preference", "preference", confidence=WEAKER),
    Rule("chose choose picked opted went",
        r"(?:chose|choose|picked|opted for|went with) (?P<value>.+ (?:over|instead of|rather than) .+)",
        "preference", "preference", confidence=WEAKER),
    Rule("prioritize prioritise value", r"(?:prioriti[sz]e|value) (?P<value>.+)", "preference", "preference"),
    Rule("hate dislike despise loathe", rf"(?:hate|dislike|despise|loathe) {_LIKED}", "preference", "dislikes"),
    Rule("can_not", r"can not (?:stand|bear) (?P<value>.+)", "preference", "dislikes"),
    Rule("can_not", r"can not (?:eat|have|tolerate|drink|digest) (?P<value>.+)", "fact", "avoids"),
    Rule("do_not",
        rf"do not (?:really |particularly |much )*(?:like|enjoy|love|care for) {_LIKED}", "preference", "dislikes"),
    Rule("do_not", r"do not (?:eat|drink|consume|cook with) (?P<value>.+)", "preference", "avoids"),
    Rule("do_not", r"do not (?P<value>(?:smoke|drive|drink|cook|gamble)\b.*)", "fact", "habit", "short"),
    Rule("do_not",
        r"do not (?:speak|have) (?P<value>(?:kids|children|siblings|pets|a car|a license|(?-i:[A-Z])\w+)\b.*)",
        "fact", None, "short"),
    Rule("avoid steer stay keep shy",
        r"(?:avoid|(?:steer|stay) clear of|(?:stay|keep|shy) away from) (?P<value>.+)", "preference", "avoids"),
    Rule("take have drink",
        r"(?:take|have|drink) my (?P<favourite>coffee|tea|steak|eggs|toast|whiske?y) (?P<value>(?!break)\w+(?: .+)?)",
        "preference"),
    Rule("eat drink",
        r"(?:eat|drink) (?P<value>(?:only |mostly |a lot of |plenty of |no )?(?!out\b|up\b).+)", "preference", "habit"),
    Rule("tend lean gravitate",
        r"(?:tend|lean|gravitate) (?:to (?:prefer|favou?r|avoid|like)|towards?) (?P<value>.+)",
        "preference", "preference"),
    Rule("support", r"support (?P<value>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2})$", "preference", "likes"),
    Rule("collect", r"collect (?P<value>.+)", "preference", "likes"),
    Rule("play", r"play (?:the )?(?P<value>(?!with|around|a (?:role|part)|along)[\w: -]+)", "fact", "hobby"),
    Rule("volunteer", r"volunteer (?P<value>(?:at|with|for|in) .+)", "fact", "habit"),
)  # fmt: skip

_AIMING = (
    Rule("want", rf"want to (?P<value>(?!learn (?:more|about)){AIM}\b.+)", "goal", "goal", confidence=WEAKER),
    Rule("would",
        rf"would (?:really )?(?:love|like) to (?P<value>(?!learn (?:more|about)){AIM}\b.+)",
        "goal", "goal", confidence=WEAKER),
    Rule("plan hope aim intend",
        r"(?:plan|hope|aim|intend) (?:to|on) (?P<value>(?!hear|see you|chat|talk|know|find|make sure|get back"
        r"|understand).+)", "goal", "goal"),
    Rule("aim", r"aim for (?P<value>.+)", "goal", "goal"),
    Rule("dream", r"dream (?:of|about) (?P<value>\w+ing .+)", "goal", "goal"),
    Rule("achieved reached hit met accomplished",
        r"(?:achieved|reached|hit|met|accomplished) my (?P<value>(?:[\w'-]+ ){0,4}?(?:goal|target|milestone"
        r"|dream)\b.*)", "status", "goal", mark=REACHED),
    Rule("finished completed",
        r"(?:finally )?(?:finished|completed) (?P<value>(?!it\b|up\b|with\b|all\b).+)", "status", "goal", mark=REACHED),
    Rule("will",
        r"will (?:be )?(?P<value>(?:go|going|fly|flying|travel|traveling|move|moving|start|starting|visit|visiting"
        r"|attend|attending|perform|performing|run|running|compete|competing|graduate|graduating|leave|leaving|host"
        rf"|hosting|turn|have)\b.* {SOON}.*)", "event"),
)  # fmt: skip

_DOING = (
    Rule("go", rf"go (?P<value>\w.* {REGULARLY}.*)", "fact", "habit"),
    Rule(
        "walk run cook bake exercise swim cycle jog meditate train wake practice practise write read watch attend"
        " visit call meet take do play volunteer paint garden work try eat drink hike dance get spend start wear"
        " buy order check",
        rf"(?P<value>\w+ (?:.* )?{REGULARLY}.*)", "fact", "habit",
    ),
    Rule("usually always often never", r"(?P<value>.+)", "fact", "habit"),
    Rule("got",
        r"got (?P<value>(?:a|an|my|two|three|another|some|new|back from|into|promoted|hired|pre-approved)\b (?!lot"
        r"|bit|chance|feeling|kick|call|ton|while|surge|great turnout|good laugh|good news|great news"
        r"|exciting news|sense|bunch|little).+)", "event"),
    Rule("had",
        rf"had (?P<value>(?:a|an|my|our|another|{COUNT})\b (?:[\w'-]+ ){{0,4}}?(?:{OCCASION}|health scare|baby"
        r"|surgery|accident|picnic|barbecue|bbq|miscarriage|heart attack|operation|fall|breakup|fight|argument"
        r"|checkup|sleepover|party|visit)\b.*)", "event"),
    Rule("made",
        r"made (?P<value>(?:a|an|some|my|our|the)\b (?!mistake|lot|point|decision|good|right|big|difference|choice"
        r"|few|most|best).+)", "event"),
    Rule("took",
        r"took (?P<value>(?:a|an|my|our|the|some|up|\d+)\b (?!lot|while|bit|long|time|few|break|moment|deep|look"
        r"|chance|step|advice|leap|day).+)", "event"),
    Rule("found",
        r"found (?P<value>(?:a|an|my|some)\b (?!lot|way|bit|few|good way|new way|sense|great way|solution|bug).+)",
        "event"),
    Rule("gave", r"gave (?P<value>(?:a|an|my|up)\b .+)", "event"),
    # What is read in the summer is read every summer, or was in the last one.
    Rule("read", rf"read (?!.* in the (?:summer|winter|spring|fall|autumn)\b)(?P<value>.+ {PAST})", "event"),
    Rule("saw", rf"saw (?P<value>.+ {PAST})", "event"),
    Rule("lived worked studied", r"(?P<value>(?:lived|worked|studied) (?:in|at|for|as|with) .+)", "event"),
    Rule("decided chose agreed", r"(?:decided|chose|agreed) (?:to|on) (?P<value>.+)", "event"),
    Rule("stayed", r"stayed (?:at|in|with) (?P<value>.+)", "event"),
    Rule("hit cut set", rf"(?P<value>.+ {PAST})", "event"),
    Rule(
        "went visited joined attended bought purchased ordered adopted started began finished completed launched"
        " opened closed published released recorded performed played won lost sold built painted planted wrote"
        " baked cooked hosted organized organised celebrated competed participated volunteered donated received"
        " earned applied enrolled registered graduated passed failed moved traveled travelled flew drove hiked"
        " camped ran biked cycled swam climbed surfed explored met booked scheduled signed quit landed accepted"
        " declined hired created designed learned learnt taught presented injured hurt broke sprained fractured"
        " caught watched switched upgraded renovated redecorated rented leased inherited invested saved spent paid"
        " raised rescued founded repaired restored replaced submitted filed auditioned interviewed trained tested"
        " dyed reached achieved beat qualified cancelled canceled postponed rescheduled arranged reconnected"
        " collaborated partnered mentored coached grew harvested knitted sewed crocheted fostered proposed divorced"
        " resigned picked turned came increased reduced extended doubled invited introduced limited skipped threw"
        " teamed wrapped fixed cleaned installed downloaded discovered assembled",
        rf"(?P<value>{DONE} (?!it\b|so\b|to (?:be|know|think|feel|realize|see)\b|out to\b|with (?:it|that)"
        r"|through|on to|a lot$|well|away|in touch|the lottery|about it|across|me\b|up to\b).+)", "event",
    ),
)  # fmt: skip

RULES = (*_SELF, *_HAVING, *_LIVING, *_BEING, *_LIKING, *_AIMING, *_DOING)
