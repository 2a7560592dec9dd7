"""Spanish words that carry little content, each list for one use; lists, nothing else.

Words that English uses for content ("son", "red", "once") are left out: texts of all languages are read by all lists.
"""

from __future__ import annotations

from toldonce.lang.base import Vocabulary

_DULL = """
a abajo acá acaba acabo acaso además adentro adiós afuera agradezco ah ahí ahora ahorita al algo alguien algún alguna
algunas alguno algunos allá allí alrededor amo ante anteayer antes anoche aparte apenas aquel aquella aquellas aquello
aquellos aquí arriba así atrás aun aún aunque ayer ayuda ayudar bastante bien buen buena buenas bueno buenos cada casi
caso cerca chau chévere cierto claro como cómo con conmigo contigo contra cosa cosas creer creo cual cuál cuales cuáles
cualquier cualquiera cuando cuándo cuanta cuánta cuantas cuántas cuanto cuánto cuantos cuántos da dar de debe debes
debo decía decir deja dejar del delante demás demasiado dentro desde despacio después detrás di día días dice dicho
dices digo dijo donde dónde dos durante e el él ella ellas ello ellos en encima encanta encima entonces entre era eran
eras eres es esa esas ese eso esos esta está estaba estaban estamos están estar estas estás este esto estos estoy
estuve estuvo etcétera feliz felicidades fin fíjate forma fue fueron fui fuimos gente genial gracias
grande guay ha haber había han has hasta hay haya he hecho hemos hice hizo hola hora horas hoy iba igual incluso
increíble inténtalo ir jaja jajaja jamás justo la las le lejos les listo lo los luego lugar mal manera mañana
más mas mayor me mejor menos mes meses mi mí mía mías mientras mío míos mis misma mismas mismo mismos momento mucha
muchas mucho muchos muy nada nadie ni ningún ninguna ninguno no noche nos nosotras nosotros nuestra nuestras nuestro
nuestros nueva nuevas nuevo nuevos nunca o obvio oh oigan ojalá oye ok otra otras otro otros padre para parece parte
pasado pena pensar pero personas pienso poca pocas poco pocos podemos poder podía podría pone poner por
porfa porque posible primera primero probablemente problema propia propio pude puede pueden puedes puedo
pues que qué quería quién quien quienes quiere quieres quiero quizá quizás rato realmente saber sabes se sé sea según
seguro ser sería si sí sido siempre siento sigo sino sobre sois solo sólo somos son soy su super supongo supuesto sus
suyo tal también tampoco tanta tantas tanto tantos tarde te tendría tenemos tener tengo tenía ti tiempo tiene
tienen tienes tipo toda todas todavía todo todos tras través tu tú tus tuve tuvo tuyo un una unas uno
unos usted ustedes va vamos varias varios vaya veces ver verdad vez vi vos vosotras vosotros voy vuelta vuestra
vuestro ya yo buenísimo buenazo tía wey güey che pana
"""

VOCABULARY = Vocabulary(
    stop=frozenset(
        """
        a actualmente ahora aquel aquella aquello aquí como cómo con cual cuál cuales cuáles cuando cuándo cuanta
        cuánta cuantas cuántas cuanto cuánto cuantos cuántos de del donde dónde e el él ella ellas ellos en entre era
        eran eres es esa esas ese eso esos esta está estaba estamos están estar estas este esto estos estoy fue fueron
        ha había han has hasta hay he hemos la las les lo los mas más me mi mí mis mucha muchas mucho muchos muy no nos
        nosotros nuestra nuestras nuestro nuestros o os para pero por porque que qué quien quién quienes quiénes se sé
        según ser sobre somos soy su sus también tampoco te tenía tengo tiene tienen tu tú tus un una unas unos usted
        ustedes vosotros vos vuestra vuestro y ya yo
        """.split()
    ),
    frame=frozenset(
        """
        acuerdas anterior anteriores antes charla charlas contar conté conversación conversaciones cosa cosas cuenta
        cuéntame dice dices dicho diferentes dije dijiste dijo explica explícame habla hablamos hablé hablo lista
        mencionado mencioné mencionó nombre nombres principales puede pueden puedes recuerda recuerdas recuérdame
        resumen sabes varias varios
        """.split()
    ),
    dull=frozenset(_DULL.split()) - {"son", "padre", "tía", "has", "he", "sea", "amo"},
    acknowledgements=frozenset(
        """
        sí vale bueno buena bien dale genial perfecto perfecta claro listo gracias muchas hola adiós adios chao chau
        guay chévere chevere bacán bacan padrísimo órale orale venga entendido entiendo ya ajá aja mmm jaja jeje
        jajaja ok okey okay oki nada de por favor porfa porfi hecho va vaya oye uy ay sip ahí tranquilo
        tranquila cierto exacto obvio súper luego hasta saludos
        """.split()
    )
    - {"sí"},
    answers=frozenset("sí si no nop nel sip".split()),
    abbreviations=frozenset("sr sra srta dr dra prof ud uds av avda aprox pág núm etc dpto".split()),
    endings=(
        "amientos",
        "imientos",
        "aciones",
        "iciones",
        "amiento",
        "imiento",
        "amente",
        "idades",
        "ándose",
        "iéndose",
        "iendome",
        "andome",
        "iendo",
        "yendo",
        "ación",
        "acion",
        "ición",
        "icion",
        "mente",
        "ciones",
        "sion",
        "cion",
        "idad",
        "aron",
        "ieron",
        "abas",
        "aban",
        "adas",
        "ados",
        "idas",
        "idos",
        "amos",
        "emos",
        "imos",
        "asteis",
        "isteis",
        "ando",
        "aba",
        "ada",
        "ado",
        "ida",
        "ido",
        "ian",
        "ias",
        "ir",
        "er",
        "ar",
        "ara",
        "are",
        "era",
        "ere",
        "ista",
        "istas",
        "oso",
        "osa",
        "osos",
        "osas",
        "itos",
        "itas",
        "ito",
        "ita",
        "es",
        "as",
        "os",
        "an",
        "en",
        "io",
        "ia",
        "a",
        "e",
        "o",
        "s",
    ),
)
