"""What code, which mostly has English names, calls the things that people complain about or ask for in Portuguese."""

from __future__ import annotations

CODE_WORDS = (
    (
        "deslogad* deslogar desloga logout* sai_da_conta saindo_da_conta terminar_sessao sessao_cai sessao_expira*"
        " perde_a_sessao / auth session token logout expire expiry ttl timeout refresh cookie"
    ),
    (
        "login* logar loga entrar_na_conta entra_na_conta senha* palavra-passe credenciai* autentic*"
        " / auth login session password credential account token"
    ),
    "cadastr* registar registo criar_conta / auth register signup account user",
    "permissao permissoes acesso_negado nao_autorizado / auth permission role access policy guard acl authorize",
    (
        "pagar paga pago pagamento* cobrad* cobranca* cartao reembols* estorn*"
        " / payment billing charge checkout refund gateway"
    ),
    "fatura* nota_fiscal assinatura* mensalidade* / billing invoice subscription plan",
    "preco* desconto* cupom cupons cupao iva total* / price pricing total tax discount cart currency",
    "carrinho* cesta* / cart basket order checkout item",
    "e-mail* email* correio / mail email mailer smtp notification",
    "notific* aviso* alerta* lembrete* / notification notify alert push reminder",
    "upload* anexo* anexar foto* imagem imagens / upload file image attachment storage multipart",
    "download* baixar descarregar export* planilha* csv / export download csv report",
    "traduc* idioma* / i18n locale translation lang",
    "fuso* data_errada hora_errada dia_errado horario_de_verao / timezone tz date time utc",
    "expir* tempo_esgotado / expire expiry ttl timeout deadline",
    "duas_vezes duplicad* repetid* / unique retry idempotent dedupe",
    "tentar_de_novo tenta_de_novo nova_tentativa novas_tentativas / retry backoff attempt",
    "lent* devagar demora* / cache batch pool query",
    "desatualizad* valor_antigo / cache invalidate refresh",
    "pedidos_demais muitas_requisicoes limite_de_pedidos / rate limit throttle quota",
    "segundo_plano agendad* fila* toda_noite / job queue worker task schedule cron",
    "nao_salva nao_grava dados_perdidos / store save repository transaction db database",
    "configurac* variavel_de_ambiente variaveis_de_ambiente / config settings env options",
    "modo_escuro cores tema* / theme style color css",
    "tela* ecra botao botoes formulario* / component view template form style",
    "busca* pesquis* sem_resultados / search query index filter",
    "erro_interno quebra travou trava crash* / error exception handler recover recovery panic",
    "redirecion* / redirect location response",
    "ip_do_cliente endereco_ip atras_de_um_proxy / ip forwarded proxy trust remote address",
    "rota* link* url* nao_encontrad* / route router routing path url",
    "cabecalho* / header",
    "corpo_do_pedido corpo_da_requisicao / json body request bind parse decode",
    "validac* validar campo_obrigatorio / validate validator binding schema",
    "linha_de_comando terminal / cli command",
)
