"""What tells names from other capitalised words in Spanish; lists, all lower case."""

from __future__ import annotations

from toldonce.lang.base import Names

NAMES = Names(
    common=frozenset(
        """
        acá además ahí ahora ahorita algo alguien algún alguna algunas alguno algunos allá allí anoche anteayer
        antes apenas aquel aquella aquellos aquí así aún aunque ayer bastante bien buen buena buenas bueno buenos cada
        casi cerca chau cierto claro como cómo con conmigo contigo contra cosa cosas creo cual cuál cuáles cualquier
        cuando cuándo cuánta cuántas cuánto cuántos debe debería debo del demasiado desde después detrás
        dicen dicho digo dijo dime donde dónde durante el él ella ellas ellos en encantado encantada entonces entre era
        eran eres es esa esas ese eso esos esta está estaba estamos están estas este esto estos estoy estuve
        exacto felicidades fue fueron fui fuimos generalmente genial gracias había hablé hace hacía hago
        hasta hay haz he hemos hice hola hoy incluso jaja jamás junto la las le les lo los luego mal mañana más
        mejor menos mi mis mientras mira mismo mucha muchas mucho muchos muy nada nadie necesito ningún ninguna
        ninguno no nos nosotros nosotras nuestra nuestras nuestro nuestros nueva nuevo nunca obviamente ojalá otra
        otras otro otros oye para parece pensé pero perdón pienso pobre poco pocos podemos podría por porque porfa
        posiblemente primera primero probablemente próximo puede pueden puedes puedo pues que qué quería quien quién
        quiere quiero quisiera quizá quizás realmente recuerda recuerdo resulta saben sabes se sé según seguro
        sería si sí siempre siento sigo sino sobre solo sólo somos soy su sus supongo también tampoco tanto
        te tendré tenemos tengo tenía tiene tienen tienes toda todas todavía todo todos trabajo trabajaba tras tu
        tú tus tuve un una unas uno unos usted ustedes va vamos varias varios vaya ven ver verdad vi
        volví vos vosotros voy ya yo últimamente última último
        """.split()
    ),
    may_lead=frozenset("nueva nuevo gran el la los las".split()),
    calendar=frozenset(
        """
        sábados domingos
        lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto
        septiembre setiembre octubre noviembre diciembre navidad pascua nochebuena nochevieja reyes primavera verano
        otoño invierno
        """.split()
    ),
    given=frozenset(
        """
        adrián agustín alba alberto alejandra alejandro alfonso alicia alonso álvaro amparo andrés ángel ángela antonia
        antonio araceli beatriz begoña belén benito blanca camilo carmen catalina cecilia césar clara claudia
        concepción consuelo cristóbal dolores elena emilia emilio enrique ernesto esperanza esteban esther eva federico
        felipe félix fermín fernando francisca francisco gabriela gonzalo graciela guadalupe guillermo gustavo héctor
        hernán hugo ignacio inés irene isabel iván ivette javier jesús jimena joaquín jorge josé juan juana julián
        julieta laura leticia lola lorena lourdes lucía luis luisa luz manuel manuela marcela marcos margarita maría
        mariano marina mario marisol marta martín mateo matías mauricio mercedes miguel mónica montserrat natalia
        nicolás noelia nuria óscar pablo paloma paola patricia paz pedro pilar rafael ramiro ramón raquel raúl rebeca
        ricardo rocío rodrigo rosa rosario rubén salvador santiago saúl sebastián sergio silvia sofía soledad susana
        tomás valentina valeria vicente víctor ximena xavi yolanda zoe
        """.split()
    ),
    places=frozenset(
        """
        alemania alicante américa andalucía asturias barcelona bilbao bogotá bolivia brasil bruselas burgos cádiz
        cancún caracas cataluña chile colombia córdoba cuba cusco ecuador españa europa francia galicia gijón granada
        grecia guadalajara guatemala holanda honduras inglaterra irlanda italia japón lima lisboa londres madrid málaga
        mallorca marruecos medellín méxico monterrey montevideo moscú murcia navarra nicaragua oaxaca oviedo panamá
        paraguay parís perú polonia portugal puebla quito roma rosario rusia salamanca santander sevilla suecia suiza
        tenerife toledo tijuana ucrania uruguay valencia valladolid venezuela zaragoza
        """.split()
    )
    | {"buenos aires", "nueva york", "ciudad de méxico", "estados unidos", "reino unido", "costa rica", "puerto rico"}
    | {"república dominicana", "el salvador", "san sebastián", "la habana", "santiago de chile", "las palmas"},
    organizations=frozenset(
        """
        universidad facultad instituto escuela colegio banco asociación fundación ministerio secretaría cámara tribunal
        ayuntamiento consejo comisión comité partido sindicato compañía editorial club federación museo grupo hospital
        corporación cooperativa
        """.split()
    ),
    locations=frozenset(
        """
        calle avenida plaza paseo camino carretera autopista parque puente río lago sierra monte isla playa bahía
        aeropuerto barrio colonia cerro
        """.split()
    ),
    joins=frozenset("de del la las los".split()),
    join_pattern=r"de(?:\ la|\ las|\ los)?|del",
    titles=frozenset("sr sra srta dr dra prof profesor don doña ing lic".split()),
    title_pattern="Dra?|Sra?|Srta|Prof|Ing|Lic",
    follows=r"\ (?:es|fue|era|tiene|va|está|dijo|dice|vive|trabaja|quiere|se|me|le|ha|y\ [A-ZÀ-Þ])\b",
    endings="ando|iendo|mente|ción|ciones|dad|aron|ieron|amos|aba|[aei]r",
    own=frozenset("mi mis tu su sus nuestro nuestra".split()),
    kin=frozenset(
        """
        hermano hermana esposa esposo mujer marido hijo hija madre padre mamá papá amigo amiga jefe jefa colega vecino
        vecina novio novia primo prima sobrino sobrina tío tía abuela abuelo suegra suegro cuñado cuñada pareja
        """.split()
    ),
    towards=frozenset("en a hacia".split()),
    dwelling=frozenset(
        """
        vivo vive viví vivía viviendo vivimos mudé mudó mude mudamos nací nació llegué viajé viajó voy fui fuimos
        """.split()
    ),
    project=frozenset("proyecto repositorio".split()),
    months=(
        r"ene(?:ro)?|feb(?:rero)?|mar(?:zo)?|abr(?:il)?|mayo|jun(?:io)?|jul(?:io)?|ago(?:sto)?|sep(?:t(?:iembre)?)?"
        r"|setiembre"
        r"|oct(?:ubre)?|nov(?:iembre)?|dic(?:iembre)?"
    ),
    ordinal_marks="º",
    of=r"de\ |del\ ",
    before_year="en|desde|hasta",
    articles=r"unos|unas",
    small=frozenset("de del la las los y e a o para en el".split()),
)
