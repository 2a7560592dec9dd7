"""Words that carry no content in a question, in English and Portuguese, and words that only frame one.

The former are left out of the search by words; the latter count for less.
"""

from __future__ import annotations

ENGLISH = frozenset(
    """a about after again all also am an and any are as at be because been before being both but by can could did do
    does doing done during each either else ever every for from further get gets getting give given go going gone got
    had has have having he her here hers herself him himself his how however i if in into is it its itself just let
    like many may me might mine more most much must my myself no nor not now of off on once one only or other others
    our ours ourselves out over own please rather same shall she should since so some still such tell than that the
    their theirs them themselves then there these they this those through to too under until up upon us very was we
    were what whatever when whenever where wherever whether which while who whom whose why will with within without
    would yes yet you your yours yourself yourselves anything something everything someone anyone thing things kind
    sort name names mention mentioned discuss discussed talk talked said say says ask asked know known remember
    recall s t re ve ll d m don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn ain""".split()
)

PORTUGUESE = frozenset(
    """a à às ao aos aquela aquelas aquele aqueles aquilo as até com como da das de dela delas dele deles depois do dos
    e é ela elas ele eles em entre era eram essa essas esse esses esta está estão estar estava estas este estes eu foi
    foram há isso isto já lhe lhes mais mas me mesmo meu meus minha minhas muito muita na nas não nem no nos nós nossa
    nossas nosso nossos num numa o os ou para pela pelas pelo pelos por porque porquê qual quais quando quanto quanta
    quantos quantas que quê quem se sem ser seu seus só sobre sou sua suas são também te tem têm tenho ter teu teus
    tinha tu tua tuas um uma umas uns você vocês vos onde cadê diga dizer disse falou fala pode podem poderia seria
    lembra sabe""".split()
)

STOP = ENGLISH | PORTUGUESE

FRAME = frozenset(
    """mention mentioned mentioning said say says tell told telling talk talked talking discuss discussed discussing ask
    asked asking remind reminded remember recall conversation conversations chat chats discussion discussions session
    sessions previous previously earlier throughout brought bring order list listed walk summarize summary summarise
    give explain describe provide show help know want wondering wonder looking back many much long often different
    various several kind kinds type types sort specific particular certain ever current currently recent recently total
    number overall only item items aspect aspects name names thing things one two three four five six seven eight nine
    ten first last across over also still other others more most make made get got go went going come came considering
    based regarding related relate relates according way ways mencionei mencionou disse falei falou lembra lembrar
    conversa conversas anterior anteriores antes liste resumo resuma explique diferentes varios varias tipo tipos
    segundo     principal principais quanto quantos total numero nome nomes pode podem deve""".split()
)
