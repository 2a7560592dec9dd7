"""How Spanish statements are compared: negation, liking, numbers, yes and no, wishes and goals."""

from __future__ import annotations

from recollect.lang.base import Comparison

COMPARISON = Comparison(
    negation=frozenset("no nunca jamas tampoco".split()),
    likes=frozenset("gusta gustan ama adora encanta encantan disfruta".split()),
    dislikes=frozenset("odia detesta evita aborrece disgusta".split()),
    little=frozenset("mucho tanto todavia aun ahora ya de del el la los las le a".split()),
    counted={
        "ningun": 0,
        "ninguna": 0,
        "un": 1,
        "una": 1,
        "uno": 1,
        "dos": 2,
        "tres": 3,
        "cuatro": 4,
        "cinco": 5,
        "seis": 6,
        "siete": 7,
        "ocho": 8,
        "nueve": 9,
        "diez": 10,
    },
    yes=r"sí|si|claro|cambió|cambio|cierto|exacto|exactamente|verdad|correcto|así es",
    no=r"no|nada cambió|nada ha cambiado|falso|incorrecto|equivocado",
    rejected=r"en vez de|en lugar de|y no|no|nunca",
    rejected_articles=r"el |la |los |las ",
    choosing=frozenset("usar usa use usamos preferir prefiere vez lugar proyecto".split()),
    alternatives={
        "tabuladores": "tab",
        "tabulador": "tab",
        "espacio": "space",
        "espacios": "space",
        "simples": "single",
        "dobles": "double",
    },
    either_or={
        "units": "métrico métricas imperial imperiales",
        "length": "cortas corta breves breve largas larga detalladas",
        "tone": "formal informal formales informales casual",
        "distance": "kilómetros millas",
        "weight": "kilos libras",
        "currency": "euros dólares pesos",
    },
    wishing=frozenset(
        "usar usa uses use usando escribir escribe escribas incluir incluye incluyas poner pon pongas mandar manda"
        " mandes"
        " dar da des hacer haz hagas mantener mantén mostrar muestra muestres siempre nunca más ya ahora respuestas"
        " respuesta mensajes responder responde respondas contestar contesta contestes seguir volver otra vez".split()
    ),
    around_goals=(
        "meta objetivo propósito sueño quiere pretende planea terminar terminé completar completé lograr logré alcanzar"
        " alcancé cumplir cumplí primer primera nuevo nueva año mes correr aprender leer escribir estudiar entrenar"
        " empezar tocar hacer"
    ),
    not_finished=frozenset(
        "comprar vender ahorrar juntar adoptar mudar mudarme visitar viajar dejar parar perder encontrar tener".split()
    ),
    goals=r"meta|objetivo|propósito|sueño",
    adds=frozenset("en con y para desde cerca por porque cuando".split()),
    articles=frozenset(("el", "la", "los", "las", "un", "una")),
    over=r"en vez de|en lugar de|antes que|que",
)
