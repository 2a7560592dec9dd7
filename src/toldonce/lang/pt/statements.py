"""What Portuguese statements look like: spoken spelling, cues, and words by topic; tables, nothing else."""

from __future__ import annotations

from toldonce.lang.statements import StatementWords
from toldonce.text.patterns import match_any

_MALE = (
    "pai papai painho irmao filho marido esposo namorado tio avo vo vovo sobrinho primo neto genro sogro padrasto noivo"
)
_FEMALE = "mae mamae mainha irma filha esposa mulher namorada tia vo vovo sobrinha prima neta nora sogra madrasta noiva"

STATEMENTS = StatementWords(
    spelling={
        "to": "estou",
        "ta": "está",
        "tava": "estava",
        "tao": "estão",
        "tamo": "estamos",
        "tamos": "estamos",
        "pra": "para",
        "pro": "para o",
        "pras": "para as",
        "pros": "para os",
        "vc": "você",
        "vcs": "vocês",
        "ce": "você",
        "q": "que",
        "pq": "porque",
        "oq": "o que",
        "tb": "também",
        "tbm": "também",
        "n": "não",
        "hj": "hoje",
        "amn": "amanhã",
        "qdo": "quando",
        "qnd": "quando",
        "mto": "muito",
        "mt": "muito",
        "blz": "beleza",
        "vlw": "valeu",
        "obg": "obrigado",
        "brigada": "obrigada",
        "brigado": "obrigado",
        "cmg": "comigo",
        "ctg": "contigo",
        "agr": "agora",
        "dps": "depois",
        "msm": "mesmo",
        "nd": "nada",
        "seg": "segunda",
        "ter": "terça",
        "qua": "quarta",
        "qui": "quinta",
        "sex": "sexta",
        "sab": "sábado",
        "dom": "domingo",
        "facul": "faculdade",
        "niver": "aniversário",
        "ne": "não é",
        "cade": "onde está",
        "peraí": "espera",
        "bora": "vamos",
        "hrs": "horas",
        "eh": "é",
        "aki": "aqui",
        "gnt": "gente",
    },
    doubtful_spelling=frozenset("ter seg sex dom ce qua qui sab ne eh nd mt".split()),
    common=frozenset(
        """
        medico medica doutor doutora digo diz disse dizer falo fala falou falar sei sabe saber vou vai vamos ir indo
        fui foi fico fica ficar ficou passo passa passou passar chego chega chegou chegar saio sai saiu sair volto volta
        voltou voltar venho vem veio vir dou da deu dar faco faz fez fazer fazendo tenho tem teve ter
        pego pega pegou pegar ponho coloca botar bota botou deixo deixa deixou deixar levo leva levou
        levar vejo ve viu ver olho olha quero quer queria preciso precisa uso usa usar usando comeco
        comeca comecou comecei comecar acabo acaba acabou paro para parou parar mudo muda mudou mudei
        mudar troco trocou acho acha achei penso pensei gosto gosta falta faltou casa coisa coisas gente
        pessoa pessoas menino menina homem mulher cara dia dias semana mes ano anos hora horas vez vezes
        parte lado jeito tipo pouco muito mais menos bom boa melhor ruim novo nova velho grande pequeno
        certo errado cedo tarde todo toda tudo nada agora hoje ontem amanha kkk kkkk deus
        """.split()
    ),
    first_person=frozenset(
        "eu me mim meu minha meus minhas comigo nos nosso nossa gente sou estou tenho vou moro trabalho fui fiz quero"
        " gosto como tomo fico acho posso preciso comecei mudei larguei parei voltei comprei consegui peso uso"
        " faco".split()
    ),
    he=frozenset("ele dele nele".split()),
    she=frozenset("ela dela nela".split()),
    they=frozenset("eles elas deles delas".split()),
    kin=frozenset(
        f"{_MALE} {_FEMALE} filhos filhas criancas bebe gemeos pais avos amigo amiga chefe vizinho vizinha colega"
        f" cuidadora"
        " cuidador professora professor socio patrao patroa ex cunhado cunhada".split()
    ),
    male_kin=frozenset((_MALE + " amigo vizinho cunhado").split()),
    female_kin=frozenset((_FEMALE + " amiga vizinha cunhada cuidadora").split()),
    own=frozenset("meu minha meus minhas nosso nossa".split()),
    places=frozenset("em na no nas nos pela pelo desde".split()),
    joins=r"e|mas|ai|entao|so que",
    subjects=frozenset("eu ele ela eles elas meu minha seu sua nosso nossa sou tenho moro trabalho estou".split()),
    accepts=(
        r"(?:sim|isso|isso mesmo|ok|certo|correto|exato|exatamente|pode|pode ser|faz|faca|claro|perfeito|otimo|beleza"
        r"|fechado"
        r"|fechou|combinado|boa|esse|essa|o|a|primeiro|segunda opcao|vai|manda|ver|bora|vamos|e|assim|ai|por|favor)"
    ),
    answers=frozenset("sim nao isso certo exato claro nunca sempre continua ambos nenhum ainda".split()),
    small_talk=frozenset(
        "oi ola bom boa dia tarde noite obrigado obrigada valeu tchau kkk kkkk kkkkk kkkkkk haha rs rsrs nossa uau"
        " parabens"
        " desculpa ai ufa legal massa show otimo ok sim nao por favor bem ah hmm beleza caraca poxa eita que gente"
        " galera"
        " mano amigo e o a tudo voce como esta aff uhul aee boaaa".split()
    ),
    joking=(
        r"kk+\w*|rs(?:rs)*|haha\w*|hehe\w*|brincadeira|brincando|zoeira|zoando|to zoando|ironia|so que nao|nem morta?"
        r"|me interna"
    ),
    supposing=(
        r"se \w+(?:asse|esse|isse|assemos|essemos)"
        r"|se (?:eu|a gente|ele|ela|fosse|tivesse|dependesse|curasse|um dia|voce|desse|der|ficar|ganhar|casar)|imagina"
        r"|e se|quem dera"
        r"|queria (?:ser|ter|que)|seria|teria|gostaria|poderia|um dia|tomara|quando eu (?:crescer|me aposentar|ganhar"
        r"|ficar rico)"
    ),
    quoting=(
        r"(?:diz|disse|dizem|falou|fala|falam|acha|acham|achava|contou|jura|insiste|mandou|segundo|ouvi|li|parece que"
        r"|perguntou"
        r"|sugeriu|recomendou|escreveu)"
    ),
    hedging=(
        r"talvez|acho que|nao sei|sei la|quem sabe|pensando em|provavelmente|pode ser que|to pensando|estou pensando"
        r"|vamos ver"
        r"|depende|sera que|nao tenho certeza|ainda nao"
    ),
    asking=(
        r"(?:qual|quais|quando|onde|quem|quanto|quantos|quantas|como|por que|o que|que dia|que horas|sera|voce|pode"
        r"|tem|da pra)"
    ),
    ends=(
        r"ja nao|nao \w+ mais|nao mais|nunca mais|parei|parou|larguei|largou|larga|terminei|terminou|terminamos"
        r"|acabou|acabei|cancel\w+"
        r"|desisti|desistiu|desmarc\w+|deixei|deixou|sai (?:de|da|do)|saiu (?:de|da|do)|chega de|adeus|separ\w+"
        r"|divorc\w+"
        r"|demitid\w+|pedi demissao|aposent\w+|vendi|vendeu|perdi|fechou|sumiu|passou|sarei|sarou|melhor(?:ei|ou)"
        r"|curad\w+"
        r"|curei|desinch\w+|morreu|faleceu|esquece|sem mais|zerou|nada de|alta|tirou|tirei|suspendeu|suspenderam"
        r"|cortou|abandon\w+"
        r"|era so|nao era|livre|resolvid\w+|consertou|consertei"
    ),
    replaces=(
        r"em vez|ao inves|no lugar|troquei|trocou|troca|trocamos|mudei|mudou|muda|mudamos|mudanca|agora e"
        r"|passou (?:para|pra)"
        r"|passei (?:para|pra)|aument\w+|diminu\w+|baix(?:ou|ei|aram)|subiu|dobrou|reduziu|adi(?:ado|ada|ou|aram)"
        r"|remarc\w+"
        r"|na verdade|alias|minto|quer dizer|fui pr\w+|fui para|migr\w+|atualiz\w+|virou|antecip\w+|transferi\w*"
        r"|promovid\w+"
        r"|vem no lugar|nao \d"
    ),
    begins=(
        r"nov[oa]s?|comec\w+|entrei|entrou|consegui|conseguiu|passei em|contratad\w+|comprei|adotei|ganhou|ganhei"
        r"|nasceu|chegou"
        r"|arranjei|arrumei|virei|estreia|inici\w+"
    ),
    now=(
        r"agora|hoje|atualmente|ultimamente|a partir de|desde|por enquanto|daqui (?:pra|para) frente|ja|no momento"
        r"|essa semana"
    ),
    again=r"de novo|novamente|volt(?:ei|ou|a|amos)|outra vez",
    allows=r"pode|podem|liberad\w+|liberou|permitid\w+|sem problema|tudo bem|funciona",
    past=(
        r"era|eram|foi|tinha|estava|antes|antigamente|quando eu era|anos atras|ex|antig[oa]|costumava|morava"
        r"|trabalhava|fui"
    ),
    ahead=(
        r"vou|vai|vamos|vao|amanha|proxim[oa]|semana que vem|mes que vem|plano|marcad\w+|prazo|vence|reserv\w+"
        r"|chega dia"
    ),
    negation=r"nao|nunca|nem|sem|nada|nenhum\w*|odeio|odeia|evit\w+|proibid\w+|para de|jamais",
    instructing=(
        r"(?:nao|nunca|sempre|me chama|me chame|me lembra|lembra|lembre|usa|use|escreve|responde|fala|fale|so"
        r"|por favor|anota"
        r"|cuidado|nada de|evita|coloca|bota|deixa|pode|precisa|tem que|roda|mascara|toca|avisa|para de|consulta"
        r"|lembrem)"
    ),
    adds=r"tambem|alem d\w+|nao so|nao apenas",
    keeps=r"ainda|continua\w*|igual|mesm[oa]s?|segue|como antes|mant\w+",
    corrects=r"minto|quer dizer|na verdade|digo|alias|errei|corrigindo|nao,? (?:e|era|foi)",
    numbers={
        "um": "1",
        "uma": "1",
        "dois": "2",
        "duas": "2",
        "tres": "3",
        "quatro": "4",
        "cinco": "5",
        "seis": "6",
        "sete": "7",
        "oito": "8",
        "nove": "9",
        "dez": "10",
        "onze": "11",
        "doze": "12",
        "treze": "13",
        "catorze": "14",
        "quatorze": "14",
        "quinze": "15",
        "vinte": "20",
        "trinta": "30",
        "cinquenta": "50",
        "meia": "30",
    },
    units=(
        r"mg|mcg|ml|g|kg|kilos?|quilos?|unidades?|comprimidos?|gotas?|km|cm|m|metros?|minutos?|min|horas?|h|dias?"
        r"|semanas?|mes|meses"
        r"|anos?|%|por cento|graus?|reais|real|mil|vezes|vez|litros?|capsulas?|jatos?|pessoas?|centavos|tentativas?"
        r"|conto"
    ),
    days=(
        r"segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?|fim de semana|fds|manha|tarde|noite"
        r"|meio[ -]dia|madrugada"
        r"|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|natal|pascoa"
        r"|carnaval|feriado"
        r"|amanha|hoje|ontem|dia \d+"
    ),
    often=(
        r"todo|toda|todos|todas|cada|por dia|por semana|ao dia|diari\w+|sempre|dia sim dia nao|vezes por|semanal\w*"
        r"|mensal\w*"
    ),
    topics={
        "allergy": match_any(
            r"alerg\w* intoleran\w* celiac\w* gluten lactose amendoim anafila\w* nao_pode_com passa_mal"
            r" caneta_de_adrenalina"
        ),
        "medication": match_any(
            r"mg mcg remedios? comprimidos? dose doses medicacao receit\w* insulina bombinha antibiotico pomada gotas"
            r" injecao vacina"
            r" tomo toma tomar tomei capsulas? unidades anticoncepcional"
            r" \w{3,}(?:formina|profeno|prazol|statina|cilina|sartana|olol|oxetina|zepam|pril|pino|tiroxina|zol"
            r"|cortisona)"
        ),
        "symptom": match_any(
            r"dor dores doi doendo doia latej\w* inch\w* febre tosse tontura enjoo enxaqueca insonia durmo dormi"
            r" cansad\w* coceira"
            r" sangr\w* fobia medo ansios\w* ansiedade deprim\w* depress\w* panico mal estresse passar_mal"
        ),
        "body": match_any(
            r"pesa pesei pesando pesava joelho quadril costas coluna pe pes tornozelo ombro cotovelo pulso dedo perna"
            r" braco olho olhos ouvido dente dentes pele"
            r" coracao pulmao figado rim rins estomago tireoide sangue pressao glicose acucar colesterol peso balanca"
            r" vista garganta hemoglobina ferritina colesterol quilos kg glicemia"
        ),
        "condition": match_any(
            r"diagnostic\w* diabet\w* asma\w* cancer epilep\w* artrite artrose gota eczema hipertens\w* gravid\w*"
            r" marca-?passo cirurgia"
            r" operou operei operar quebrei quebrou torceu torci rompeu fratur\w* tdah autis\w* sindrome doenca"
            r" infeccao virus covid"
            r" gripe surd\w* ceg\w* rinite sinusite catarata gastrite hernia ansiedade circulacao"
        ),
        "care": match_any(
            r"medic\w* doutora? dra? enfermeir\w* hospital clinica fisio\w* dentista dermat\w* cardiologista terapia"
            r" terapeuta psicolog\w*"
            r" psiquiatra consulta exames? ortoped\w* ginecolog\w* oftalmo\w* nutri\w* posto ubs convenio plantao upa"
        ),
        "diet": match_any(
            r"vegan\w* vegetarian\w* carne peixe porco leite cafe alcool cerveja como come comer comendo dieta acucar"
            r" sal bebo bebe"
            r" beber jejum lanche almoco janta jantar comida low_carb fritura refri"
        ),
        "family": match_any(
            rf"{_MALE} {_FEMALE} filhos filhas criancas bebe gemeos pais avos casad\w* casei casar casamento noiv\w*"
            rf" divorc\w* separ\w*"
            r" viuv\w* solteir\w* morreu faleceu nasceu gravida namoro namorando terminei familia ex cunhad\w*"
        ),
        "people": match_any(r"amig\w* chefe vizinh\w* colega professor\w* cuidadora? socio chama chamad\w* nome"),
        "pet": match_any(
            r"cachorr\w* gat[oa]s? cadela filhote papagaio coelho hamster calopsita porquinho pet veterinari\w*"
            r" adotei adotamos vira-?lata"
        ),
        "work": match_any(
            r"trabalh\w* emprego chefe escritorio plantao turno contrat\w* demit\w* demissao empresa equipe cliente"
            r" salario promo\w*"
            r" aposentad\w* desempreg\w* freela\w* remoto home_office enfermeir\w* professor\w* engenheir\w*"
            r" desenvolvedor\w* designer"
            r" contador\w* advogad\w* cozinheir\w* motorista eletricista estudante analista consultor\w* entrevista"
            r" vaga redator\w* firma"
            r" estagi\w* gerente agencia loja negocio coordenador\w* arquitet\w* carpinteir\w* pedreir\w* garco\w*"
            r" cabeleireir\w* secretari\w* recepcionista jornalista fotograf\w* pesquisador\w* vendedor\w* tecnic\w*"
            r" auxiliar assistente cargo funcao profissao padeir\w* costureir\w* faxineir\w*"
            r" veterinari\w* programador\w*"
        ),
        "study": match_any(
            r"escola faculdade universidade curso prova provas aula aulas tese mestrado doutorado estud\w*"
            r" matricul\w* vestibular enem"
            r" creche professor\w* nota semestre turma concurso tcc"
        ),
        "home": match_any(
            r"moro mora morar morando mudei mudar mudanca casa apartamento ape aluguel aluga predio bairro rua cidade"
            r" quarto endereco"
            r" condominio financiamento reforma kitnet vizinh\w* interior cep republica sitio morada freguesia"
        ),
        "plan": match_any(
            r"viagem viajar voo ferias visitar reserv\w* casamento aniversario festa congresso prazo entrega"
            r" lancamento corrida maratona"
            r" show ingresso plano planos meta metas objetivo quero sonho vence vencimento marcad\w* agenda"
        ),
        "money": match_any(
            r"aluguel salario divida emprestimo financiamento poupanca orcamento pago paguei pagar devo deve custa"
            r" reais mil conto preco parcela"
        ),
        "taste": match_any(
            r"gosto gosta adoro adora amo ama odeio odeia prefiro prefere favorit\w* detesto nao_suporto fa_de"
            r" viciad\w* nao_gosto medo"
            r" fobia curto curte"
        ),
        "hobby": match_any(
            r"corr\w* correr nadar natacao academia yoga ioga pilates bike pedal\w* violao piano coral banda futebol"
            r" tenis xadrez pint\w*"
            r" tric\w* croche horta dan[cs]\w* trilha surf\w* jogo jogar treino treinar ensaio novela caminh\w* terco"
            r" igreja missa"
        ),
        "tech": match_any(
            r"teste testes build deploy\w* branch commit\w* merge repo ci api banco migra\w* servidor config script"
            r" cache fila timeout retry"
            r" versao bug erro log logs logar docker token endpoint schema tabela coluna indice biblioteca pacote"
            r" lint formata\w* porta driver"
            r" producao homologacao modulo funcao classe adapter certificado vault stub xml json"
        ),
        "cause": match_any(
            r"porque senao cuidado quebra falha morre de_proposito nao_funciona precisa so_funciona duplic\w*"
            r" gambiarra mesmo_dizendo"
        ),
        "decision": match_any(
            r"decid\w* decisao vamos_de fechado combinado escolh\w* opcao usar usa proibid\w* nunca sempre padrao"
            r" convencao"
        ),
        "name": match_any(r"chama chamo chamad\w* nome apelido me_chama se_chama"),
        "event": match_any(
            r"comprei ganhei ganhou passei terminei corri fiz conheci adotei nasceu formei consegui bati perdi achei"
            r" quebrei assinei chegou"
            r" comecei comecou entrou"
        ),
        "residence": (
            r"mor(?:o|a|amos|ando|ar) (?:em|no|na|com|aqui|perto|sozinh\w)|mudei|mudamos|me mudar|nos mudar|me mudo"
            r"|mudanca|a gente (?:se )?mudou|nos mudamos|casa nova|ape novo|apartamento novo|alug(?:uei|amos|uel)"
            r"|comprei (?:a|uma|um) (?:casa|ape|apartamento)|peguei as chaves|saiu de casa|vai morar|to morando"
            r"|estou morando"
        ),
        "job": (
            r"trabalh(?:o|a|ando|ar|ei) (?:na|no|em|de|com|num|numa|como)|emprego|contratad\w+|demitid\w+|demissao"
            r"|pedi as contas|larguei|promovid\w+|vaga|plantao|turno|estagi\w+|sou [\w ]{4,20} (?:na|no|em|da|do)"
            r"|primeiro dia|posse|aposentad\w+|freela\w*|meu chefe|come(?:cei|co|cando) (?:na|no|em|dia|segunda)"
            r"|fui pr\w+|fui para"
        ),
        "couple": (
            r"namorad[oa]|marido|esposa|mulher|noiv[oa]|casad[oa]|casei|casar|namorando|termin(?:ei|ou) com"
            r"|terminamos|separ\w+"
            r"|divorc\w+|solteir[oa]|ficando|juntos|ex"
        ),
        "schedule": (
            r"\d{1,2} ?h(?:\d{2})?|\d{1,2}(?:[:h]\d{2})? ?(?:as|a|ate|-) ?(?:as )?\d{1,2}(?:[:h]\d{2})?(?: ?h)?"
            r"|as \d{1,2}|todo dia|toda \w+|todos os dias|todas as \w+|horario|rotina|turno|agenda|expediente|que horas"
            r"|de manha|a tarde|a noite|diari\w+|semana(?:l|lmente)"
        ),
        "recovery": (
            r"tir(?:ou|ei) o gesso|volt(?:ou|ei) (?:a|ao|pra|para)|melhor\w*|sarei|sarou|passou|passaram|alta"
            r"|curad\w+|desinch\w+|ja nao doi|nao doi mais|zerad\w+|controlad\w+|liberad\w+|operou|recuper\w+"
            r"|estabiliz\w+"
        ),
    },
)
