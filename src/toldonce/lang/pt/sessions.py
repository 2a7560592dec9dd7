"""How lasting statements are made in a coding session, in Portuguese."""

from __future__ import annotations

from toldonce.lang.base import SessionCues
from toldonce.lang.pt.code_words import CODE_WORDS

SESSIONS = SessionCues(
    decisions=(
        r"^decisão\s*:\s*\S|^(?:ok,?\s+|sim,?\s+)?(?:"
        r"(?:nós )?decidimos\b|(?:nós )?optamos por\b|ficou decidido\b|combinamos\b"
        r"|vamos (?:usar|manter|ficar com|adotar|seguir com)\b|a decisão é\b)"
    ),
    agent_decisions=r"\b(?:escolhi|optei por|decidi|mantive)\b.*\b(?:porque|pois|em vez de|para que)\b",
    conventions=(
        r"^convenção\s*:|\b(?:neste|nesse|no nosso) (?:projeto|repositório|código)\b"
        r"|^(?:aqui,? )?(?:a gente|nós) (?:sempre|nunca|só|não usa|não usamos|usa|usamos|prefere|preferimos)\b"
        r"|^(?:sempre|nunca)\s+\w+"
    ),
    corrections=(
        r"^(?:não|errado|pare)\b.*\b(?:sempre|nunca|daqui em diante|da próxima vez|gerad[oa]s?)\b"
        r"|^(?:por favor,? )?(?:não|nunca) .*\bsem (?:me |nos )?(?:perguntar|avisar|falar|consultar)"
        r"|\b(?:me|nos) (?:pergunte|pergunta|avise|avisa|consulte) antes\b"
    ),
    causes=(
        r"\b(?:porque|a causa|o problema (?:é|era|foi)|causad[oa] por|devido a|acontece quando|falha(?:va)? quando)\b"
    ),
    remedies=(
        r"\b(?:corrig(?:ir|ido|e)|correção|soluç(?:ão|ões)|resolv(?:er|ido|e)|contorn(?:ar|o)|em vez de|devem?"
        r"|sempre|nunca|evit(?:e|ar)|precisam?|tem que|use|usar|rode|rodar|chame|chamar|defina|definir|fixe|fixar)\b"
    ),
    findings=r"\b(?:a causa(?: raiz)? (?:é|era|foi)|o problema real (?:é|era)|descobri que)\b",
    own_doing=r"\b(?:minha (?:mudança|alteração)|eu (?:removi|esqueci|adicionei|mudei)|o teste|os testes)\b",
    passing=r"\b(?:talvez|será que|você (?:pode|poderia)|por enquanto|desta vez|hoje|provisoriamente)\b",
    rules=r"sempre|nunca|não|evite|prefira|rode|execute|mantenha|escreva",
    about_work=r"convenç|estilo|desenvolv|instala|teste|contribu|requisit",
    stop=frozenset(
        """
        o os um uma uns umas de do da dos das em no na nos nas por para com sem e ou que se como mais mas ao aos pelo
        pela ser foi era isso isto este esta esse essa quando onde qual quem porque não já muito também seu sua ele ela
        """.split()
    ),
    etiquette=(
        r"\bissues?\b|\brelat(?:ar|e|ório) (?:um )?(?:bug|erro|problema|vulnerabilidade)|\bcódigo de conduta\b"
        r"|\bpedidos? de funcionalidade|\bmantenedor|\bseja (?:gentil|educad|respeitos)|\bdiscord\b|\bdúvidas\b"
        r"|\bsuporte\b"
    ),
    references=(
        r"\b(?:isso|isto|esse|essa|este|esta|aquilo|aquele|aquela|ambos)\b"
        r"|\b(?:a|o) (?:primeir|segund|terceir|últim|outr)[ao]\b(?: opção)?"
        r"|\bopção (?:\d|[a-d]\b)"
    ),
    actors=(
        r"\b(?:usuári[oa]s?|utilizador(?:es)?|clientes?|pessoas|pessoal|visitantes?|membros?"
        r"|alguém|todo mundo|a galera)"
        r"(?= (?:são|é|está|estão|tá|tão|foi|foram|não|fica|ficam|consegue|conseguem|vê|veem|recebe|recebem|reclama"
        r"|reclamam|reclamaram|perde|perdem|que|tem|têm|sai|saem|quer|querem)\b)"
    ),
    code_words=CODE_WORDS,
)
