"""English word lists that several parts share; strings of alternatives for patterns, nothing else."""

from __future__ import annotations

from toldonce.text.patterns import match_any

COUNT = r"(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|a_couple_of|several|many|\d+)".replace("_", " ")
MONTH = match_any("january february march april may june july august september october november december")
DAY = match_any("monday tuesday wednesday thursday friday saturday sunday")
UNIT = r"(?:day|night|week|weekend|month|year|semester|hour|minute|decade)s?"
SPAN = match_any(
    "week weekend month year night summer winter spring fall autumn semester quarter morning afternoon evening"
)
FEAST = match_any("christmas christmas_eve christmas_day boxing_day new_year's_eve halloween easter thanksgiving")
SOON = (
    rf"(?:tomorrow|the day after tomorrow|tonight|(?:next|this|the coming|this coming) (?:{SPAN}|{DAY}|{MONTH}|{FEAST})"
    rf"|in (?:{COUNT}|a few) {UNIT}"
    rf"|(?:on|by|until|before) (?:the )?(?:{DAY}|{MONTH}|\d{{1,2}}(?:st|nd|rd|th)?)|in (?:{MONTH}|20\d\d)|at \d{{1,2}})"
)
PAST = (
    rf"(?:yesterday|the day before yesterday|today|last (?:{SPAN}|{DAY}|{MONTH}|{FEAST})|the week before last"
    rf"|(?:{COUNT}|a few|some) {UNIT} ago|in (?:{MONTH}|19\d\d|20\d\d|the (?:summer|winter|spring|fall|autumn))"
    rf"|(?:on|around) (?:{DAY}|{MONTH})|this (?:{SPAN})|the other day|recently|back in \d{{4}})"
)
SINCE = rf"since (?:yesterday|\d{{4}}|(?:last )?(?:{DAY}|{MONTH}|{SPAN}|{FEAST}))"
REGULARLY = (
    rf"(?:every(?: other| single)? (?:{UNIT}|{DAY}|{SPAN})|daily|weekly|monthly|(?:once|twice|thrice|(?:{COUNT}|a"
    r" few) times)"
    rf" (?:a|per|each|every) {UNIT}|on (?:{DAY}s|weekends|weekdays|the weekends?)|in the (?:mornings?|evenings?)"
    r"|each (?:day|week|morning|night)|most (?:days|weekends|mornings))"
)

# Whom people quit as an employer only: nobody is a member there or studies there.
EMPLOYER = match_any(
    "bakery restaurant café cafe diner shop store bookstore bookshop supermarket pharmacy hospital clinic bank firm"
    " company agency startup start-up factory warehouse hotel brewery airline consultancy salon"
)

RELATION = match_any(
    "mom mum mother dad father parents sister brother siblings wife husband spouse partner fiancé fiancée fiance"
    " fiancee girlfriend boyfriend son daughter kids children child baby toddler grandma grandmother grandpa"
    " grandfather grandparents aunt uncle cousin niece nephew mother-in-law father-in-law sister-in-law"
    " brother-in-law sister_in_law brother_in_law mother_in_law father_in_law stepmom stepmother stepdad stepfather"
    " stepson stepdaughter best_friend friend roommate flatmate"
    " boss manager coworker co-worker colleague mentor neighbor neighbour therapist coach tutor teacher doctor twin"
    " twins ex-wife ex-husband ex godson goddaughter godmother"
)
KIN = match_any(
    "mom mum mother dad father sister brother siblings wife husband son daughter kids children baby toddler grandma"
    " grandpa grandmother grandfather aunt uncle cousins cousin niece nephew girlfriend boyfriend twins boys girls"
    " sons daughters sisters brothers grandkids grandchildren granddaughter grandson stepson stepdaughter fiancé"
    " fiancée"
)
PET = match_any(
    "dog dogs puppy puppies cat cats kitten kittens rabbit rabbits bunny hamster hamsters parrot bird birds fish"
    " turtle turtles tortoise snake lizard gecko horse horses pony guinea_pig guinea_pigs ferret chickens hens goat"
    " goats pets pet retriever labrador lab poodle bulldog beagle terrier husky corgi pug dachshund shepherd"
    " chihuahua collie"
)
JOB = match_any(
    "engineer developer programmer teacher professor nurse doctor physician surgeon lawyer attorney paralegal"
    " accountant designer writer author journalist editor artist musician singer actor actress dancer photographer"
    " chef cook baker barista bartender waiter waitress server manager director producer consultant analyst"
    " scientist researcher student architect pharmacist dentist veterinarian vet therapist psychologist psychiatrist"
    " counselor counsellor social_worker paramedic firefighter police_officer soldier pilot flight_attendant driver"
    " mechanic electrician plumber carpenter contractor farmer gardener florist librarian translator interpreter"
    " tutor coach trainer instructor entrepreneur founder co-founder ceo cto cfo business_owner freelancer"
    " salesperson realtor real_estate_agent banker economist statistician biologist chemist physicist mathematician"
    " historian philosopher geologist data_scientist marketer copywriter screenwriter novelist poet blogger streamer"
    " youtuber influencer recruiter secretary receptionist assistant cashier clerk security_guard janitor cleaner"
    " nanny babysitter caregiver midwife optometrist physiotherapist physical_therapist nutritionist dietitian"
    " hairdresser stylist tailor jeweler welder machinist operator technician intern apprentice lecturer principal"
    " stay-at-home_mom stay-at-home_dad homemaker housewife athlete footballer politician pastor priest judge"
    " detective researcher administrator coordinator supervisor specialist strategist planner officer executive"
    " representative filmmaker animator illustrator sculptor painter potter composer dj comedian model volunteer"
    " postdoc grad_student graduate_student phd_student colorist producer sound_engineer curator veteran lifeguard"
    " coder inventor"
)
CONDITION = match_any(
    "diabetes asthma arthritis adhd add autism epilepsy migraines migraine hypertension high_blood_pressure"
    " low_blood_pressure anxiety depression ptsd insomnia anemia ibs celiac_disease crohn's_disease eczema psoriasis"
    " scoliosis hypothyroidism hyperthyroidism pcos endometriosis tinnitus vertigo sciatica fibromyalgia lupus gerd"
    " acid_reflux sleep_apnea dyslexia ocd bipolar_disorder chronic_pain back_pain chronic_back_pain"
    " a_heart_condition a_bad_knee a_bad_back cancer type_1_diabetes type_2_diabetes multiple_sclerosis glaucoma"
    " gout osteoporosis prediabetes high_cholesterol gestational_diabetes"
)
DIET = match_any(
    "vegetarian vegan pescatarian pescetarian flexitarian gluten-free dairy-free lactose_intolerant lactose-intolerant"
    " gluten_intolerant gluten-intolerant kosher halal keto celiac coeliac plant-based carnivore teetotal omnivore"
)
PEOPLE = match_any(
    "American British English Scottish Welsh Irish Canadian Australian Brazilian Portuguese Spanish French German"
    " Italian Dutch Belgian Swiss Austrian Swedish Norwegian Danish Finnish Icelandic Polish Czech Hungarian"
    " Romanian Bulgarian Greek Turkish Russian Ukrainian Mexican Colombian Argentinian Argentine Chilean Peruvian"
    " Venezuelan Cuban Ecuadorian Uruguayan Chinese Japanese Korean Vietnamese Thai Filipino Indonesian Malaysian"
    " Indian Pakistani Bangladeshi Nepali Iranian Iraqi Israeli Egyptian Moroccan Tunisian Algerian Nigerian"
    " Ghanaian Kenyan Ethiopian South_African Angolan Mozambican Cape_Verdean Jamaican Taiwanese Singaporean"
    " Lebanese Syrian Jordanian Saudi Afghan Croatian Serbian Slovenian Slovak"
)
TONGUE = match_any(
    "English Portuguese Spanish French German Italian Dutch Swedish Norwegian Danish Finnish Polish Czech Hungarian"
    " Romanian Greek Turkish Russian Ukrainian Mandarin Cantonese Chinese Japanese Korean Vietnamese Thai Tagalog"
    " Hindi Urdu Bengali Arabic Hebrew Persian Farsi Swahili Latin Catalan Galician Basque Esperanto Irish Welsh"
    " Tamil Punjabi Malay Indonesian Croatian Serbian Bulgarian sign_language ASL Libras Icelandic"
)
OWNED = match_any(
    "car truck van motorcycle motorbike scooter bike bicycle boat house apartment condo cottage cabin farm garden"
    " greenhouse workshop studio store shop business company restaurant bakery café blog podcast website"
    " youtube_channel channel guitar piano violin keyboard drum_kit drums camera telescope laptop macbook iphone"
    " ipad tablet console playstation ps5 xbox nintendo_switch kindle drone 3d_printer collection bookcase library"
    " garage pool treadmill tattoo tattoos Tesla Toyota Honda Ford BMW smartwatch fitbit sewing_machine kayak"
    " surfboard"
)
OCCASION = match_any(
    "appointment meeting interview exam test flight date deadline presentation concert recital performance show game"
    " match tournament competition race marathon wedding party checkup check-up surgery session class workshop"
    " conference trip vacation holiday reservation dinner lunch audition call hearing due_date reunion festival"
    " exhibition gig rehearsal"
)
# What is arranged on one day is mostly for another.
ARRANGED = match_any(
    "booked scheduled rescheduled planned arranged registered enrolled applied signed signed_up agreed decided chose"
    " chosen accepted declined rejected turned_down cancelled canceled postponed organized organised ordered invited"
    " hired talked discussed submitted extended proposed set_up saved"
)

# Past verbs for completed actions, each with what may follow it.
DONE = match_any(
    "went visited joined attended bought purchased ordered adopted started began finished completed launched opened"
    " closed published released recorded performed played won lost sold built painted planted wrote baked cooked"
    " hosted organized organised celebrated competed participated volunteered donated received earned applied"
    " enrolled registered graduated passed failed moved traveled travelled flew drove hiked camped ran biked cycled"
    " swam climbed surfed explored met booked scheduled signed quit left joined landed accepted declined rejected"
    " turned_down agreed decided chose hired created designed learned learnt taught presented gave spoke injured"
    " hurt broke sprained fractured caught saw watched tried switched upgraded renovated redecorated rented leased"
    " inherited invested saved spent paid raised rescued found founded set_up signed_up took_up picked_up gave_up"
    " took got made read tore repaired fixed restored replaced submitted filed auditioned interviewed trained"
    " practiced practised rehearsed walked tested dyed cut returned came_back got_back reached achieved hit beat"
    " qualified wrapped_up threw dropped cancelled canceled postponed rescheduled extended planned arranged"
    " lost_touch reconnected talked discussed collaborated teamed_up partnered mentored coached helped shared posted"
    " uploaded had was stayed lived worked studied grew harvested collected knitted sewed crocheted fostered married"
    " proposed divorced separated broke_up retired resigned fixed cleaned installed downloaded discovered assembled"
    " skipped declined limited reduced increased cut_back doubled introduced invited"
)
DONE_PARTICIPLE = match_any(
    "gone visited joined attended bought purchased ordered adopted started begun finished completed launched opened"
    " closed published released recorded performed won lost sold built painted planted written hosted organized"
    " organised donated received earned applied enrolled registered graduated passed failed moved booked scheduled"
    " signed quit left landed accepted decided chosen hired created designed taught injured broken switched upgraded"
    " renovated set_up signed_up taken_up taken started picked_up given_up submitted filed replaced reached achieved"
    " read watched cut_back rescheduled agreed extended added saved spent raised turned_down declined lived worked"
    " studied traveled travelled been_to watched"
)
# What somebody is in the middle of.
DOING = match_any(
    "working_on working_with working_towards working_toward volunteering training preparing writing building"
    " developing designing creating making reading studying learning taking teaching coaching mentoring running"
    " organizing organising renovating redecorating growing saving raising dating seeing fostering job_hunting"
    " house_hunting applying rehearsing practicing practising competing participating recovering struggling_with"
    " dealing_with playing hosting launching opening starting expanding collecting collaborating interning"
    " freelancing restoring editing filming recording publishing researching investing expecting planning exploring"
    " experimenting using doing leading managing attending following eating drinking cutting reducing trying_to_lose"
    " trying_to_quit trying_to_cut trying_to_learn trying_to_save trying_to_eat trying_to_get_into trying_to_reduce"
    " trying_to_improve trying_to_build getting_into getting_ready_for networking watching listening_to hiking"
    " cooking baking painting gardening knitting"
)
# What people set out to do with their lives, as against what they want of this conversation.
AIM = match_any(
    "learn become lose run buy visit travel start write_a write_my save_up save_for save_money quit move study"
    " open_a open_my finish adopt win get_in_shape get_into get_better_at get_fit get_stronger get_healthier"
    " get_married get_my get_promoted get_a_job get_a_new_job get_a_dog get_a_cat get_a_degree get_a_master's pursue"
    " retire read_more publish volunteer compete join_a join_the play_the climb go_to go_back_to own_a work_as"
    " work_at work_in work_for teach have_kids have_children graduate pay_off perform sell_my raise give_back"
    " renovate qualify hike eat_healthier eat_more eat_less cut_back cut_down spend_more_time make_a_difference"
    " make_new_friends travel_the make_a_career grow_my expand_my improve_my help_people help_others"
)

# What people are doing on a day to come when they say that they are doing it then.
SETTING_OUT = (
    "moving|relocating|flying|going|leaving|travell?ing|heading|returning|visiting|starting|getting married|graduating"
    "|retiring|hosting|attending|competing|launching|arriving|seeing|meeting|opening|throwing|presenting|performing"
)
# Occasions that do not repeat weekly, so that one on Monday means the coming Monday.
ONE_TIME = (
    "(?:appointment|interview|exam|flight|recital|wedding|check-?up|surgery|operation|conference|trip|audition|hearing"
    "|due date|reunion|exhibition|graduation|marathon|tournament)"
)
