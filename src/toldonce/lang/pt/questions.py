"""How questions of each type are put in Portuguese."""

from __future__ import annotations

from toldonce.lang.base import Questions

QUESTIONS = Questions(
    anything=(
        r"^\W*(?:(?:(?:o|a|em|de|com|para|por|desde|at[eé]) )?(?:que|quem|qual|quais|quando|onde|quant[oa]s?)|como"
        r"|porqu[eê]|diga|diz|liste|mostr[ae]|resum[aeo]|expli(?:que|ca)|lembr[ae])\b"
    ),
    to_do=(
        r"^\W*(?:por favor,? |vamos )?(?:adicion[ae]|ajud[ae]|atualiz[ae]|compar[ae]|consert[ae]|corri[gj][ae]|cri[ae]"
        r"|escrev[ae]|fa[cç]a|implement[ae]|instal[ae]|melhor[ae]|mud[ae]|planej[ae]|remov[ae]|renomei[ae]|revis[ae]"
        r"|rod[ae]|test[ae]|traduza?|us[ae]|verifi(?:que|ca))(?![\w-])"
    ),
    self=r"\b(?:eu|me|mim|comigo|meus?|minhas?|n[oó]s|noss[oa]s?|a gente|estou|tenho|fui|ando)\b",
    begins_with_self=r"^\W*(?:\w+[,:] |(?:hoje|ontem|mas) )?(?:eu|n[oó]s|a gente|estou|tenho|fui|ando)\b",
    when=(
        r"^\W*(?:(?:desde |at[eé] |para )?quando|h[aá] quanto|(?:em |a |de )?que (?:dia|data|m[eê]s|ano|horas?)"
        r"|(?:em )?qual (?:dia|data|m[eê]s|ano)|qual (?:[eé]|foi|era) (?:o dia|a data))\b"
        r"|\bquanto tempo\b|\bquant(?:os (?:dias|meses|anos(?! t[eêi]))|as (?:semanas|horas))\b"
    ),
    you=r"\bvoc[eê]s?\b",
    polite=r"\b(?:pode|poderia|consegue) voc[eê]\b|obrigad[oa]",
    help=(
        r"\b(?:como (?:eu )?(?:fa[cç]o|fazer|posso|devo|podemos|devemos)|(?:devo|posso|podemos|devemos|poderia(?:mos)?)"
        r"|voc[eê] (?:pode|poderia|consegue|recomenda|sugere|acha)|(?:pode|poderia|consegue) me|me ajud\w+|ajude-me"
        r"|o que (?:recomenda|sugere)|algum conselho|alguma (?:dica|ideia|sugest[aã]o|recomenda[cç][aã]o))\b"
        r"|(?:^|[.!?]\s)\W*(?:por favor,? )?(?:explique|descreva|recomende|sugira|escreva)\b"
    ),
    said=r"\b(?:lembr\w+|disse\w*|fal(?:ei|ou|amos)|mencion\w+|coment\w+|anterior(?:es|mente)?)\b",
    order=(
        r"\b(?:(?:em|por) que ordem|a ordem (?:em que|d[aeo]s?)|cronol[oó]gic\w+|a sequ[eê]ncia (?:em que|d[aeo]s?))\b"
    ),
    summary=r"\bresum[oai]|\bresumir|\bs[ií]ntese\b",
    now=r"\b(?:atual(?:mente)?|agora|hoje|mais recente(?:mente)?|ainda|ultimamente|at[eé] agora)\b",
    earlier=(
        r"\b(?:antes|inicialmente|originalmente|anteriormente|antigamente|costumava|atr[aá]s|passad[oa]|hist[oó]ria"
        r"|naquela [eé]poca|no (?:come[cç]o|in[ií]cio|princ[ií]pio)|evolu\w+|quando (?:eu|a gente|n[oó]s))\b"
    ),
    happened=(
        r"\b(?:foi|fui|foram|era|eram|tinha|tive|teve|fiz|fez|vi|viu|pus|p[oô]s|dei|deu|(?!estou\b)\w{3,}ou|\w{3,}ei"
        r"|\w{2,}(?:aram|iram|ava|avam))\b"
    ),
    first=r"\b(?:primeir[oa]s?|inicial|inicia?is|original|anterior(?:es)?|antig[oa]s?)\b",
    quantity=r"\b(?:quant[oa]s?|com que frequ[eê]ncia)\b",
    several=(
        r"\b(?:amb[oa]s|os dois|as duas|quais|quant[oa]s|com que frequ[eê]ncia|cada uma?"
        r"|tod[oa]s (?:[oa]s|meus|minhas)"
        r"|em comum|al[eé]m d[eoa]s?|outr[oa]s|mud(?:ou|aram)|diferen\w+|compar\w+"
        r"|que (?:tipos? de )?\w{3,}[aeo]s)\b"
    ),
    goes_on=r"^\W*(?:e|mas|ou|que tal|quanto a[os]?)\b",
    broader=(
        r"\b(?:devo|deveria|sugir\w+|sugest\w+|recomend\w+|conselhos?|dicas?|ideias?|alguma vez|sempre|nunca|entre"
        r"|amb[oa]s|dois|duas|tr[eê]s|v[aá]ri[oa]s|compar\w+|expli\w+)\b"
    ),
    # Portuguese verbs tell who is meant without a pronoun.
    own=(
        r"\b(?:eu|meus?|minhas?|n[oó]s|noss[oa]s?|moro|tenho|temos|sou|somos|estou|estamos"
        r"|fa[cç]o|gosto|costumo|onde (?:[eé] que )?trabalho)\b"
    ),
    changed=(
        r"agora|hoje em dia|recente(?:mente)?|ultimamente|nov[oa]s?"
        r"|em vez d[eoa]s?|nao \w+ mais|subi(?:u|ram)?|desc(?:i|eu|eram)|mud(?:ei|ou|amos|aram|anca)"
        r"|troc(?:ei|ou|amos|aram)|atualiz(?:ei|ou|amos|ad[oa]s?)|ajust(?:ei|ou|amos|ad[oa]s?)"
        r"|aument(?:ei|ou|amos|ad[oa]s?|o)|cresc(?:i|eu|eram)|cheg(?:uei|ou|amos|aram) a"
        r"|melhor(?:ei|ou|amos|aram)|diminu(?:i|iu|imos)|baix(?:ei|ou|amos)|reduz(?:i|iu|imos|id[oa]s?)|cort(?:ei|ou|amos)"
        r"|estend(?:i|eu|id[oa]s?)|adi(?:ei|ou|amos|ad[oa]s?)|remarc(?:amos|ou|ad[oa]s?)|remarquei|passou (?:a|para)"
        r"|antecip(?:ei|ou|amos|ad[oa]s?)|acrescent(?:ei|ou|amos|ad[oa]s?)|larg(?:uei|ou|amos)"
    ),
    of_a_thing=r"\b(\w+) d[aeo]s? (?:meus?|minhas?|noss[oa]s?)\b",
    time_words=frozenset(
        """
        ontem anteontem hoje amanhã amanha atrás atras passado passada próximo próxima proximo proxima desde semana
        semanas mês mes meses ano anos dia dias hora horas minuto minutos sábado sabado domingo janeiro fevereiro março
        abril maio junho julho agosto setembro outubro novembro dezembro
        """.split()
    ),
    time_figures=r"(?:segunda|ter[cç]a|quarta|quinta|sexta)-feira",
    wish_signs=("prefir", "sempre", "nunca", "de agora", "eu pe"),
    wish=(
        r"\bprefiro\b|\bminha preferencia\b|\ba partir de agora\b|\b(?:quando|que) eu (?:perguntar|pedir)\b"
        r"|(?:^|[.!?:]\s)\s*(?:por favor,? )?(?:sempre|nunca) \w"
    ),
    first_person="eu|meus?|minhas?|n[oó]s|noss[ao]s?",
    had=r"\b(?:meus?|minhas?|noss[oa]s?) (?:(?:atual|nov[oa]) )*(\w+)",
)
