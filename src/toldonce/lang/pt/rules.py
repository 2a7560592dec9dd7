"""The Portuguese rules: how people say what is worth knowing about them; rows only, tried in order."""

from __future__ import annotations

from toldonce.lang.grammar import ANY_JOB, ENDED, REACHED, WEAKER, Rule
from toldonce.lang.pt.words import (
    CONDITION,
    COUNT,
    DAY,
    DIET,
    EMPLOYER,
    JOB,
    MONTH,
    OCCASION,
    OWNED,
    PAST,
    PEOPLE,
    PET,
    REGULARLY,
    SOON,
    TONGUE,
)

_ATE = (
    rf"(?=$| (?:com|há|desde|faz|por|para (?:estudar|trabalhar|morar)|junto|{PAST}|{SOON}|{REGULARLY}|e|onde|que"
    r"|quando|agora|como|durante|até|depois|antes)\b|,)"
)
_V = rf"(?P<value>.+?){_ATE}"
_EM = r"(?:em|no|na|nos|nas|num|numa|perto d[eoa]s?|fora de)"
_NO = r"(?:no|na|nos|nas|em|num|numa|n[oa]|pel[oa]|para [oa]|pr[oa]|d[oa])"
_NUMBER = r"(?P<value>\d[\d.,]*(?: ?(?:kg|quilos?|kilos?|cm|m|metros?)\b)?(?: e \w+)?)"
_NOME = r"(?P<value>(?-i:[A-ZÀ-Ý])[\w'-]+(?: (?:d[aeo]s? )?(?-i:[A-ZÀ-Ý])[\w'.-]+){0,3})"
_DE = r"(?:de |d[oa]s? |muito |bastante |mais |demais |mesmo |um pouco )*"
_COISA = r"(?P<value>(?!(?:ideia|fato|jeito|saber|ver|ouvir|te |pensar|que\b|quando|como\b)).+)"
_VERBO = (
    r"(?P<value>(?!(?:saber|ver se|entender|perguntar|falar|ter certeza|agradecer|pedir|conversar|dizer|ser capaz"
    r"|usar|fazer isso|ajuda))(?:me )?\w+r\b.*)"
)

_EU = (
    Rule("meu", rf"(?:meu) (?:nome(?: completo)?|primeiro nome) é {_NOME}$", "fact", "name", "name"),
    Rule("chamo", rf"me chamo {_NOME}", "fact", "name", "name"),
    Rule("meu", rf"meu apelido é {_NOME}", "fact", "nickname", "name"),
    Rule("meu",
        rf"meu aniversário é (?:no |em )?(?P<value>(?:dia )?(?:\d|{MONTH}|{DAY}|amanhã|hoje).*)", "fact", "birthday"),
    Rule("meu", r"meu e-?mail(?: pessoal| do trabalho)? é (?P<value>\S+)", "fact", "email", "email"),
    Rule("meu",
        r"meu (?:telefone|celular|número|whatsapp|número de telefone) é (?P<value>[+\d(][\d ().-]+)",
        "fact", "phone", "phone"),
    Rule("meu", rf"meu peso (?:atual )?(?:é|está em) {_NUMBER}", "fact", "weight", "number"),
    Rule("meu", rf"minha altura é (?:de )?{_NUMBER}", "fact", "height", "number"),
    Rule("meu", r"minha língua (?:materna|nativa) é (?:o )?(?P<value>\w+)", "fact", "language"),
    Rule("meu", r"meu fuso(?: horário)? é (?:o )?(?P<value>.+)", "fact", "timezone", "short"),
    Rule("meu",
        r"(?:meu|minha) (?:maior |principal |próxim[oa] |nov[oa] |grande )?(?:meta|objetivo|sonho|plano|ambição"
        r"|resolução)(?: d[eo]ste ano| para [\w ]+?| agora)? é (?P<value>.+)", "goal", "goal"),
    Rule("meu",
        r"(?:meus?|minhas?) (?P<favourite>[\w ]{2,30}?) (?:favorit|preferid)[oa]s? (?:é|são|sempre foi|continua"
        r" sendo) (?:o |a |os |as )?(?P<value>.+)", "preference"),
    Rule("meu",
        r"(?:meus?|minhas?) (?:hobby|hobbies|passatempo|passatempos|paixão) (?:é|são) (?P<value>.+)",
        "preference", "likes"),
    Rule("meu", rf"(?:meus?|minhas?) (?:\w+ )?{OCCASION}(?: \w+ \w+)? (?:é|será|vai ser) (?P<value>{SOON}.*)", "event"),
)  # fmt: skip

_SER = (
    Rule("sou", rf"sou (?P<value>{DIET})", "fact", "diet"),
    Rule("sou", r"sou (?:muito |super )?alérgic[oa] (?:a |à |ao |aos |às )(?P<value>.+)", "fact", "allergy"),
    Rule("sou",
        r"sou (?P<value>diabétic[oa]|asmátic[oa]|hipertens[oa]|autista|epiléptic[oa]|dislétic[oa]|daltônic[oa]"
        r"|surd[oa]|ceg[oa])", "fact", "health"),
    Rule("sou",
        r"sou (?:uma? )?(?P<value>casad[oa]|solteir[oa]|divorciad[oa]|viúv[oa]|separad[oa]|noiv[oa])(?:$| (?:com|há"
        r"|d[oa]|e)\b.*)", "fact", "marital_status"),
    Rule("sou",
        rf"sou (?:um |uma |o |a )?(?P<value>{JOB}(?: (?!e\b|há\b|n[oa]\b|num|em\b|d[eoa]\b)\w+)?(?: (?:de|em|d[oa])"
        rf" [\w ]+?)?)(?: (?:na|no|numa|num) (?P<employment>(?-i:[A-ZÀ-Ý]).+?){_ATE})?(?:$| (?:e|há|de|na|no|em|numa"
        r"|num|aposentad[oa]|autônom[oa]|formad[oa])\b.*|,.*)", "fact", "occupation"),
    Rule("sou", rf"sou (?P<value>{PEOPLE})(?:$| (?:e|mas|de)\b.*|,.*)", "fact", "origin"),
    Rule("sou", rf"sou (?:d[eoa]s?|natural d[eoa]) (?P<value>(?-i:[A-ZÀ-Ý]).+?){_ATE}", "fact", "origin", "place"),
    Rule("sou", r"sou (?:formad[oa]|graduad[oa]|mestre|doutor[a]?|bacharel) em (?P<value>.+)", "fact", "education"),
    Rule("sou", rf"sou fluente em (?P<value>{TONGUE}.*)", "fact", "language"),
    Rule("sou",
        r"sou (?:muito |super |totalmente )?(?:fã|apaixonad[oa]|louc[oa]|viciad[oa]|fanátic[oa]) (?:de|d[oa]s?|por"
        r"|em) (?P<value>.+)", "preference", "likes"),
    Rule("não_sou",
        r"não sou (?:muito |grande )?(?:fã|chegad[oa]) (?:de|d[oa]s?|a|em) (?P<value>.+)", "preference", "dislikes"),
    Rule("sou",
        r"sou (?P<value>canhot[oa]|destr[oa]|introvertid[oa]|extrovertid[oa]|perfeccionista|(?:mãe|pai) (?:de"
        r"|d[oa]s?) .+|mãe solo|(?:uma )?pessoa (?:matutina|noturna|diurna))", "fact", "trait"),
    Rule("sou tenho",
        r"sou (?:a |o )?(?P<value>mais velh[oa]|mais nov[oa]|caçula|filh[oa] únic[oa])\b.*", "fact", "family"),
    Rule("estou",
        r"estou (?:muito )?(?P<value>casad[oa]|solteir[oa]|divorciad[oa]|separad[oa]|noiv[oa]|namorando|em um"
        r" relacionamento)(?:$| .*)", "fact", "marital_status"),
    Rule("estou", r"estou (?P<value>grávida)\b.*", "fact", "health"),
    Rule("estou",
        r"estou (?P<value>desempregad[oa]|aposentad[oa]|sem emprego|de licença\b.*|entre empregos)(?:$| .*)",
        "status", "employment"),
    Rule("estou",
        rf"estou (?:morando|vivendo|a morar|a viver) (?:sozinh[oa] )?{_EM} {_V}", "fact", "residence", "place"),
    Rule("estou",
        rf"estou (?:trabalhando|a trabalhar) como (?P<occupation>.+?)(?: (?:na|no|numa|num|para) {_V}|$)",
        "fact", "employment", "workplace"),
    Rule("estou", rf"estou (?:trabalhando|a trabalhar) {_NO} {_V}", "fact", "employment", "workplace"),
    Rule("estou", rf"estou (?:aprendendo|estudando|a aprender|a estudar) (?P<value>{TONGUE})", "status", "language"),
    Rule("estou",
        r"estou (?:estudando|cursando|fazendo (?:faculdade|mestrado|doutorado|pós|curso)(?: de| em)?|a estudar)"
        rf" (?P<value>.+?)(?: na .+| no .+|{_ATE})", "fact", "education", "short"),
    Rule("estou", rf"estou (?:pesando|com) {_NUMBER}$", "fact", "weight", "number"),
    Rule("estou",
        rf"estou (?:me mudando|a mudar-me|de mudança) (?:para|pra|pro) (?:o |a |os |as )?{_V}", "event", None, "place"),
    Rule("estou",
        r"estou (?:planejando|pretendendo|pensando em|querendo|juntando dinheiro para|economizando para|treinando"
        r" para|me preparando para|a planear) (?P<value>(?:me )?(?!saber|ver\b|entender|perguntar)\w+.+)",
        "goal", "goal"),
    Rule("estou",
        r"estou (?:tentando|a tentar) (?P<value>(?:emagrecer|perder peso|parar de|aprender|economizar|melhorar"
        r"|reduzir|engravidar|largar|comer)\b.*)", "goal", "goal"),
    Rule("estou",
        r"estou (?P<value>(?:me )?(?:escrevendo|lendo|construindo|desenvolvendo|reformando|organizando|montando"
        r"|criando|fazendo|tomando|participando|treinando|cuidando|namorando|procurando|buscando|aprendendo"
        r"|estudando|trabalhando em|trabalhando n|jogando|plantando|gravando|planejando|preparando|recuperando"
        r"|lidando com) .+)", "status"),
)  # fmt: skip

_TER = (
    Rule("tenho fiz completei",
        r"(?:tenho|fiz|completei) (?P<value>[1-9]\d) anos?(?:$| (?:de idade|e|ontem|hoje|na|no|em|semana)\b.*|,.*)",
        "fact", "age"),
    Rule("tenho meço", r"(?:tenho|meço) (?P<value>[12][.,]?\d\d ?(?:m|cm|metros?)?)(?: de altura)?$", "fact", "height"),
    Rule("tenho", r"tenho (?:uma )?(?:muita |forte )?alergia (?:a |à |ao |aos |às )(?P<value>.+)", "fact", "allergy"),
    Rule("tenho sofro",
        rf"(?:tenho|sofro de|sofro com) (?:muita |uma |um pouco de )?(?P<value>{CONDITION})(?:$| .*|,.*)",
        "fact", "health"),
    Rule("tenho", r"tenho (?P<value>intolerância (?:a|à|ao) .+)", "fact", "allergy"),
    Rule("tenho temos tem",
        rf"(?:tenho|temos|tem) (?P<value>(?:{COUNT} )?(?:\w+ )?(?:filh[oa]s?|irmãos?|irmãs?|gêmeos|net[oa]s?|bebê"
        r"|enteados?|enteadas?|sobrinh[oa]s?|namorad[oa]|noiv[oa]))\b(?! (?:chamad|que se chama)).*",
        "person", "family"),
    Rule("tenho temos tem",
        rf"(?:tenho|temos|tem) (?P<value>{COUNT} (?:\w+ )?{PET})\b(?! (?:chamad|que se chama)).*", "fact", "pet"),
    Rule("tenho",
        r"tenho (?:um |uma )?(?P<value>(?:graduação|mestrado|doutorado|mba|diploma|pós-graduação|licenciatura) em"
        r" .+)", "fact", "education"),
    Rule("tenho", rf"tenho (?:um |uma |meu |minha )?(?:\w+ )?{OCCASION}\b(?P<value>.*{SOON}.*)", "event"),
    Rule("tenho temos tem",
        rf"(?:tenho|temos|tem) (?:um|uma|meu próprio|minha própria|{COUNT}) (?P<value>(?:\w+ )?{OWNED}\b.*)",
        "fact", "possession"),
    Rule("tenho",
        r"tenho (?:muito )?(?:medo|pavor|horror|nojo) (?:de|d[oa]s?) (?P<value>.+)", "preference", "dislikes"),
    Rule("tenho", r"tenho (?P<value>\w+(?: e \w+)?) (?:de|como) língua materna", "fact", "language"),
    Rule("tenho", r"tenho (?P<value>\d[\d.,]* ?(?:kg|quilos))$", "fact", "weight"),
    Rule("peso", rf"peso (?:cerca de |uns |mais ou menos )?{_NUMBER}", "fact", "weight", "number"),
)  # fmt: skip

_VIVER = (
    # "Moramos em Roma em 2019" is over; the word alone does not tell.
    Rule("moro vivo resido moramos mora",
        rf"(?!moramos .* {PAST}\b)(?:moro|vivo|resido|moramos|mora) (?:sozinh[oa] |atualmente |hoje |aqui )?"
        rf"(?:com (?:meu|minha|meus) [\w ]+? )?{_EM} {_V}", "fact", "residence", "place"),
    Rule("moro vivo",
        r"(?:moro|vivo) (?P<value>sozinh[oa]|com (?:meu|minha|meus|minhas) .+)", "fact", "household", "short"),
    Rule("mudei mudamos mudou",
        rf"(?:me |se )?(?:mudei|mudamos|mudou)(?: de [\w ]+?)? (?:para|pra|pro) (?:o |a |os |as )?{_V}",
        "status", "residence", "place"),
    Rule("nasci cresci",
        rf"(?:nasci|cresci)(?: e (?:cresci|fui criad[oa]))? {_EM} {_V}",
        "fact", "origin", "place"),
    Rule("nasci", rf"nasci (?:em|no dia|dia) (?P<value>(?:\d|{MONTH}).*)", "fact", "birthday"),
    Rule("vim", rf"vim d[eoa]s? (?P<value>(?-i:[A-ZÀ-Ý]).+?){_ATE}", "fact", "origin", "place"),
    Rule("trabalho",
        rf"trabalho (?:atualmente )?como (?P<occupation>.+?) (?:na|no|numa|num|para (?:a|o)) {_V}",
        "fact", "employment", "workplace"),
    Rule("trabalho", rf"trabalho (?:atualmente )?como {_V}", "fact", "occupation", "short"),
    Rule("trabalho",
        r"trabalho (?P<value>(?:de casa|em casa|remoto|remotamente|em home office|por conta própria|meio período|à"
        r" noite)\b.*)", "fact", "work_mode"),
    Rule("trabalho", rf"trabalho (?:com|na área de|no ramo de|no setor de) {_V}", "fact", "occupation", "trade"),
    Rule("trabalho",
        rf"trabalho (?:{_NO}|para a|para o|para) (?P<value>.+?)(?: como (?P<occupation>.+)|{_ATE})",
        "fact", "employment", "workplace"),
    Rule("comecei",
        rf"comecei (?:a trabalhar |um (?:novo )?(?:trabalho|emprego) )?(?:{_NO}) (?P<value>(?-i:[A-ZÀ-Ý]).+?|uma?"
        rf" .+?)(?: como (?P<occupation>.+)|{_ATE})", "status", "employment", "workplace"),
    Rule("comecei",
        rf"comecei (?:a trabalhar|um novo emprego|um novo trabalho) como {_V}", "status", "occupation", "short"),
    Rule("consegui arrumei arranjei aceitei",
        r"(?:consegui|arrumei|arranjei|aceitei) (?:um |uma |o |a )?(?:novo |nova )?(?:emprego|trabalho|vaga|estágio"
        rf"|proposta)(?: como (?P<occupation>.+?))? (?:{_NO}) {_V}", "status", "employment", "workplace"),
    Rule("entrei",
        rf"entrei n[oa] (?P<value>(?-i:[A-ZÀ-Ý]).+?)(?: {PAST}| n[oa] {DAY})? como (?P<occupation>.+?){_ATE}",
        "status", "employment", "workplace"),
    Rule("saí deixei larguei",
        r"(?:saí|deixei|larguei) (?:do |da |o |a |meu )(?:meu )?(?:emprego|trabalho|cargo|estágio|firma|empresa)(?:"
        rf" n[oa] {_V}.*|\b.*)", "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("larguei",
        rf"larguei [oa] (?P<value>(?:[\w-]+ ){{0,1}}?{EMPLOYER}){_ATE}", "status", "employment", mark=ENDED),
    Rule("saí",
        rf"saí d[oa] (?P<value>(?-i:[A-ZÀ-Ý])[\w&.-]+(?: (?-i:[A-ZÀ-Ý])[\w&.-]+)?){_ATE}",
        "status", "employment", value=ANY_JOB, mark=ENDED, confidence=WEAKER),
    Rule("perdi",
        rf"perdi (?:o |meu |o meu )?(?:emprego|trabalho)(?: n[oa] {_V}.*|\b.*)",
        "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("fui",
        r"fui (?:demitid[oa]|mandad[oa] embora|dispensad[oa])\b.*",
        "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("demiti", r"me demiti\b.*", "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("fui",
        r"fui (?:promovid[oa]|contratad[oa]|aprovad[oa]|aceit[oa]|selecionad[oa]|eleit[oa]|convidad[oa])\b"
        r" (?P<value>.+)", "status"),
    Rule("fui", r"fui diagnosticad[oa] com (?P<value>.+)", "fact", "health"),
    Rule("aposentei", r"me aposentei\b.*", "status", "employment", value="aposentado"),
    Rule("casei casamos casou",
        r"(?:me |nos )?(?:casei|casamos|casou)\b.*", "status", "marital_status", value="casado"),
    Rule("divorciei separei divorciamos separamos",
        r"(?:me |nos )?(?:divorciei|separei|divorciamos|separamos)\b(?! o| a| as| os).*",
        "status", "marital_status", value="divorciado"),
    Rule("noivei noivamos fiquei",
        r"(?:noivei|noivamos|fiquei noiv[oa])\b.*", "status", "marital_status", value="noivo"),
    Rule("estudo", r"estudo (?P<value>(?!muito|para|n[oa] ).+?)(?: n[oa] .+|$)", "fact", "education", "short"),
    Rule("estudo", r"estudo n[oa] (?P<value>(?-i:[A-ZÀ-Ý]).+)", "fact", "education", "short"),
    Rule("faço curso",
        r"(?:faço (?:faculdade|mestrado|doutorado|pós|graduação|um curso)(?: de| em| d[oa])?|curso)"
        r" (?P<value>.+?)(?: n[oa] .+|$)", "fact", "education", "short"),
    Rule("formei", r"me formei (?:em|n[oa]) (?P<value>.+)", "fact", "education"),
    Rule("falo", rf"falo (?:fluentemente )?(?P<value>(?:um pouco de )?{TONGUE}.*)", "fact", "language"),
    Rule("tomo",
        r"tomo (?P<value>(?:\w+ ){0,2}?(?:remédio|medicação|insulina|antidepressivo|vitaminas?|suplementos?"
        r"|metformina|anticoncepcional)\b.*)", "fact", "health"),
)  # fmt: skip

_GOSTAR = (
    Rule("prefiro preferia", r"(?:prefiro|preferia) (?!que (?:você|vocês)\b)(?P<value>.+)", "preference", "preference"),
    Rule("gosto adoro amo curto aprecio prefiro",
        r"(?:gosto|adoro|amo|curto|aprecio|prefiro) (?:muito )?(?P<value>(?:quando|se) .+)", "preference", "likes"),
    Rule("detesto odeio", r"(?:detesto|odeio) (?P<value>quando .+)", "preference", "dislikes"),
    Rule("não_gosto não_curto não_suporto não_aguento",
        r"não (?:gosto|curto|suporto|aguento) (?:muito )?(?P<value>quando .+)", "preference", "dislikes"),
    Rule("gosto adoro amo curto aprecio", rf"(?:gosto|adoro|amo|curto|aprecio) {_DE}{_COISA}", "preference", "likes"),
    Rule("detesto odeio", rf"(?:detesto|odeio) {_DE}{_COISA}", "preference", "dislikes"),
    Rule("evito", rf"evito {_COISA}", "preference", "avoids"),
    Rule("tendo", r"tendo a (?:preferir|evitar|gostar de) (?P<value>.+)", "preference", "preference"),
    Rule("tenho",
        r"tenho (?:uma )?(?:forte )?(?:preferência|queda|fraqueza|paixão) por (?P<value>.+)", "preference", "likes"),
    Rule("não_gosto não_curto não_suporto não_aguento",
        rf"não (?:gosto|curto|suporto|aguento) {_DE}{_COISA}", "preference", "dislikes"),
    Rule("não_como não_bebo não_consumo não_tomo",
        r"não (?:como|bebo|consumo|tomo) (?P<value>.+)", "preference", "avoids"),
    Rule("não_posso", r"não posso (?:comer|beber|tomar|consumir) (?P<value>.+)", "fact", "avoids"),
    Rule("não_fumo não_bebo não_dirijo", r"não (?P<value>fumo|bebo|dirijo)\b.*", "fact", "habit"),
    Rule("voltei", r"voltei a (?:comer|beber) (?P<value>.+)", "preference", "habit"),
    Rule("como bebo",
        r"(?:como|bebo) (?!antes|agora|hoje|sempre)(?P<value>(?:só |muito |muita |bastante |apenas |mais )?.+)",
        "preference", "habit"),
    Rule("priorizo valorizo", r"(?:priorizo|valorizo) (?P<value>.+)", "preference", "preference"),
    Rule("rendo aprendo trabalho estudo durmo penso",
        r"(?P<value>(?:rendo|aprendo|trabalho|estudo|durmo|penso) (?:mais|melhor) .+)", "preference", "preference"),
    Rule("torço", r"torço (?:para|pro|pra|pelo|pela) (?:o |a )?(?P<value>.+)", "preference", "likes"),
    Rule("coleciono", r"coleciono (?P<value>.+)", "preference", "likes"),
    Rule("toco jogo pratico", r"(?:toco|jogo|pratico) (?P<value>.+)", "fact", "hobby", "short"),
    Rule("costumo", r"costumo (?P<value>\w+r .+)", "fact", "habit"),
    Rule("parei deixei larguei", r"(?:parei|deixei) de (?P<value>\w+r\b.*)", "status", "habit", mark=ENDED),
)  # fmt: skip

_QUERER = (
    Rule("quero", rf"quero (?:muito )?{_VERBO}", "goal", "goal", confidence=WEAKER),
    Rule("gostaria queria",
        r"(?:gostaria de|queria) (?:muito )?(?P<value>(?:me )?(?:aprender|viajar|morar|conhecer|comprar|emagrecer"
        r"|perder|abrir|começar|estudar|mudar|adotar|visitar|correr|escrever|tocar|largar|parar)\b.*)",
        "goal", "goal", confidence=WEAKER),
    Rule("quis", rf"quis {_VERBO}", "goal", "goal", confidence=WEAKER),
    Rule("pretendo planejo", rf"(?:pretendo|planejo) {_VERBO}", "goal", "goal"),
    Rule("sonho", r"sonho em (?P<value>\w+r\b.*)", "goal", "goal"),
    Rule("alcancei atingi bati conquistei cumpri",
        r"(?:alcancei|atingi|bati|conquistei|cumpri) (?:a |o )?(?:minha|meu) (?P<value>(?:meta|objetivo|sonho)\b.*)",
        "status", "goal", mark=REACHED),
    Rule("terminei concluí completei consegui",
        r"(?:terminei|concluí|completei|consegui) (?P<value>(?!isso|de\b|tudo|com\b).+)", "status", "goal",
        mark=REACHED),
    Rule("vou vamos vai",
        r"(?:vou|vamos|vai) (?P<value>(?:me )?(?:viajar|mudar|casar|começar|fazer|visitar|participar|correr|ter"
        rf"|apresentar|tirar férias|para|pra|ao|à|defender|operar|receber)\b.*{SOON}.*)", "event"),
)  # fmt: skip

_FEITO = (
    Rule(
        "corro caminho nado pedalo treino cozinho medito acordo pinto danço leio jogo faço vou pratico estudo tomo"
        " assisto pesco durmo",
        rf"(?P<value>\w+ (?:.* )?{REGULARLY}.*)", "fact", "habit",
    ),
    Rule("fui fomos foi",
        r"(?:fui|fomos|foi) (?P<value>(?:a|ao|à|aos|às|para|pra|pro|num|numa|em|no|na|de) (?!favor|fundo).+)", "event"),
    Rule("fiz", r"fiz (?P<value>(?:um|uma|meu|minha|o meu|a minha) (?!favor|pergunta|erro).+)", "event"),
    Rule("tive tivemos",
        rf"(?:tive|tivemos) (?P<value>(?:um|uma|meu|minha) (?:\w+ )?(?:{OCCASION}|filh[oa]|bebê|acidente|infarto"
        r"|briga|derrame|crise)\b.*)", "event"),
    Rule("ganhei", r"ganhei (?P<value>(?!tempo|dinheiro$).+)", "event"),
    Rule("vi assisti li", rf"(?P<value>(?:vi|assisti|li) .+ {PAST})", "event"),
    Rule("decidi resolvi escolhi", r"(?:decidi|resolvi|escolhi) (?P<value>\w+r .+)", "event"),
    Rule("passei", r"passei (?:n[oa] |em |para )(?P<value>.+)", "event"),
    Rule(
        "comprei adotei viajei comecei terminei visitei participei lancei publiquei aluguei reformei plantei criei"
        " montei fundei apresentei organizei comemorei marquei agendei reservei voltei larguei encontrei conheci"
        " vendi aprendi escrevi recebi perdi abri assinei matriculei inscrevi doei quebrei machuquei troquei"
        " contratei aceitei recusei corri venci conquistei gravei desenhei adotamos compramos viajamos adotou"
        " comprou viajou subi desisti fraturei engravidei acampei pintei cozinhei entrei construí emagreci"
        " completei",
        r"(?:me )?(?P<value>\w+ (?!muito$|bem$|tudo$|a ver\b|a achar\b|a pensar\b|a perceber\b|tempo\b|a cabeça|de"
        r" ideia).+)", "event",
    ),
)  # fmt: skip

RULES = (*_EU, *_TER, *_VIVER, *_SER, *_GOSTAR, *_QUERER, *_FEITO)
