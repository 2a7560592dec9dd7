"""English words that carry little content, each list for one use; lists, nothing else."""

from __future__ import annotations

from toldonce.lang.base import Vocabulary

_DULL = """
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

VOCABULARY = Vocabulary(
    stop=frozenset(
        """
        a about am an and any are aren as at be been being but by can could d did didn do does doesn doing don
        done for from had has have having he her hers him his how i if in into is isn it its just ll m may me
        might mine must my no not now nowadays of on or our ours re s shall she should so some t than that the
        their theirs them then there these they this those to up us ve was wasn we were what when where which
        who whom whose why will with would you your yours
        """.split()
    ),
    frame=frozenset(
        """
        according after also ask asked asking back based before between came certain chat chats come
        conversation conversations current currently describe different discuss discussed discussing
        discussion discussions during earlier eight ever explain first five four get give go going got help
        kind kinds know last long looking made make many mention mentioned mentioning more most much name
        names nine number often one other others over particular please previous previously principal provide
        recall recent recently regarding relate related relates remember remind reminded said say says session
        sessions seven several show since six sort specific still summarise summarize summary talk talked
        talking tell telling ten thing things three told total two type types various want way ways went while
        wonder wondering
        """.split()
    ),
    dull=frozenset(_DULL.split()),
    acknowledgements=frozenset(
        """
        agreed ah alright awesome brb bye cool done fine gg good got great haha hehe hello hey hi hm hmm idk
        indeed it k kk lmao lol nice np oh ok okay oki omg perfect please right rofl roger same sup sure thank
        thanks thx tks ty uh um wow yay you
        """.split()
    ),
    answers=frozenset("yes yep yeah yup no nope".split()),
    abbreviations=frozenset("dr mr mrs ms st jr vs e.g i.e a.m p.m u.s u.k no prof approx inc ltd ph.d".split()),
)
