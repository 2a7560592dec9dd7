"""The English words with which people tell a secret; names that code uses in any language are part of the engine."""

from __future__ import annotations

from toldonce.lang.base import Secrets

SECRETS = Secrets(
    told="pin|code",
    told_keywords=("pin ", "pin:", "code ", "code:"),
    told_types={"pin": "pin", "cod": "pin"},
    changed=r"(?:is|was|been)\ (?:changed|set|reset|updated)\ to",
    verbs="is|was|are|to|as",
    weak_verbs=frozenset(("are", "to", "as")),
    adverbs="now|still|simply|just",
    of_what=r"(?:for|to|of|on|in|at)\b",
    lock_before="access|door|gate|alarm|security|entry|unlock|safe|garage|lock",
    cards="card|cards|credit|debit|american express|expir\\w*",
    numbered="number|order|invoice|ticket|tracking|serial|phone|time|count",
    stand_in_owners="my|the|db|user|admin|test|new|old|root|a",
    said_of=frozenset(
        """
        correct incorrect invalid strong secure insecure unsafe secret public private different missing optional
        mandatory enough sensitive always string number boolean object varchar bcrypt scrypt plaintext password
        passwords passwordless unknown hashed written stolen broken hidden forgotten chosen unchanged protection
        manager managers policy policies prompt generator strength requirements length important necessary essential
        default cracked random simple complex unique temporary somewhere something nothing everything anything someone
        everyone visible crucial nowhere inside outside within across stored
        """.split()
    ),
    said_endings="ed|ing|able|ible|ly|tion|ment|ive|ous|ful|ary|al",
    seed_words="toldonce.lang.en",
)
