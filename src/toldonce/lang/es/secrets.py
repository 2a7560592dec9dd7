"""The Spanish words with which people tell a secret."""

from __future__ import annotations

from toldonce.lang.base import Secrets

SECRETS = Secrets(
    names={"contraseña": "password", "contrasena": "password", "clave": "password", "secreto": "secret"},
    inside_words=frozenset(("clave", "secreto")),
    suffixes="secreta|privada|acceso",
    # "La clave es la paciencia" tells no password; the key of something does.
    told=r"contraseñas?|contrasenas?|claves?\ (?=del?\b|secreta)|secreto|c[óo]digo",
    told_keywords=("código ", "codigo "),
    told_types={"con": "password", "cla": "password", "sec": "secret", "cód": "pin", "cod": "pin"},
    changed=r"(?:fue|será|ha\ sido)\ (?:cambiada|modificada|restablecida|actualizada)\ (?:a|por)",
    verbs="es|era|fue|será|quedó|son|como",
    weak_verbs=frozenset(("son", "como")),
    adverbs="ahora|todavía|solo|sólo|simplemente",
    of_what=r"(?:de|del|en|para|al?)\b",
    lock_after=(
        r"(?:de\s(?:acceso|seguridad|desbloqueo|la\s(?:puerta|alarma|entrada|caja\sfuerte|cochera))"
        r"|del\s(?:portón|portal|garaje|edificio|candado|timbre))\b"
    ),
    cards="tarjetas?|cr[ée]dito|d[ée]bito|vencimiento|caducidad",
    numbered="pedido|folio|factura|expediente|tel[ée]fono",
    stand_in_owners="tu|mi|su|nueva",
    stand_ins="contraseña|contrasena|clave",
    said_of=frozenset(
        """
        errónea erróneo incorrecta incorrecto correcta correcto segura seguro inválida inválido válida válido
        obligatoria obligatorio opcional diferente distinta secreta secreto antigua antiguo difícil aquella aquel
        cuando siempre también pública público importante necesaria necesario aleatoria aleatorio simple sencilla
        compleja complejo temporal alguna alguien ninguna personal cualquier cualquiera demasiado fundamental esencial
        privada privado
        """.split()
    ),
    said_endings="ado|ada|ido|ida|ando|iendo|mente|able|ible|ción|al|oso|osa",
    seed_words="toldonce.lang.es",
)
