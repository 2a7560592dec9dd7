"""The Spanish rules: how people say what is worth knowing about them; rows only, tried in order."""

from __future__ import annotations

from toldonce.lang.es.words import (
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
from toldonce.lang.grammar import ANY_JOB, ENDED, REACHED, WEAKER, Rule

_HASTA = (
    rf"(?=$| (?:con|hace|desde|por|para (?:estudiar|trabajar|vivir)|junto|{PAST}|{SOON}|{REGULARLY}|y|donde|que"
    r"|cuando|ahora|ahorita|como|durante|hasta|después|antes)\b|,)"
)
_V = rf"(?P<value>.+?){_HASTA}"
_EN = r"(?:en el|en la|en los|en las|en un|en una|en|cerca de|a las afueras de|fuera de)"
_PARA = r"(?:en el|en la|en los|en las|en un|en una|en|para el|para la|para un|para una|para|con)"
_NUMBER = r"(?P<value>\d[\d.,]*(?: ?(?:kg|kilos?|quilos?|libras|cm|m|metros?)\b)?(?: y \w+)?)"
_NOMBRE = r"(?P<value>(?-i:[A-ZÀ-Ý])[\w'-]+(?: (?:de(?:l| la| los| las)? )?(?-i:[A-ZÀ-Ý])[\w'.-]+){0,3})"
_COSA = (
    r"(?P<value>(?!(?:la idea|el hecho|la forma|saber|oír|escuchar(?:te| que)|pensar|que\b|cuando|como\b|si\b|lo\b)).+)"
)
_VERBO = (
    r"(?P<value>(?!(?:saber|ver si|entender|preguntar|hablar|estar segur|agradecer|pedir|conversar|decir|ser capaz"
    r"|usar|hacer eso|ayuda|que))(?:me )?\w+r(?:me|nos)?\b.*)"
)
_HE = r"(?:he|hemos) (?:ya |por fin |finalmente |recién )?"

_YO = (
    Rule("mi", rf"mi (?:nombre(?: completo)?|primer nombre) es {_NOMBRE}$", "fact", "name", "name"),
    Rule("llamo", rf"me llamo {_NOMBRE}", "fact", "name", "name"),
    Rule("dicen", rf"me dicen {_NOMBRE}$", "fact", "nickname", "name"),
    Rule("mi", rf"mi (?:apodo|mote|sobrenombre) es {_NOMBRE}", "fact", "nickname", "name"),
    Rule("mi",
        rf"mi (?:cumpleaños|cumple) es (?:el |en )?(?P<value>(?:día )?(?:\d|{MONTH}|{DAY}|mañana|hoy).*)",
        "fact", "birthday"),
    Rule("cumplo", rf"cumplo años (?:el |en )?(?P<value>(?:día )?(?:\d|{MONTH}).*)", "fact", "birthday"),
    Rule("mi", r"mi (?:correo|e-?mail|mail)(?: electrónico| personal| del trabajo)? es (?P<value>\S+)",
        "fact", "email", "email"),
    Rule("mi",
        r"mi (?:teléfono|celular|móvil|número|whatsapp|número de (?:teléfono|celular"
        r"|móvil)) es (?P<value>[+\d(][\d ().-]+)",
        "fact", "phone", "phone"),
    Rule("mi", rf"mi peso (?:actual )?(?:es|está en)(?: de)? {_NUMBER}", "fact", "weight", "number"),
    Rule("mi", rf"mi (?:altura|estatura) es (?:de )?{_NUMBER}", "fact", "height", "number"),
    Rule("mi", r"mi (?:lengua|idioma) (?:materna|materno|nativa|nativo) es (?:el )?(?P<value>\w+)", "fact", "language"),
    Rule("mi", r"mi (?:huso|zona)(?: horari[oa])? es (?:la |el )?(?P<value>.+)", "fact", "timezone", "short"),
    Rule("mi",
        r"mi (?:mayor |principal |próxim[oa] |nuev[oa] |gran )?(?:meta|objetivo|sueño|plan|propósito|ambición"
        r"|resolución)(?: de este año| para [\w ]+?| ahora)? es (?P<value>.+)", "goal", "goal"),
    Rule("mi",
        r"mis? (?P<favourite>[\w ]{2,30}?) (?:favorit|preferid)[oa]s? (?:es|son|siempre ha sido|sigue siendo)"
        r" (?:el |la |los |las )?(?P<value>.+)", "preference"),
    Rule("mi",
        r"mis? (?:hobby|hobbies|pasatiempo|pasatiempos|afición|aficiones|pasión) (?:es|son) (?P<value>.+)",
        "preference", "likes"),
    Rule("mi", rf"mis? (?:\w+ )?{OCCASION}(?: \w+ \w+)? (?:es|será|va a ser) (?P<value>{SOON}.*)", "event"),
)  # fmt: skip

_SER = (
    Rule("soy", rf"soy (?P<value>{DIET})", "fact", "diet"),
    Rule("soy",
        r"soy (?:muy |super |súper )?alérgic[oa] (?:a la |a los |a las |al |a )(?P<value>.+)",
        "fact", "allergy"),
    Rule("soy",
        r"soy (?P<value>diabétic[oa]|asmátic[oa]|hipertens[oa]|autista|epiléptic[oa]|disléxic[oa]|daltónic[oa]"
        r"|sord[oa]|cieg[oa])", "fact", "health"),
    Rule("soy estoy",
        r"(?:soy|estoy) (?:felizmente |recién )?(?P<value>casad[oa]|solter[oa]|divorciad[oa]|viud[oa]|separad[oa]"
        r"|comprometid[oa]|prometid[oa]|en pareja|en una relación|de novi[oa])(?:$| (?:con|desde|hace|de|y|hoy)\b.*)",
        "fact", "marital_status"),
    Rule("soy",
        rf"soy (?:un |una |el |la )?(?P<value>{JOB}(?: (?!y\b|en\b|desde\b|de\b|del\b|con\b)\w+)?(?: (?:de|del)"
        rf" [\w ]+?)?)(?: en (?P<employment>(?-i:[A-ZÀ-Ý]).+?){_HASTA})?(?:$| (?:y|desde|hace|de|en|jubilad[oa]"
        r"|autónom[oa])\b.*|,.*)", "fact", "occupation"),
    Rule("soy", rf"soy (?P<value>{PEOPLE})(?:$| (?:y|pero|de)\b.*|,.*)", "fact", "origin"),
    Rule("soy provengo",
        rf"(?:soy (?:de|del|natural de|originari[oa] de)|provengo de) (?P<value>(?-i:[A-ZÀ-Ý]).+?){_HASTA}",
        "fact", "origin", "place"),
    Rule("soy", r"soy (?:graduad[oa]|licenciad[oa]|titulad[oa]|máster|doctora?) en (?P<value>.+)", "fact", "education"),
    Rule("soy", rf"soy (?:bilingüe en|fluid[oa] en) (?P<value>{TONGUE}.*)", "fact", "language"),
    Rule("soy",
        r"soy (?:muy |super |un gran |una gran )?(?:fan|fanátic[oa]|apasionad[oa]|aficionad[oa]|hincha|adict[oa])"
        r" (?:de la |de los |de las |del |de |a la |a los |a las |al |a )(?P<value>.+)", "preference", "likes"),
    Rule("no_soy", r"no soy (?:muy |gran |un gran )?(?:fan|amig[oa]) (?:de la |de los |de las |del |de )(?P<value>.+)",
        "preference", "dislikes"),
    Rule("soy",
        r"soy (?P<value>zurd[oa]|diestr[oa]|introvertid[oa]|extrovertid[oa]|perfeccionista|(?:madre|padre|mamá"
        r"|papá) de .+"
        r"|madre soltera|padre soltero|(?:una )?persona (?:matutina|nocturna|diurna)|de madrugar|noctámbul[oa])",
        "fact", "trait"),
    Rule("soy", r"soy (?:la |el )?(?P<value>mayor|menor|del medio|hij[oa] únic[oa])\b.*", "fact", "family"),
    Rule("estoy", r"estoy (?P<value>embarazada)\b.*", "fact", "health"),
    Rule("estoy",
        r"estoy (?P<value>desemplead[oa]|jubilad[oa]|sin trabajo|en (?:el )?paro|en paro|de baja\b.*|de licencia\b.*"
        r"|entre trabajos|cesante)(?:$| .*)", "status", "employment"),
    Rule("estoy", rf"estoy (?:viviendo) (?:sol[oa] )?(?:acá |aquí )?{_EN} {_V}", "fact", "residence", "place"),
    Rule("estoy",
        rf"estoy (?:trabajando|currando|chambeando|laburando) (?:de|como) (?P<occupation>.+?)(?: {_PARA} {_V}|$)",
        "fact", "employment", "workplace"),
    Rule("estoy",
        rf"estoy (?:trabajando|currando|chambeando|laburando) {_PARA} {_V}",
        "fact", "employment", "workplace"),
    Rule("estoy", rf"estoy (?:aprendiendo|estudiando) (?:a hablar )?(?P<value>{TONGUE})", "status", "language"),
    Rule("estoy",
        r"estoy (?:estudiando|cursando|haciendo (?:la carrera|un máster|una maestría|el doctorado|un curso)(?: de"
        r"| en)?)"
        rf" (?P<value>.+?)(?: en .+|{_HASTA})", "fact", "education", "short"),
    Rule("estoy", rf"estoy (?:pesando|en) {_NUMBER}$", "fact", "weight", "number"),
    Rule("estoy", rf"(?:me )?estoy (?:mudándome|mudando|de mudanza) a (?:el |la )?{_V}", "event", None, "place"),
    Rule("estoy",
        r"estoy (?:planeando|pensando en|queriendo|ahorrando para|juntando (?:dinero|plata|lana) para|entrenando para"
        r"|preparándome para|planificando) (?P<value>(?!saber|ver\b|entender|preguntar)\w+.*)", "goal", "goal"),
    Rule("estoy",
        r"estoy (?:intentando|tratando de) (?P<value>(?:adelgazar|bajar de peso|perder peso|dejar de|aprender|ahorrar"
        r"|mejorar|reducir|quedar embarazada|comer)\b.*)", "goal", "goal"),
    Rule("estoy",
        r"estoy (?P<value>(?:escribiendo|leyendo|construyendo|desarrollando|reformando|remodelando|organizando|montando"
        r"|creando|haciendo|tomando|participando|entrenando|cuidando|saliendo con|buscando|aprendiendo|estudiando"
        r"|trabajando en|jugando|plantando|grabando|planeando|preparando|recuperándome|lidiando con) .+)", "status"),
)  # fmt: skip

_TENER = (
    Rule("tengo cumplí",
        r"(?:tengo|cumplí) (?P<value>[1-9]\d) años?(?:$| (?:de edad|y|ayer|hoy|el|en|la)\b.*|,.*)", "fact", "age"),
    Rule("tengo mido", r"(?:tengo|mido) (?P<value>[12][.,]?\d\d ?(?:m|cm|metros?)?)(?: de (?:altura|alto))?$",
        "fact", "height"),
    Rule("tengo", r"tengo (?:una )?(?:mucha |fuerte )?alergia (?:a la |a los |a las |al |a )(?P<value>.+)",
        "fact", "allergy"),
    Rule("tengo", r"tengo (?P<value>intolerancia (?:a la|al|a los|a) .+)", "fact", "allergy"),
    Rule("tengo sufro padezco",
        rf"(?:tengo|sufro de|sufro|padezco) (?:mucha |una |un poco de )?(?P<value>{CONDITION})(?:$| .*|,.*)",
        "fact", "health"),
    Rule("tengo tenemos",
        rf"(?:tengo|tenemos) (?P<value>(?:{COUNT} )?(?:\w+ )?(?:hij[oa]s?|herman[oa]s?|gemel[oa]s|mellizos"
        rf"|niet[oa]s?|bebé"
        r"|sobrin[oa]s?|novi[oa]|niñ[oa]s|peques))\b(?! (?:llamad|que se llama)).*", "person", "family"),
    Rule("tengo tenemos",
        rf"(?:tengo|tenemos) (?P<value>{COUNT} (?:\w+ )?{PET})\b(?! (?:llamad|que se llama)).*", "fact", "pet"),
    Rule("tengo",
        r"tengo (?:un |una )?(?P<value>(?:grado|licenciatura|máster|maestría|doctorado|diploma|posgrado|carrera)"
        r" (?:en|de) .+)", "fact", "education"),
    Rule("tengo tenemos", rf"(?:tengo|tenemos) (?:un |una |mi )?(?:\w+ )?{OCCASION}\b(?P<value>.*{SOON}.*)", "event"),
    Rule("tengo tenemos",
        rf"(?:tengo|tenemos) (?:un|una|mi propi[oa]|{COUNT}) (?P<value>(?:\w+ )?{OWNED}\b.*)", "fact", "possession"),
    Rule("tengo",
        r"(?:tengo) (?:mucho |pánico y )?(?:miedo|pavor|terror|asco|fobia) (?:a la |a los |a las |al |a "
        r"|de )(?P<value>.+)",
        "preference", "dislikes"),
    Rule("tengo",
        r"tengo (?:una )?(?:fuerte )?(?:preferencia|debilidad|pasión) por (?P<value>.+)", "preference", "likes"),
    Rule("peso", rf"peso (?:unos |como |cerca de |más o menos )?{_NUMBER}", "fact", "weight", "number"),
)  # fmt: skip

_VIVIR = (
    # "Vivimos en Roma en 2019" is over; the word alone does not tell.
    Rule("vivo resido vivimos",
        rf"(?!vivimos .* {PAST}\b)(?:vivo|resido|vivimos) (?:sol[oa] |actualmente |ahora |acá |aquí )?"
        rf"(?:con (?:mi|mis) [\w ]+? )?{_EN} {_V}", "fact", "residence", "place"),
    Rule("llevo llevamos",
        rf"(?:llevo|llevamos) (?P<since>{COUNT} (?:años?|meses"
        rf"|semanas)) (?:viviendo) {_EN} {_V}".replace("?P<since>", "?:"),
        "fact", "residence", "place"),
    Rule("llevo",
        rf"llevo {COUNT} (?:años?|meses|semanas) (?:trabajando|currando) (?:de|como) (?P<value>.+)",
        "fact", "occupation", "short"),
    Rule("llevo",
        rf"llevo {COUNT} (?:años?|meses|semanas) (?:trabajando"
        rf"|currando) {_PARA} {_V}", "fact", "employment", "workplace"),
    Rule("vivo", r"vivo (?P<value>sol[oa]|con (?:mi|mis) .+)", "fact", "household", "short"),
    Rule("mudé mudamos",
        rf"(?:me |nos )?(?:mudé|mudamos)(?: de [\w ]+?)? (?:a|para) (?:el |la |los |las )?{_V}",
        "status", "residence", "place"),
    Rule("he hemos", rf"(?:me |nos )?{_HE}mudado(?: de [\w ]+?)? a (?:el |la )?{_V}", "status", "residence", "place"),
    Rule("nací crecí", rf"(?:nací|crecí)(?: y (?:crecí|me crié))? {_EN} {_V}", "fact", "origin", "place"),
    Rule("nací", rf"nací (?:el|en) (?P<value>(?:\d|{MONTH}).*)", "fact", "birthday"),
    Rule("vengo", rf"vengo de (?P<value>(?-i:[A-ZÀ-Ý]).+?){_HASTA}", "fact", "origin", "place"),
    Rule("trabajo",
        rf"trabajo (?:actualmente |ahora )?(?:de"
        rf"|como) (?P<occupation>.+?) {_PARA} {_V}", "fact", "employment", "workplace"),
    Rule("trabajo", rf"trabajo (?:actualmente |ahora )?(?:de|como) {_V}", "fact", "occupation", "short"),
    Rule("trabajo",
        r"trabajo (?P<value>(?:desde casa|en casa|en remoto|remoto|de forma remota|por mi cuenta|media jornada"
        r"|medio tiempo|a tiempo (?:parcial|completo)|de noche)\b.*)", "fact", "work_mode"),
    Rule("trabajo", rf"trabajo (?:con|en el área de|en el sector de|en el rubro de|en) (?P<value>.+?){_HASTA}",
        "fact", "occupation", "trade"),
    Rule("trabajo",
        rf"trabajo (?:actualmente |ahora )?(?:acá |aquí )?{_PARA} (?P<value>.+?)(?: (?:como|de) (?P<occupation>.+)"
        rf"|{_HASTA})",
        "fact", "employment", "workplace"),
    Rule("empecé comencé entré",
        rf"(?:empecé|comencé|entré) (?:a (?:trabajar|currar|chambear|laburar) |un (?:nuevo )?(?:trabajo|empleo"
        rf"|curro) )?{_PARA}"
        rf" (?P<value>(?-i:[A-ZÀ-Ý]).+?|una? .+?)(?: (?:como|de) (?P<occupation>.+)|{_HASTA})",
        "status", "employment", "workplace"),
    Rule("empecé comencé",
        rf"(?:empecé|comencé) (?:a trabajar|un nuevo (?:trabajo|empleo)) (?:como"
        rf"|de) {_V}", "status", "occupation", "short"),
    Rule("he hemos",
        rf"{_HE}(?:empezado|comenzado) (?:a trabajar )?{_PARA} (?P<value>(?-i:[A-ZÀ-Ý]).+?|una? .+?)"
        rf"(?: (?:como|de) (?P<occupation>.+)|{_HASTA})", "status", "employment", "workplace"),
    Rule("conseguí encontré acepté",
        r"(?:conseguí|encontré|acepté) (?:un |una |el |la )?(?:nuev[oa] )?(?:trabajo|empleo|puesto|curro|chamba|laburo"
        rf"|prácticas|oferta)(?: (?:como|de) (?P<occupation>.+?))? {_PARA} {_V}", "status", "employment", "workplace"),
    Rule("dejé renuncié perdí abandoné",
        r"(?:dejé|renuncié a|perdí|abandoné) (?:el |mi |la )(?:trabajo|empleo|puesto|curro|chamba|laburo|cargo)"
        rf"(?: {_PARA} {_V}.*|\b.*)", "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("he",
        rf"{_HE}(?:dejado|perdido|renunciado a) (?:el |mi |la )(?:trabajo|empleo|puesto|curro|chamba|laburo|cargo)\b.*",
        "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("dejé renuncié",
        rf"(?:dejé|renuncié a) (?:el|la) (?P<value>(?:[\w-]+ ){{0,1}}?{EMPLOYER}){_HASTA}",
        "status", "employment", mark=ENDED),
    Rule("salí renuncié",
        rf"(?:salí de|renuncié a|me fui de) (?P<value>(?-i:[A-ZÀ-Ý])[\w&.-]+(?: (?-i:[A-ZÀ-Ý])[\w&.-]+)?){_HASTA}",
        "status", "employment", value=ANY_JOB, mark=ENDED, confidence=WEAKER),
    Rule("despidieron echaron corrieron",
        r"me (?:despidieron|echaron|corrieron)\b(?: del (?:trabajo|curro|laburo)| de la (?:chamba|empresa))?.*",
        "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("renuncié", r"renuncié\b.*", "status", "employment", value=ANY_JOB, mark=ENDED),
    Rule("contrataron ascendieron aceptaron", r"me (?P<value>(?:contrataron|ascendieron|aceptaron)\b .+)", "status"),
    Rule("diagnosticaron", r"me diagnosticaron (?:con )?(?P<value>.+)", "fact", "health"),
    Rule("he", rf"(?:me )?{_HE}(?:diagnosticado) (?:con )?(?P<value>.+)", "fact", "health"),
    Rule("jubilé retiré", r"me (?:jubilé|retiré)\b.*", "status", "employment", value="jubilado"),
    Rule("casé casamos", r"(?:me |nos )?(?:casé|casamos)\b.*", "status", "marital_status", value="casado"),
    Rule("he hemos", rf"(?:me |nos )?{_HE}(?:casado)\b.*", "status", "marital_status", value="casado"),
    Rule("divorcié separé divorciamos separamos",
        r"(?:me |nos )?(?:divorcié|separé|divorciamos|separamos)\b(?! el| la| las| los).*",
        "status", "marital_status", value="divorciado"),
    Rule("he hemos", rf"(?:me |nos )?{_HE}(?:divorciado|separado)\b.*", "status", "marital_status", value="divorciado"),
    Rule("prometí prometimos",
        r"(?:me |nos )(?:prometí|prometimos)\b.*",
        "status", "marital_status", value="comprometido"),
    Rule("estudio",
        r"estudio (?P<value>(?!mucho|para|en (?:el|la|un|una) ).+?)(?: en .+|$)",
        "fact", "education", "short"),
    Rule("estudio", r"estudio en (?P<value>(?-i:[A-ZÀ-Ý]).+|(?:la|el) (?:universidad|instituto|facultad).*)",
        "fact", "education", "short"),
    Rule("hago curso",
        r"(?:hago (?:la carrera|un máster|una maestría|el doctorado|un curso)(?: de| en| del)?|curso) (?P<value>.+?)"
        r"(?: en .+|$)", "fact", "education", "short"),
    Rule("gradué licencié", r"me (?:gradué|licencié) (?:en|de) (?P<value>.+)", "fact", "education"),
    Rule("hablo", rf"hablo (?:con fluidez )?(?P<value>(?:un poco de |algo de )?{TONGUE}.*)", "fact", "language"),
    Rule("tomo",
        r"tomo (?P<value>(?:\w+ ){0,2}?(?:medicamentos?|medicación|pastillas?|insulina|antidepresivos?|vitaminas?"
        r"|suplementos?|metformina|anticonceptivos?)\b.*)", "fact", "health"),
)  # fmt: skip

_GUSTAR = (
    Rule("prefiero preferiría preferí",
        r"(?:prefiero|preferiría) (?!que (?:tú|usted|vos|me)\b)(?P<value>.+)", "preference", "preference"),
    Rule("gusta gustan encanta encantan",
        r"me (?:gustan?|encantan?) (?:mucho )?(?P<value>(?:cuando|si|que) .+)", "preference", "likes"),
    Rule("detesto odio molesta molestan", r"(?:me )?(?:detesto|odio|molestan?) (?P<value>(?:cuando|que) .+)",
        "preference", "dislikes"),
    Rule("no_gusta no_gustan no_soporto no_aguanto",
        r"no (?:me )?(?:gustan?|soporto|aguanto) (?:mucho |nada )?(?P<value>(?:cuando"
        r"|que) .+)", "preference", "dislikes"),
    Rule("no_gusta no_gustan no_encanta no_encantan no_interesa no_interesan",
        rf"no me (?:gustan?|encantan?|interesan?) (?:mucho |nada |para nada )?(?:el |la |los |las )?{_COSA}",
        "preference", "dislikes"),
    Rule("gusta gustan encanta encantan interesa interesan fascina fascinan apasiona apasionan",
        rf"me (?:gustan?|encantan?|interesan?|fascinan?|apasionan?) (?:mucho |muchísimo |un montón )?{_COSA}",
        "preference", "likes"),
    Rule("adoro amo disfruto aprecio",
        rf"(?:adoro|amo|disfruto|aprecio) (?:de |mucho )?{_COSA}",
        "preference", "likes"),
    Rule("molesta molestan", rf"me molestan? (?:mucho )?{_COSA}", "preference", "dislikes"),
    Rule("detesto odio", rf"(?:detesto|odio) {_COSA}", "preference", "dislikes"),
    Rule("no_soporto no_aguanto", rf"no (?:soporto|aguanto) {_COSA}", "preference", "dislikes"),
    Rule("no_puedo", r"no puedo (?:comer|beber|tomar|consumir) (?P<value>.+)", "fact", "avoids"),
    Rule("evito", rf"evito {_COSA}", "preference", "avoids"),
    Rule("tiendo", r"tiendo a (?:preferir|evitar) (?P<value>.+)", "preference", "preference"),
    Rule("no_fumo no_bebo no_manejo no_conduzco no_tomo",
        r"no (?P<value>fumo|bebo|manejo|conduzco|tomo)$",
        "fact", "habit"),
    Rule("no_como no_bebo no_consumo no_tomo",
        r"no (?:como|bebo|consumo|tomo) (?P<value>.+)", "preference", "avoids"),
    Rule("volví", r"volví a (?:comer|beber|tomar) (?P<value>.+)", "preference", "habit"),
    Rule("como bebo tomo",
        r"(?:como|bebo|tomo) (?!antes|ahora|hoy|siempre)(?P<value>(?:solo |mucho |mucha |bastante |más )?.+)",
        "preference", "habit"),
    Rule("priorizo valoro", r"(?:priorizo|valoro) (?P<value>.+)", "preference", "preference"),
    Rule("rindo aprendo trabajo estudio duermo pienso",
        r"(?P<value>(?:rindo|aprendo|trabajo|estudio|duermo|pienso) (?:más|mejor) .+)", "preference", "preference"),
    Rule("colecciono", r"colecciono (?P<value>.+)", "preference", "likes"),
    Rule("toco juego practico",
        r"(?:toco|juego|practico) (?:al |a la |a los |el |la )?(?P<value>.+)",
        "fact", "hobby", "short"),
    Rule("suelo", r"suelo (?P<value>\w+r(?:me)? .+)", "fact", "habit"),
    Rule("dejé", r"dejé de (?P<value>\w+r\b.*)", "status", "habit", mark=ENDED),
    Rule("he", rf"{_HE}dejado de (?P<value>\w+r\b.*)", "status", "habit", mark=ENDED),
)  # fmt: skip

_QUERER = (
    Rule("quiero", rf"quiero (?:mucho )?{_VERBO}", "goal", "goal", confidence=WEAKER),
    Rule("gustaría encantaría quisiera querría quería",
        r"(?:me gustaría|me encantaría|quisiera|querría|quería) (?:mucho )?(?P<value>(?:aprender|viajar|vivir"
        r"|conocer|comprar"
        r"|adelgazar|bajar|perder|abrir|empezar|estudiar|mudarme|adoptar|visitar|correr|escribir|tocar|dejar"
        r"|ahorrar)\b.*)",
        "goal", "goal", confidence=WEAKER),
    Rule("planeo pienso espero",
        rf"(?:planeo|pienso|espero) {_VERBO}", "goal", "goal", confidence=WEAKER),
    Rule("sueño", r"sueño con (?P<value>\w+r\b.*)", "goal", "goal"),
    Rule("alcancé logré cumplí",
        r"(?:alcancé|logré|cumplí) mi (?P<value>(?:meta|objetivo|sueño"
        r"|propósito)\b.*)", "status", "goal", mark=REACHED),
    Rule("he", rf"{_HE}(?:alcanzado|logrado|cumplido) mi (?P<value>(?:meta|objetivo|sueño|propósito)\b.*)",
        "status", "goal", mark=REACHED),
    Rule("terminé completé acabé logré",
        r"(?:terminé|completé|acabé|logré) (?P<value>(?!eso|de\b|todo|con\b).+)", "status", "goal", mark=REACHED),
    Rule("voy vamos",
        r"(?:me |nos )?(?:voy|vamos) (?:a )?(?P<value>(?:viajar|mudarme|mudarnos|mudar|casarme|casarnos|casar"
        r"|empezar|hacer"
        r"|visitar|participar|correr|tener|presentar|tomarme|operarme|recibir|a|al|de)\b.*"
        rf"{SOON}.*)", "event"),
)  # fmt: skip

_HECHO = (
    Rule(
        "corro camino nado pedaleo entreno cocino medito despierto levanto pinto bailo leo juego hago voy practico"
        " estudio tomo veo pesco duermo monto salgo desayuno ceno",
        rf"(?:me )?(?P<value>\w+ (?:.* )?{REGULARLY}.*)", "fact", "habit",
    ),
    Rule("fui fuimos",
        r"(?:me |nos )?(?:fui|fuimos) (?P<value>(?:a|al|para|con|de|en) (?!favor|fondo).+)", "event"),
    Rule("hice", r"hice (?P<value>(?:un|una|mi) (?!favor|pregunta|error).+)", "event"),
    Rule("tuve tuvimos",
        rf"(?:tuve|tuvimos) (?P<value>(?:un|una|mi) (?:\w+ )?(?:{OCCASION}|hij[oa]|bebé|accidente|infarto"
        r"|pelea|crisis)\b.*)", "event"),
    Rule("gané", r"gané (?P<value>(?!tiempo|dinero$).+)", "event"),
    Rule("vi leí", rf"(?P<value>(?:vi|leí) .+ {PAST})", "event"),
    Rule("decidí elegí escogí", r"(?:decidí|elegí|escogí) (?P<value>\w+r(?:me)? .+)", "event"),
    Rule(
        "compré adopté viajé empecé comencé terminé visité participé lancé publiqué alquilé renté reformé planté creé"
        " monté fundé presenté organicé celebré agendé reservé volví regresé conocí vendí aprendí escribí recibí perdí"
        " abrí firmé matriculé inscribí apunté doné rompí lastimé lesioné cambié contraté acepté rechacé corrí grabé"
        " dibujé adoptamos compramos viajamos subí fracturé acampé pinté cociné entré construí completé saqué",
        r"(?:me |nos )?(?P<value>\w+ (?!mucho$|bien$|todo$|a ver\b|a pensar\b|tiempo\b|de idea).+)", "event",
    ),
    Rule("he hemos",
        rf"(?:me |nos )?(?P<value>{_HE}(?:comprado|adoptado|viajado|empezado|terminado|visitado|participado|lanzado"
        r"|publicado|alquilado|reformado|plantado|creado|montado|vendido|aprendido|escrito|recibido|perdido|abierto"
        r"|firmado"
        r"|roto|cambiado|corrido|grabado|ganado|ido|estado en|visto|leído|hecho|conocido|vuelto)\b .+)", "event"),
)  # fmt: skip

RULES = (*_YO, *_TENER, *_VIVIR, *_SER, *_GUSTAR, *_QUERER, *_HECHO)
