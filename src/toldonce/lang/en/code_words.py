"""What code calls the things that people complain about or ask for in English.

Each row: what people say / the words of paths and names in code. `_` joins a phrase, `*` stands for any ending.
"""

from __future__ import annotations

CODE_WORDS = (
    (
        "logged_out log_out logs_out logging_out logged_off kicked_out signed_out sign_out logout*"
        " / auth session token logout expire expiry ttl timeout refresh cookie"
    ),
    (
        "log_in logs_in logged_in logging_in login* sign_in signed_in signing_in signin* password* credential* 2fa sso"
        " / auth login session password credential account token"
    ),
    "sign_up signs_up signup* regist* new_account / auth register signup account user",
    (
        "permission* access_denied forbidden not_allowed unauthorized unauthorised admin_only may_see"
        " / auth permission role access policy guard acl authorize"
    ),
    (
        "pay pays paid paying payment* charged card_declined credit_card* refund*"
        " / payment billing charge checkout refund gateway"
    ),
    "invoice* billed bill bills subscription* renewal* / billing invoice subscription plan",
    "price* discount* coupon* voucher* vat total* / price pricing total tax discount cart currency",
    "basket* cart* shopping / cart basket order checkout item",
    "e-mail* email* mails newsletter* inbox / mail email mailer smtp notification",
    "notif* alert* push_message* reminder* / notification notify alert push reminder",
    "upload* attach* photo* picture* avatar* / upload file image attachment storage multipart",
    "download* export* spreadsheet* excel csv / export download csv report",
    "translat* wrong_language localis* localiz* / i18n locale translation lang",
    "time_zone* timezone* daylight wrong_day wrong_hour / timezone tz date time utc",
    "expir* too_early timed_out times_out time_out / expire expiry ttl timeout deadline",
    "twice duplicat* two_times sent_again / unique retry idempotent dedupe",
    "retr* try_again tries_again / retry backoff attempt",
    "slow slowly sluggish takes_forever takes_ages / cache batch pool query",
    "stale_data outdated old_value old_values still_shows / cache invalidate refresh",
    "too_many_requests rate_limit* throttl* / rate limit throttle quota",
    "background nightly scheduled every_night queue* / job queue worker task schedule cron",
    "not_saved lost_data data_loss saved_twice / store save repository transaction db database",
    "migration* schema_change* / migration schema db database",
    "setting* environment_variable* env_var* configur* / config settings env options",
    "dark_mode colour* color* theme* / theme style color css",
    "screen* button* form page_looks layout / component view template form style",
    "can't_find cannot_find search* no_results / search query index filter",
    "crash* panic* blows_up 500_error internal_server_error / error exception handler recover recovery panic",
    "redirect* / redirect location response",
    "ip_address* client_ip visitor's_ip real_ip behind_a_proxy / ip forwarded proxy trust remote address",
    "file_type* mime content_type* / mime content type",
    "url* link* route* endpoint* 404* not_found / route router routing path url",
    "header* / header",
    "template* html_page* rendered / template render view html",
    "command_line terminal flag flags / cli command",
    "static_file* assets stylesheet* / static file send asset",
    "json_body request_body post_body payload / json body request bind parse decode",
    "json / json encode decode serialize marshal",
    "validat* required_field* / validate validator binding schema",
    "log_line* log_file* logs logging / log logger logging",
    "web_socket* websocket* live_update* / websocket socket stream",
)
