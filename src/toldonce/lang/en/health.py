"""The English words by which a report for a doctor knows medication, symptoms and care."""

from __future__ import annotations

from toldonce.lang.base import Health

_DRUGS = (
    r"(?:medications?|medicines?|meds|pills?|tablets?|insulin|antibiotics?|antidepressants?|antihistamines?"
    r"|painkillers?"
    r"|supplements?|vitamins?|statins?|aspirin|paracetamol|acetaminophen|inhaler|magnesium|melatonin"
    r"|\w{3,}(?:formin|profen|prazole|statin|cillin|sartan|olol|oxetine|zepam)|(?:lisino|enala|rami|capto)pril)"
)

HEALTH = Health(
    medication=(
        rf"\b(?:takes?|taking|took)\b[^,;.!?]{{0,30}}\b{_DRUGS}\b"
        rf"|\b(?:is|am|was) on (?:\w+ )?{_DRUGS}\b"
        r"|\b(?:was|were|been) prescribed\b|\bprescription for\b"
    ),
    symptoms=(
        r"\b(?:head|back|stomach|tooth|ear|belly|muscle)\s?-?aches?\b|\bmigraines?\b"
        r"|\bsore(?! (?:spot|point|loser|subject))\b"
        r"|\b(?:stiff|swollen|itchy|itches|itching(?! to)|numb(?:ness)?|dizz\w+|nause\w+|vomit\w*|threw up|fainted"
        r"|feverish|fever(?!-)|cough\w*|rash|cramps?"
        r"|insomnia|fatigue|short of breath|palpitations|diarrh?oea|constipated|bleeding|heartburn"
        r"|panic attacks?)\b"
        r"|\b(?:hurts|hurting|aching|aches|painful)\b|\bhurt my \w+|\bpains?\b(?! (?:points?|in the neck))"
        r"|\bcan(?:'t|not) (?:sleep|breathe)\b|\b(?:sleep|slept|sleeping) (?:badly|poorly|terribly)\b"
        r"|\bfeel(?:ing)? (?:sick|ill|weak|unwell)\b"
    ),
    # Who says so of themselves.
    own=r"\b(?:i|i'm|i've|i'd|my|me)\b",
    # Said of others, of what is over, of what never was, or as a figure of speech, it is no symptom of this person.
    not_theirs=(
        r"\b(?:no|not|never|without|don't|doesn't|isn't|didn't|stopped|gone|used to|if|nobody"
        r"|reduces?|prevents?|avoid"
        r"|relieves?|alleviates?|last (?:year|season)|years? ago|feelings?|heart (?:aches|hurts))\b"
        r"|\b(?:his|her|their|he|she|they|dog|cat|you|your|people|someone|somebody|anyone|customers?|users?)\b"
        r"|\b(?:my|our) (?:\w+ )?(?:wife|husband|son|daughter|mother|mom|mum|father|dad|sister|brother"
        r"|friend|boss|baby|kids?)\b"
        r"|\bgrowing pains\b|\bwas (?:hurt|painful to)\b|\b(?:thinking|thought) of it\b"
    ),
    care=(
        r"\b(?:doctor|dentist|physio\w*|therapist|therapy|hospital|clinic|surgery|operation"
        r"|check-?up|blood test|x-ray"
        r"|mri|scan|vaccin\w+|appointment|diagnos\w+)\b"
    ),
    to_ask=(
        r"\b(?:ask|asking|mention to|tell|discuss \w+ with)"
        r" (?:(?:\w+ )?(?:doctor|dentist|physician|therapist|gp)\b|dr\b)"
    ),
    measures={
        "weight": (
            r"(?:^|[.,;:!?] )(?:(?:today|now|currently|down to|up to|at|still|this morning"
            r"|scale said|scales? says?|i'?m|im|we're|ok|so|weight|back to|finally|hit"
            r"|already)[ :,]+)*"
            r"(?P<value>\d{2,3}(?:[.,]\d{1,2})?(?: ?(?:kg|kgs|kilos?|lbs?|pounds)(?=\W*$|[.,;!?]"
            r"| (?:today|now|this|on|again|finally|already|and|but|though|yay|lol)\b)"
            r"|(?= (?:on the scales?)\b)))"
        ),
        "blood_pressure": (
            r"(?:\b(?:bp|blood pressure|pressure)\b\D{0,20}"
            r"|^(?:\w+[ ,:]+){0,2})(?P<value>\d{1,3} ?(?:/|over) ?\d{1,3})\b(?![/.,]\d)"
        ),
        "glucose": (
            r"\b(?:glucose|blood sugars?|sugars?"
            r"|fasting)\b\D{0,20}(?P<value>\d{2,3}(?:[.,]\d)?)\b(?!\s*(?:mg|g|times|x|vezes|veces)\b)"
        ),
    },
    measured="{name}'s {measure} is {value}",
    not_own_measure=(
        r"\b(?:lost|lose|gained?|of|bench\w*|squat\w*|deadlift\w*|lift\w*|per|she|he|her|his|their"
        r"|my (?:mum|mom|dad|mother|father|wife|husband|son|daughter|dog|cat|brother|sister|kid)|baby"
        r"|dog|cat|parcel|suitcase|bags?|goal|target|want|should|under|limit|max\w*|if)\b"
    ),
)
