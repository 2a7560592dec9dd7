"""What Spanish statements look like: spoken spelling, cues, and words by topic; tables, nothing else."""

from __future__ import annotations

from toldonce.lang.statements import StatementWords
from toldonce.text.patterns import match_any

_MALE = (
    "papa padre hermano hijo marido esposo novio tio abuelo nieto sobrino primo yerno suegro padrastro prometido viejo"
)
_FEMALE = "mama madre hermana hija mujer esposa novia tia abuela nieta sobrina prima nuera suegra madrastra prometida"

STATEMENTS = StatementWords(
    spelling={
        "q": "que",
        "k": "que",
        "xq": "porque",
        "pq": "porque",
        "porq": "porque",
        "tb": "también",
        "tmb": "también",
        "tbn": "también",
        "x": "por",
        "d": "de",
        "xfa": "por favor",
        "porfa": "por favor",
        "porfis": "por favor",
        "toy": "estoy",
        "ta": "está",
        "tas": "estás",
        "pa": "para",
        "pal": "para el",
        "na": "nada",
        "bn": "bien",
        "mñn": "mañana",
        "finde": "fin de semana",
        "cumple": "cumpleaños",
        "uni": "universidad",
        "cole": "colegio",
        "profe": "profesor",
        "doc": "doctor",
        "peli": "película",
        "depa": "departamento",
        "depto": "departamento",
        "hrs": "horas",
        "msj": "mensaje",
        "ke": "que",
        "aki": "aquí",
        "oki": "ok",
        "sip": "sí",
        "nop": "no",
    },
    doubtful_spelling=frozenset("k x d na doc profe uni cole peli depa cumple tas finde oki".split()),
    common=frozenset(
        """
        doctor doctora medico medica digo dice dijo decir hablo habla se sabe saber voy va vamos ir fui fue quedo
        queda quedar paso pasa pasar llego llega llegar salgo sale salio salir vuelvo vuelve volvio volver vengo viene
        vino venir doy da dio dar hago hace hizo hacer haciendo tengo tiene tuvo tener pongo pone puso
        poner dejo deja dejar llevo lleva llevar veo ve vio ver miro mira quiero quiere queria necesito
        necesita uso usa usar empiezo empieza empezo empece empezar acabo acaba acabar paro para parar
        cambio cambia cambio cambiar creo cree pienso gusta falta casa cosa cosas gente persona personas
        nino nina hombre mujer tipo dia dias semana mes ano anos hora horas vez veces parte lado manera
        poco mucho mas menos bueno buena mejor malo nuevo nueva viejo grande pequeno cierto pronto tarde
        todo toda nada ahora hoy ayer manana jaja jajaja dios
        """.split()
    ),
    first_person=frozenset(
        "yo me mi mis mio mia conmigo nosotros nosotras nos nuestro nuestra soy estoy tengo voy vivo trabajo fui hice"
        " quiero"
        " gusta tomo como puedo necesito empece deje me_mude cambie volvi compre consegui peso uso hago somos estamos"
        " vamos"
        " tenemos".split()
    ),
    he=frozenset("suyo".split()),
    she=frozenset("ella suya".split()),
    they=frozenset("ellos ellas".split()),
    kin=frozenset(
        f"{_MALE} {_FEMALE} hijos hijas ninos bebe gemelos gemelas padres abuelos amigo amiga jefe jefa vecino vecina"
        f" colega"
        " companero companera cuidadora cuidador profesora profesor socio ex cunado"
        " cunada".split()
    ),
    male_kin=frozenset((_MALE + " amigo vecino cunado jefe").split()),
    female_kin=frozenset((_FEMALE + " amiga vecina cunada jefa cuidadora").split()),
    own=frozenset("mi mis nuestro nuestra".split()),
    places=frozenset("en desde hacia".split()),
    joins=r"y|pero|asi que|entonces",
    subjects=frozenset("yo ella ellos ellas mi mis su sus soy tengo vivo trabajo estoy me nos".split()),
    accepts=(
        r"(?:si|eso|eso mismo|ok|vale|correcto|exacto|exactamente|claro|perfecto|de acuerdo|dale|hazlo|haz|hecho"
        r"|listo|sale|va|bueno"
        r"|esa|ese|la|el|primera|segunda|opcion|por|favor|asi|adelante|buena|genial|es|trato)"
    ),
    answers=frozenset("si no eso correcto exacto claro nunca siempre sigue ambos ninguno todavia menos".split()),
    small_talk=frozenset(
        "hola buenos buenas dias tardes noches gracias adios chao jaja jajaja jajajaja jeje vaya wow felicidades"
        " perdon ay uf"
        " genial ok vale si no por favor bien ah hmm bueno que gente chicos amigo y el la todo como estas tal venga"
        " oye".split()
    ),
    joking=r"ja(?:ja)+\w*|je(?:je)+\w*|broma|bromeando|es broma|de broma|ni loc[oa]|ni muert[oa]|ironia|jk",
    supposing=(
        r"si (?:yo|me|fuera|tuviera|ganara|gano|pudiera|algun dia|dependiera|el|ella|te|un dia|no fuera|vuelvo|nos)"
        r"|si \w+o (?:me|te|se|le|nos|un|una|el|la|los|las)|si \w+(?:ara|iera|aras|ieras|aramos|ieramos)"
        r"|imagina\w*|y si"
        r"|ojala|quisiera|seria|tendria|podria|un dia de estos|algun dia|cuando (?:sea grande|me jubile|gane)"
        r"|que tal si"
    ),
    quoting=(
        r"(?:dice|dijo|dicen|dijeron|cree|creen|piensa|conto|jura|insiste|segun|oi|lei|parece que|pregunto|sugirio"
        r"|recomendo"
        r"|escribio|me solto|anda diciendo)"
    ),
    hedging=(
        r"quizas?|tal vez|a lo mejor|creo que|no se|quien sabe|pensando en|probablemente|puede que|puede ser"
        r"|ya veremos|depende"
        r"|no estoy segur\w|todavia no|supongo"
    ),
    asking=(
        r"(?:cual|cuales|cuando|donde|quien|cuanto|cuantos|cuantas|como|por que|que dia|que hora|sera|puedes|tienes"
        r"|hay|me ayudas)"
    ),
    ends=(
        r"ya no|l[oa]s? dejo|(?:he|hemos|ha|han) dejado|lo (?:hemos )?dej(?:amos|ado)|no \w+ mas|nunca mas|deje|dejo de"
        r"|dejamos"
        r"|dejar|termine|termino|terminamos|acabo|acabe|cancel\w+|renuncie|renuncio"
        r"|desisti|rompi|rompimos|cort(?:e|amos) con|sali de|salio de|se fue|adios a|separ\w+|divorc\w+|despid\w+"
        r"|despedi\w+|me echaron"
        r"|jubil\w+|vendi|vendio|perdi|cerro|cerraron|se quito|quit(?:o|aron|e)|me quit\w+|curad\w+|cure|sane"
        r"|ya pas[oe]|mejor(?:e|o)|murio|fallecio"
        r"|olvida\w*|nada de|alta|suspendi\w+|abandon\w+|se acabo|ni hablar|arregl(?:e|o|ado|ada|aron)|resuelt\w+"
        r"|elimin\w+|borr(?:e|o|amos)"
        r"|se cayo|fuera"
    ),
    replaces=(
        r"en vez|en lugar|cambi(?:e|o|amos|aron|a|ado)|mud(?:e|o|amos|aron|arme|anza)|nos vamos|ahora es|paso a"
        r"|pase a|pasamos a|subi\w+"
        r"|baj(?:o|aron|e|amos)|aument\w+|disminu\w+|dobl(?:o|aron)|duplic\w+|redu(?:jo|jeron|cid\w+)|aplaz\w+"
        r"|pospus\w+|pospon\w+"
        r"|reprogram\w+|en realidad|mejor dicho|digo|o sea|migr(?:e|amos|aron|ado)|actualiz\w+|se volvio|adelant\w+"
        r"|traslad\w+|ascend\w+"
        r"|sustitu\w+|reemplaz\w+|no \d|mas bien"
    ),
    begins=(
        r"nuev[oa]s?|empec\w+|empez\w+|empiez\w+|entre|entro|consegui\w*|contrat\w+|compre|compramos|adopt\w+|nacio"
        r"|llego|llega|estren\w+"
        r"|inici\w+|me apunte|me inscribi|aprob\w+"
    ),
    now=(
        r"ahora|hoy|actualmente|ultimamente|a partir de|desde|por ahora|de ahora en adelante|ya|en este momento"
        r"|esta semana"
    ),
    again=r"otra vez|de nuevo|nuevamente|volvi\w*|vuelv\w+|de vuelta",
    allows=r"puedes|pueden|puede|permitid\w+|sin problema|esta bien|funciona",
    past=r"era|eran|fue|tenia|estaba|antes|antiguamente|cuando era|hace anos|ex|antigu[oa]|solia|vivia|trabajaba|habia",
    ahead=(
        r"voy a|va a|vamos a|van a|manana|proxim[oa]|semana que viene|mes que viene|plan|planes|reserv\w+|plazo|vence"
        r"|entrega|viene"
    ),
    negation=r"no|nunca|ni|sin|nada|ningun\w*|odio|odia|evit\w+|prohibid\w+|tampoco|jamas",
    instructing=(
        r"(?:no|nunca|siempre|llamame|dime|recuerda\w*|recuerdame|acuerdate|usa|escribe\w*|responde\w*|habla\w*|solo"
        r"|por favor|anota|apunta"
        r"|cuidado|nada de|evita|pon|ponme|deja|puedes|tiene que|hay que|avisa\w*|despiertame|busca|hablame"
        r"|ten en cuenta)"
    ),
    adds=r"tambien|ademas|no solo|no solamente|encima",
    keeps=r"todavia|sigue|sigo|igual|mism[oa]s?|como antes|mantien\w+|continua",
    corrects=r"digo|o sea|en realidad|mejor dicho|perdon|me equivoque|corrijo|no,? (?:es|era|fue)",
    numbers={
        "un": "1",
        "uno": "1",
        "una": "1",
        "dos": "2",
        "tres": "3",
        "cuatro": "4",
        "cinco": "5",
        "seis": "6",
        "siete": "7",
        "ocho": "8",
        "nueve": "9",
        "diez": "10",
        "once": "11",
        "doce": "12",
        "trece": "13",
        "catorce": "14",
        "quince": "15",
        "veinte": "20",
        "treinta": "30",
        "cincuenta": "50",
        "medio": "0.5",
        "media": "30",
    },
    units=(
        r"mg|mcg|ml|g|kg|kilos?|unidades?|pastillas?|comprimidos?|gotas?|km|cm|m|metros?|minutos?|min|horas?|h|dias?"
        r"|semanas?|mes|meses"
        r"|anos?|%|por ciento|grados?|pesos|euros?|dolares|mil|veces|vez|litros?|capsulas?|personas?|tiros?"
    ),
    days=(
        r"lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|fin de semana|manana|mananas|tarde|tardes|noche"
        r"|noches|mediodia"
        r"|madrugada|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|navidad"
        r"|semana santa"
        r"|puente|hoy|ayer|verano|invierno"
    ),
    often=(
        r"todos|todas|cada|por dia|por semana|al dia|diari\w+|siempre|un dia si|veces por|veces a|semanal\w*"
        r"|mensual\w*"
    ),
    topics={
        "allergy": match_any(
            r"alerg\w* intoleran\w* celiac\w* gluten lactosa cacahuates? mani frutos_secos anafila\w* no_puedo_comer"
            r" epinefrina"
        ),
        "medication": match_any(
            r"mg mcg pastillas? comprimidos? dosis medicamentos? medicina medicinas recet\w* insulina inhalador"
            r" antibiotico pomada crema gotas"
            r" inyeccion vacuna tomo toma tomar tomando capsulas? unidades"
            r" \w{3,}(?:formina|profeno|prazol|statina|cilina|sartan|olol|oxetina|zepam|pril|pino|tiroxina|zol"
            r"|cortisona)"
        ),
        "symptom": match_any(
            r"dolor dolores duele duelen dolia hinch\w* fiebre tos mareo\w* mareaba nauseas migrana insomnio duermo"
            r" dormi cansad\w* picazon"
            r" sangr\w* fobia miedo ansios\w* ansiedad deprim\w* depres\w* panico estres mal"
        ),
        "body": match_any(
            r"peso pesa pesando pese rodilla cadera espalda pie pies tobillo hombro codo muneca dedo pierna brazo ojo"
            r" ojos oido oidos diente dientes muela piel"
            r" corazon pulmon higado rinon rinones estomago tiroides sangre presion glucosa azucar colesterol peso"
            r" vista garganta hemoglobina ferritina kilos kg pesaba glucemia"
        ),
        "condition": match_any(
            r"diagnostic\w* diabet\w* asma\w* cancer epilep\w* artritis artrosis gota eccema hipertens\w* embaraz\w*"
            r" marcapasos cirugia"
            r" operacion operaron opero operar rompi rompio fractur\w* esguince tdah autis\w* sindrome enfermedad"
            r" infeccion virus covid"
            r" gripe sord\w* cieg\w* rinitis cataratas gastritis hernia"
        ),
        "care": match_any(
            r"medic\w* doctora? dra? enfermer\w* hospital clinica fisio\w* dentista dermat\w* cardiolog\w* terapia"
            r" terapeuta psicolog\w*"
            r" psiquiatra consulta analisis cita traumatolog\w* ginecolog\w* oftalmolog\w* nutri\w* ambulatorio seguro"
        ),
        "diet": match_any(
            r"vegan\w* vegetarian\w* carne pescado cerdo leche cafe alcohol cerveza como come comer comiendo dieta"
            r" azucar sal bebo bebe"
            r" beber ayuno merienda almuerzo cena comida desayuno picante mariscos"
        ),
        "family": match_any(
            rf"{_MALE} {_FEMALE} hijos hijas ninos bebe gemelos padres abuelos casad\w* casarme casarse boda novi\w*"
            rf" divorc\w* separ\w*"
            r" viud\w* solter\w* murio fallecio nacio embarazada familia ex cunad\w* pareja"
        ),
        "people": match_any(
            r"amig\w* jefe jefa vecin\w* colega companer\w* profesor\w* cuidadora? socio llama llamad\w* nombre"
        ),
        "pet": match_any(r"perr\w* gat[oa]s? cachorr\w* loro conejo hamster tortuga mascota veterinari\w* adopt\w*"),
        "work": match_any(
            r"trabaj\w* empleo jefe jefa oficina despacho turno contrat\w* despid\w* despedi\w* empresa equipo"
            r" cliente sueldo salario ascens\w*"
            r" jubilad\w* desemple\w* parad[oa] autonom\w* freelance remoto teletrabajo enfermer\w* maestr\w*"
            r" profesor\w* ingenier\w*"
            r" desarrollador\w* disenador\w* contador\w* abogad\w* cociner\w* chofer electricista estudiante analista"
            r" consultor\w* entrevista"
            r" puesto gerente negocio tienda taller practicas coordinador\w* arquitect\w* carpinter\w* albanil"
            r" camarer\w* peluquer\w* secretari\w* recepcionista periodista fotograf\w* investigador\w* vendedor\w*"
            r" tecnic\w* auxiliar cargo profesion panader\w* costurer\w* veterinari\w* programador\w* curro"
            r" bibliotecari\w*"
        ),
        "study": match_any(
            r"escuela colegio universidad carrera curso examen examenes clase clases tesis master doctorado estudi\w*"
            r" matricul\w* oposici\w*"
            r" guarderia instituto nota semestre"
        ),
        "home": match_any(
            r"vivo vive viven vivir viviendo mudamos mude mudar mudanza casa departamento piso renta alquiler"
            r" edificio barrio colonia calle"
            r" ciudad cuarto habitacion direccion hipoteca obra vecin\w* pueblo domicilio codigo_postal depa"
        ),
        "plan": match_any(
            r"viaje viajar vuelo vacaciones visitar reserv\w* boda cumpleanos fiesta congreso plazo entrega"
            r" lanzamiento carrera maraton"
            r" concierto entradas? boletos? plan planes meta metas objetivo quiero queremos sueno vence cita"
        ),
        "money": match_any(
            r"renta alquiler sueldo deuda prestamo hipoteca ahorros? presupuesto pago pague pagar debo debe cuesta"
            r" pesos euros mil precio cuota"
        ),
        "taste": match_any(
            r"gusta gustan encanta encantan amo odio odia prefiero prefiere favorit\w* detesto no_soporto fan"
            r" aficionad\w* miedo fobia"
        ),
        "hobby": match_any(
            r"corr\w* nadar natacion gimnasio yoga pilates bici guitarra piano coro banda futbol tenis ajedrez"
            r" pint\w* tej\w* huerto bail\w*"
            r" senderismo surf\w* juego jugar entren\w* ensayo novela camin\w* misa masa horno"
        ),
        "tech": match_any(
            r"test tests pruebas build deploy\w* desplieg\w* branch rama commit\w* merge repo ci api base_de_datos"
            r" migra\w* servidor config"
            r" script cache cola timeout reintentos version bug error log logs docker token endpoint esquema tabla"
            r" columna indice biblioteca"
            r" paquete lint puerto driver produccion modulo funcion clase"
        ),
        "cause": match_any(r"porque si_no cuidado rompe falla muere a_proposito no_funciona necesita solo_funciona"),
        "decision": match_any(
            r"decid\w* decision vamos_con quedamos acord\w* eleg\w* opcion usar usa prohibid\w* nunca siempre"
            r" convencion"
        ),
        "name": match_any(r"llama llamo llamame llamad\w* nombre apodo dicen_que"),
        "event": match_any(
            r"compre gane gano aprobe termine corri hice conoci adopte adoptamos nacio gradue consegui perdi encontre"
            r" rompi firme llego"
            r" empece empezo entro"
        ),
        "residence": (
            r"viv(?:o|e|imos|iendo|ir) (?:en|con|solo|sola|cerca|alla|aca)|me mude|nos mudamos|mudarme|mudarnos"
            r"|mudanza|nos vamos a|piso nuevo|casa nueva|alquil\w+|compramos (?:la|una|un) (?:casa|piso)"
            r"|ya instalad\w+|se fue de casa|se fue a vivir|se viene"
        ),
        "job": (
            r"trabaj(?:o|a|ando|ar|e) (?:en|de|con|como|para)|empleo|contrat\w+|despid\w+|despedi\w+|renunci\w+"
            r"|ascend\w+|puesto|turnos?|practicas|soy [\w ]{4,20} (?:en|de)|primer dia|jubilad\w+|autonom\w+|mi jefe"
            r"|empiezo|empece en|baja"
        ),
        "couple": (
            r"novi[oa]|marido|esposa|mujer|prometid[oa]|casad[oa]|casarme|saliendo|ando con|rompi\w*|terminamos"
            r"|separ\w+|divorc\w+|solter[oa]|pareja|juntos|ex|dejado|cortamos"
        ),
        "schedule": (
            r"\d{1,2} ?h(?:\d{2})?|\d{1,2}(?:[:.]\d{2})? ?(?:a|hasta|-) ?(?:las? )?\d{1,2}(?:[:.]\d{2})?|a las? \d{1,2}"
            r"|todos los \w+|todas las \w+|cada (?:dia|semana|noche|manana)|horario|rutina|turno|agenda|que hora"
            r"|por la (?:manana|tarde|noche)|diari\w+|semanal\w*"
        ),
        "recovery": (
            r"me quitaron (?:el yeso|los puntos)|mejor\w*|curad\w+|sane|alta|ya no duele|ya paso|controlad\w+"
            r"|recuper\w+|me quit\w+|estable|volviendo|vuelvo|bien ya"
        ),
    },
)
