"""How questions of each type are put in Spanish."""

from __future__ import annotations

from toldonce.lang.base import Questions

QUESTIONS = Questions(
    anything=(
        r"¿|^\W*(?:(?:(?:a|en|de|con|para|por|desde|hasta) )?(?:qu[eé]|qui[eé]n(?:es)?|cu[aá]l(?:es)?|cu[aá]ndo"
        r"|d[oó]nde"
        r"|ad[oó]nde|cu[aá]nt[oa]s?)|c[oó]mo|dime|decime|d[ií]game|lista|mu[eé]stra(?:me)?|resume|resumime"
        r"|expl[ií]ca(?:me)?"
        r"|recu[eé]rda(?:me)?|cu[eé]nta(?:me)?|te acuerdas|sabes)\b"
    ),
    to_do=(
        r"^\W*(?:por favor,? |porfa,? |vamos a )?(?:agrega|añade|ayuda(?:me)?|actualiza|compara|arregla|corrige"
        r"|crea|escribe"
        r"|haz(?:me)?|implementa|instala|mejora|cambia|planea|planifica|quita|elimina|borra|renombra|revisa|ejecuta"
        r"|corre"
        r"|prueba|traduce|traducime|usa|verifica|prepara(?:me)?|busca(?:me)?)(?![\w-])"
    ),
    self=r"\b(?:yo|me|m[ií]|conmigo|mis|m[ií][oa]s?|nosotr[oa]s|nuestr[oa]s?|estoy|tengo|fui|ando)\b",
    begins_with_self=(
        r"^\W*(?:\w+[,:] |(?:hoy|ayer|pero|y|ahora) )?(?:yo|nosotr[oa]s|estoy|tengo|fui|ando|mis?|soy)\b"
        r"|^\W*me \w+[oéí]\b"
    ),
    when=(
        r"^\W*(?:(?:desde |hasta |para )?cu[aá]ndo|hace cu[aá]nto|(?:en |a |de )?qu[eé] (?:d[ií]a|fecha|mes|año|horas?)"
        r"|cu[aá]l (?:es|fue|era) (?:el d[ií]a|la fecha))\b|\bcu[aá]nto tiempo\b|\bcu[aá]nto (?:llevo|hace)\b"
        r"|\bcu[aá]nt(?:os (?:d[ií]as|meses|años(?! ten))|as (?:semanas|horas))\b"
    ),
    you=r"\b(?:tú|usted(?:es)?|vos|dijiste|me (?:recomendaste|sugeriste|contaste|explicaste))\b",
    polite=r"\b(?:puedes|podr[ií]as|podés|puede|podr[ií]a) (?:tú|usted|vos)\b|gracias",
    help=(
        r"\b(?:c[oó]mo (?:hago|hacer|puedo|debo|debería|podemos)|(?:debo|puedo|podemos|debemos|deber[ií]a)"
        r"|(?:puedes|podr[ií]as|podés|me puedes|me podr[ií]as|me ayudas)|ay[uú]da(?:me)?"
        r"|qu[eé] (?:me )?(?:recomiendas"
        r"|recomend[aá]s|sugieres|sugeris|aconsejas)|alg[uú]n consejo|alguna (?:idea|sugerencia|recomendaci[oó]n))\b"
        r"|(?:^|[.!?]\s)\W*(?:por favor,? )?(?:expl[ií]ca(?:me)?|describe|recomi[eé]nda(?:me)?|sugi[eé]re(?:me)?"
        r"|escribe)\b"
    ),
    said=(
        r"\b(?:record\w+|recuerd\w+|recu[eé]rda\w*|acuerd\w+|dij\w+|habl(?:[eé]|amos|aste)|mencion\w+|coment\w+"
        r"|cont[eé]"
        r"|anterior(?:es|mente)?|la otra vez|la [uú]ltima vez)\b"
    ),
    order=(
        r"\b(?:en qu[eé] orden|el orden (?:en (?:el )?que|de)|cronol[oó]gic\w+|la secuencia (?:en (?:la )?que|de))\b"
    ),
    summary=r"\bresum(?:en|e|ir|ime|en)\b|\bs[ií]ntesis\b|\brecapitul",
    now=(
        r"\b(?:actual(?:mente)?|ahora(?: mismo)?|ahorita|hoy(?: en d[ií]a)?|m[aá]s reciente(?:mente)?|todav[ií]a|a[uú]n"
        r"|[uú]ltimamente|hasta ahora)\b"
    ),
    earlier=(
        r"\b(?:antes|inicialmente|originalmente|anteriormente|antiguamente|sol[ií]a|atr[aá]s|pasad[oa]|historia"
        r"|al (?:principio|inicio|comienzo)|en aquel entonces|evolu\w+|cuando (?:yo|nosotr[oa]s))\b"
    ),
    happened=(
        r"\b(?:fue|fui|fueron|era|eran|ten[ií]a|tuve|tuvo|hice|hizo|vi|vio|puse|puso|di|dio|\w{3,}[éó]"
        r"|\w{2,}(?:aron|ieron|aba|aban)|viv[ií]a)\b"
    ),
    first=r"\b(?:primer[oa]?s?|inicial(?:es)?|original(?:es)?|anterior(?:es)?|antigu[oa]s?)\b",
    quantity=r"\b(?:cu[aá]nt[oa]s?|con qu[eé] frecuencia)\b",
    several=(
        r"\b(?:amb[oa]s|l[oa]s dos|cu[aá]les|cu[aá]nt[oa]s|con qu[eé] frecuencia|cada un[oa]"
        r"|tod[oa]s (?:l[oa]s|mis|sus)|en com[uú]n|adem[aá]s de|otr[oa]s|cambi(?:[oó]|aron)|diferen\w+|compar\w+"
        r"|qu[eé] (?:tipos? de )?\w{3,}[aeo]s)\b"
    ),
    goes_on=r"^\W*(?:y|e|pero|o|u|qu[eé] tal|en cuanto a)\b",
    broader=(
        r"\b(?:debo|deber[ií]a|sugier\w+|sugerenc\w+|recom[ie]+nd\w+|consejos?|ideas?|alguna vez|siempre|nunca|entre"
        r"|amb[oa]s|dos|tres|vari[oa]s|compar\w+|expl[ií]c\w+)\b"
    ),
    # Spanish verbs tell who is meant without a pronoun.
    own=(
        r"\b(?:yo|mi|mis|m[ií][oa]s?|nosotr[oa]s|nuestr[oa]s?|tengo|tenemos|soy|somos|estoy|estamos|hago|me gusta"
        r"|suelo|me llamo|peso|mido|d[oó]nde (?:trabajo|vivo))\b"
    ),
    changed=(
        r"ahora|ahorita|hoy en dia|reciente(?:mente)?|ultimamente|nuev[oa]s?"
        r"|en (?:vez|lugar) de|subi(?:o|eron)?|baj(?:e|o|amos|aron)|cambi(?:e|o|amos|aron)"
        r"|mud(?:e|o|amos|aron)|actualic(?:e)|actualiz(?:o|amos|ad[oa]s?)|ajust(?:e|o|amos|ad[oa]s?)"
        r"|aument(?:e|o|amos|ad[oa]s?)|crec(?:i|io|ieron)|llegu(?:e) a|lleg(?:o|amos|aron) a"
        r"|mejor(?:e|o|amos|aron)|disminu(?:i|yo|imos)|reduj(?:e|o|imos)|reducid[oa]s?|recort(?:e|o|amos)"
        r"|extend(?:i|io|id[oa]s?)|pospu(?:se|so|simos)|pospuest[oa]s?|aplac(?:o|amos|ad[oa]s?)|aplace"
        r"|reprogram(?:e|o|amos|ad[oa]s?)|pas(?:o|amos) a|adelant(?:e|o|amos|ad[oa]s?)|agregu(?:e)"
        r"|agreg(?:o|amos|ad[oa]s?)|anad(?:i|io|id[oa]s?)|dej(?:e|o|amos) de"
    ),
    of_a_thing=r"\b(\w+) de (?:mi|mis|nuestr[oa]s?|la|los|las|un|una)\b|\b(\w+) del\b",
    time_words=frozenset(
        """
        ayer anteayer antier anoche hoy mañana atrás pasado pasada próximo próxima semana semanas mes meses año años día
        días hora horas minuto minutos lunes martes miércoles miercoles jueves viernes sábado enero febrero marzo mayo
        junio septiembre octubre noviembre diciembre finde
        """.split()
    ),
    wish_signs=("prefier", "siempre", "de ahora", "te pid", "te pregunt"),
    wish=(
        r"\bprefiero\b|\bmi preferencia\b|\b(?:a partir|desde) de ahora\b|\bde ahora en (?:adelante|mas)\b"
        r"|\bcuando te (?:pregunte|pida)\b|(?:^|[.!?:]\s)\s*(?:por favor,? |porfa,? )?siempre \w"
    ),
    first_person="yo|mis?|m[ií]|nosotr[oa]s|nuestr[oa]s?",
    had=r"\b(?:mi|mis|nuestr[oa]s?) (?:(?:nuev[oa]|viej[oa]) )*(\w+)",
)
