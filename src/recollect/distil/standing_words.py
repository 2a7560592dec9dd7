"""How people give standing instructions, in English and Portuguese; patterns only."""

from __future__ import annotations

# What may stand before the heart of an instruction.
_LEAD = (
    r"(?:^|[,;:–—-]\s*|\b(?:and|but|so|also|then|e|mas|então|também)\s+)(?:(?:hey|hi|ok|okay|oh|btw|by the way|note"
    r"|remember|important|please|kindly|also|and|just|one more thing|actually|so|for (?:the )?future(?: reference)?"
    r"|oi|olá|por favor|lembre-se|lembre|importante|atenção|aliás|ah)\W+)*"
)
_START = (
    r"^\W*(?:(?:hey|hi|ok|okay|oh|btw|by the way|note|remember|important|please|kindly|also|and|just|one more thing"
    r"|actually|so|but|for (?:the )?future(?: reference)?|from now on|going forward|in (?:the )?future)\W+)*"
)
# What people tell each other, and sigh: never give up, always love a good book.
_NO_SAYING = (
    r"(?!(?:give up|forget (?:that|how|who|your|you|what)|stop (?:dreaming|believing)|say never|lose|surrender|doubt"
    r"|settle|let (?:anyone|it|them)|love|like|believe|trust|hear|hope|enjoy|look forward|look on)\b)"
)
_NOT_A_VERB = (
    r"(?!(?:mind|again|ever|ending|a|an|the|been|had|has|have|was|were|is|are|am|i|i'm|i've|we|you|he|she|it|they|my"
    r"|your|so|too|thought|knew|wanted|loved|happy|glad|good|great|nice|fun|ready|here|there|late|busy|more|better"
    r"|felt|got|went|saw|made|did|will|would|in|on|at|up|down|to|of|for|with|and|or|not|enough|grateful|excited"
    r"|proud|learning|something|someone|thinking|heard|met|seen|done|tried|said|told|took|came|knows|works|gives"
    r"|makes|says|one|room|worth|feels|has)\b|\w+ed\b|\w+ing\b|\w+ly\b)"
)
_VERB = (
    r"(?:answer|reply|respond|write|speak|talk|use|include|add|provide|give|show|format|keep|make|explain|cite"
    r"|mention|list|start|begin|end|call|address|refer|avoid|ask|confirm|check|verify|specify|suggest|recommend"
    r"|remind|translate|summari[sz]e|limit|put|present|highlight|break|offer|follow|convert|report|state|tell"
    r"|display|return|generate|structure|organi[sz]e|prioriti[sz]e|consider|assume|treat|double-check|remember|stick"
    r"|focus|test|run|commit|do|be|stop|say|let|point|warn|describe|compare|link|quote|round|sort|ensure|review"
    r"|don't|do not|never|always|skip|leave|omit|stay|communicate|spell|send|set|greet|sign|default|prefer)"
)
TONGUES = (
    r"(?:english|portuguese|spanish|french|german|italian|dutch|swedish|polish|russian|chinese|mandarin|japanese"
    r"|korean|arabic|hindi|turkish|greek|hebrew|danish|norwegian|finnish|czech|ukrainian|catalan|brazilian"
    r" portuguese|european portuguese|inglês|português|espanhol|francês|alemão|italiano|holandês|russo|chinês"
    r"|japonês|coreano|árabe)"
)
_FROM_NOW = (
    r"(?:from now on|from here on(?: out)?|going forward|moving forward|from today(?: on)?|starting (?:now|today)|in"
    r" (?:the )?future|henceforth|until (?:i say otherwise|further notice)|by default|(?:for|in) (?:all|every|any)"
    r" (?:future )?(?:answers?|repl(?:y|ies)|responses?|messages?|conversations?|chats?|sessions?))"
)
_WHENEVER = (
    r"(?:when(?:ever)?|every time|each time|any ?time|if) i (?:ever )?(?:ask|say|mention|request|send|share|talk"
    r"|write|type|bring up|inquire|want to know|need)\b"
)
_MANNERS = (
    r"(?:emojis?|emoticons?|bullet points?|bullets|markdown|jargon|slang|abbreviations|acronyms|exclamation (?:marks"
    r"|points)|disclaimers?|caveats|apologies|small talk|fluff|filler|preambles?|flattery|sarcasm|profanity|swear"
    r" words|em dashes|tables|headings|buzzwords|contractions|nicknames?|placeholders?)"
)
_REPLIES = (
    r"(?:answers?|responses?|repl(?:y|ies)|messages?|explanations?|summar(?:y|ies)|outputs?|emails?|comments?|commit"
    r" messages?)"
)

_ENGLISH_INSTRUCTIONS = (
    rf"{_START}(?:always|never)\s+(?:ever |again )?{_NOT_A_VERB}{_NO_SAYING}[a-z][\w-]+\s+\w",
    (
        rf"{_START}{_VERB}\b(?! (?:going|pushing|it up|at it|up|moving|trying|pursuing)).*(?:,| and| but) (?:always"
        rf"|never) {_NO_SAYING}{_VERB}\b"
    ),
    rf"{_LEAD}{_VERB}\b(?! you\b)[^?]*\b(?:{_FROM_NOW}|{_WHENEVER})",
    (
        rf"{_LEAD}{_FROM_NOW}\W+(?:(?:please|always|never|just|only|also|i want you to|i'd like you to|i need you to"
        rf"|you (?:should|must|can))\s+)*{_VERB}\b"
    ),
    rf"{_LEAD}{_WHENEVER}[^?]*,\s*(?:please |always |just |only |i want you to |you should )*{_VERB}\b",
    (
        rf"{_LEAD}(?:please |always |only |just )*(?:answer|reply|respond|write|speak|talk|communicate)(?: to me| back|"
        rf" with me| your answers)?(?: only| always| exclusively)? in (?:only )?(?:{TONGUES}|bullet points|plain"
        r" (?:text|english|language)|short sentences|lower ?case|metric)\b"
    ),
    (
        rf"{_LEAD}(?:you (?:should|must|have to|need to|can) |make sure (?:to |you |that you )|be sure to |remember to "
        r"|i (?:want|need|expect|would like|'d like|would prefer|prefer) you to |i'd (?:like|prefer) (?:you|it if"
        rf" you)(?: to)? )(?:always |never |please |not )*(?:always|never|{_VERB})\b.*\b(?:always|never|{_FROM_NOW}"
        rf"|{_WHENEVER}|{_MANNERS}|{_REPLIES}|in {TONGUES})\b"
    ),
    r"\bi (?:want|need|expect|would like|would prefer|prefer) you to (?:always|never|stop|keep|only)\b",
    (
        r"\b(?:you (?:should|must|have to|need to)|i want you to|make sure (?:to|you)|be sure to|remember"
        rf" to)\s+(?:always|never)\s+{_NOT_A_VERB}\w+"
    ),
    (
        r"\b(?:please |just |you can |you may |everyone |but )?(?:call|address) me (?:by |as )?(?:my |)(?-i:[A-Z]|\""
        r"|first name|last name|nickname|Dr)"
    ),
    r"\brefer to me (?:as|by|with)\b|\buse (?:he|she|they|him|her|them)(?:/\w+)+ (?:pronouns )?(?:for|with|when)\b",
    (
        rf"{_LEAD}(?:please )?keep (?:your |all |the |all your |all the )*{_REPLIES} (?:short|brief|concise|simple"
        r"|under|below|to|formal|informal|casual|clear|polite)"
    ),
    rf"{_LEAD}(?:please )?keep (?:it|things|everything) [\w ]+\b{_FROM_NOW}",
    (
        rf"{_LEAD}(?:please )?(?:don't|do not|never|stop|avoid|quit|no need to|no more) (?:ever )?(?:use|using|add"
        r"|adding|include|including|write|writing|put|putting|send|sending|with)?(?: any| the| so many| too many|"
        rf" more)? ?{_MANNERS}\b"
    ),
    rf"{_LEAD}no (?:more )?{_MANNERS}(?:,? please|$|[.!]| ever| in)",
    (
        r"(?:^|, |please )(?:stop|quit) (?:apologi[sz]ing|repeating|asking|calling|using|suggesting|sending|saying"
        r"|starting|ending|adding|explaining|summari[sz]ing|assuming|reminding)\b"
    ),
    (
        r"(?:^|, |please )(?:don't|do not) (?:ever |always )?(?:call me|assume|apologi[sz]e|repeat yourself|remind me"
        r"|ask me (?:about|to|if)|explain|lecture|suggest|recommend|commit|push|sugar-?coat)\b.*\b(?:again|anymore|any"
        r" more|ever|unless|without|until|every time|always|answers?|me)\b"
    ),
    (
        r"(?:^|, |please )(?:always )?use (?:the )?(?:metric|imperial|celsius|fahrenheit|24-hour|12-hour|british"
        r"|american|kilomet(?:er|re)s|miles|kilos|pounds|euros|dollars|formal|informal|plain|simple"
        r"|layman)\b(?!.*\b(?:in this|for this|to solve)\b)"
    ),
    # What was wished before is allowed again, needed no longer, or taken back.
    (
        rf"{_LEAD}(?:now )?you (?:can|may|are allowed to|'re allowed to|are free to)(?: now)? (?:go back to |start )?"
        rf"(?!.*\b(?:my|this|that|it|these|those)\b)(?:{_VERB}|\w+ing)\b[^?]*\b(?:again|now|after all|from now on)\W*$"
    ),
    (
        rf"{_LEAD}(?:you (?:don't|do not|no longer) (?:have|need) to|you needn't|(?:there's |there is )?no need to)"
        rf" {_VERB}\b[^?]*\b(?:any ?more|any longer|from now on)\W*$"
    ),
    rf"{_LEAD}(?:you no longer (?:have|need) to|there's no longer any need to) {_VERB}\b",
    (
        rf"{_LEAD}(?:please )?(?:stop|quit|no more|forget(?: about)?) (?:answering|replying|responding|speaking|talking"
        rf"|writing)"
        rf"(?: to me| back)? in {TONGUES}\b"
    ),
    (
        rf"{_LEAD}(?:{_MANNERS}|{TONGUES}) (?:is|are) (?:fine|ok|okay|all right|alright|allowed|welcome)\b.*"
        r"\b(?:again|now|after all)\W*$"
    ),
    (
        rf"{_LEAD}(?:please )?(?:forget|ignore|disregard|drop|scratch) (?:about )?(?:what i (?:said|told you|asked)"
        r" (?:about|on)|(?:my|the) (?:earlier |previous |old |last )?(?:rule|instruction|request|wish)s?"
        r" (?:about|on|to|for)) \w"
    ),
    (
        rf"\bi (?:want|like|prefer|need|'d like|would like|'d prefer)(?: all)? (?:your|my|the) {_REPLIES} (?:to be|in"
        r"|short|brief|with|without|under|as)\b"
    ),
)  # fmt: skip

_COMMANDS = (
    r"(?:respond[ae]r?|us[ea]r?|utiliz[ea]r?|inclu[aí]r?|inclui|escrev[ae]r?|fal[ea]r?|explique|explica|explicar"
    r"|mostr[ea]r?|cit[ea]r?|coloqu[e]|coloca|colocar|evit[ea]r?|comec[e]|começ[ae]r?|termin[ea]r?|traduz[air]*"
    r"|resum[air]*|format[ea]r?|adicion[ea]r?|mantenha|mantém|manter|seja|ser|sê|confirm[ea]r?|verifi(?:que|ca|car)"
    r"|pergunt[ea]r?|lembr[ea]r?|d[êáa]r?|diga|diz|dizer|mencion[ea]r?|sugira|sugere|sugerir|recomend[ea]r?"
    r"|inform[ea]r?|apresent[ea]r?|forneça|fornece|fornecer|faça|faz|fazer|list[ea]r?|cham[ea]r?|trat[ea]r?"
    r"|envi[ea]r?|mand[ea]r?|pare|para|parar|deix[ea]r?|especifi(?:que|ca|car)|consider[ea]r?|pul[ea]r?|troqu[e]"
    r"|calcul[ea]r?|resposta|destaqu[e]|ofereça|prioriz[ea]r?|convert[ae]r?|assum[ae]r?|conte|conta|compare|limite"
    r"|organize|indique|detalhe|justifique)"
)
_AGORA = (
    r"(?:a partir de (?:agora|hoje|já)|de (?:agora|hoje) em diante|daqui (?:pra|para|por|em) (?:a )?(?:frente"
    r"|diante)|doravante|no futuro|(?:n?as|d?as) próximas (?:vezes|respostas|mensagens|conversas)|em todas as"
    r" (?:suas )?respostas|por padrão|até segunda ordem)"
)
_QUANDO = (
    r"(?:sempre que|toda vez que|todas as vezes que|cada vez que|quando) eu (?:te )?(?:pedir|perguntar|falar"
    r"|mencionar|disser|mandar|enviar|pedir|quiser|escrever|solicitar)\b"
)
_MODOS = (
    r"(?:emojis?|emoticons?|gírias|jargões|jargão|markdown|tópicos|listas|abreviações|siglas|palavrões|anglicismos"
    r"|estrangeirismos|pontos de exclamação|rodeios|enrolação|desculpas|introduções|tabelas|ironia|sarcasmo"
    r"|diminutivos|termos técnicos)"
)
_RESPOSTAS = r"(?:respostas?|mensagens|explicações|resumos|textos|e-?mails)"
_PORTUGUESE_INSTRUCTIONS = (
    rf"{_LEAD}(?:sempre|nunca|jamais)\s+(?:mais |me |se |que possível )?{_COMMANDS}\b",
    (
        rf"{_LEAD}(?:me |não (?:me )?)?{_COMMANDS}(?:-me)? (?:me )?(?:sempre|nunca|só|somente|apenas"
        r"|exclusivamente)\b(?! (?:que você|agora|uma))"
    ),
    (
        rf"{_LEAD}{_AGORA}\W+(?:(?:por favor|eu quero que você|quero que você|você deve|só|sempre|nunca|não|me|por"
        rf" favor,)\W+)*{_COMMANDS}\b"
    ),
    rf"{_LEAD}(?:não )?(?:me )?{_COMMANDS}\b[^?]*\b(?:{_AGORA}|{_QUANDO})",
    rf"{_LEAD}{_QUANDO}[^?]*,\s*(?:por favor,? |sempre |só |me )*{_COMMANDS}\b",
    (
        rf"{_LEAD}(?:por favor,? )?(?:me )?(?:respond[ae]|escrev[ae]|fal[ea]|convers[ea])(?:-me| comigo| pra mim| para"
        rf" mim)?(?: sempre| só| apenas)? em (?:{TONGUES}|tópicos|frases curtas|linguagem simples)\b"
    ),
    (
        r"\b(?:pode(?:m)? me chamar|me cham[ea]|cham[ea]-me|(?:quero|prefiro|gosto de) (?:que (?:você )?me chame|ser"
        r" chamad[oa])|me trat[ea]|trat[ea]-me|prefiro que me chamem|podes chamar-me) (?:de|por|pelo|como|apenas|só)\b"
    ),
    (
        r"\b(?:eu )?(?:quero|gostaria|preciso|prefiro|espero|queria) que (?:você|tu|o assistente) (?:sempre |nunca |não"
        r" |só |me |pare |evite )*\w+"
    ),
    (
        rf"{_LEAD}(?:por favor,? )?mantenha (?:as |suas |as suas |todas as )?{_RESPOSTAS} (?:curtas|breves|concisas"
        r"|objetivas|simples|formais|diretas|com|em|abaixo)"
    ),
    (
        r"(?:^|, |por favor,? )seja (?:sempre |mais |bem )?(?:breve|concis[oa]|diret[oa]|objetiv[oa]|formal|informal"
        r"|educad[oa]|honest[oa])\b"
    ),
    (
        rf"{_LEAD}(?:por favor,? )?(?:não|nunca|pare de|evite|sem|chega de|nada de) (?:mais )?(?:us[ea]r?|utiliz[ea]r?"
        r"|coloque|colocar|escrev[ae]r?|inclua|incluir|mande|mandar|envie)?(?: mais| muitos| nenhum| os| as| tantos)*"
        rf" ?{_MODOS}\b"
    ),
    (
        r"(?:^|, |por favor,? )(?:pare de|para de|deixe de) (?:pedir desculpas|repetir|perguntar|usar|me chamar|sugerir"
        r"|mandar|explicar|responder|falar)\b"
    ),
    (
        r"(?:^|, |por favor,? )não (?:me )?(?:chame|chames|sugira|recomende|explique|assuma|repita|peça|mande|envie"
        r"|responda|fale|use|utilize|escreva)\b.*\b(?:mais|nunca|novamente|de novo|sem|a menos que|respostas?)\b"
    ),
    (
        r"(?:^|, |por favor,? )(?:sempre )?use (?:o )?(?:sistema métrico|celsius|fahrenheit|formato 24|quilômetros"
        r"|quilos|reais|euros|português|linguagem (?:simples|formal|informal))\b"
    ),
    r"\blembre-se (?:sempre )?de (?:sempre )?\w+r\b",
    rf"{_LEAD}(?:agora )?já (?:tu |você )?(?:podes?|podem) (?:voltar a )?{_COMMANDS}\b",
    rf"{_LEAD}(?:agora )?(?:tu |você )?(?:podes?|podem)(?: agora| já)? voltar a {_COMMANDS}\b",
    (
        rf"{_LEAD}(?:agora )?(?:tu |você )?(?:podes?|podem)(?: agora| já)? (?!.*\b(?:isso|isto|meus?|minhas?)\b)"
        rf"{_COMMANDS}\b[^?]*\b(?:outra vez|de novo"
        r"|novamente|agora)\W*$"
    ),
    rf"{_LEAD}(?:já|agora já) não (?:precisas?|é preciso|é necessário|tens? (?:de|que)) ?(?:de )?{_COMMANDS}\b",
    rf"{_LEAD}(?:tu |você )?não (?:precisas?|é preciso|é necessário|tens? (?:de|que)) mais ?(?:de )?{_COMMANDS}\b",
    (
        r"(?:^|, |por favor,? )(?:esquec[ea]|ignor[ea])(?:-se)? (?:d?o que (?:eu )?(?:disse|pedi|falei)|(?:a |minha |a"
        r" minha )?(?:regra|instrução|pedido)) (?:sobre|d[eoa]s?)\b"
    ),
)  # fmt: skip

INSTRUCTIONS = {"en": _ENGLISH_INSTRUCTIONS, "pt": _PORTUGUESE_INSTRUCTIONS}
# A sentence without any of these words cannot be one, which most sentences show at once.
_INSTRUCTION_SIGN_EN = (
    r"\b(?:always|never|from|going forward|moving forward|future|starting|henceforth|default|when|whenever|every"
    r"|each|any ?time|call|address|refer|pronouns|keep|don't|do not|stop|quit|avoid|no|use|answer|reply|respond"
    r"|write|speak|talk|communicate|you|want|prefer|like|otherwise|again|forget|ignore|disregard|drop|scratch)\b"
)
_INSTRUCTION_SIGN_PT = (
    r"\b(?:sempre|nunca|jamais|partir|diante|frente|doravante|futuro|próximas|respostas?|padrão|vez|quando|responda"
    r"|responde|fale|fala|escreva|escreve|converse|chame|chama|chame-me|chamar|tratar|trate|que|mantenha|seja|não"
    r"|pare|para|evite|sem|chega|nada|deixe|use|lembre-se|só|somente|apenas|ordem|podes?|podem|esque[cç][ea]|ignor[ea])\b"
)
INSTRUCTION_SIGNS = {"en": _INSTRUCTION_SIGN_EN, "pt": _INSTRUCTION_SIGN_PT}
# Said in the same words but meant otherwise: thanks, agreement, telling what oneself will do.
NOT_INSTRUCTIONS = (
    (
        r"^\W*(?:never mind|always (?:a pleasure|happy|good|nice|great|here|there)|nunca (?:pensei|mais|vi|fui|tinha)"
        r"|sempre (?:que|quis|fui|gostei))\b(?! .*,)"
    ),
    (
        r"^\W*(?:from now on|going forward|moving forward|in (?:the )?future|starting (?:today|now)),? (?:i|i'll|i'm|we"
        r"|we'll)\b(?! (?:want|need|expect|would like) you)"
    ),
    r"\?\s*$",
)  # fmt: skip
