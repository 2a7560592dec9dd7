"""Words that say nothing about what a conversation was about, in English and Portuguese; a list, nothing else."""

from __future__ import annotations

_ENGLISH = """
per remember remind anytime morning evening afternoon night hold heads guys reach advice recommend recommendations
a able about above absolutely across actually after again ago agree ah all almost alone along already alright also
although always am amazing an and another any anybody anymore anyone anything anyway appreciate are aren't around as
ask asked asking at away awesome aw back bad be became because become been before began being believe best bet better
between big bit both bring btw but by bye call called came can can't cannot care certainly change check cheers chance
chat come comes coming congrats congratulations consider considering cool could couldn't course crazy create curious
cute day days deal dear decided def definitely detailed did didn't different do does doesn't doing don't done down
during each either else end enjoy enjoyed enjoying enough especially etc even ever every everybody everyone everything
everywhere exactly excited exciting experience fact fair fantastic far feel feeling feels felt few figure finally find
fine first follow for found from full fun funny further gave get gets getting give given giving glad go goes going
gone gonna good got gotta great guess guy guys had hadn't haha half happen happened happening happy hard has hasn't
have haven't having he he'd he'll he's hear heard hello help helped helpful helping her here here's hers hey hi him
himself his hmm hope hoping how how's however huge i'd i'll i'm i've idea if imagine important impressive in
incredible indeed inspiring instead interested interesting into is isn't it it'd it'll it's its itself just keep
keeping kept kind kinda knew know knowing known last lately later least less let let's like liked likely likes line
literally little lol long look looked looking looks lot lots love loved lovely loves luck made main mainly make makes
making man many matter may maybe me mean means meant meanwhile might mind mine minute moment moments more most mostly
move much must my myself need needed needs neither never new next nice no nobody none nope nor not nothing now of off
often oh ok okay old on once one ones only onto open or other others otherwise our ours out over own part past people
perfect perhaps person pic pick pics pieces place plan planning please plus point possible pretty probably problem
provide proud put question quick quite rather read real realize realized really recently right said same saw say
saying says second see seeing seem seems seen set several shall share she she'd she's should shouldn't show similar
simple since so some somebody someone something sometimes somewhere soon sorry sort sound sounds special specific
start started starting stay step steps still stop stuff such suggest suggestions super support sure sweet take taken
takes taking talk talked talking tell than thank thanks that that's the their them themselves then there there's these
they they'd they'll they're they've thing things think thinking third this those though thought thoughts through time
times tip tips to today together told tomorrow tonight too took top total totally touch tough toward towards tried
true truly try trying turn turned two under understand unfortunately until up upon us use used useful using usual
usually very via wait walk wanna want wanted wanting wants was wasn't watch way ways we we'd we'll we're we've week
weeks well went were weren't what what's whatever when whenever where whether which while who who's whole whose why
will wish with within without won't wonder wonderful wondering work worked working works worry worth would wouldn't
wow wrong yay yeah year years yep yes yesterday yet you you'd you'll you're you've your yours yourself yup ensure
including include includes based process following example effectively specifically ability overall
"""
_PORTUGUESE = """
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
DULL = frozenset((_ENGLISH + _PORTUGUESE).split())
