"""What reports say in English and Portuguese, and the words by which they know symptoms, medication and care."""

from __future__ import annotations

import re
from collections.abc import Mapping

Words = Mapping[str, str]

TITLES: Mapping[str, Words] = {
    "appointment": {
        "en": "Summary for a medical appointment, {until}",
        "pt": "Resumo para uma consulta médica, {until}",
    },
    "week": {"en": "The week of {since} to {until}", "pt": "A semana de {since} a {until}"},
    "month": {"en": "The month of {since} to {until}", "pt": "O mês de {since} a {until}"},
}
HEADINGS: Mapping[str, Words] = {
    "person": {"en": "The person", "pt": "A pessoa"},
    "measures": {"en": "Measures", "pt": "Medidas"},
    "conditions": {"en": "Conditions, allergies, diet", "pt": "Condições, alergias, dieta"},
    "medication": {"en": "Medication", "pt": "Medicação"},
    "symptoms": {"en": "Symptoms since {since}", "pt": "Sintomas desde {since}"},
    "care": {"en": "Care since {since}", "pt": "Cuidados desde {since}"},
    "to_ask": {"en": "To ask", "pt": "Para perguntar"},
    "questions": {"en": "Open questions", "pt": "Perguntas em aberto"},
    "changes": {"en": "What changed", "pt": "O que mudou"},
    "goals": {"en": "Goals", "pt": "Objetivos"},
    "news": {"en": "New", "pt": "Novidades"},
    "said": {"en": "In their own words", "pt": "Nas próprias palavras"},
    "sources": {"en": "Sources", "pt": "Fontes"},
}
COUNTS: Words = {
    "en": "Messages: {messages}. Days: {days}. Things learnt: {news}.",
    "pt": "Mensagens: {messages}. Dias: {days}. Coisas aprendidas: {news}.",
}
NOTHING: Words = {"en": "Nothing is known for this yet.", "pt": "Ainda não há nada para este relatório."}
BEFORE: Words = {"en": "before", "pt": "antes"}
REACHED_GOAL: Words = {"en": "reached", "pt": "alcançado"}
FURTHER: Words = {"en": "and {count} more", "pt": "e mais {count}"}
CHANGE_OF: Words = {"en": "{change} since {date}", "pt": "{change} desde {date}"}

# Attributes whose values are numbers with a history.
MEASURES: Mapping[str, Words] = {
    "weight": {"en": "Weight", "pt": "Peso"},
    "height": {"en": "Height", "pt": "Altura"},
}
PERSONAL = frozenset({"name", "age", "birthday"})
BODILY = frozenset({"health", "allergy", "diet"})
GOAL = "goal"

_DRUGS = (
    r"(?:medications?|medicines?|meds|pills?|tablets?|insulin|antibiotics?|antidepressants?|antihistamines?|painkillers?"
    r"|supplements?|vitamins?|statins?|aspirin|paracetamol|acetaminophen|inhaler|magnesium|melatonin"
    r"|\w{3,}(?:formin|profen|prazole|statin|cillin|sartan|olol|oxetine|zepam)|(?:lisino|enala|rami|capto)pril"
    r"|remédios?|medicação|medicamentos?|comprimidos?|insulina|antibióticos?|antidepressivos?|suplementos?|vitaminas?"
    r"|metformina|ibuprofeno|aspirina|dipirona|anticoncepcional|omeprazol|losartana|\w{3,}(?:zepam|olol|prazol))"
)
MEDICATION = re.compile(
    rf"\b(?:takes?|taking|took|toma|tomar|tomando|tomei|tomou)\b[^,;.!?]{{0,30}}\b{_DRUGS}\b"
    rf"|\b(?:is|am|was) on (?:\w+ )?{_DRUGS}\b"
    r"|\b(?:was|were|been) prescribed\b|\bprescription for\b|\breceitou\b|\breceitaram\b|\bprescrev\w+",
    re.I,
)
SYMPTOMS = re.compile(
    r"\b(?:head|back|stomach|tooth|ear|belly|muscle)\s?-?aches?\b|\bmigraines?\b"
    r"|\bsore(?! (?:spot|point|loser|subject))\b"
    r"|\b(?:stiff|swollen|itchy|itches|itching(?! to)|numb(?:ness)?|dizz\w+|nause\w+|vomit\w*|threw up|fainted|feverish"
    r"|fever(?!-)|cough\w*|rash|cramps?"
    r"|insomnia|fatigue|short of breath|palpitations|diarrh?oea|constipated|bleeding|heartburn"
    r"|panic attacks?)\b"
    r"|\b(?:hurts|hurting|aching|aches|painful)\b|\bhurt my \w+|\bpains?\b(?! (?:points?|in the neck))"
    r"|\bcan(?:'t|not) (?:sleep|breathe)\b|\b(?:sleep|slept|sleeping) (?:badly|poorly|terribly)\b"
    r"|\bfeel(?:ing)? (?:sick|ill|weak|unwell)\b"
    r"|\bdor(?:es)?\b|\bd(?:ói|oendo|oeu)\b|\b(?:enxaqueca|febre|tosse|tossindo|tontura|tont[oa]|náuseas?|enjoo|vômito\w*"
    r"|vomit\w+|coceira|inchaço|inchad[oa]|dormência|insônia|falta de ar|palpitaç\w+|diarreia|azia|cólicas?|sangramento"
    r"|desmaiei|crise de pânico)\b|\bnão consigo (?:dormir|respirar)\b|\b(?:dormindo|dormi|durmo) mal\b"
    r"|\bpassando mal\b|\bme sentindo (?:mal|frac[oa])\b",
    re.I,
)
# Who says so of themselves.
OWN = re.compile(
    r"\b(?:i|i'm|i've|i'd|my|me|eu|meus?|minhas?|me|estou|tô|tenho|tive|ando|senti|sinto|acordei|consigo|durmo|dormi"
    r"|desmaiei|vomitei)\b",
    re.I,
)
# Said of others, of what is over, of what never was, or as a figure of speech, it is no symptom of this person.
NOT_THEIRS = re.compile(
    r"\b(?:no|not|never|without|don't|doesn't|isn't|didn't|stopped|gone|used to|if|nobody|reduces?|prevents?|avoid"
    r"|relieves?|alleviates?|last (?:year|season)|years? ago|feelings?|heart (?:aches|hurts))\b"
    r"|\b(?:his|her|their|he|she|they|dog|cat|you|your|people|someone|somebody|anyone|customers?|users?)\b"
    r"|\b(?:não (?!consigo)|nunca|sem|parou|passou|se|dele|dela|ele|ela|você|alguém|cachorr[oa]|gat[oa]|evita\w*)\b"
    r"|\b(?:my|our|meu|minha|noss[oa]) (?:\w+ )?(?:wife|husband|son|daughter|mother|mom|mum|father|dad|sister|brother"
    r"|friend|boss|baby|kids?|esposa|marido|filh[oa]|mãe|pai|irmã|irmão|amig[oa]|chefe|bebê)\b"
    r"|\bgrowing pains\b|\bwas (?:hurt|painful to)\b|\b(?:thinking|thought) of it\b|\bdor de cotovelo\b",
    re.I,
)
CARE = re.compile(
    r"\b(?:doctor|dentist|physio\w*|therapist|therapy|hospital|clinic|surgery|operation|check-?up|blood test|x-ray|mri"
    r"|scan|vaccin\w+|appointment|diagnos\w+|médic[oa]|dentista|fisioterap\w+|terapeuta|terapia|hospital|clínica"
    r"|cirurgia|exames?|consulta|vacina\w*|raio-x|ressonância)\b",
    re.I,
)
TO_ASK = re.compile(
    r"\b(?:ask|asking|mention to|tell|discuss \w+ with) (?:(?:\w+ )?(?:doctor|dentist|physician|therapist|gp)\b|dr\b)"
    r"|\b(?:perguntar|falar|contar|mencionar) (?:a|à|ao|para|pra|pro|com) (?:\w+ )?(?:médic[oa]|dentista|terapeuta)\b",
    re.I,
)
