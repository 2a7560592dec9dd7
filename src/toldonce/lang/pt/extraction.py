"""How facts are taken out of Portuguese: people around a speaker, what is presupposed, tenses, values, rules."""

from __future__ import annotations

import re

from toldonce.lang.base import Extraction, Presupposition, Relations, Tenses, ValueWords
from toldonce.lang.pt.clauses import GRAMMAR
from toldonce.lang.pt.instructions import INSTRUCTIONS
from toldonce.lang.pt.rules import RULES
from toldonce.lang.pt.statements import STATEMENTS
from toldonce.lang.pt.words import (
    ARRANGED,
    CONDITION,
    DIET,
    FIRST_TO_THIRD,
    ONE_TIME,
    PET,
    RELATION,
    SETTING_OUT,
    WE_FORMS,
)
from toldonce.text.patterns import join_groups

_VALUES = ValueWords(
    not_names=frozenset(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()
    ),
    abstract=frozenset("medo paz casa noite pecado".split()),
    name_joins=r"de |da |dos? ",
    homes=(
        r"cidade|vila|aldeia|subúrbio|interior|campo|apartamento|casa|condomínio|sítio|fazenda|bairro|centro|ilha"
        r"|litoral"
    ),
    workplaces=(
        r"empresa|firma|banco|escola|universidade|faculdade|agência|estúdio|restaurante|clínica|loja|padaria|biblioteca"
        r"|museu|laboratório|escritório|ong|hotel|fábrica|governo|jornal|revista|supermercado|farmácia|academia"
        r"|prefeitura|editora"
    ),
    trades=(
        r"tecnologia|ti|finanças|vendas|publicidade|saúde|educação|varejo|construção|seguros|direito|logística|rh"
        r"|contabilidade|consultoria|engenharia|moda|cinema|agricultura|pesquisa|enfermagem|turismo"
    ),
    technical=r"código|banco de dados|versão|servidor|aplicativo|arquivo|pasta|etapa|fase|tabela",
)

_NAME = (
    r"(?P<name>(?:(?:Dr|Mrs?|Ms|Prof|Dra?)\.? )?(?-i:[A-ZÀ-Ý][a-zà-ÿ]+(?:-[A-ZÀ-Ý][a-zà-ÿ]+)?(?:"
    r" [A-ZÀ-Ý][a-zà-ÿ]+(?! (?:and|e) I\b))?))(?!\w)"
)
_RELATIONS = Relations(
    patterns=(
        (
            rf"\b(?:meus?|minhas?|nossos?|nossas?) (?P<what>(?P<pet>{PET})|{RELATION})(?: mais (?:velh|nov)[oa])?"
            rf"(?:,| se chama| chama-se| chamad[oa]| é o| é a)? {_NAME}"
        ),
        (
            rf"\b(?:tenho|temos|adotei|adotamos) (?:uma?|dois|duas) (?P<what>(?P<pet>{PET})|{RELATION})"
            rf"(?: chamad[oa]s?| que se chama| de nome|, [oa]) {_NAME}"
        ),
        (
            rf"{_NAME},? (?:que é |é )?(?:[oa] )?(?:meu|minha|nosso|nossa) (?P<what>(?P<pet>{PET})|{RELATION})"
            r"(?=[,.;:!?)]|$| (?:de|em|que|mais)\b)"
        ),
    ),
    told="{name} é {what} de {owner}",
    apposed="{name}, {what} de {owner},",
    owner=rf"(?:meus?|minhas?) (?:{RELATION}|{PET}),? ",
    supposed=r"(?:e |mas )?(?:se|caso|talvez|imagina)\b",
    dead=r"\b(?:morreu|faleceu|falecid[oa]|finad[oa]|partiu dessa)\b",
    not_names=frozenset(
        "segunda terça quarta quinta sexta sábado domingo janeiro fevereiro março abril maio junho julho agosto"
        " setembro outubro novembro dezembro natal páscoa".split()
    ),
    acquainted=frozenset(
        "melhor amigo,melhor amiga,amigo,amiga,colega,chefe,gerente,vizinho,vizinha,professor,professora,terapeuta"
        ",psicóloga,psicólogo,médico,médica,treinador,treinadora,colega de quarto".split(",")
    ),
    plurals=frozenset("pais irmãos irmãs filhos filhas avós gatos gatas".split()),
)

# "Minha" does not begin a clause after these, so no verb follows what it is about.
_COM_MEU = (
    r"(?:sobre|com|dad[oa]s?|considerando|apesar d[eoa]|por causa d[eoa]|devido (?:a|ao|à)"
    r"|d[eoa]|para|por|pel[oa]|lembra d[eoa]|respeit\w+|conhece) (?:[oa] )?(?:meu|minha)"
)
_HAS_IT = r"(?<!curad[oa] )(?<!livre )"
_OPENS = r"(?:^|[,;(–—]|\b(?:e|mas|então|falando))\W*"
_PRESUPPOSITIONS = (
    Presupposition(
        _COM_MEU, _HAS_IT,
        (
            (r"(?:forte )?preferência por (?P<thing>\w.*)", "prefiro {thing}"),
            (r"(?:amor|paixão) por (?P<thing>\w.*)", "amo {thing}"),
            (r"(?:aversão|ódio) a (?P<thing>\w.*)", "odeio {thing}"),
            (r"(?P<thing>medo d(?:e|[oa]s?) \w.*)", "tenho {thing}"),
            (r"(?P<thing>(?:alergia|intolerância) (?:à|ao|aos|às|a) \w.*)", "tenho {thing}"),
            (rf"(?P<thing>{CONDITION})\b", "tenho {thing}"),
        ),
    ),
    Presupposition(
        "como alguém", _OPENS,
        (
            (r"que (?P<verb>\w+) (?P<thing>\w.*)", "{verb} {thing}"),
            (r"com (?P<thing>\w.*)", "tenho {thing}"),
        ),
    ),
    Presupposition("como", _OPENS, ((rf"(?P<thing>{DIET})\b", "sou {thing}"),)),
)  # fmt: skip

_DID = (
    [first for first, third in FIRST_TO_THIRD.items() if re.search("[ií]$", first) and re.search("[aeio][ui]$", third)]
    + "fiz tive estive vim fomos tivemos".split()
    + [form for form in sorted(WE_FORMS) if re.search("ou$|foi$|teve$", form)]
)
_TENSES = Tenses(
    ahead=join_groups(
        r"(?:vou|vamos|vai) (?:me |nos |se )?(?:\w+[aei]r\b|(?:para|pra|a|ao) (?-i:[A-ZÀ-Ý]))",
        rf"(?:me )?(?:estou|estamos) (?:me |nos )?(?:{SETTING_OUT})\b|(?:pretendo|planejo) \w",
        rf"(?:tenho|temos|tem) (?:uma? |meu |minha )?(?:\w+ )?{ONE_TIME}\b|(?:meu|minha) {ONE_TIME} (?:é|será)\b",
    ),
    behind=join_groups(rf"(?:me |nos |se |não )*(?!nasci|cresci)(?:{'|'.join(sorted(_DID, key=len, reverse=True))})\b"),
    for_later=join_groups(
        rf"^(?:me |não )*{ARRANGED}\b",
        r"\b(?:passage(?:m|ns)|ingressos?|bilhetes?|convites?|convidad[oa]|reservas?|prazo)\b",
        rf"^(?:comprei|consegui|ganhei|recebi|arrumei|arranjei)\b.*\b{ONE_TIME}\b",
        r"\b(?:sobre|antes|depois|após|até|começando|previst[oa]|a partir)\b",
        r"^(?:me |não )*+(?!mudei|mudou|fui|foi|fomos|voltei|viajei|viajou|vim|passei|entrei|parti)\w+ .*"
        r"\b(?:para|pra|pro)\b",
        r"^(?:me |não )*+(?!comecei|voltei|aprendi|parei|deixei|passei|fui|vim)\w+(?: .*? (?:para|pra|de|em|por|a))?"
        r" (?:me |se |nos )?\w+[aei]r\b",
        r" (?:construíd|feit|escrit|comprad|vendid|lançad|publicad|fundad|gravad|pintad|abert|marcad)[oa]s?"
        r" (?:em|n[oa])\b",
        rf"^conheci (?:o |a )?(?:meu|minha) {RELATION}\b",
    ),
    unsure=join_groups(
        r"\b(?:geralmente|normalmente|sempre|nunca|raramente|às vezes|costum\w+|tod[oa]s?|cada|talvez|quase|deveria)\b",
        r"\b(?:poderia|gostaria|queria)\b",
    ),
    goes_on=r"\b(?:e|mas|ou) (?!(?:os?|as?|uma?|meus?|minhas?|dois|duas|três)\b|[A-ZÀ-Ý]).* (?:em|n[oa]|desde) ",
    long_ago=join_groups(
        r"\banos? (?:atrás|passado|retrasado|que vem|depois|antes|anterior|seguinte)\b|\b(?:há"
        r"|faz) (?:\w+ ){1,3}anos\b",
        r"\b(?:próximo|naquele|nesse|mesmo) ano\b|\baos \w+ anos\b|\bem criança\b|\bnaquel[ae]s? (?:época|tempos?)\b",
        r"\bquando (?:eu |a gente |meu |minha )?(?:era|tinha|estava|éramos|tínhamos|fui)\b",
        r"\bna (?:infância|época|faculdade|escola|adolescência)\b",
    ),
)

EXTRACTION = Extraction(
    grammar=GRAMMAR,
    statements=STATEMENTS,
    rules=RULES,
    instructions=INSTRUCTIONS,
    values=_VALUES,
    relations=_RELATIONS,
    presuppositions=_PRESUPPOSITIONS,
    another_clause=r"eu|você|nós|o que|devo|posso|pode|poderia",
    made_up=r"finja|suponha",
    tenses=_TENSES,
    joking=r"\b(?:sqn|só que não|brincadeira|tô brincando|estou brincando|tô zoando)\b",
    never=frozenset("nunca raramente".split()),
    usually=frozenset("geralmente normalmente sempre".split()),
    own=r"meus?|minhas?|noss[oa]s?|mim",
    own_attribute=(
        r"(?:meus?|minhas?) (?P<noun>[\w -]{2,30}?) (?:é|são|está em|está|estava em|foi)(?: de)? (?P<value>.+)"
    ),
    statuses=(
        (r"casad[oa]$", "married"),
        (r"noiv[oa]$", "engaged"),
        (r"divorciad[oa]$", "divorced"),
        (r"separad[oa]$", "separated"),
        (r"solteir[oa]$", "single"),
        (r"viúv[oa]$", "widowed"),
        (r"namorando|em um relacionamento", "in a relationship"),
        (r"empregad[oa]$", "employed"),
        (r"desempregad[oa]|sem emprego|entre empregos", "unemployed"),
        (r"aposentad[oa]", "retired"),
    ),
    apart={
        "occupation": "{name} trabalha como {value}",
        "employment": "{name} trabalha {at} {value}",
        "age": "{name} tem {value} anos",
    },
    at_words=r"\b(na|no|nas|nos|numa|num|para a|para o)",
    at="em",
    articles=("a", "an"),
    hollow=frozenset("muita coisa".split()),
    likeable=frozenset("cedo manhã noite tarde gente".split()),
)
