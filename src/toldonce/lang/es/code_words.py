"""What code, which mostly has English names, calls the things that people complain about or ask for in Spanish."""

from __future__ import annotations

CODE_WORDS = (
    (
        "desloguea* se_cierra_la_sesion cierra_sesion cierra_la_sesion cerrar_sesion sesion_caduca sesion_expira*"
        " logout* pierde_la_sesion / auth session token logout expire expiry ttl timeout refresh cookie"
    ),
    (
        "login* loguea* iniciar_sesion inicia_sesion inicio_de_sesion contrasena* clave credencial* autentic*"
        " / auth login session password credential account token"
    ),
    "registr* crear_cuenta crear_una_cuenta / auth register signup account user",
    "permiso* acceso_denegado no_autorizad* prohibid* / auth permission role access policy guard acl authorize",
    "pagar paga pago pagos cobra* cobro* tarjeta* reembols* devoluc* / payment billing charge checkout refund gateway",
    "factura* suscripc* mensualidad* / billing invoice subscription plan",
    "precio* descuento* cupon cupones iva total* / price pricing total tax discount cart currency",
    "carrito* cesta* / cart basket order checkout item",
    "correo* e-mail* email* / mail email mailer smtp notification",
    "notific* aviso* alerta* recordatorio* / notification notify alert push reminder",
    "subir_archivo* sube_archivo* adjunt* foto* imagen imagenes / upload file image attachment storage multipart",
    "descarg* export* hoja_de_calculo csv / export download csv report",
    "traducc* idioma* / i18n locale translation lang",
    "zona_horaria fecha_equivocada hora_equivocada dia_equivocado / timezone tz date time utc",
    "expira* caduca* tiempo_agotado / expire expiry ttl timeout deadline",
    "dos_veces duplicad* repetid* / unique retry idempotent dedupe",
    "reintent* intentar_de_nuevo / retry backoff attempt",
    "lent* tarda* demora* / cache batch pool query",
    "desactualizad* valor_antiguo valor_viejo / cache invalidate refresh",
    "demasiadas_peticiones limite_de_peticiones / rate limit throttle quota",
    "segundo_plano programad* cola cada_noche / job queue worker task schedule cron",
    "no_guarda no_se_guarda datos_perdidos / store save repository transaction db database",
    "configurac* variable_de_entorno variables_de_entorno / config settings env options",
    "modo_oscuro colores tema* / theme style color css",
    "pantalla* boton botones formulario* / component view template form style",
    "busca* busqueda* sin_resultados / search query index filter",
    "error_interno se_cae se_rompe crash* / error exception handler recover recovery panic",
    "redirig* redirecc* / redirect location response",
    "ip_del_cliente direccion_ip detras_de_un_proxy / ip forwarded proxy trust remote address",
    "ruta* enlace* url* no_encontrad* / route router routing path url",
    "cabecera* encabezado* / header",
    "cuerpo_de_la_peticion / json body request bind parse decode",
    "validac* validar campo_obligatorio / validate validator binding schema",
    "linea_de_comandos terminal / cli command",
)
