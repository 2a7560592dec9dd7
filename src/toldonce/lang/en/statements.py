"""What English statements look like: spoken spelling, cues, and words by topic; tables, nothing else."""

from __future__ import annotations

from toldonce.lang.statements import StatementWords
from toldonce.text.patterns import match_any

_MALE = (
    "dad daddy father papa brother son husband boyfriend uncle grandpa grandad grandfather nephew"
    " stepdad ex-husband fella"
)
_FEMALE = (
    "mum mom mummy mommy mama mother sister daughter wife girlfriend aunt auntie grandma nana gran granny grandmother"
    " niece stepmum stepmom ex-wife nan missus"
)
# "On sertraline 50" is a dose, "on april 20" a day.
_LONG_MONTHS = "january|february|march|april|august|september|october|november|december"

STATEMENTS = StatementWords(
    spelling={
        "im": "I'm",
        "ive": "I've",
        "id": "I'd",
        "ill": "I'll",
        "dont": "don't",
        "doesnt": "doesn't",
        "didnt": "didn't",
        "cant": "can't",
        "wont": "won't",
        "isnt": "isn't",
        "arent": "aren't",
        "wasnt": "wasn't",
        "werent": "weren't",
        "hasnt": "hasn't",
        "havent": "haven't",
        "couldnt": "couldn't",
        "shouldnt": "shouldn't",
        "wouldnt": "wouldn't",
        "thats": "that's",
        "theres": "there's",
        "whats": "what's",
        "hes": "he's",
        "shes": "she's",
        "theyre": "they're",
        "youre": "you're",
        "weve": "we've",
        "theyve": "they've",
        "lets": "let's",
        "gonna": "going to",
        "wanna": "want to",
        "gotta": "have to",
        "gotten": "got",
        "u": "you",
        "ur": "your",
        "r": "are",
        "pls": "please",
        "plz": "please",
        "thx": "thanks",
        "ty": "thanks",
        "bc": "because",
        "cuz": "because",
        "cos": "because",
        "coz": "because",
        "tho": "though",
        "thru": "through",
        "rn": "right now",
        "atm": "at the moment",
        "nvm": "never mind",
        "wk": "week",
        "wks": "weeks",
        "yr": "year",
        "yrs": "years",
        "mins": "minutes",
        "hrs": "hours",
        "tmrw": "tomorrow",
        "tmr": "tomorrow",
        "2day": "today",
        "w": "with",
        "wo": "without",
        "abt": "about",
        "ppl": "people",
        "bday": "birthday",
        "bf": "boyfriend",
        "gf": "girlfriend",
        "mon": "monday",
        "tue": "tuesday",
        "tues": "tuesday",
        "wed": "wednesday",
        "weds": "wednesday",
        "thu": "thursday",
        "thur": "thursday",
        "thurs": "thursday",
        "fri": "friday",
        "sat": "saturday",
        "til": "until",
        "till": "until",
        "em": "them",
        "ya": "yes",
        "yea": "yes",
        "yeah": "yes",
        "yep": "yes",
        "yup": "yes",
        "nah": "no",
        "nope": "no",
        "kinda": "kind of",
        "sorta": "sort of",
        "dunno": "don't know",
        "ain't": "is not",
        "aint": "is not",
        "gimme": "give me",
        "lemme": "let me",
        "outta": "out of",
    },
    doubtful_spelling=frozenset("id ill em ya wed sat mon sun fri r w wo cos wk wks ty till".split()),
    common=frozenset(
        """
        doc doctor say says said tell tells told know knows knew go goes going went gone get gets got getting come
        comes came coming take takes took taken taking give gives gave make makes made making put puts
        keep keeps kept let lets see sees saw seen look looks want wants need needs use uses used run
        runs work works working start starts started stop stops stopped end ends ended move moves moved
        moving change changes changed call calls called find finds found feel feels felt think thinks
        thought live lives living stay stays write writes wrote read reads talk ask asks asked play plays
        turn turns bring brings leave leaves left eat eats eating house home room place thing stuff step
        steps people person guy girl boy man woman kid extra whole half part side way bit lot kind sort
        time times day days week month year years old new next last big small good bad better best nice
        great fine real right wrong early late long short high low hard easy free full main same
        different other update news
        """.split()
    ),
    first_person=frozenset("i i'm i've i'd i'll me my mine we we're we've we'll us our ours myself".split()),
    he=frozenset("he he's he'd he'll him his himself".split()),
    she=frozenset("she she's she'd she'll her hers herself".split()),
    they=frozenset("they they're they've they'd they'll them their theirs".split()),
    kin=frozenset(
        f"{_MALE} {_FEMALE} partner kid kids child children baby twins parents cousin friend boss manager neighbor"
        " neighbour flatmate roommate colleague coworker landlord landlady fiance fiancee girl boy sitter nanny carer"
        " grandson granddaughter".split()
    ),
    male_kin=frozenset((_MALE + " grandson boy").split()),
    female_kin=frozenset((_FEMALE + " granddaughter girl").split()),
    own=frozenset("my our".split()),
    places=frozenset("in at from near to into".split()),
    joins=r"and|but|so|also",
    subjects=frozenset(
        "i i'm i've i'll we we're he he's she she's they they're my his her their our it it's there's".split()
    ),
    accepts=(
        r"(?:yes|ok|okay|sure|correct|right|exactly|perfect|great|good|nice|fine|please|do|go|that|it|this|for|with"
        r"|ahead|lets|let's|then|sounds|works|agreed|yes please|the|first|second|one|option|spot|on|deal|done|true"
        r"|right)"
    ),
    answers=frozenset("yes no not correct exactly sure right true never always both neither about around".split()),
    small_talk=frozenset(
        "hi hello hey morning evening night goodnight good thanks thank cheers ta bye lol haha hahaha lmao wow omg"
        " congrats"
        " congratulations welcome sorry ugh yay nice cool great awesome ok okay yes no please well oh ah hmm love"
        " legend respect rip mate buddy bro dude guys man amazing brilliant perfect done sure right really so the you"
        " that is it's that's i'm a to what how are we u".split()
    ),
    joking=(
        r"jk|just kidding|kidding|joking|lol|lmao|rofl|haha\w*|hehe\w*|/s|in my dreams|over my dead body|when pigs fly"
        r"|as if|yeah right|wish me luck|for a laugh"
    ),
    supposing=(
        r"if (?:i|we|he|she|they|it|you|only|my|someone|somebody)|what if|imagine|suppose|supposing|i wish|would be"
        r"|would have|would've|i'd (?:be|have|just|love|buy|move|never|rather)|could have|might as well|wouldn't it"
        r"|should have|one day|some day|someday|in another life|when i (?:grow up|retire|win)"
    ),
    quoting=(
        r"(?:says?|said|saying|reckons?|thinks?|thought|told|tells|claims?|swears?|insists?|was like|goes"
        r"|keeps? (?:saying|telling)"
        r"|according to|heard|read|apparently|quote|asked|suggest(?:s|ed)|recommends?|wrote)"
    ),
    hedging=(
        r"maybe|perhaps|might|probably|possibly|not sure|no idea|thinking (?:of|about)|considering|i guess|i think"
        r"|nothing booked|who knows|we'll see|depends|wondering|tempted|don't know"
    ),
    asking=(
        r"(?:can|could|would|will|do|does|did|is|are|was|were|have|has|should|shall|what|what's|when|where|who|who's"
        r"|why|how"
        r"|which|any|anyone|anybody|got any)"
    ),
    ends=(
        r"no longer|not any ?more|any ?more|isn't|aren't|no more|over|off|stopped|stop|quit|quitting|done with"
        r"|finished|ended|gave up|given up"
        r"|cancell?ed|called off|scrap(?:ped)?|dropp(?:ed|ing)|drop|gone|forget (?:it|about|the|that)|left (?:the|my"
        r"|for|him|her|home|work|school)|leaving|broke up"
        r"|split up|divorc\w+|separated|sold|lost|closed|retired|resigned|handed in|fired|laid off|cleared|all clear"
        r"|healed"
        r"|fixed|cured|better now|fine now|totally fine|passed away|died|moved out|out of the question|never mind"
        r"|ditched"
        r"|removed|deleted|banned|dead|reversed|undo|revert(?:ed)?|not (?:doing|going|taking|using|having|allergic)"
        r"|after all|is (?:gone|dead|out)|are done"
        r"|came? off|taken? off|told (?:me|us) to stop|nothing since|gave .{1,30} to|ran out|expired|scratch that"
    ),
    replaces=(
        r"instead|switch(?:ed|ing)?|swap(?:ped|ping)?|chang(?:ed|ing|es)|mov(?:ed|ing|es)|replac(?:ed|ing|es)|upped"
        r"|increased"
        r"|raised?|lowered|reduced|doubled|halved|bumped|pushed|postponed|rescheduled|brought forward|went (?:up|down"
        r"|to|back)"
        r"|gone (?:up|down)|(?:up|down|back) to|rather than|not \w+ but|turns out|actually|migrat(?:ed|ing)|upgraded"
        r"|promoted|transferred|delayed|extended|put back|took over|taking over|renamed|rewr(?:ote|itten)|it was"
        r"|cut (?:down|back)"
        r"|go up|not \d"
    ),
    begins=(
        r"new|start(?:s|ed|ing)?|first day|got (?:the|a) (?:job|offer|place)|just (?:got|bought|moved|started)|became"
        r"|joined"
        r"|ended up|signed (?:up|the)|bought|adopted|arrived|we're in|begin(?:s|ning)?"
    ),
    now=(
        r"now|these days|currently|at the moment|from now on|update|as of|going forward|since (?:last|yesterday"
        r"|monday)|today|already|lately"
    ),
    again=r"again|back|resum\w+|after all",
    allows=r"can|may|allowed|fine|ok|okay|feel free|no problem|works|safe to",
    past=(
        r"used to|was|were|had|back then|in the past|years? ago|when i was|growing up|formerly|once|ex"
        r"|previous(?:ly)?|old"
    ),
    ahead=(
        r"will|going to|gonna|won't|next|tomorrow|planning|plan|booked|due|deadline|upcoming|soon|from (?:monday"
        r"|next)|starts?"
    ),
    negation=(
        r"not|no|never|don't|doesn't|didn't|can't|cannot|won't|isn't|aren't|without|none|nothing|hates?|avoid|stop"
    ),
    instructing=(
        r"(?:please|don't|do not|never|always|use|call me|remind me|remember|keep|make sure|no|only|from now on|stop"
        r"|ring|wake|write"
        r"|answer|reply|speak|talk|careful|watch out|note|must|has to|have to|needs? to|run|put|add|avoid|only|should"
        r"|you can|feel free"
        r"|go with|let's|set|commits?|mask|check|ask me|tell me)"
    ),
    adds=r"too|also|as well|not only|not just|on top of",
    keeps=r"still|same|as before|unchanged|continues?|stays?|staying|keeps?|keeping|as usual",
    corrects=r"actually|no wait|wait no|i mean|sorry|correction|scratch that|make that|not \w+,? (?:but|it's)",
    numbers={
        "one": "1",
        "two": "2",
        "three": "3",
        "four": "4",
        "five": "5",
        "six": "6",
        "seven": "7",
        "eight": "8",
        "nine": "9",
        "ten": "10",
        "eleven": "11",
        "twelve": "12",
        "twenty": "20",
        "thirty": "30",
        "fifty": "50",
        "half": "0.5",
        "twice": "2",
    },
    units=(
        r"mg|mcg|micrograms?|milligrams?|grams?|g|kg|kilos?|lbs?|pounds?|stone|units?|ml|l|litres?|liters?|km|k"
        r"|miles?|cm|m"
        r"|minutes?|hours?|h|days?|weeks?|months?|years?|am|pm|o'clock|%|percent|degrees?|bucks|dollars?|euros?|quid"
        r"|khz|mhz"
        r"|ghz|ms|s|seconds?|kb|mb|gb|times?|tablets?|pills?|puffs?|drops?|bedrooms?|people|seats?"
    ),
    days=(
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|weeknights?|mornings?|evenings?|nights?"
        r"|noon|midnight"
        r"|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun"
        r"|jul|aug"
        r"|sept?|oct|nov|dec|tomorrow|today|tonight|yesterday|easter|christmas|summer|winter|spring|autumn"
    ),
    often=r"every|each|daily|weekly|monthly|a day|a week|per day|once|twice|always|usually|nightly|per week|times a",
    topics={
        "allergy": match_any(
            r"allerg\w* intoleran\w* anaphyla\w* epipen coeliac celiac gluten lactose nut nuts peanuts? hives"
            r" can't_have"
        ),
        "medication": match_any(
            r"mg mcg micrograms pills? tablets? dose doses medication medicine meds prescri\w* insulin inhaler"
            r" antibiotics?"
            r" (?:take|takes|taking)_[a-z]{5,}_\d+"
            rf" on_(?!(?:{_LONG_MONTHS})\b)[a-z]{{5,}}_\d{{1,2}}[05]"
            r" cream ointment drops puffs jab injections? vaccine statins? painkillers? ibuprofen paracetamol put_me_on"
            r" \w{3,}(?:formin|profen|prazole|statin|cillin|sartan|olol|oxetine|zepam|pril|pine|thyroxine|zole|mab"
            r"|caine|cortisone|urinol)"
        ),
        "symptom": match_any(
            r"pain pains painful hurts? hurting ache aches aching sore swollen rash fever cough dizzy dizziness"
            r" nausea sick"
            r" migraines? headaches? insomnia sleep tired fainted cramps? limp bleeding itchy carsick seasick phobia"
            r" anxious"
            r" anxiety depress\w* panic barking killing_me bad_back bad_knee"
        ),
        "body": match_any(
            r"weigh\w* knee hip back foot feet ankle shoulder elbow wrist finger toe leg arm eye eyes ear ears tooth"
            r" teeth skin heart"
            r" lung lungs liver kidney kidneys stomach thyroid blood pressure sugar cholesterol weight bmi pulse"
            r" hearing sight bp glucose ha?emoglobin ferritin kilos kg"
        ),
        "condition": match_any(
            r"diagnos\w* diabet\w* asthma\w* cancer epilep\w* arthritis gout eczema thyroid hypertension pregnan\w*"
            r" pacemaker"
            r" surgery operation operated broke broken sprained torn fracture\w* adhd autis\w* dyslexi\w* coeliac"
            r" celiac disorder"
            r" syndrome sciatica disease infection virus covid flu deaf blind disabled wheelchair implant transplant"
            r" stroke"
        ),
        "care": match_any(
            r"doctor doc gp nurse hospital clinic physio\w* dentist dermatologist cardiologist therapist therapy"
            r" surgeon"
            r" appointment check-?up bloods scan mri x-?ray results optician vet midwife"
        ),
        "diet": match_any(
            r"vegan vegetarian veggie pescatarian halal kosher meat pork fish dairy eat eats eating diet decaf coffee"
            r" alcohol"
            r" drink drinks drinking sugar salt low-?carb keto fasting snack lunch food breakfast"
        ),
        "family": match_any(
            rf"{_MALE} {_FEMALE} kids? child children baby twins parents cousin married marry engaged divorc\w*"
            rf" separated"
            r" widow\w* wedding anniversary partner girlfriend boyfriend born pregnant due passed died funeral"
            r" fiancee?"
            r" family grandson granddaughter ex in-laws"
        ),
        "people": match_any(
            r"friend friends boss manager neighbou?r roommate flatmate colleague teacher coach mate best_friend"
            r" called named"
        ),
        "pet": match_any(
            r"dog dogs cat cats puppy kitten hamster rabbit parrot horse pony fish tortoise guinea_pig pet pets vet"
            r" adopted"
        ),
        "work": match_any(
            r"work works working job boss manager office shift shifts hired fired laid_off company team client"
            r" clients contract"
            r" salary promotion promoted retired unemployed freelance remote nurse teacher engineer developer"
            r" designer manager"
            r" accountant lawyer chef driver physio electrician plumber student analyst consultant notice interview"
            r" offer"
            r" setter builder mechanic assistant intern colleague paramedic carpenter cook barista waiter waitress"
            r" cashier cleaner pilot scientist researcher writer editor journalist photographer architect secretary"
            r" receptionist apprentice hairdresser barber farmer baker butcher tailor programmer founder employer"
            r" employee workplace occupation profession position career"
        ),
        "study": match_any(
            r"school uni university college course exam exams degree class classes lesson lessons thesis teacher"
            r" study studying"
            r" grade term semester kindy nursery homework phd masters learning"
        ),
        "home": match_any(
            r"live lives living moved moving move house flat apartment rent mortgage landlord neighbou?r street town"
            r" city country"
            r" room address keys home based_in garden kitchen lease postcode neighbou?rhood suburb village"
            r" staying landlady couch"
        ),
        "plan": match_any(
            r"trip flight flights holiday vacation travel\w* visiting visit booked booking wedding birthday party"
            r" conference"
            r" deadline due launch race marathon concert tickets? plan plans planning goal goals want_to hoping camping"
        ),
        "money": match_any(
            r"rent salary loan debt mortgage savings budget pay paid pays owe owes cost costs bucks price fee k grand"
        ),
        "taste": match_any(
            r"like likes love loves hate hates prefer prefers favou?rite can't_stand fan_of into obsessed enjoy"
            r" enjoys allergic"
            r" never_again fussy won't_eat don't_like scared afraid phobia"
        ),
        "hobby": match_any(
            r"run running swim swimming swims gym yoga climb\w* cycling bike guitar piano choir band football soccer"
            r" tennis chess"
            r" paint\w* knit\w* garden\w* bingo dance dancing hik\w* surf\w* game games training practice rehearsal"
            r" match"
        ),
        "tech": match_any(
            r"test tests build builds deploy\w* branch commit commits merge repo ci api database db migration\w*"
            r" server config"
            r" script cache queue timeout retry retries version bug error crash\w* log logs docker token endpoint"
            r" schema table"
            r" column index library package dependency compiler lint format\w* fixture mock port driver firmware"
            r" flash sdk"
            r" prod production staging feature flag module function class method null async thread lock"
        ),
        "cause": match_any(
            r"because otherwise careful breaks broken fails dies bit_me careful_with silently flaky never_touch"
            r" on_purpose by_design"
            r" doesn't_work won't_work needs must only_works bug gotcha watch_out root_cause workaround"
        ),
        "decision": match_any(
            r"decid\w* decision go_with let's we'll chose choose chosen agreed settled approved option instead use"
            r" using banned"
            r" never always forbidden only must convention naming imperative"
        ),
        "name": match_any(r"called named name call_me nickname goes_by it's_spelled her_name's his_name's"),
        "event": match_any(
            r"got bought won passed finished sent ran did met saw adopted born graduated reached hit lost found broke"
            r" fixed"
            r" signed arrived landed started"
        ),
        "residence": (
            r"(?:live|lives|living|based|settled|stay|staying) (?:in|at|with|near|on)|mov(?:ed|ing|e) (?:to|in|out"
            r"|into|back|house)|got the keys|new (?:place|house|flat|apartment|home)|rent(?:ing)? (?:a|an|the)"
            r"|bought (?:a|the) (?:house|flat|place)|lease|we're in|closing (?:in|on)"
        ),
        "job": (
            r"(?:work|works|working) (?:at|for|as|in|with|nights|days|from)|(?:got|started|start|starting|starts|new"
            r"|my|the|a) (?:the |a |my |new )?job|first day|handed in|notice|resign\w*|hired|fired|laid off|promot\w+"
            r"|quit (?:the|my)|full time|part time|shifts?|contract|offer|retired|self-employed|my own business"
            r"|i'm an? [\w ]{3,20} (?:at|for|in)|last day"
        ),
        "couple": (
            r"boyfriend|girlfriend|husband|wife|partner|fiancee?|married|engaged|dating|seeing (?:someone|each other)"
            r"|broke up|split up|divorc\w+|separated|i'm single|single (?:again|now)|are done"
        ),
        "schedule": (
            r"\d{1,2}(?:[:.]\d{2})? ?(?:am|pm)|\d{1,2}(?:[:.]\d{2})? ?(?:to|-|until) ?\d{1,2}(?:[:.]\d{2})?"
            r"|every (?:day|morning|evening|night|week|\w+day)|\w+days|o'clock|hours|schedule|timetable|routine|shifts?"
            r"|weekly|daily|opening times|what time"
        ),
        "recovery": (
            r"better|healed|cleared|all clear|clear|fine now|gone|fixed|recovered|cured|stable|no (?:more )?(?:pain"
            r"|symptoms|attacks)|back to normal|off the|discharged|came off"
        ),
    },
)
