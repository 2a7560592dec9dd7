"""How lasting statements are made in a coding session, in Spanish."""

from __future__ import annotations

from toldonce.lang.base import SessionCues
from toldonce.lang.es.code_words import CODE_WORDS

SESSIONS = SessionCues(
    decisions=(
        r"^decisión\s*:\s*\S|^(?:ok,?\s+|sí,?\s+|vale,?\s+)?(?:"
        r"(?:nosotros )?(?:hemos decidido|decidimos)\b|(?:hemos optado|optamos) por\b|quedó decidido\b|acordamos\b"
        r"|vamos a (?:usar|mantener|quedarnos con|adoptar|seguir con)\b|la decisión es\b|nos quedamos con\b)"
    ),
    agent_decisions=(
        r"\b(?:elegí|opté por|decidí|mantuve|escogí)\b.*\b(?:porque|ya que|en vez de|en lugar de|para que)\b"
    ),
    conventions=(
        r"^convención\s*:|\b(?:en este|en ese|en nuestro) (?:proyecto|repositorio|repo|código)\b"
        r"|^(?:aquí,? |acá,? )?(?:nosotros )?(?:siempre|nunca|solo) (?:usamos|ponemos|escribimos|hacemos)\b"
        r"|^(?:aquí,? |acá,? )?(?:no )?(?:usamos|preferimos)\b|^(?:siempre|nunca)\s+(?!he\b|había\b)\w+"
    ),
    corrections=(
        r"^(?:no|mal|para|detente)\b.*\b(?:siempre|nunca|de ahora en adelante|la próxima vez|en general"
        r"|generad[oa]s?)\b"
        r"|^(?:por favor,? )?(?:no|nunca) .*\bsin (?:preguntar|avisar|consultar)"
        r"|\b(?:pregúntame|avísame|consúltame|preguntame|avisame) antes\b"
    ),
    causes=(
        r"\b(?:porque|la causa|el problema (?:es|era|fue)|causad[oa] por|debido a|ocurre cuando|falla(?:ba)? cuando)\b"
    ),
    remedies=(
        r"\b(?:correg(?:ir|ido)|corrección|arregl(?:ar|ado|o)|solución|resolver|resuelto|en vez de|en lugar de|deben?"
        r"|siempre|nunca|evitar?|hay que|tienen? que|usar?|ejecutar?|llamar?|define|definir"
        r"|fijar?)\b"
    ),
    findings=r"\b(?:la causa(?: raíz)? (?:es|era|fue)|el problema real (?:es|era)|descubrí que|resulta que)\b",
    own_doing=r"\b(?:mi (?:cambio|edición)|(?:quité|olvidé|agregué|añadí|cambié)|la prueba|las pruebas|el test)\b",
    passing=(
        r"\b(?:tal vez|quizás?|puedes|podrías|podés|por ahora|esta vez|hoy|de momento|provisionalmente|temporalmente)\b"
    ),
    rules=r"siempre|nunca|no|evita|prefiere|usa|ejecuta|corre|mantén|escribe|añade|agrega",
    about_work=r"convenci|estilo|desarroll|instala|pruebas|contribu|requisit|arquitectura|estructura|reglas",
    stop=frozenset(
        """
        el la los las un una unos unas de del en por para con sin y o que se como más pero al ser fue era eso esto este
        esta ese esa cuando donde cual quien porque ya muy también su sus ella lo le es hay
        """.split()
    ),
    etiquette=(
        r"\bissues?\b|\breport(?:ar|e) (?:un )?(?:bug|error|problema|fallo)|\bcódigo de conducta\b|\bmantenedor"
        r"|\bsolicitud(?:es)? de funci|\bsé (?:amable|respetuos)|\bdiscord\b|\bpreguntas\b|\bsoporte\b"
    ),
    references=(
        r"\b(?:eso|esto|ese|esa|este|esta|aquello|ambos)\b"
        r"|\b(?:la|el) (?:primer|segund|tercer|últim|otr)[ao]?\b(?: opción)?"
        r"|\bopción (?:\d|[a-d]\b)"
    ),
    actors=(
        r"\b(?:usuari[oa]s?|clientes?|gente|personas|visitantes?|miembros?|alguien)"
        r"(?= (?:son|es|está|están|fue|fueron|no|queda|quedan|puede|pueden|ve|ven|recibe|reciben|se|pierde|pierden"
        r"|que|tiene|tienen|dice|dicen|quiere|quieren|reporta|reportan)\b)"
    ),
    code_words=CODE_WORDS,
)
