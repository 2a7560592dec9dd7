"""Words that carry no content in a question, in English and Portuguese, and words that only frame one.

The former are left out of the search by words; the latter count for less.
"""

from __future__ import annotations

STOP = frozenset(
    """a about agora am an and any ao aos aquela aquele aquilo are aren as at atualmente be been being but by can
    com como could d da das de did didn do does doesn doing don done dos e ela elas ele eles em entre era eram
    essa esse esta estao estar estava este está estão eu foi for foram from ha had has have having he her hers
    him his how há i if in into is isn isso isto it its ja just já lhe ll m mais mas may me meu meus might mine
    minha minhas muito must my na nao nas no nos not now nowadays não nós o of on onde or os ou our ours para
    pela pelas pelo pelos por porque quais qual quando quanta quantas quanto quantos que quem re s sao se sem ser
    seu seus shall she should so sob sobre some sua suas são t tambem também te tem ter than that the their
    theirs them then there these they this those tinha to tu têm um uma umas uns up us ve vos was wasn we were
    what when where which who whom whose why will with would you your yours à às é""".split()
)

FRAME = frozenset(
    """according after also anterior anteriores antes ask asked asking back based before between came certain chat
    chats come conversa conversas conversation conversations current currently describe deve diferentes different
    discuss discussed discussing discussion discussions disse during earlier eight ever explain explique falei falou
    first five four get give go going got help kind kinds know last lembra lembrar liste long looking made make many
    mencionei mencionou mention mentioned mentioning more most much name names nine nome nomes number numero often
    one other others over particular please pode podem previous previously principais principal provide quanto
    quantos recall recent recently regarding relate related relates remember remind reminded resuma resumo said say
    says segundo session sessions seven several show since six sort specific still summarise summarize summary talk
    talked talking tell telling ten thing things three tipo tipos told total two type types varias varios various
    want way ways went while wonder wondering""".split()
)
