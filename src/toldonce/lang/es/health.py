"""The Spanish words by which a report for a doctor knows medication, symptoms and care."""

from __future__ import annotations

from toldonce.lang.base import Health

_DRUGS = (
    r"(?:medicamentos?|medicinas?|medicación|remedios?|pastillas?|comprimidos?|insulina|antibióticos?|antidepresivos?"
    r"|antihistamínicos?|analgésicos?|suplementos?|vitaminas?|metformina|ibuprofeno|paracetamol|aspirina"
    r"|anticonceptivos?"
    r"|omeprazol|losartán|inhalador|magnesio|melatonina|hierro|\w{3,}(?:zepam|olol|prazol|statina|cilina|sartán))"
)

HEALTH = Health(
    medication=(
        rf"\b(?:tom[aoóé]|tomar|tomando|tomaba|estoy con|está con)\b[^,;.!?]{{0,30}}\b{_DRUGS}\b"
        r"|\b(?:me|le) recet(?:ó|aron)\b|\brecetaron\b|\bprescrib\w+"
    ),
    symptoms=(
        r"\bdolor(?:es)?\b|\b(?:me|le) duelen?\b|\b(?:me|le) (?:dolía|dolió)\b|\b(?:jaqueca|migrañas?|fiebre|tos"
        r"|tosiendo"
        r"|mareo|mareos|maread[oa]|náuseas?|vómitos?|vomit\w+|picazón|picor|hinchazón|hinchad[oa]|entumecid[oa]"
        r"|hormigueo"
        r"|insomnio|falta de aire|palpitaci\w+|diarrea|acidez|agruras|cólicos?|sangrado|sarpullido|ronchas|calambres?"
        r"|escalofríos|desmayé|ataque de pánico|cansancio)\b|\bno (?:puedo|logro) (?:dormir|respirar)\b"
        r"|\b(?:durmiendo|duermo|dormí) (?:mal|fatal|pésimo)\b|\bme (?:siento|encuentro|sentí) (?:mal|débil|fatal)\b"
    ),
    own=(r"\b(?:yo|mi|mis|me|estoy|tengo|tuve|ando|sentí|siento|desperté|puedo|duermo|dormí|desmayé|vomité|llevo)\b"),
    not_theirs=(
        r"\b(?:no (?!puedo|logro)|nunca|sin|dejó de|se me pasó|ya no|si|él|ella|usted|alguien|perr[oa]|gat[oa]"
        r"|evita\w*)\b"
        r"|\b(?:mi|nuestr[oa]) (?:\w+ )?(?:esposa|esposo|mujer|marido|hij[oa]|madre|padre|mamá|papá|hermana|hermano"
        r"|amig[oa]"
        r"|jef[ea]|bebé)\b|\bdolor de cabeza de proyecto\b"
    ),
    care=(
        r"\b(?:médic[oa]|doctora?|dentista|fisio\w*|terapeuta|terapia|hospital|clínica|cirugía|operación|análisis"
        r"|examen de sangre|cita|consulta|vacuna\w*|radiografía|resonancia|urgencias|ambulatorio)\b"
    ),
    to_ask=(
        r"\b(?:preguntar(?:le)?|hablar(?:lo)?|contar(?:le)?|comentar(?:le)?|decir(?:le)?) (?:a|al|con)"
        r" (?:\w+ )?(?:médic[oa]|doctora?|dentista|terapeuta)\b"
    ),
    measures={
        "weight": (
            r"(?:^|[.,;:!?] )(?:(?:hoy|ahora|ya|estoy en|peso|aún|todavía|bajé a|subí a|vale|por fin"
            r"|llegué a|he vuelto a)[ :,]+)*"
            r"(?P<value>\d{2,3}(?:[.,]\d{1,2})?(?: ?(?:kg|kgs|kilos?)(?=\W*$|[.,;!?]| (?:hoy|ahora"
            r"|en|esta|y|pero|ya|por|jaja\w*)\b)|(?= (?:en la báscula|en la bascula"
            r"|en la balanza)\b)))"
        ),
        "blood_pressure": (
            r"(?:\b(?:presi[óo]n|tensi[óo]n)\b\D{0,20}|^(?:\w+[ ,:]+){0,2})(?P<value>\d{1,3} ?(?:/"
            r"|por|sobre|x) ?\d{1,3})\b(?![/.,]\d)"
        ),
        "glucose": (
            r"\b(?:glucosa|glucemia|az[úu]car en sangre"
            r"|azúcar)\b\D{0,20}(?P<value>\d{2,3}(?:[.,]\d)?)\b(?!\s*(?:mg|g|times|x|vezes|veces)\b)"
        ),
    },
    measured="{measure} de {name}: {value}",
    not_own_measure=(
        r"\b(?:perdí|gané|perder|adelgac\w+|engord\w+|de (?:arroz|carne|harina|patatas|pienso)|press"
        r"|sentadilla\w*|ella|él|su|mi (?:madre|padre|hija|hijo|mujer|marido|hermana|hermano|abuela"
        r"|suegra)|bebé|perr[oa]|gat[oa]|maleta|meta|objetivo|quiero|quiere|límite|máximo|si)\b"
    ),
)
