"""Portuguese words that carry little content, each list for one use; lists, nothing else."""

from __future__ import annotations

from toldonce.lang.base import Vocabulary

_DULL = """
a abaixo acabei acha acho acima acontece acontecer agora ah ainda algo alguém algum alguma algumas alguns ali aliás
além amanhã amo ano anos ante antes ao aonde aos apenas aquela aquelas aquele aqueles aqui aquilo as assim até atrás
através bastante bem boa boas bom bons cada caso cerca certeza certo claro coisa coisas com combinado comigo como
consegue consegui conseguir conta contar contra contudo cuja cujo da dar das de dei deixa deixar dela delas dele deles
demais dentro depois desculpa desde dessa desse desta deste deu devagar deve devem dia dias disse disso disto diz
dizer do dois dos duas durante e eita ela elas ele eles em enfim enquanto entanto então entre era eram essa essas esse
esses esta estamos estar estas estava estavam este estes esteve estive estou está estão eu exatamente falar faz
fazendo fazer feito feliz fez ficar ficou fiz foi fomos for foram forma fosse fui gente gostaria gostei gosto grande
há haver hein hoje hora horas ia ideia igual incrível infelizmente isso isto já jeito kkk kkkk lá legal lhe lhes logo
lugar maior mais mal mas massa me melhor menos mesma mesmas mesmo mesmos meu meus mim minha minhas momento muita
muitas muito muitos na nada nas nem nenhum nenhuma ninguém no nos nossa nossas nosso nossos nova novas novo novos num
numa nunca não né nós obrigada obrigado oi olá onde ontem opa ou outra outras outro outros para parabéns parece parte
pela pelas pelo pelos pensar pensei perto pessoa pessoas pode podem poder poderia pois por porque porém possível posso
pouco pra praticamente precisa precisar preciso primeira primeiro pro problema próprio quais qual qualquer quando
quanta quanto quantos quase que quem quer querer quero queria quis realmente saber sabe sei seja sem sempre sendo ser
seria será seu seus si sido sim sob sobre sou sua suas são só tal talvez também tanto tanta te tem temos tempo tenha
tenho ter teria teu teve tinha tipo tirar tive tô tá tchau toda todas todo todos tua tudo tão um uma umas uns vai
valeu vamos vão ver vez vezes viu você vocês vou vê vc pq noite tarde manhã vem vir beleza favor ajuda ajudar
"""

VOCABULARY = Vocabulary(
    stop=frozenset(
        """
        a agora ao aos aquela aquele aquilo as atualmente com como da das de do dos e ela elas ele eles em
        entre era eram essa esse esta estao estar estava este está estão eu foi foram ha há isso isto ja já
        lhe mais mas me meu meus minha minhas muito na nao nas no nos não nós o onde os ou para pela pelas
        pelo pelos por porque quais qual quando quanta quantas quanto quantos que quem sao se sem ser seu seus
        sob sobre sua suas são tambem também te tem ter tinha tu têm um uma umas uns vos à às é
        """.split()
    ),
    frame=frozenset(
        """
        anterior anteriores antes conversa conversas deve diferentes disse explique falei falou lembra lembrar
        liste mencionei mencionou nome nomes numero pode podem principais principal quanto quantos resuma
        resumo segundo tipo tipos total varias varios
        """.split()
    ),
    dull=frozenset(_DULL.split()),
    acknowledgements=frozenset(
        """
        aham beleza blz boa bom brigada brigado certo claro combinado de entendi falou favor fechado fechou
        flw hue isso joia legal massa nada obg obrigada obrigado oi ola olá opa otimo perfeito pode pois por
        rs ser show ta tchau top tranquilo tá uhum valeu vlw é ótimo
        """.split()
    ),
    answers=frozenset("sim não nao s n".split()),
    abbreviations=frozenset("dr sr sra dra prof av".split()),
)
