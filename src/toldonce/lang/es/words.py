"""Spanish word lists and verb forms that several parts share; tables and how they are spelled out."""

from __future__ import annotations

from toldonce.text.patterns import match_any

MONTH = match_any("enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre")
DAY = match_any("lunes martes miércoles miercoles jueves viernes sábado sabado domingo")
COUNT = (
    r"(?:un|una|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|varios|varias|algunos|algunas|unos|unas"
    r"|un par de|\d+)"
)
UNIT = r"(?:días?|dias?|noches?|semanas?|mes|meses|años?|horas?|minutos?)"
SOON = (
    rf"(?:mañana|pasado mañana|esta noche|(?:el |la )?(?:semana|mes|año|verano|invierno|otoño|primavera|{DAY})"
    rf" (?:que viene|que entra|próxim[oa])|(?:el |la )?próxim[oa] (?:semana|mes|año|fin de semana|finde|verano|invierno"
    rf"|{DAY})|en (?:{MONTH}|20\d\d)|(?:dentro de|en|de aquí a) {COUNT} {UNIT}|(?:el )?día \d{{1,2}}"
    rf"|el \d{{1,2}} de {MONTH}|(?:este|esta) (?:semana|mes|año|fin de semana|finde|noche|tarde|{DAY})"
    rf"|el (?:{DAY}|fin de semana|finde)\b)"
)
PAST = (
    rf"(?:ayer|anteayer|antier|anoche|hoy|(?:el |la )?(?:semana|mes|año|verano|invierno|otoño|primavera|fin de semana"
    rf"|finde|navidad|{DAY}) (?:pasad[oa]|antepasad[oa])|(?:el |la )?pasad[oa] (?:semana|mes|año|verano|invierno|{DAY})"
    rf"|hace (?:como |unos |casi |poco más de )?{COUNT} {UNIT}|{COUNT} {UNIT} atrás|hace poco|en (?:{MONTH}|19\d\d"
    rf"|20\d\d)|el \d{{1,2}} de {MONTH}|recientemente|el otro día|la otra vez|est[ae] (?:semana|mes|año|fin de semana"
    r"|finde|mañana|tarde))"
)
SINCE = rf"desde (?:el |la )?(?:{DAY}|{MONTH}|{PAST}|\d{{4}})"
REGULARLY = (
    rf"(?:todos los (?:días|dias|meses|años|fines de semana|findes|{DAY}|sábados|domingos)|todas las (?:mañanas|noches"
    rf"|semanas|tardes)|cada (?:día|dia|semana|mes|año|mañana|noche|tarde|{DAY}|dos días|fin de semana)"
    rf"|{COUNT} (?:vez|veces) (?:por|a la|al|cada) (?:semana|día|dia|mes|año)|los (?:{DAY}|sábados|domingos"
    r"|fines de semana|findes)|entre semana|a diario|diariamente|semanalmente|mensualmente|por las (?:mañanas|tardes"
    r"|noches)|por la (?:mañana|tarde|noche)|antes de dormir|de lunes a viernes)"
)

# Whom people leave as an employer only: nobody is a member there or studies there.
EMPLOYER = match_any(
    "panadería restaurante cafetería tienda librería supermercado farmacia hospital clínica banco firma empresa agencia"
    " startup fábrica almacén hotel oficina despacho bufete consultora consultoría peluquería taller bodega"
)

RELATION = match_any(
    "madre padre mamá papá padres papás hermana hermano hermanos hermanas esposa esposo marido mujer compañero"
    " compañera"
    " pareja prometido prometida novio novia hijo hija hijos hijas bebé abuela abuelo abuelos abue tía tío prima primo"
    " sobrina sobrino suegra suegro cuñada cuñado nuera yerno madrastra padrastro hijastro hijastra mejor_amigo"
    " mejor_amiga amigo amiga colega jefe jefa gerente vecino vecina profesor profesora profe maestro maestra terapeuta"
    " psicóloga psicólogo médico médica doctor doctora entrenador entrenadora exmarido exmujer exnovio exnovia ex"
    " ahijado"
    " ahijada madrina padrino nieto nieta compañero_de_piso compañera_de_piso compañero_de_trabajo"
    " compañera_de_trabajo roomie"
)
PET = match_any(
    "perro perra perros perrito perrita cachorro cachorra gato gata gatos gatas gatito gatita conejo coneja hámster"
    " loro periquito canario pájaro pez peces tortuga tortugas caballo yegua cobaya cuy iguana cabra gallinas hurón"
    " mascota mascotas labrador caniche galgo"
)
JOB = match_any(
    "ingeniero ingeniera desarrollador desarrolladora programador programadora profesor profesora maestro maestra"
    " enfermero enfermera médico médica doctor doctora cirujano cirujana abogado abogada contador contadora contable"
    " diseñador diseñadora escritor escritora periodista editor editora artista músico música cantante actor actriz"
    " bailarín bailarina fotógrafo fotógrafa chef cocinero cocinera panadero panadera pastelero pastelera barista"
    " camarero camarera mesero mesera mozo gerente director directora productor productora consultor consultora"
    " analista"
    " científico científica investigador investigadora estudiante arquitecto arquitecta farmacéutico farmacéutica"
    " dentista odontólogo odontóloga veterinario veterinaria terapeuta psicólogo psicóloga psiquiatra trabajador_social"
    " trabajadora_social bombero bombera policía soldado piloto azafata auxiliar_de_vuelo chofer conductor conductora"
    " mecánico mecánica electricista fontanero fontanera plomero carpintero carpintera agricultor agricultora jardinero"
    " jardinera florista bibliotecario bibliotecaria traductor traductora intérprete entrenador entrenadora instructor"
    " instructora emprendedor emprendedora empresario empresaria fundador fundadora vendedor vendedora dependiente"
    " dependienta comercial agente_inmobiliario agente_inmobiliaria bancario bancaria economista biólogo bióloga"
    " químico"
    " química físico física matemático matemática historiador historiadora geólogo geóloga publicista redactor"
    " redactora"
    " guionista poeta reclutador reclutadora secretario secretaria recepcionista asistente cajero cajera auxiliar"
    " niñera"
    " canguro cuidador cuidadora partera matrona fisioterapeuta fisio nutricionista peluquero peluquera costurera"
    " sastre"
    " técnico técnica becario becaria practicante pasante ama_de_casa amo_de_casa atleta deportista político política"
    " cura pastor juez jueza funcionario funcionaria cineasta ilustrador ilustradora pintor pintora autónomo autónoma"
    " freelance jubilado jubilada pensionista repartidor repartidora conserje portero doctorando doctoranda notario"
    " notaria logopeda obrero obrera albañil taxista camionero camionera community_manager influencer"
)
CONDITION = match_any(
    "diabetes asma artritis artrosis tdah autismo epilepsia migraña migrañas jaqueca jaquecas hipertensión"
    " presión_alta tensión_alta presión_baja ansiedad depresión insomnio anemia gastritis celiaquía"
    " enfermedad_celíaca eczema dermatitis psoriasis escoliosis hipotiroidismo hipertiroidismo endometriosis vértigo"
    " fibromialgia lupus reflujo apnea_del_sueño dislexia toc trastorno_bipolar dolor_crónico dolor_de_espalda ciática"
    " rinitis sinusitis bronquitis colesterol_alto el_colesterol_alto glaucoma gota osteoporosis cáncer"
    " hernia_discal una_hernia_discal intolerancia_a_la_lactosa intolerancia_al_gluten ovario_poliquístico"
    " colon_irritable diabetes_tipo_1 diabetes_tipo_2"
)
DIET = match_any(
    "vegetariano vegetariana vegano vegana pescetariano pescetariana flexitariano flexitariana"
    " intolerante_a_la_lactosa intolerante_al_gluten celíaco celíaca celiaco celiaca omnívoro omnívora abstemio"
    " abstemia"
)
PEOPLE = match_any(
    "español española mexicano mexicana argentino argentina colombiano colombiana chileno chilena peruano peruana"
    " venezolano venezolana cubano cubana ecuatoriano ecuatoriana uruguayo uruguaya paraguayo paraguaya boliviano"
    " boliviana guatemalteco guatemalteca hondureño hondureña salvadoreño salvadoreña nicaragüense costarricense tico"
    " tica panameño panameña dominicano dominicana puertorriqueño puertorriqueña boricua brasileño brasileña portugués"
    " portuguesa estadounidense gringo gringa inglés inglesa británico británica escocés escocesa irlandés irlandesa"
    " canadiense australiano australiana francés francesa alemán alemana italiano italiana holandés holandesa belga"
    " suizo suiza austríaco austríaca sueco sueca noruego noruega danés danesa finlandés finlandesa polaco polaca ruso"
    " rusa ucraniano ucraniana griego griega turco turca rumano rumana chino china japonés japonesa coreano coreana"
    " indio india israelí egipcio egipcia marroquí nigeriano nigeriana andaluz andaluza catalán catalana gallego"
    " gallega"
    " vasco vasca madrileño madrileña valenciano valenciana canario canaria asturiano asturiana aragonés aragonesa"
    " sevillano sevillana porteño porteña chilango chilanga tapatío tapatía regio regia paisa limeño limeña"
)
TONGUE = match_any(
    "español castellano inglés portugués francés alemán italiano holandés neerlandés sueco ruso mandarín chino japonés"
    " coreano árabe hebreo griego turco polaco hindi catalán gallego euskera vasco latín ucraniano rumano quechua"
    " guaraní"
    " náhuatl lengua_de_signos lengua_de_señas"
)
OWNED = match_any(
    "coche carro auto moto motocicleta bicicleta bici patinete barco casa apartamento departamento piso chalet finca"
    " rancho granja huerta huerto jardín estudio tienda negocio empresa restaurante panadería blog podcast web canal"
    " guitarra piano violín teclado batería cámara telescopio portátil laptop computadora ordenador iphone tablet"
    " celular"
    " móvil consola playstation xbox dron colección biblioteca piscina alberca cinta_de_correr tatuaje tatuajes"
    " furgoneta camioneta"
)
OCCASION = match_any(
    "cita reunión junta entrevista examen prueba vuelo plazo presentación concierto recital partido torneo competencia"
    " competición carrera maratón boda fiesta cirugía operación sesión clase taller conferencia congreso viaje"
    " vacaciones reserva cena comida almuerzo audición ensayo festival exposición graduación mudanza revisión chequeo"
    " consulta cumpleaños bautizo oposición"
)
# What is arranged on one day is mostly for another.
ARRANGED = match_any(
    "reservé agendé programé apunté inscribí matriculé acepté rechacé contraté firmé decidí resolví elegí escogí pedí"
    " quedé planeé organicé cancelé aplacé pospuse"
)
# Verbs whose progressive form with a day means the future.
SETTING_OUT = "mudando|yendo|viajando|volviendo|saliendo|de mudanza"
# Occasions that do not repeat weekly, so that one on Monday means the coming Monday.
ONE_TIME = (
    "(?:cita|entrevista|examen|vuelo|boda|cirug[íi]a|operaci[óo]n|conferencia|viaje|audici[óo]n|exposici[óo]n"
    "|graduaci[óo]n|congreso|marat[óo]n|torneo|mudanza|oposici[óo]n)"
)

_AR = (
    "trabajar estudiar comprar adoptar viajar terminar mudar casar separar divorciar graduar jubilar adorar amar"
    " detestar"
    " evitar priorizar valorar usar tocar nadar pedalear caminar entrenar cocinar pintar bailar cantar pescar acampar"
    " participar ganar lograr alcanzar lanzar publicar alquilar rentar reformar plantar crear montar fundar presentar"
    " organizar celebrar agendar reservar pasar quedar llegar entrar dejar visitar hablar enseñar pesar planear tomar"
    " fumar necesitar esperar testear contratar aceptar rechazar donar cortar cambiar llevar firmar matricular levantar"
    " luchar cuidar coleccionar completar facturar grabar dibujar llamar juntar ahorrar intentar tratar mejorar"
    " apreciar"
    " practicar meditar desayunar cenar madrugar manejar ayudar buscar regresar renovar tirar apuntar cumplir_ar quemar"
    " fracturar lastimar lesionar soportar aguantar programar planificar mandar preparar escuchar mirar sumar correr_ar"
    " entregar arreglar instalar olvidar abandonar"
)
_ER = (
    "correr beber comer aprender vender leer_er romper vivir_er responder esconder cometer deber comprender depender"
    " emprender"
)
_IR = (
    "vivir escribir abrir asistir dividir decidir subir discutir cumplir recibir compartir sufrir permitir unir residir"
)
_IRREGULAR = {
    "soy": "es", "estoy": "está", "tengo": "tiene", "voy": "va", "quiero": "quiere", "prefiero": "prefiere",
    "hago": "hace", "puedo": "puede", "vengo": "viene", "leo": "lee", "veo": "ve", "duermo": "duerme", "sigo": "sigue",
    "odio": "odia", "invierto": "invierte", "sirvo": "sirve", "juego": "juega", "suelo": "suele", "pienso": "piensa",
    "conduzco": "conduce", "conozco": "conoce", "nací": "nació", "crecí": "creció", "crezco": "crece",
    "empiezo": "empieza", "comienzo": "comienza", "vuelvo": "vuelve", "salgo": "sale", "pongo": "pone",
    "digo": "dice", "oigo": "oye", "traigo": "trae", "sé": "sabe", "doy": "da", "mido": "mide", "pido": "pide",
    "siento": "siente", "tiendo": "tiende", "rindo": "rinde", "sueño": "sueña", "acuesto": "acuesta",
    "despierto": "despierta", "entiendo": "entiende", "pierdo": "pierde", "monto": "monta", "ando": "anda",
    "colecciono": "colecciona", "parezco": "parece", "pertenezco": "pertenece", "provengo": "proviene",
    "desciendo": "desciende", "meriendo": "merienda", "almuerzo": "almuerza", "desayuno": "desayuna",
    "fui": "fue", "hice": "hizo", "tuve": "tuvo", "estuve": "estuvo", "vine": "vino", "vi": "vio", "di": "dio",
    "quise": "quiso", "leí": "leyó", "construí": "construyó", "salí": "salió", "caí": "cayó", "pude": "pudo",
    "puse": "puso", "dije": "dijo", "traje": "trajo", "supe": "supo", "anduve": "anduvo", "conduje": "condujo",
    "conocí": "conoció", "perdí": "perdió", "volví": "volvió", "empecé": "empezó", "comencé": "comenzó",
    "conseguí": "consiguió", "elegí": "eligió", "pedí": "pidió", "dormí": "durmió", "jugué": "jugó", "llegué": "llegó",
    "pagué": "pagó", "busqué": "buscó", "toqué": "tocó", "saqué": "sacó", "renuncié": "renunció", "sentí": "sintió",
    "inscribí": "inscribió", "descubrí": "descubrió", "invertí": "invirtió", "obtuve": "obtuvo", "crucé": "cruzó",
    "envié": "envió", "cambié": "cambió", "pasé": "pasó", "retiré": "retiró", "prometí": "prometió", "nacimos": "nació",
    "quisiera": "quisiera", "quería": "quería", "preferiría": "preferiría", "querría": "querría", "preferí": "prefirió",
    "vivimos": "vive", "mudamos": "mudó", "casamos": "casó", "tenemos": "tiene", "somos": "es", "estamos": "está",
    "adoptamos": "adoptó", "compramos": "compró", "fuimos": "fue", "viajamos": "viajó", "prometimos": "prometió",
    "vamos": "va", "tuvimos": "tuvo", "separamos": "separó", "divorciamos": "divorció", "he": "ha",
    "hemos": "ha", "llevo": "lleva", "llevamos": "lleva", "cumplo": "cumple",
    "gusta": "gusta", "gustan": "gustan", "encanta": "encanta", "encantan": "encantan", "interesa": "interesa",
    "interesan": "interesan", "fascina": "fascina", "fascinan": "fascinan", "molesta": "molesta",
    "molestan": "molestan", "apasiona": "apasiona", "apasionan": "apasionan", "gustaría": "gustaría",
    "encantaría": "encantaría", "despidieron": "despidieron", "echaron": "echaron", "corrieron": "corrieron",
    "diagnosticaron": "diagnosticaron", "contrataron": "contrataron", "ascendieron": "ascendieron",
    "aceptaron": "aceptaron", "dicen": "dicen",
}  # fmt: skip
# "Me gusta el café": what pleases the speaker, or what others did to them, is the subject.
IMPERSONAL = frozenset(
    "gusta gustan encanta encantan interesa interesan fascina fascinan molesta molestan apasiona apasionan gustaría"
    " encantaría despidieron echaron corrieron diagnosticaron contrataron ascendieron aceptaron dicen".split()
)
WE_PLURAL = frozenset(form for form in _IRREGULAR if form.endswith("mos"))


def _soft(stem: str) -> str:
    """The stem before é: c becomes qu, g becomes gu, z becomes c."""
    return {"c": stem[:-1] + "qu", "g": stem[:-1] + "gu", "z": stem[:-1] + "c"}.get(stem[-1], stem)


def _conjugate() -> dict[str, str]:
    forms: dict[str, str] = {}
    for verb in (word for word in _AR.split() if "_" not in word):
        stem = verb[:-2]
        forms[stem + "o"] = stem + "a"
        forms[_soft(stem) + "é"] = stem + "ó"
    for verb in (word for word in (_ER + " " + _IR).split() if "_" not in word):
        stem = verb[:-2]
        forms[stem + "o"] = stem + "e"
        forms[stem + "í"] = stem + "ió"
    return forms


# What the speaker says of themselves, and the same said of somebody else.
FIRST_TO_THIRD = _conjugate() | _IRREGULAR
# Pasts that people write without their accent; the same letters are also a command or a wish.
UNACCENTED = {
    form.replace("é", "e").replace("í", "i"): form
    for form in FIRST_TO_THIRD
    if form[-1] in "éí" and len(form) > 3 and form.replace("é", "e").replace("í", "i") not in FIRST_TO_THIRD
}
# The imperfect, for past states; first and third person look the same.
ONCE = {
    "vivía": "vivo", "trabajaba": "trabajo", "estudiaba": "estudio", "fumaba": "fumo", "tocaba": "toco",
    "jugaba": "juego", "entrenaba": "entreno", "coleccionaba": "colecciono", "comía": "como", "bebía": "bebo",
    "corría": "corro", "nadaba": "nado", "vivia": "vivo",
}  # fmt: skip
