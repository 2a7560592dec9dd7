"""What tells names from other capitalised words in Portuguese; lists, all lower case."""

from __future__ import annotations

from toldonce.lang.base import Names

NAMES = Names(
    common=frozenset(
        """
        abaixo acho acima acredito afinal agora ainda além algo alguém algum alguma algumas alguns ali aliás amanhã
        amigo amigos ano anos antes ao aonde aos apenas apesar após aquela aquelas aquele aqueles aqui aquilo assim
        até através atrás atualmente bem boa boas bom bons cada caro casa caso cerca certamente certo claro coisa
        coisas com como conforme conhece contra contudo cuidado da dado daí dali daqui das de deixa dela dele deles
        depois desde dessa desse desta deste deve devem dia dias disse dito diz dizem dois dos durante e eis ela elas
        ele eles em embora enfim enquanto entanto então entre era eram essa essas esse esses esta estamos estas estava
        estavam está estávamos estão este estes estou eu exato existe existem é és fala faz fazer feito feliz fica
        ficou fim foi fomos fora foram fui gente geralmente gostaria gostei gosto graças grande há hoje homem ia
        importante infelizmente isso isto jamais já lá lembra lembre lhe lho logo longe maioria mais mal mas meio
        melhor menos mesmo meu meus minha minhas muita muitas muito muitos mulher mulheres na nada naquela naquele nas
        não nem nenhum nenhuma nessa nesse nesta neste ninguém nos nossa nossas nosso nossos nova novas novo novos nós
        num numa nunca o obrigada obrigado obviamente oi olá olha onde ontem ora os ou outra outras outro outros para
        parabéns parece parte pela pelas pelo pelos pena penso pequeno perto pessoa pessoas pode podem podemos pois
        por porém porquanto porque portanto possivelmente posso pouco poucos precisa precisamos preciso primeira
        primeiro principalmente provavelmente próximo quais qual qualquer quando quanto quantos quase que quem quer
        quero realmente recentemente saiba são se segunda segundo sei seja sem sempre sendo senhor senhora senhores
        será serão seria seu seus sim sobre sobretudo somente somos sou só sua suas tal talvez também tampouco tanto
        tão te tem temos tenha tenho ter terá teu teve têm tinha tive toda todas todavia todo todos trata três tu tua
        tudo um uma uns última último vai vamos vão veja vem ver verdade vez vezes vi você vocês vou
        """.split()
    ),
    may_lead=frozenset("são nova novo grande casa".split()),
    calendar=frozenset(
        """
        segundas terças quartas quintas sextas sábados domingos
        segunda terça quarta quinta sexta sábado domingo segunda-feira terça-feira quarta-feira quinta-feira
        sexta-feira janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro natal
        páscoa carnaval primavera verão outono inverno
        """.split()
    ),
    given=frozenset(
        """
        adriana adriano afonso alexandre aline ana andreia andré angélica antônia antônio antónia antónio beatriz
        bernardo bruna bruno camila carla carlos carolina catarina cláudia cláudio cristiane cristina daniela davi
        diego diogo duarte débora eduardo elisa fabiana felipe fernanda fernando filipa filipe flávio francisca
        francisco fábio gabriela geraldo gonçalo guilherme gustavo helena henrique hugo igor inês isabel isabela
        jaqueline joana joaquim jorge josefa josé joão juliana jéssica júlia júlio larissa leandro leonardo leonor
        letícia lucas luciana luciano luiz luzia luís lúcia manuel marcelo marcos margarida maria mariana marta mateus
        matilde miguel márcia márcio mário mônica mónica natália nuno patrícia paula paulo pedro rafael rafaela
        raimunda raquel renata renato ricardo rita roberto rodrigo rogério ronaldo rui sebastião sofia sónia sônia
        sérgio terezinha thiago tiago vanessa vinícius vítor
        """.split()
    ),
    places=frozenset(
        """
        alemanha américa aveiro bahia berlim braga brasília bruxelas canadá coimbra curitiba espanha europa faro
        florianópolis fortaleza frança grécia holanda índia inglaterra irlanda itália japão lisboa londres luanda
        macau maputo marrocos méxico moçambique polónia recife roma rússia suécia suíça ucrânia
        """.split()
    )
    | {"são paulo", "rio de janeiro", "belo horizonte", "porto alegre", "nova iorque", "nova york", "estados unidos"}
    | {"reino unido", "minas gerais"},
    organizations=frozenset(
        """
        universidade faculdade instituto escola colégio banco associação fundação ministério secretaria câmara
        tribunal prefeitura conselho comissão comité comitê partido sindicato companhia editora clube federação museu
        ltda grupo
        """.split()
    ),
    locations=frozenset(
        """
        rua avenida praça largo travessa estrada rodovia parque ponte rio lago serra monte ilha praia baía aeroporto
        """.split()
    ),
    joins=frozenset("da das de do dos".split()),
    join_pattern=r"d[aeo]s?",
    titles=frozenset("dr dra prof professor professora sr sra srta doutor doutora dona dom d eng".split()),
    title_pattern=r"Dra?|Sra?|Srta|Eng|Prof",
    follows=(r"\ (?:é|foi|era|tem|vai|está|disse|mora|trabalha|gosta|quer|e\ [A-ZÀ-Þ])\b"),
    endings=r"ndo|mente|ção|ções|dade|ram|mos|ou|ava|[aei]r",
    own=frozenset("meu minha seu sua nosso nossa".split()),
    kin=frozenset(
        """
        irmão irmã esposa esposo mulher marido filho filha mãe pai amigo amiga chefe colega vizinho vizinha namorado
        namorada primo prima sobrinho sobrinha tio tia avó avô
        """.split()
    ),
    towards=frozenset("em para no na".split()),
    dwelling=frozenset(
        """
        moro mora morei morava morando vivo vive vivi vivia vivendo mudei mudou mudei-me mudou-se nasci nasceu cheguei
        viajei viajou
        """.split()
    ),
    project=frozenset("projeto projecto repositório".split()),
    months=(
        r"jan(?:eiro)?|fev(?:ereiro)?|mar(?:ço)?|abr(?:il)?|maio|junh?o?|julh?o?|ago(?:sto)?|set(?:embro)?"
        r"|out(?:ubro)?|nov(?:embro)?|dez(?:embro)?"
    ),
    ordinal_marks=r"º",
    of=r"de\ ",
    before_year=r"em|desde",
    articles=r"os?|as|uma?|un?s",
    small=frozenset("de da do das dos e a o para em".split()),
)
