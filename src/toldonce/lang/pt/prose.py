"""Portuguese small words, and how people show that words are not their own."""

from __future__ import annotations

from toldonce.lang.base import Detection, Prose
from toldonce.lang.pt.words import FIRST_TO_THIRD

DETECTION = Detection(
    words=frozenset(
        "o os as um uma eu meu minha meus minhas você seu sua é são era foi e mas ou de do da dos das em no na"
        " nos nas com para pra por que não isso isto este esta tenho tem estou está sou gosto quero muito mais"
        " já também ao à se lhe nós quando onde como porque sempre nunca responda mora a gente se seja"
        " agora outra novamente podes precisas me te bom boa dia tudo bem oi olá obrigado obrigada hoje"
        " ontem amanhã tô tá vc né".split()
    )
    | (FIRST_TO_THIRD.keys() - {"use", "vim"}),
    letters="[ãõçáéíóúâêôÃÕÇÁÉÍÓÚÂÊÔ]",
)
PROSE = Prose(
    speech=r"eu|você|meu|minha|sou|estou|tenho|moro",
    handed_over=r"traduz\w+|reescrev\w+|parafrase\w*|corrij\w+|corrig\w+|resum[ai]\w*|disse|escreveu",
    introduced=(r"rascunho|redação|carta|texto|parágrafo|artigo|trecho|frases?|poema|aqui está|segue|abaixo|seguinte"),
    letter=r"Prezad[oa]s?|Car[oa]s?|Querid[oa]s?",
)
