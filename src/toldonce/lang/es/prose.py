"""Spanish small words, and how people show that words are not their own."""

from __future__ import annotations

from toldonce.lang.base import Detection, Prose
from toldonce.lang.es.words import FIRST_TO_THIRD, ONCE

# Forms that are common words of English or Portuguese as well prove nothing.
_ELSEWHERE = frozenset(
    """
    vi di ando canto conto uso amo odio ve da he me has son use uses vez veces desde semana sobre cada antes todo
    todos toda todas algo te tu al si le lo usa nada vive seis cinco mando rindo sumo vale responde contesta mes
    traje vine
    """.split()
)

DETECTION = Detection(
    words=(
        frozenset(
            """
        a el la los las un una unos unas y pero o de del al en con por para que no se es son era fue yo mi mis tu tus
        su sus me te le les lo nos muy más también porque cuando donde dónde qué quién cuál cómo este esta esto ese esa
        eso estos estas como soy eres somos estoy está están tengo tiene tienes hay hace ya sí siempre nunca ahora hoy
        ayer mañana aquí acá allí ahí algo nada bien bueno gracias hola quiero quiere puedo puede gusta gustan encanta
        encantan vivo vive trabajo trabaja hablo habla desde hasta sobre sin usted ustedes vosotros vos nuestro nuestra
        años año días día noche semana mes lunes martes miércoles jueves viernes responde respondeme respóndeme
        contesta contéstame llámame llamame usa uses use escribe háblame he ha hemos han había he sido dos tres cuatro
        cinco seis hermana hermano hijo hija mamá papá perro perra ciudad vale pues entonces luego después antes todo
        todos toda todas mucho mucha muchos muchas otra otro porfa ayúdame buenas noches buscando vez veces si solo
        sola sólo así cada mismo misma mejor ahorita
        """.split()
        )
        | FIRST_TO_THIRD.keys()
        | ONCE.keys()
    )
    - _ELSEWHERE,
    letters="[áéíóúÁÉÍÓÚ]",
    signs=(
        r"[ñ¿¡]|ción\b|ciones\b|\ba las?\b|\ben el\b|\by\b(?= (?:yo|mi|la|el|un|una|no|me)\b)"
        r"|\bhace (?:una?|dos|tres|cuatro|\d+|unos|unas|poco)\b|\b(?:he|has|ha|hemos|han) \w+[ai]do\b"
        r"|\bno (?:me|te|se|le|es|son|hay|está|estoy|uses|use|quiero|puedo|tengo|soy|como|bebo"
        r"|fumo|vivo|trabajo|gusta)\b"
        r"|\bme (?:mude|mudé|case|casé|llamo|gusta|gustan|encanta|dijo|dijeron)\b"
    ),
)
PROSE = Prose(
    speech=r"yo|usted|tú|vos|mi|mis|soy|estoy|tengo|vivo",
    handed_over=(
        r"traduc\w+|traduzc\w+|reescrib\w+|parafrase\w*|corrig\w+|corrij\w+|resum[ei]\w*|dice|dijo|escribió|edita"
    ),
    introduced=(
        r"borrador|ensayo|redacción|carta|texto|párrafo|artículo|fragmento|extracto|frases?|oraciones|poema|cuento"
        r"|aquí está|aquí tienes|aquí va|siguiente|a continuación|abajo"
    ),
    letter=r"Estimad[oa]s?|Querid[oa]s?|Apreciad[oa]s?|Distinguid[oa]s?",
)
