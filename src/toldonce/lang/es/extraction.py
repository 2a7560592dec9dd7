"""How facts are taken out of Spanish: people around a speaker, what is presupposed, tenses, values, rules."""

from __future__ import annotations

import re

from toldonce.lang.base import Extraction, Presupposition, Relations, Tenses, ValueWords
from toldonce.lang.es.clauses import GRAMMAR
from toldonce.lang.es.instructions import INSTRUCTIONS
from toldonce.lang.es.rules import RULES
from toldonce.lang.es.statements import STATEMENTS
from toldonce.lang.es.words import (
    ARRANGED,
    CONDITION,
    DIET,
    FIRST_TO_THIRD,
    ONE_TIME,
    PET,
    RELATION,
    SETTING_OUT,
)
from toldonce.text.patterns import join_groups

_VALUES = ValueWords(
    not_names=frozenset(
        "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre lunes"
        " martes"
        " miércoles jueves viernes sábado domingo dios".split()
    ),
    abstract=frozenset("miedo paz casa noche pecado silencio calma".split()),
    name_joins=r"de |del |de la |de los |de las ",
    homes=(
        r"ciudad|pueblo|aldea|afueras|campo|apartamento|departamento|depa|piso|casa|chalet|finca|rancho|granja|barrio"
        r"|colonia|centro|isla|costa|provincia|extranjero|montaña|urbanización"
    ),
    workplaces=(
        r"empresa|firma|banco|colegio|escuela|instituto|universidad|facultad|agencia|estudio|restaurante|clínica|tienda"
        r"|panadería|cafetería|biblioteca|museo|laboratorio|oficina|despacho|bufete|ong|hotel|fábrica|almacén|gobierno"
        r"|ayuntamiento|periódico|revista|supermercado|farmacia|gimnasio|editorial|consultora|hospital|aeropuerto|bar"
        r"|ministerio|peluquería|taller|startup|bodega|guardería"
    ),
    trades=(
        r"tecnología|informática|sistemas|finanzas|banca|ventas|publicidad|marketing|salud|sanidad|educación|comercio"
        r"|hostelería|construcción|inmobiliaria|seguros|derecho|medios|logística|rrhh|recursos humanos|contabilidad"
        r"|consultoría|ingeniería|moda|cine|agricultura|investigación|enfermería|turismo|diseño|atención al cliente"
    ),
    technical=(
        r"código|base de datos|versión|servidor|aplicación|archivo|fichero|carpeta|etapa|fase|tabla|rama"
        r"|repositorio|módulo"
    ),
)

_NAME = (
    r"(?P<name>(?:(?:Dra?|Sra?|Srta|Prof|Don|Doña)\.? )?(?-i:[A-ZÀ-Ý][a-zà-ÿ]+(?:-[A-ZÀ-Ý][a-zà-ÿ]+)?(?:"
    r" [A-ZÀ-Ý][a-zà-ÿ]+)?))(?!\w)"
)
_RELATIONS = Relations(
    patterns=(
        (
            rf"\b(?:mis?|nuestr[oa]s?) (?P<what>(?P<pet>{PET})|{RELATION})"
            rf"(?: (?:mayor|menor|pequeñ[oa]|grande|chic[oa]))?(?:,| se llama| llamad[oa]| es)? {_NAME}"
        ),
        (
            rf"\b(?:tengo|tenemos|adopté|adoptamos|he adoptado|hemos adoptado) (?:una?|dos) "
            rf"(?P<what>(?P<pet>{PET})|{RELATION})(?: llamad[oa]s?| que se llama| de nombre|, (?:el|la)) {_NAME}"
        ),
        (
            rf"{_NAME},? (?:que es |es )?(?:mi|nuestr[oa]) (?P<what>(?P<pet>{PET})|{RELATION}|señora)"
            r"(?=[,.;:!?)]|$| (?:de|en|que|mayor|menor)\b)"
        ),
    ),
    told="{name} es {what} de {owner}",
    apposed="{name}, {what} de {owner},",
    owner=rf"mis? (?:{RELATION}|{PET}),? ",
    supposed=r"(?:y |pero )?(?:si|tal vez|quizás?|imagina|a lo mejor)\b",
    dead=r"\b(?:murió|falleció|fallecid[oa]|difunt[oa]|finad[oa])\b",
    not_names=frozenset(
        "lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto"
        " septiembre"
        " octubre noviembre diciembre navidad pascua reyes".split()
    ),
    acquainted=frozenset(
        "mejor amigo,mejor amiga,amigo,amiga,colega,jefe,jefa,gerente,vecino,vecina,profesor,profesora,profe,maestro"
        ",maestra,terapeuta,psicóloga,psicólogo,médico,médica,doctor,doctora,entrenador,entrenadora,compañero de piso"
        ",compañera de piso,compañero de trabajo,compañera de trabajo,roomie".split(",")
    ),
    plurals=frozenset("padres papás hermanos hermanas hijos hijas abuelos gatos gatas perros mascotas".split()),
)

# "Mi" does not begin a clause after these, so no verb follows what it is about.
_CON_MI = (
    r"(?:sobre|con|dad[oa]s?|considerando|teniendo en cuenta|a pesar de|por|por culpa de|debido a|de|para|respet\w+"
    r"|recuerda"
    r"|conoces?|según) mi"
)
_HAS_IT = r"(?<!curad[oa] )(?<!libre )"
_OPENS = r"(?:^|[,;(–—¿¡]|\b(?:y|pero|entonces|hablando))\W*"
_PRESUPPOSITIONS = (
    Presupposition(
        _CON_MI, _HAS_IT,
        (
            (r"(?:fuerte )?preferencia por (?P<thing>\w.*)", "prefiero {thing}"),
            (r"(?:amor|pasión) por (?P<thing>\w.*)", "amo {thing}"),
            (r"(?:aversión|odio) (?:a la |a los |a las |al |a )(?P<thing>\w.*)", "odio {thing}"),
            (r"(?P<thing>miedo (?:a|al|a la|a los|a las) \w.*)", "tengo {thing}"),
            (r"(?P<thing>(?:alergia|intolerancia) (?:a la|a los|a las|al|a) \w.*)", "tengo {thing}"),
            (rf"(?P<thing>{CONDITION})\b", "tengo {thing}"),
        ),
    ),
    Presupposition(
        "como alguien", _OPENS,
        (
            (r"que (?P<verb>\w+) (?P<thing>\w.*)", "{verb} {thing}"),
            (r"con (?P<thing>\w.*)", "tengo {thing}"),
        ),
    ),
    Presupposition("como", _OPENS, ((rf"(?P<thing>{DIET})\b", "soy {thing}"),)),
)  # fmt: skip

_DID = sorted(
    {first for first in FIRST_TO_THIRD if re.search("[éí]$", first) and len(first) > 2}
    | set("hice tuve estuve vine fui di vi quise pude puse dije traje supe fuimos tuvimos mudamos casamos".split())
    - {"nací", "crecí"},
    key=len,
    reverse=True,
)
_TENSES = Tenses(
    ahead=join_groups(
        r"(?:me |nos )?(?:voy|vamos|va) (?:a )?(?:\w+[aei]r(?:me|nos)?\b|a (?-i:[A-ZÀ-Ý]))",
        rf"(?:me )?(?:estoy|estamos) (?:{SETTING_OUT})\b|(?:planeo|pienso) \w+r",
        rf"(?:tengo|tenemos|tiene) (?:una? |mi )?(?:\w+ )?{ONE_TIME}\b|mi {ONE_TIME} (?:es|será)\b",
    ),
    behind=join_groups(
        rf"(?:me |nos |se |no )*(?:{'|'.join(_DID)})\b",
        r"(?:me |nos )?(?:he|hemos) (?!.*\bdesde\b)\w+[aie]do\b|(?:me |nos )?(?:he|hemos) (?:hecho|visto|escrito"
        r"|roto|vuelto)\b",
        r"me (?:despidieron|echaron|corrieron|contrataron|ascendieron|aceptaron|diagnosticaron)\b",
    ),
    for_later=join_groups(
        rf"^(?:me |no )*{ARRANGED}\b",
        r"\b(?:pasajes?|billetes?|boletos?|entradas?|invitaci\w+|invitad[oa]|reservas?|plazo)\b",
        rf"^(?:compré|conseguí|gané|recibí|encontré|saqué)\b.*\b{ONE_TIME}\b",
        r"\b(?:sobre|antes|después|tras|hasta|empezando|previst[oa]|a partir)\b",
        r"^(?:me |no )*+(?!mudé|fui|fuimos|volví|viajé|vine|pasé|entré|regresé)\w+ .*\bpara\b",
        r"^(?:me |no )*+(?!empecé|comencé|volví|aprendí|dejé|paré|pasé|fui|vine)\w+(?: .*? (?:para|de|en|por|a))?"
        r" \w+[aei]r(?:me|se|nos)?\b",
        r" (?:construid|hech|escrit|comprad|vendid|lanzad|publicad|fundad|grabad|pintad|abiert|programad)[oa]s? en\b",
        rf"^conocí a mi {RELATION}\b",
    ),
    unsure=join_groups(
        r"\b(?:generalmente|normalmente|siempre|nunca|raramente|a veces|suel[oe]|solía|tod[oa]s|cada|tal vez"
        r"|quizás?|casi)\b",
        r"\b(?:debería|podría|me gustaría|quería|quisiera)\b",
    ),
    goes_on=r"\b(?:y|pero|o) (?!(?:el|la|los|las|un|una|mis?|dos|tres)\b|[A-ZÀ-Ý]).* (?:en|el|desde) ",
    long_ago=join_groups(
        r"\baños? (?:atrás|pasado|antepasado|que viene|después|antes|anterior|siguiente)\b|\bhace (?:\w+ ){1,3}años\b",
        r"\b(?:próximo|aquel|ese|mismo) año\b|\ba los \w+ años\b|\bde (?:niñ|pequeñ|chic)[oa]\b"
        r"|\ben aquel(?:la)? (?:época|tiempos?)\b",
        r"\bcuando (?:yo |mi \w+ )?(?:era|tenía|estaba|éramos|teníamos|fui)\b",
        r"\ben (?:la infancia|mi infancia|la universidad|el colegio|la escuela|la adolescencia|esa época)\b",
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
    another_clause=r"yo|tú|usted|nosotr[oa]s|qué|cómo|debo|puedo|puedes|podrías|debería",
    made_up=r"finge|imagina|supón|supongamos",
    tenses=_TENSES,
    joking=r"\b(?:es broma|era broma|estoy bromeando|no es cierto jaja|mentira jaja|sí,? claro)\b",
    never=frozenset("nunca raramente jamás".split()),
    usually=frozenset("generalmente normalmente siempre usualmente".split()),
    own=r"mis?|nuestr[oa]s?|mí",
    own_attribute=r"mis? (?P<noun>[\w -]{2,30}?) (?:es|son|está en|está|estaba en|fue)(?: de)? (?P<value>.+)",
    statuses=(
        (r"casad[oa]$", "married"),
        (r"(?:com)?prometid[oa]$", "engaged"),
        (r"divorciad[oa]$", "divorced"),
        (r"separad[oa]$", "separated"),
        (r"solter[oa]$", "single"),
        (r"viud[oa]$", "widowed"),
        (r"en pareja|en una relación|de novi[oa]$", "in a relationship"),
        (r"emplead[oa]$", "employed"),
        (r"desemplead[oa]|sin trabajo|en (?:el )?paro|entre trabajos|cesante", "unemployed"),
        (r"jubilad[oa]", "retired"),
    ),
    # A sentence with two facts would stay when only one of them ends, so each fact gets a sentence of its own.
    apart={
        "occupation": "{name} trabaja de {value}",
        "employment": "{name} trabaja {at} {value}",
        "age": "{name} tiene {value} años",
    },
    at_words=r"\b(en el|en la|en los|en las|en un|en una|en|para el|para la|para|con)",
    at="en",
    hollow=frozenset("mucha cosa ocupado ocupada montón rato".split()),
    likeable=frozenset("temprano tarde mañana noche gente".split()),
)
