"""The Portuguese words by which a report for a doctor knows medication, symptoms and care."""

from __future__ import annotations

from toldonce.lang.base import Health

_DRUGS = (
    r"(?:remédios?|medicação|medicamentos?|comprimidos?|insulina|antibióticos?|antidepressivos?"
    r"|suplementos?|vitaminas?"
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
        r"|sangramento|desmaiei|crise de pânico)\b|\bnão consigo (?:dormir|respirar)\b|\b(?:dormindo"
        r"|dormi|durmo) mal\b"
        r"|\bpassando mal\b|\bme sentindo (?:mal|frac[oa])\b"
    ),
    own=(
        r"\b(?:eu|meus?|minhas?|me|estou|tô|tenho|tive|ando|senti|sinto|acordei|consigo|durmo|dormi"
        r"|desmaiei|vomitei)\b"
    ),
    not_theirs=(
        r"\b(?:não (?!consigo)|nunca|sem|parou|passou|se|dele|dela|ele|ela|você|alguém|cachorr[oa]"
        r"|gat[oa]|evita\w*)\b"
        r"|\b(?:meu|minha|noss[oa]) (?:\w+ )?(?:esposa|marido|filh[oa]|mãe|pai|irmã|irmão|amig[oa]|chefe|bebê)\b"
        r"|\bdor de cotovelo\b"
    ),
    care=(
        r"\b(?:médic[oa]|dentista|fisioterap\w+|terapeuta|terapia|hospital|clínica|cirurgia|exames?"
        r"|consulta|vacina\w*"
        r"|raio-x|ressonância)\b"
    ),
    to_ask=(
        r"\b(?:perguntar|falar|contar|mencionar) (?:a|à|ao|para|pra|pro|com) (?:\w+ )?(?:médic[oa]|dentista"
        r"|terapeuta)\b"
    ),
    measures={
        "weight": (
            r"(?:^|[.,;:!?] )(?:(?:hoje|agora|já|ja|tô com|to com|estou com|deu|cheguei (?:a|em|nos)"
            r"|caí pra|caiu pra|peso|ainda|ok|finalmente|bati|voltei pra|voltei a)[ :,]+)*"
            r"(?P<value>\d{2,3}(?:[.,]\d{1,2})?(?: ?(?:kg|kgs|quilos?|kilos?)(?=\W*$|[.,;!?]"
            r"| (?:hoje|hj|agora|na|de manhã|mas|e|já|ja|uhu|kkk+|finalmente|cravados)\b)"
            r"|(?= (?:na balança|na balanca)\b)))"
        ),
        "blood_pressure": (
            r"(?:\b(?:press[ãa]o|tens[ãa]o|pa)\b\D{0,20}|^(?:\w+[ ,:]+){0,2})(?P<value>\d{1,3} ?(?:/"
            r"|por|x) ?\d{1,3})\b(?![/.,]\d)"
        ),
        "glucose": (
            r"\b(?:glicose|glicemia|açúcar no sangue"
            r"|glico)\b\D{0,20}(?P<value>\d{2,3}(?:[.,]\d)?)\b(?!\s*(?:mg|g|times|x|vezes|veces)\b)"
        ),
    },
    measured="{measure} de {name}: {value}",
    not_own_measure=(
        r"\b(?:perdi|ganhei|perder|emagrec\w+|engord\w+|de (?:arroz|feijão|carne|farinha|açúcar|ração)"
        r"|supino|agachamento|ela|ele|dela|dele|minha (?:mãe|filha|esposa|mulher|irmã|avó|sogra)"
        r"|meu (?:pai|filho|marido|irmão|avô|sogro)|bebê|cachorr[oa]|gat[oa]|mala|meta|objetivo|quero"
        r"|quer|limite|máximo|se)\b"
    ),
)
