"""Portuguese word lists and verb forms that the grammar and the rules share; tables and how they are spelled out."""

from __future__ import annotations

from toldonce.text.patterns import match_any

MONTH = match_any("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro")
DAY = match_any(
    "segunda terça quarta quinta sexta sábado domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira"
)
COUNT = r"(?:uma?|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|vários|várias|alguns|algumas|\d+)"
UNIT = r"(?:dias?|noites?|semanas?|mês|meses|anos?|horas?|minutos?)"
SOON = (
    rf"(?:amanhã|depois de amanhã|hoje à noite|(?:na |no |a |o )?(?:semana|mês|ano|verão|inverno|natal|{DAY}) que vem"
    rf"|(?:na |no |a |o )?próxim[oa] (?:semana|mês|ano|fim de semana|verão|inverno|{DAY})|em (?:{MONTH}|20\d\d)"
    rf"|daqui a {COUNT} {UNIT}|(?:no |até o )?dia \d{{1,2}}|(?:nest[ea]|est[ea]|ness[ea]|ess[ea]) (?:semana|mês|ano"
    rf"|fim de semana|{DAY})|n[oa] (?:{DAY}|fim de semana)\b)"
)
PAST = (
    rf"(?:ontem|anteontem|hoje|(?:na |no )?(?:semana|mês|ano|verão|inverno|natal|fim de semana|{DAY})"
    rf" (?:passad|retrasad)[oa]|há (?:cerca de )?{COUNT} {UNIT}|(?:faz )?{COUNT} {UNIT} atrás"
    rf"|em (?:{MONTH}|19\d\d|20\d\d)|(?:no )?dia \d{{1,2}}|recentemente|outro dia|no"
    r" outro dia|(?:nest[ea]|est[ea]|ness[ea]|ess[ea]) (?:semana|mês|ano|fim de semana|manhã|tarde))"
)
SINCE = rf"desde (?:[oa] )?(?:{DAY}|{MONTH}|{PAST}|\d{{4}})"
REGULARLY = (
    r"(?:todo(?:s os)? (?:santo )?(?:dias?|mês|anos?|fim de semana|fins de semana|sábados?|domingos?)|toda(?:s as)?"
    rf" (?:manhãs?|noites?|semanas?|tardes?|{DAY}s?)|{COUNT} (?:vez|vezes) (?:por|na|no|ao|a cada) (?:semana|dia|mês"
    r"|ano)|aos (?:sábados|domingos|fins de semana"
    r"|finais de semana)|às (?:segundas|terças|quartas|quintas|sextas)\S*|nos (?:fins|finais) de semana|diariamente"
    r"|semanalmente|mensalmente|de manhã|à noite|antes de dormir)"
)

# Whom people leave as an employer only: nobody is a member there or studies there.
EMPLOYER = match_any(
    "padaria restaurante lanchonete loja livraria supermercado farmácia hospital clínica banco firma empresa"
    " agência startup fábrica armazém hotel escritório cervejaria consultoria salão"
)

RELATION = match_any(
    "mãe pai pais irmã irmão irmãos irmãs esposa marido mulher companheiro companheira parceiro parceira noivo noiva"
    " namorado namorada filho filha filhos filhas bebê avó avô avós vó vô tia tio prima primo sobrinha sobrinho"
    " sogra sogro cunhada cunhado madrasta padrasto enteado enteada melhor_amigo melhor_amiga amigo amiga colega"
    " chefe gerente vizinho vizinha professor professora terapeuta psicóloga psicólogo médico médica treinador"
    " treinadora ex-marido ex-mulher ex-esposa afilhado afilhada madrinha padrinho neto neta colega_de_quarto"
)
PET = match_any(
    "cachorro cachorra cachorros cachorrinho cachorrinha cão cães cadela gato gata gatos gatas gatinho gatinha"
    " coelho coelha hamster papagaio periquito calopsita passarinho pássaro peixe peixes tartaruga tartarugas cavalo"
    " égua porquinho-da-índia iguana cabra galinhas pets bichos_de_estimação vira-lata"
)
JOB = match_any(
    "engenheiro engenheira desenvolvedor desenvolvedora programador programadora professor professora enfermeiro"
    " enfermeira médico médica advogado advogada contador contadora designer escritor escritora jornalista editor"
    " editora artista músico música musicista cantor cantora ator atriz dançarino dançarina bailarina fotógrafo"
    " fotógrafa chef cozinheiro cozinheira padeiro confeiteira confeiteiro barista garçom garçonete gerente diretor"
    " diretora produtor produtora consultor consultora analista cientista pesquisador pesquisadora estudante"
    " arquiteto arquiteta farmacêutico farmacêutica dentista veterinário veterinária terapeuta psicólogo psicóloga"
    " psiquiatra assistente_social bombeiro policial soldado piloto comissária motorista mecânico mecânica"
    " eletricista encanador carpinteiro agricultor agricultora jardineiro bibliotecário bibliotecária tradutor"
    " tradutora intérprete treinador treinadora instrutor instrutora empreendedor empreendedora empresário"
    " empresária fundador fundadora vendedor vendedora corretor corretora bancário bancária economista estatístico"
    " biólogo bióloga químico química físico física matemático historiador geólogo publicitário publicitária redator"
    " redatora roteirista poeta recrutadora recrutador secretária recepcionista assistente caixa auxiliar babá"
    " cuidadora parteira fisioterapeuta nutricionista cabeleireira cabeleireiro costureira técnico técnica"
    " estagiário estagiária diarista dona_de_casa dono_de_casa atleta político pastor padre juiz juíza"
    " servidor_público servidora_pública funcionário_público funcionária_pública cineasta ilustrador ilustradora"
    " pintor pintora freelancer autônomo autônoma aposentado aposentada motoboy entregador zelador doutorando"
    " doutoranda mestrando mestranda"
)
CONDITION = match_any(
    "diabetes asma artrite tdah autismo epilepsia enxaqueca enxaquecas hipertensão pressão_alta pressão_baixa"
    " ansiedade depressão insônia anemia gastrite doença_celíaca eczema psoríase escoliose hipotireoidismo"
    " hipertireoidismo endometriose labirintite fibromialgia lúpus refluxo apneia_do_sono dislexia toc"
    " transtorno_bipolar dor_crônica dor_nas_costas rinite sinusite bronquite colesterol_alto glaucoma gota"
    " osteoporose câncer hérnia_de_disco intolerância_à_lactose intolerância_ao_glúten"
    " síndrome_do_ovário_policístico"
)
DIET = match_any(
    "vegetariano vegetariana vegano vegana pescetariano pescetariana flexitariano flexitariana intolerante_à_lactose"
    " intolerante_a_lactose intolerante_ao_glúten celíaco celíaca onívoro onívora"
)
PEOPLE = match_any(
    "brasileiro brasileira português portuguesa angolano angolana moçambicano moçambicana cabo-verdiano"
    " cabo-verdiana americano americana inglês inglesa britânico britânica escocês irlandês canadense canadiano"
    " australiano australiana espanhol espanhola francês francesa alemão alemã italiano italiana holandês holandesa"
    " belga suíço suíça austríaco sueco sueca norueguês norueguesa polonês polonesa russo russa ucraniano ucraniana"
    " grego grega turco turca mexicano mexicana argentino argentina chileno chilena colombiano colombiana peruano"
    " peruana uruguaio uruguaia venezuelano venezuelana cubano cubana chinês chinesa japonês japonesa coreano"
    " coreana indiano indiana israelense egípcio egípcia marroquino nigeriano mineiro mineira carioca paulista"
    " paulistano gaúcho gaúcha baiano baiana pernambucano pernambucana cearense paranaense catarinense goiano goiana"
    " capixaba lisboeta"
)
TONGUE = match_any(
    "inglês português espanhol francês alemão italiano holandês sueco russo mandarim chinês japonês coreano árabe"
    " hebraico grego turco polonês hindi libras latim catalão galego ucraniano"
)
OWNED = match_any(
    "carro moto motocicleta bicicleta bike barco casa apartamento sítio chácara fazenda horta jardim estúdio loja"
    " empresa restaurante padaria blog podcast site canal violão guitarra piano violino teclado bateria câmera"
    " telescópio notebook computador iphone tablet videogame playstation xbox drone coleção biblioteca piscina"
    " esteira tatuagem tatuagens"
)
OCCASION = match_any(
    "consulta reunião entrevista prova exame voo encontro prazo apresentação show recital jogo partida torneio"
    " competição corrida maratona casamento festa cirurgia sessão aula oficina conferência viagem férias reserva"
    " jantar almoço audição ensaio festival exposição formatura congresso vestibular concurso retorno compromisso"
)
# What is arranged on one day is mostly for another.
ARRANGED = match_any(
    "marquei agendei reservei inscrevi matriculei aceitei recusei contratei assinei decidi resolvi escolhi pedi"
)

_AR = (
    "morar trabalhar estudar comprar adotar viajar começar terminar mudar casar separar divorciar formar aposentar"
    " gostar adorar amar detestar evitar priorizar valorizar usar tocar jogar nadar pedalar caminhar treinar"
    " cozinhar pintar dançar cantar pescar acampar participar ganhar conquistar alcançar lançar publicar alugar"
    " reformar plantar criar montar fundar apresentar organizar comemorar marcar agendar reservar passar ficar"
    " chegar voltar entrar largar deixar parar visitar encontrar conversar falar ensinar pesar planejar sonhar"
    " costumar tomar fumar precisar esperar adicionar testar contratar aceitar recusar doar quebrar machucar cortar"
    " trocar levar assinar matricular acordar lutar cuidar voluntariar colecionar completar faturar gravar desenhar"
    " chamar juntar economizar tentar melhorar apreciar concordar praticar meditar engravidar noivar"
)
_ER = (
    "correr beber comer aprender vender escrever conhecer perder receber nascer crescer viver vencer resolver"
    " escolher entender sofrer torcer pretender emagrecer"
)
_IR = "partir abrir assistir dividir decidir desistir subir curtir discutir cumprir assumir demitir"
_IRREGULAR = {
    "rendo": "rende", "tendo": "tende",
    "sou": "é", "estou": "está", "tô": "está", "tou": "está", "tenho": "tem", "vou": "vai", "quero": "quer",
    "prefiro": "prefere",
    "faço": "faz", "posso": "pode", "venho": "vem", "leio": "lê", "vejo": "vê", "durmo": "dorme", "sigo": "segue",
    "odeio": "odeia",
    "invisto": "investe", "sirvo": "serve", "fui": "foi", "fiz": "fez", "tive": "teve", "estive": "esteve",
    "vim": "veio",
    "vi": "viu", "dei": "deu", "quis": "quis", "li": "leu", "construí": "construiu", "saí": "saiu", "caí": "caiu",
    "conheço": "conhece",
    "nasci": "nasceu", "arrumei": "arrumou", "arranjei": "arranjou", "dirijo": "dirige", "suporto": "suporta",
    "aguento": "aguenta", "resido": "reside", "atingi": "atingiu", "bati": "bateu", "concluí": "concluiu",
    "fraturei": "fraturou", "pretendo": "pretende", "gostaria": "gostaria", "queria": "queria",
    "consegui": "conseguiu",
    "inscrevi": "inscreveu", "demiti": "demitiu", "recebo": "recebe", "curso": "cursa", "torço": "torce",
    "venci": "venceu",
    "pedi": "pediu", "descobri": "descobriu", "meço": "mede", "sinto": "sente", "cresci": "cresceu",
    "preferia": "preferia",
    "moramos": "mora", "mudamos": "mudou", "casamos": "casou", "temos": "tem", "somos": "é", "estamos": "está",
    "adotamos": "adotou",
    "compramos": "comprou", "fomos": "foi", "viajamos": "viajou", "noivamos": "noivou", "vamos": "vai",
    "tivemos": "teve",
    "separamos": "separou", "divorciamos": "divorciou",
}  # fmt: skip
# Said of "a gente", which takes the third person and means us.
WE_FORMS = frozenset(
    "mora se mudou mudou casou tem é está adotou comprou foi viajou noivou vai teve separou divorciou".split()
)
WE_PLURAL = frozenset(form for form in _IRREGULAR if form.endswith("mos"))


def _regular_verb_forms() -> dict[str, str]:
    forms: dict[str, str] = {}
    for verb in _AR.split():
        stem = verb[:-2]
        soft = {"c": stem[:-1] + "qu", "g": stem[:-1] + "gu", "ç": stem[:-1] + "c"}.get(stem[-1], stem)
        forms[stem + "o"] = stem + "a"
        forms[soft + "ei"] = stem + "ou"
    for verb in _ER.split():
        stem = verb[:-2]
        forms[(stem[:-1] + "ç" if stem.endswith("c") else stem) + "o"] = stem + "e"
        forms[stem + "i"] = stem + "eu"
    for verb in _IR.split():
        stem = verb[:-2]
        forms[stem + "o"] = stem + "e"
        forms[stem + "i"] = stem + "iu"
    return forms


# What the speaker says of themselves, and the same said of somebody else.
FIRST_TO_THIRD = _regular_verb_forms() | _IRREGULAR
# The imperfect, for past states; first and third person look the same.
ONCE = {
    "morava": "moro", "vivia": "vivo", "trabalhava": "trabalho", "estudava": "estudo", "fumava": "fumo",
    "gostava": "gosto",
    "tocava": "toco", "jogava": "jogo", "treinava": "treino", "colecionava": "coleciono",
}  # fmt: skip

# Verbs whose progressive form with a day means the future.
SETTING_OUT = "mudando|indo|viajando|voltando|partindo|de mudan[cç]a|a mudar|a viajar"
# Occasions that do not repeat weekly, so that one on Monday means the coming Monday.
ONE_TIME = (
    "(?:consulta|entrevista|prova|exame|voo|casamento|cirurgia|confer[êe]ncia|viagem|audi[çc][ãa]o|exposi[çc][ãa]o"
    "|formatura|congresso|vestibular|concurso|maratona|torneio)"
)
