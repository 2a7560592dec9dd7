"""How Portuguese statements are compared: negation, liking, numbers, yes and no, wishes and goals."""

from __future__ import annotations

from recollect.lang.base import Comparison

COMPARISON = Comparison(
    negation=frozenset("não nao nunca jamais mais".split()),
    likes=frozenset("gosta ama adora curte".split()),
    dislikes=frozenset("odeia detesta evita".split()),
    little=frozenset("muito tanto ainda agora de do da o a os as".split()),
    counted={
        "nenhum": 0,
        "nenhuma": 0,
        "um": 1,
        "uma": 1,
        "dois": 2,
        "duas": 2,
        "três": 3,
        "tres": 3,
        "quatro": 4,
        "cinco": 5,
        "seis": 6,
        "sete": 7,
        "oito": 8,
        "nove": 9,
        "dez": 10,
    },
    yes=r"sim|isso|mudou|certo|exato|verdade",
    no=r"não|nao|nada mudou|errado",
    rejected=r"em vez de|e não|não|nunca",
    rejected_articles=r"o |a ",
    alternatives={"espaco": "space", "espacos": "space", "simples": "single", "duplas": "double"},
    either_or={
        "units": "métrico métricas imperiais",
        "length": "curtas curta breves longas longa detalhadas detalhada",
        "tone": "formais informais",
    },
    wishing=frozenset(
        "usar use usa escrever escreva escreve incluir inclua colocar coloque pôr mandar mande dar dê fazer faça"
        " manter mantenha mostrar mostre sempre nunca mais já agora respostas resposta mensagens responder responda"
        " responde".split()
    ),
    around_goals=(
        "meta objetivo sonho quer pretende terminar terminei concluir concluí concluiu alcançar alcancei bater bati"
        " primeiro primeira novo nova ano mês correr aprender ler escrever estudar treinar começar tocar fazer"
    ),
    not_finished=frozenset(
        "comprar vender poupar juntar adotar mudar visitar viajar largar parar perder encontrar ter".split()
    ),
    goals=r"meta|objetivo|sonho",
    adds=frozenset("em no na nos nas com e para desde perto por porque quando".split()),
    articles=frozenset(("o", "a", "os", "as", "um", "uma")),
    over=r"em vez de|do que",
)
