"""The Portuguese words by which a report for a doctor knows medication, symptoms and care."""

from __future__ import annotations

from recollect.lang.base import Health

_DRUGS = (
    r"(?:remédios?|medicação|medicamentos?|comprimidos?|insulina|antibióticos?|antidepressivos?|suplementos?|vitaminas?"
    r"|metformina|ibuprofeno|aspirina|dipirona|anticoncepcional|omeprazol|losartana|\w{3,}(?:zepam|olol|prazol))"
)

HEALTH = Health(
    medication=(
        rf"\b(?:toma|tomar|tomando|tomei|tomou)\b[^,;.!?]{{0,30}}\b{_DRUGS}\b"
        r"|\breceitou\b|\breceitaram\b|\bprescrev\w+"
    ),
    symptoms=(
        r"\bdor(?:es)?\b|\bd(?:ói|oendo|oeu)\b|\b(?:enxaqueca|febre|tosse|tossindo|tontura|tont[oa]|náuseas?|enjoo"
        r"|vômito\w*|vomit\w+|coceira|inchaço|inchad[oa]|dormência|insônia|falta de ar|palpitaç\w+|diarreia|azia"
        r"|cólicas?"
        r"|sangramento|desmaiei|crise de pânico)\b|\bnão consigo (?:dormir|respirar)\b|\b(?:dormindo|dormi|durmo) mal\b"
        r"|\bpassando mal\b|\bme sentindo (?:mal|frac[oa])\b"
    ),
    own=(
        r"\b(?:eu|meus?|minhas?|me|estou|tô|tenho|tive|ando|senti|sinto|acordei|consigo|durmo|dormi|desmaiei|vomitei)\b"
    ),
    not_theirs=(
        r"\b(?:não (?!consigo)|nunca|sem|parou|passou|se|dele|dela|ele|ela|você|alguém|cachorr[oa]|gat[oa]|evita\w*)\b"
        r"|\b(?:meu|minha|noss[oa]) (?:\w+ )?(?:esposa|marido|filh[oa]|mãe|pai|irmã|irmão|amig[oa]|chefe|bebê)\b"
        r"|\bdor de cotovelo\b"
    ),
    care=(
        r"\b(?:médic[oa]|dentista|fisioterap\w+|terapeuta|terapia|hospital|clínica|cirurgia|exames?|consulta|vacina\w*"
        r"|raio-x|ressonância)\b"
    ),
    to_ask=(
        r"\b(?:perguntar|falar|contar|mencionar) (?:a|à|ao|para|pra|pro|com) (?:\w+ )?(?:médic[oa]|dentista"
        r"|terapeuta)\b"
    ),
)
