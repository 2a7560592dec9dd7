"""The Portuguese words with which people tell a secret."""

from __future__ import annotations

from toldonce.lang.base import Secrets

SECRETS = Secrets(
    names={"senha": "password", "segredo": "secret", "chave": "api-key"},
    inside_words=frozenset(("senha", "segredo", "chave")),
    # "Chave" alone is any key; behind it must stand what for.
    alone=frozenset(("chave",)),
    suffixes="secreta|privada|acesso",
    told=r"senhas?|palavra-passe|segredo|c[óo]digo|chave\ (?:secreta|de\ (?:api|acesso)|da\ api)",
    told_keywords=("palavra-passe", "código ", "codigo "),
    told_types={"sen": "password", "pal": "password", "seg": "secret", "cha": "api-key", "cód": "pin", "cod": "pin"},
    changed=r"(?:foi|será)\ (?:alterada|trocada|mudada|redefinida)\ para",
    verbs="é|eh|era|foi|será|ficou|virou|para|como",
    weak_verbs=frozenset(("para", "como")),
    adverbs="agora|ainda|só",
    of_what=r"(?:d[eoa]s?|del[ea]s?|n[oa]s?|para|pr[oa])\b",
    lock_after=(
        r"(?:de\s(?:acesso|segurança|desbloqueio)|d[oa]\s(?:port[ãa]o|porta|alarme|cofre|garagem|prédio|cadeado))\b"
    ),
    cards="cart[ãa]o|cart[õo]es|cr[ée]dito|d[ée]bito|validade",
    numbered="pedido|protocolo",
    stand_in_owners="sua|minha|nova",
    stand_ins="senha",
    said_of=frozenset(
        """
        errada errado incorreta incorreto correta correto segura seguro inválida inválido válida válido obrigatória
        obrigatório opcional diferente secreta secreto antiga antigo padrão difícil aquela aquele quando sempre também
        pública público importante necessária necessário aleatória aleatório simples complexa complexo temporária
        temporário alguma alguém nenhuma sagrada pessoal qualquer
        """.split()
    ),
    said_endings="ado|ada|ido|ida|ando|endo|mente|ável|ível|ção|al|oso|osa",
    seed_words="toldonce.lang.pt",
)
