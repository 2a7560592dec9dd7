-- The current shape of a memory in PostgreSQL, made in the schema `toldonce`. Moments are whole microseconds since 1970
-- (UTC); lists and tables are JSON text. Every key begins with the tenant. The tables that grow with what is said are
-- partitioned by it. No foreign keys: whoever deletes a record deletes what hangs on it in the same statement, and a
-- key that looks past row-level security cannot tell of another tenant.

CREATE TABLE spaces (
    tenant       text COLLATE "C" NOT NULL CHECK (tenant <> ''),
    name         text COLLATE "C" NOT NULL,
    preset       text NOT NULL,
    preset_text  text,
    zone         text NOT NULL,
    enabled      integer NOT NULL DEFAULT 1,
    created_at   bigint NOT NULL,
    deleted_at   bigint,
    purges       bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, name)
);

CREATE TABLE people (
    tenant        text COLLATE "C" NOT NULL,
    space         text COLLATE "C" NOT NULL,
    id            text COLLATE "C" NOT NULL,
    username      text NOT NULL DEFAULT '',
    display_name  text NOT NULL DEFAULT '',
    zone          text NOT NULL DEFAULT '',
    language      text NOT NULL DEFAULT '',
    blocked       integer NOT NULL DEFAULT 0,
    seen_at       bigint NOT NULL,
    PRIMARY KEY (tenant, space, id)
);
CREATE INDEX people_blocked ON people (tenant, space) WHERE blocked = 1;

CREATE TABLE memberships (
    tenant  text COLLATE "C" NOT NULL,
    space   text COLLATE "C" NOT NULL,
    person  text COLLATE "C" NOT NULL,
    role    text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    PRIMARY KEY (tenant, space, person)
);

-- Places in the store. One sequence for all partitions: a place names one record of the whole database.
CREATE SEQUENCE places;

CREATE TABLE records (
    tenant         text COLLATE "C" NOT NULL,
    seq            bigint NOT NULL DEFAULT nextval('places'),
    id             text COLLATE "C" NOT NULL,
    space          text COLLATE "C" NOT NULL,
    kind           text COLLATE "C" NOT NULL,
    text           text COLLATE "C" NOT NULL,
    title          text COLLATE "C" NOT NULL DEFAULT '',
    summary        text COLLATE "C" NOT NULL DEFAULT '',
    author         text COLLATE "C" NOT NULL DEFAULT '',
    role           text COLLATE "C" NOT NULL,
    person         text COLLATE "C",
    session        text COLLATE "C",
    channel        text COLLATE "C",
    branch         text COLLATE "C",
    visibility     text COLLATE "C" NOT NULL,
    audience       text COLLATE "C" NOT NULL,
    subject        text COLLATE "C",
    state          text COLLATE "C" NOT NULL,
    state_reason   text COLLATE "C" NOT NULL DEFAULT '',
    state_at       bigint,
    superseded_by  text COLLATE "C",
    confidence     double precision NOT NULL,
    validated      integer NOT NULL DEFAULT 0,
    pinned         integer NOT NULL DEFAULT 0,
    origin         text COLLATE "C" NOT NULL,
    made_by        text COLLATE "C" NOT NULL,
    trust          integer NOT NULL,
    conversation   text COLLATE "C",
    fingerprint    text COLLATE "C",
    at             bigint NOT NULL,
    created_at     bigint NOT NULL,
    expires_at     bigint,
    accessed_at    bigint,
    access_count   bigint NOT NULL DEFAULT 0,
    faded_at       bigint,
    embedding      text COLLATE "C" NOT NULL DEFAULT 'none' CHECK (embedding IN ('none', 'wanted', 'done')),
    tags           text COLLATE "C" NOT NULL DEFAULT '[]',
    metadata       text COLLATE "C" NOT NULL DEFAULT '{}',
    -- What of somebody or something the record is about. A column, since row-level security lets no function use an index.
    attribute      text COLLATE "C" GENERATED ALWAYS AS (substr(subject, strpos(subject, '/') + 1)) STORED,
    PRIMARY KEY (tenant, seq),
    UNIQUE (tenant, id, space)
) PARTITION BY HASH (tenant);
CREATE INDEX records_by_time ON records (tenant, space, at);
CREATE INDEX records_by_conversation ON records (tenant, conversation, seq) WHERE conversation IS NOT NULL;
CREATE INDEX derived_by_kind ON records (tenant, space, kind, state, at) WHERE conversation IS NULL;
CREATE INDEX derived_by_reader ON records (
    tenant, space, kind, (CASE WHEN visibility = 'private' AND person IS NOT NULL THEN person ELSE '' END), at)
    WHERE conversation IS NULL;
CREATE INDEX derived_by_text ON records (tenant, fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX records_by_subject ON records (tenant, space, subject) WHERE subject IS NOT NULL;
CREATE INDEX records_by_attribute ON records (tenant, space, attribute, at) WHERE subject IS NOT NULL;
CREATE INDEX records_by_expiry ON records (tenant, expires_at) WHERE expires_at IS NOT NULL AND state = 'active';
CREATE INDEX records_pinned ON records (tenant, space) WHERE pinned = 1;
CREATE INDEX records_to_embed ON records (tenant, seq) WHERE embedding = 'wanted';
CREATE INDEX records_not_active ON records (tenant, state, state_at) WHERE state <> 'active';

-- The words of a record as the full-text index of SQLite would have them: text without a weight, the title with A, the
-- author with B. '=' and the tenant is one of them, so that the index finds the words of one tenant; '@' and a word of
-- the audience is another. `length` counts the words as BM25 does.
CREATE TABLE record_words (
    tenant  text COLLATE "C" NOT NULL,
    seq     bigint NOT NULL,
    words   tsvector NOT NULL,
    length  integer NOT NULL,
    PRIMARY KEY (tenant, seq)
) PARTITION BY HASH (tenant);
-- New words wait in a list that every search reads to its end, so it is short: by itself it would grow to 4 MB.
CREATE INDEX record_words_found ON record_words USING gin (words) WITH (gin_pending_list_limit = 64);

-- Pairs of neighbouring characters, for scripts that write no spaces between words.
CREATE TABLE record_grams (
    tenant  text COLLATE "C" NOT NULL,
    seq     bigint NOT NULL,
    grams   tsvector NOT NULL,
    length  integer NOT NULL,
    PRIMARY KEY (tenant, seq)
) PARTITION BY HASH (tenant);
CREATE INDEX record_grams_found ON record_grams USING gin (grams) WITH (gin_pending_list_limit = 64);

-- In how many records a word is. Every write appends what it adds, and a job sums it up: a counter that all writers
-- update would make them wait for each other. The word '' counts all records, and the length of all of them together.
CREATE TABLE word_counts (
    tenant   text COLLATE "C" NOT NULL,
    word     text COLLATE "C" NOT NULL,
    records  bigint NOT NULL,
    length   bigint NOT NULL DEFAULT 0
) PARTITION BY HASH (tenant);
CREATE INDEX word_counts_by_word ON word_counts (tenant, word) INCLUDE (records, length);

-- How much each person has stored in each space ('' is nobody's own), and how many writes they made in one minute.
CREATE TABLE stored_amounts (
    tenant   text COLLATE "C" NOT NULL,
    space    text COLLATE "C" NOT NULL,
    person   text COLLATE "C" NOT NULL,
    records  bigint NOT NULL,
    bytes    bigint NOT NULL,
    minute   bigint NOT NULL DEFAULT 0,
    writes   bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, space, person)
);

CREATE TABLE changes (
    tenant  text COLLATE "C" NOT NULL,
    seq     bigint NOT NULL DEFAULT nextval('places'),
    space   text COLLATE "C" NOT NULL,
    record  text COLLATE "C" NOT NULL,
    at      bigint NOT NULL,
    action  text COLLATE "C" NOT NULL,
    state   text COLLATE "C" NOT NULL,
    reason  text COLLATE "C" NOT NULL DEFAULT '',
    by      text COLLATE "C" NOT NULL DEFAULT '',
    other   text COLLATE "C",
    PRIMARY KEY (tenant, seq)
) PARTITION BY HASH (tenant);
CREATE INDEX changes_by_record ON changes (tenant, record, at, seq);
CREATE INDEX changes_by_time ON changes (tenant, at);

CREATE TABLE links (
    tenant  text COLLATE "C" NOT NULL,
    space   text COLLATE "C" NOT NULL,
    source  text COLLATE "C" NOT NULL,
    type    text COLLATE "C" NOT NULL,
    target  text COLLATE "C" NOT NULL,
    at      bigint NOT NULL,
    PRIMARY KEY (tenant, source, type, target, space)
) PARTITION BY HASH (tenant);
CREATE INDEX links_by_target ON links (tenant, target, type);

CREATE TABLE entities (
    tenant  text COLLATE "C" NOT NULL,
    seq     bigint NOT NULL DEFAULT nextval('places'),
    id      text COLLATE "C" NOT NULL,
    space   text COLLATE "C" NOT NULL,
    name    text COLLATE "C" NOT NULL,
    type    text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, seq),
    UNIQUE (tenant, id, space)
);

CREATE TABLE aliases (
    tenant  text COLLATE "C" NOT NULL,
    space   text COLLATE "C" NOT NULL,
    alias   text COLLATE "C" NOT NULL,
    type    text COLLATE "C" NOT NULL,
    entity  bigint NOT NULL,
    shown   text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, space, alias, type)
);
CREATE INDEX aliases_by_entity ON aliases (tenant, entity);

CREATE TABLE mentions (
    tenant  text COLLATE "C" NOT NULL,
    entity  bigint NOT NULL,
    record  bigint NOT NULL,
    PRIMARY KEY (tenant, entity, record)
) PARTITION BY HASH (tenant);
CREATE INDEX mentions_by_record ON mentions (tenant, record);

CREATE TABLE models (
    tenant      text COLLATE "C" NOT NULL,
    id          bigint NOT NULL DEFAULT nextval('places'),
    name        text COLLATE "C" NOT NULL,
    dimensions  integer NOT NULL,
    shape       bytea,
    shaped_at   bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, name)
);

-- What a filter and row-level security ask of the record stands beside the vector, so that a search reads one table.
CREATE TABLE vectors (
    tenant      text COLLATE "C" NOT NULL,
    seq         bigint NOT NULL DEFAULT nextval('places'),
    record      bigint NOT NULL,
    part        integer NOT NULL,
    model       bigint NOT NULL,
    dimensions  integer NOT NULL,
    space       text COLLATE "C" NOT NULL,
    person      text COLLATE "C",
    kind        text COLLATE "C" NOT NULL,
    visibility  text COLLATE "C" NOT NULL,
    vector      halfvec NOT NULL,
    PRIMARY KEY (tenant, record, model, part)
) PARTITION BY HASH (tenant);
-- No more columns: equal entries are in the order of the table, so that a scope is read page by page.
CREATE INDEX vectors_by_scope ON vectors (tenant, model, space);
ALTER TABLE vectors ALTER COLUMN vector SET STORAGE EXTERNAL;

CREATE TABLE vector_packs (
    tenant  text COLLATE "C" NOT NULL,
    model   bigint NOT NULL,
    last    bigint NOT NULL,
    pack    bytea NOT NULL,
    PRIMARY KEY (tenant, model, last)
);

-- Stretches of time that records tell of; "yesterday" is the day before the record.
CREATE TABLE times (
    tenant     text COLLATE "C" NOT NULL,
    space      text COLLATE "C" NOT NULL,
    starts_at  bigint NOT NULL,
    ends_at    bigint NOT NULL,
    record     bigint NOT NULL,
    PRIMARY KEY (tenant, space, starts_at, ends_at, record)
) PARTITION BY HASH (tenant);
CREATE INDEX times_by_record ON times (tenant, record);

-- What the confidence of a record fades from: the one it had when it was last used or set, and when that was.
CREATE TABLE standings (
    tenant      text COLLATE "C" NOT NULL,
    record      bigint NOT NULL,
    confidence  double precision NOT NULL,
    since       bigint NOT NULL,
    PRIMARY KEY (tenant, record)
);

CREATE TABLE documents (
    tenant   text COLLATE "C" NOT NULL,
    space    text COLLATE "C" NOT NULL,
    owner    text COLLATE "C" NOT NULL,
    name     text COLLATE "C" NOT NULL,
    version  bigint NOT NULL,
    entries  text NOT NULL,
    data     text NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (tenant, space, owner, name, version)
);

CREATE TABLE conversations (
    tenant      text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    space       text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    person      text COLLATE "C",
    session     text COLLATE "C",
    channel     text COLLATE "C",
    started_at  bigint NOT NULL,
    updated_at  bigint NOT NULL,
    messages    bigint NOT NULL,
    state       text NOT NULL CHECK (state IN ('open', 'ended', 'settled')),
    ended_by    text NOT NULL DEFAULT '',
    settled_at  bigint,
    PRIMARY KEY (tenant, id, space)
);
CREATE UNIQUE INDEX conversations_open ON conversations (tenant, space, key) WHERE state = 'open';
CREATE INDEX conversations_unsettled ON conversations (tenant, space, person) WHERE state <> 'settled';
CREATE INDEX conversations_by_session ON conversations (tenant, space, session);

CREATE TABLE jobs (
    tenant        text COLLATE "C" NOT NULL,
    space         text COLLATE "C" NOT NULL,
    key           text COLLATE "C" NOT NULL,
    name          text COLLATE "C" NOT NULL,
    args          text NOT NULL DEFAULT '{}',
    state         text COLLATE "C" NOT NULL CHECK (state IN ('ready', 'running', 'failed')),
    due_at        bigint NOT NULL,
    again_at      bigint,
    cron          text NOT NULL DEFAULT '',
    zone          text NOT NULL DEFAULT 'UTC',
    attempts      bigint NOT NULL DEFAULT 0,
    max_attempts  bigint NOT NULL,
    timeout_ms    bigint NOT NULL,
    lease         text,
    lease_until   bigint,
    last_run_at   bigint,
    last_error    text NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, space, key)
);
CREATE INDEX jobs_by_due ON jobs (tenant, state, due_at);

CREATE TABLE runs (
    tenant      text COLLATE "C" NOT NULL,
    seq         bigint NOT NULL DEFAULT nextval('places'),
    space       text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    name        text COLLATE "C" NOT NULL,
    started_at  bigint NOT NULL,
    ended_at    bigint NOT NULL,
    status      text NOT NULL CHECK (status IN ('completed', 'partial', 'skipped', 'failed')),
    counts      text NOT NULL,
    error       text NOT NULL DEFAULT '',
    detail      text NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant, seq)
);

-- Answers that a model was paid for and whose result is not in the store yet, by what was asked.
CREATE TABLE drafts (
    tenant  text COLLATE "C" NOT NULL,
    space   text COLLATE "C" NOT NULL,
    key     text COLLATE "C" NOT NULL,
    answer  text NOT NULL,
    at      bigint NOT NULL,
    PRIMARY KEY (tenant, space, key)
);

-- What was asked of models, per day (whole days since 1970, UTC). Costs are in millionths.
CREATE TABLE usage (
    tenant         text COLLATE "C" NOT NULL,
    space          text COLLATE "C" NOT NULL,
    task           text COLLATE "C" NOT NULL,
    model          text COLLATE "C" NOT NULL,
    day            bigint NOT NULL,
    calls          bigint NOT NULL,
    refused        bigint NOT NULL,
    input_tokens   bigint NOT NULL,
    output_tokens  bigint NOT NULL,
    cost           bigint NOT NULL,
    unpriced       bigint NOT NULL,
    PRIMARY KEY (tenant, space, task, model, day)
);

CREATE TABLE questions (
    tenant       text COLLATE "C" NOT NULL,
    id           text COLLATE "C" NOT NULL,
    space        text COLLATE "C" NOT NULL,
    person       text COLLATE "C",
    text         text NOT NULL,
    older        text COLLATE "C" NOT NULL,
    newer        text COLLATE "C" NOT NULL,
    created_at   bigint NOT NULL,
    answered_at  bigint,
    answer       text NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, id, space)
);

CREATE TABLE settings (
    tenant  text COLLATE "C" NOT NULL,
    space   text COLLATE "C" NOT NULL,
    key     text COLLATE "C" NOT NULL,
    value   text NOT NULL,
    PRIMARY KEY (tenant, space, key)
);

-- Who did what, when and through which interface. Each row commits to the row before it, as in SQLite's schema.
CREATE TABLE audit_log (
    tenant      text COLLATE "C" NOT NULL,
    seq         bigint NOT NULL DEFAULT nextval('places'),
    space       text COLLATE "C" NOT NULL,
    at          bigint NOT NULL,
    actor       text COLLATE "C" NOT NULL,
    interface   text COLLATE "C" NOT NULL DEFAULT '',
    action      text COLLATE "C" NOT NULL,
    detail      text NOT NULL DEFAULT '{}',
    salt        bytea,
    commitment  bytea NOT NULL,
    digest      bytea NOT NULL,
    PRIMARY KEY (tenant, seq)
);
CREATE INDEX audit_log_events ON audit_log (tenant, seq) WHERE action IN ('settle', 'ask question', 'answer question');

-- API keys of the server. Only a hash of a key is stored; after a rotation the previous one may hold for some time more.
CREATE TABLE access_keys (
    tenant           text COLLATE "C" NOT NULL,
    id               text COLLATE "C" NOT NULL,
    name             text COLLATE "C" NOT NULL,
    digest           bytea NOT NULL,
    previous_digest  bytea,
    previous_until   bigint,
    person           text COLLATE "C",
    spaces           text,
    rights           text NOT NULL,
    role             text NOT NULL,
    created_at       bigint NOT NULL,
    expires_at       bigint,
    revoked_at       bigint,
    last_used_at     bigint,
    PRIMARY KEY (tenant, id)
);
CREATE UNIQUE INDEX access_keys_by_digest ON access_keys (tenant, digest);
CREATE INDEX access_keys_by_previous ON access_keys (tenant, previous_digest) WHERE previous_digest IS NOT NULL;

-- What the processes of a server share until it expires: signed-in browsers, one-time links, answers to repeated requests.
CREATE TABLE held_values (
    tenant      text COLLATE "C" NOT NULL,
    purpose     text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    value       text NOT NULL,
    person      text COLLATE "C",
    expires_at  bigint NOT NULL,
    PRIMARY KEY (tenant, purpose, key)
);

-- What clients sealed before they sent it: vectors to search by, and boxes that only a client's key opens. `seal` tells
-- which key that is by a salt and a check value, not the key.
CREATE TABLE sealed_items (
    tenant      text COLLATE "C" NOT NULL,
    space       text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    person      text COLLATE "C",
    visibility  text COLLATE "C" NOT NULL CHECK (visibility IN ('private', 'team', 'project')),
    at          bigint NOT NULL,
    seal        text COLLATE "C" NOT NULL,
    model       text COLLATE "C" NOT NULL,
    vector      bytea NOT NULL,
    box         bytea NOT NULL,
    PRIMARY KEY (tenant, space, id)
);
CREATE INDEX sealed_items_by_time ON sealed_items (tenant, space, at);

-- Whom to tell by HTTP what happens: where, about which events, up to which place that is done, and how it went. The secret
-- signs what is sent. `private` allows addresses of this machine and its own network.
CREATE TABLE webhooks (
    tenant        text COLLATE "C" NOT NULL,
    id            text COLLATE "C" NOT NULL,
    url           text COLLATE "C" NOT NULL,
    secret        text COLLATE "C" NOT NULL,
    events        text COLLATE "C" NOT NULL,
    with_text     bigint NOT NULL,
    private       bigint NOT NULL,
    place         text COLLATE "C" NOT NULL,
    created_at    bigint NOT NULL,
    delivered     bigint NOT NULL DEFAULT 0,
    dropped       bigint NOT NULL DEFAULT 0,
    delivered_at  bigint,
    ended_at      bigint,
    last_error    text NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, id)
);

-- Persons who were erased, as salted hashes: an export made before the erasure must not bring them back.
CREATE TABLE tombstones (
    tenant  text COLLATE "C" NOT NULL,
    salt    bytea NOT NULL,
    digest  bytea NOT NULL,
    at      bigint NOT NULL,
    PRIMARY KEY (tenant, digest)
);

-- Messages with an idempotency key that were destroyed, by their ids, which tell nothing: a retry must not store them again.
CREATE TABLE destroyed_messages (
    tenant  text COLLATE "C" NOT NULL,
    id      text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, id)
);

-- Backups and exports that were written elsewhere: an erasure cannot reach them, so it lists them.
CREATE TABLE copies (
    tenant  text COLLATE "C" NOT NULL,
    path    text COLLATE "C" NOT NULL,
    what    text NOT NULL CHECK (what IN ('backup', 'export')),
    at      bigint NOT NULL,
    PRIMARY KEY (tenant, path)
);

-- Functions

CREATE FUNCTION text_list(list text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(SELECT json_array_elements_text(list::json));

CREATE FUNCTION bigint_list(list text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(SELECT json_array_elements_text(list::json)::bigint);

-- The JSON of a text, or NULL where it is none: other programs may have written there.
CREATE FUNCTION read_json(stored text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN stored::jsonb;
EXCEPTION WHEN data_exception THEN
    RETURN NULL;
END $$;

-- A JSON value as SQLite compares it: true is 1, false is 0, null is nothing.
CREATE FUNCTION plain_value(value jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(value)
    WHEN 'null' THEN NULL WHEN 'boolean' THEN to_jsonb(CASE WHEN value = 'true' THEN 1 ELSE 0 END) ELSE value END;

-- Whether metadata has all wanted values; a list asks for any of its values.
CREATE FUNCTION has_metadata(metadata text, wanted text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN NOT EXISTS (
    SELECT 1 FROM jsonb_each(wanted::jsonb) AS w
    WHERE CASE jsonb_typeof(w.value)
        WHEN 'array' THEN NOT EXISTS (
            SELECT 1 FROM jsonb_array_elements(w.value) AS one
            WHERE plain_value(one) IS NOT DISTINCT FROM plain_value(read_json(metadata) -> w.key))
        ELSE plain_value(read_json(metadata) -> w.key) IS DISTINCT FROM plain_value(w.value)
    END);

-- Whether a list in metadata names a person.
CREATE FUNCTION took_part(metadata text, who text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(read_json(metadata) -> 'participants' @> jsonb_build_array(who), false);

-- Every text in a JSON value: names and values, at any depth.
CREATE FUNCTION json_texts(stored text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH RECURSIVE parts (key, value) AS (
        SELECT NULL::text, read_json(stored)
        UNION ALL
        SELECT inner_part.key, inner_part.value FROM parts, LATERAL (
            SELECT e.key, e.value FROM jsonb_each(CASE jsonb_typeof(parts.value) WHEN 'object' THEN parts.value END) AS e
            UNION ALL
            SELECT NULL, a FROM jsonb_array_elements(CASE jsonb_typeof(parts.value) WHEN 'array' THEN parts.value END) AS a
        ) AS inner_part)
    SELECT key FROM parts WHERE key IS NOT NULL
    UNION ALL
    SELECT value #>> '{}' FROM parts WHERE jsonb_typeof(value) NOT IN ('object', 'array', 'null');
END;

CREATE FUNCTION current_tenant() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('toldonce.tenant', true), '');

-- Search by words. A match is a JSON table: `filter`, what every record must have, and `terms`, each with its query and
-- its rarest word. These functions run as their owner, since an index of words is not used behind row-level security;
-- the tenant is the transaction's and never an argument, and they tell places and scores only, no text. Whoever asks
-- reads the records themselves, which are guarded.

CREATE FUNCTION match_query(match jsonb) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ((match ->> 'filter') || coalesce(
    (SELECT ' & (' || string_agg(term ->> 'query', ' | ') || ')' FROM jsonb_array_elements(match -> 'terms') AS term),
    ''))::tsquery;

-- Places of records that match, newest first, no more than `most`; NULL asks for all. Many are wanted of a small memory
-- only, or else all: then the index of words finds them, by a plan that is made once. Where few are wanted, how common the
-- words are decides between that index and a look at the newest records, so that a plan is made each time.
CREATE FUNCTION matching_places(match text, most bigint) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE
    whose text := current_tenant();
    wanted tsquery := match_query(match::jsonb);
BEGIN
    IF most < 5000 THEN
        RETURN QUERY EXECUTE
            'SELECT w.seq FROM record_words AS w WHERE w.tenant = $1 AND w.words @@ $2 ORDER BY w.seq DESC LIMIT $3'
        USING whose, wanted, most;
    ELSE
        RETURN QUERY SELECT found.seq FROM (
            SELECT w.seq FROM record_words AS w WHERE w.tenant = whose AND w.words @@ wanted OFFSET 0) AS found
        ORDER BY found.seq DESC LIMIT most;
    END IF;
END $$;

CREATE FUNCTION count_matching(match text, most bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE
    found bigint;
BEGIN
    EXECUTE 'SELECT count(*) FROM (
        SELECT 1 FROM record_words AS w WHERE w.tenant = $1 AND w.words @@ $2 LIMIT $3) AS found'
    INTO found USING current_tenant(), match_query(match::jsonb), most;
    RETURN found;
END $$;

-- The terms of a match with how much each says among `total` records, as BM25 of SQLite has it (k1 1.2, b 0.75).
CREATE FUNCTION weigh_terms(match jsonb, total bigint)
RETURNS TABLE (query tsquery, word text, is_phrase boolean, idf double precision, held bigint)
LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT t.query, t.word, t.is_phrase,
        greatest(1e-6, ln((greatest(total - c.held, 0) + 0.5) / (c.held + 0.5))::double precision), c.held
    FROM (
        SELECT (term ->> 'query')::tsquery AS query, term ->> 'word' AS word, (term ->> 'phrase')::boolean AS is_phrase
        FROM jsonb_array_elements(match -> 'terms') AS term) AS t,
    LATERAL (
        SELECT coalesce(sum(n.records), 0)::bigint AS held FROM word_counts AS n
        WHERE n.tenant = current_tenant() AND n.word = t.word) AS c;
END;

-- The best `scan` matches (NULL asks for all) by BM25, the lowest score first; with `newest`, those among the newest
-- `scan` matches. Title words count 1.2 times, the author's name half. In a large store candidates come from the words that
-- are in less than one record of twenty, and the rarest; the best of them by a rough score get their exact one.
CREATE FUNCTION rank_words(match text, scan bigint, newest boolean)
RETURNS TABLE (seq bigint, score double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE
    whose text := current_tenant();
    asked jsonb := match::jsonb;
    total bigint;
    average double precision;
    words text[];
    phrases tsquery[];
    queries tsquery[];
    idfs double precision[];
    wanted tsquery;
    first_by text := 'w.seq DESC';
BEGIN
    SELECT coalesce(sum(c.records), 0), coalesce(sum(c.length)::double precision / nullif(sum(c.records), 0), 1)
    INTO total, average FROM word_counts AS c WHERE c.tenant = whose AND c.word = '';
    SELECT array_agg(t.word), array_agg(CASE WHEN t.is_phrase THEN t.query END), array_agg(t.query), array_agg(t.idf),
        ('(' || string_agg(t.query::text, ' | ') FILTER (
            WHERE newest OR scan IS NULL OR total < 5000 OR t.held < total / 20 OR t.held = t.least) || ')')::tsquery
    INTO words, phrases, queries, idfs, wanted
    FROM (SELECT q.*, min(q.held) OVER () AS least FROM weigh_terms(asked, total) AS q) AS t;
    IF words IS NULL THEN
        RETURN;
    END IF;
    IF NOT newest AND scan IS NOT NULL THEN
        -- As if every word were there once.
        SELECT '(' || string_agg(format('CASE WHEN w.words @@ $7[%1$s] THEN $6[%1$s] ELSE 0 END', n), ' + ')
            || ') / (1 + 1.2 * (0.25 + 0.75 * w.length / $3)) DESC, w.seq'
        INTO first_by FROM generate_subscripts(queries, 1) AS n;
    END IF;
    RETURN QUERY EXECUTE format('
        WITH best AS MATERIALIZED (
            SELECT w.seq, w.words, w.length FROM record_words AS w
            WHERE w.tenant = $1 AND w.words @@ $2 ORDER BY %s LIMIT $8)
        SELECT b.seq, -sum(t.idf * l.frequency * 2.2 / (l.frequency + 1.2 * (0.25 + 0.75 * b.length / $3)))
        FROM best AS b
        CROSS JOIN LATERAL (
            SELECT u.lexeme, (cardinality(u.weights) + 0.2 * cardinality(array_positions(u.weights, ''A''))
                - 0.5 * cardinality(array_positions(u.weights, ''B'')))::double precision AS frequency
            FROM unnest(b.words) AS u WHERE u.lexeme = ANY ($4) OFFSET 0) AS l
        JOIN unnest($4, $5, $6) AS t (word, phrase, idf) ON t.word = l.lexeme AND (t.phrase IS NULL OR b.words @@ t.phrase)
        GROUP BY b.seq ORDER BY 2, 1', first_by)
    USING whose, (asked ->> 'filter')::tsquery && wanted, average, words, phrases, idfs, queries, scan;
END $$;

-- The same over pairs of characters, whose counts are taken when they are asked for.
CREATE FUNCTION rank_grams(match text, scan bigint)
RETURNS TABLE (seq bigint, score double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE
    whose text := current_tenant();
    queries tsquery[];
    idfs double precision[];
    total double precision;
    average double precision;
BEGIN
    SELECT count(*), coalesce(avg(g.length), 1) INTO total, average FROM record_grams AS g WHERE g.tenant = whose;
    SELECT array_agg(t.query), array_agg(greatest(1e-6, ln((total - t.held + 0.5) / (t.held + 0.5)))) INTO queries, idfs
    FROM (
        SELECT (term ->> 'query')::tsquery AS query, (
            SELECT count(*) FROM record_grams AS g
            WHERE g.tenant = whose AND g.grams @@ (term ->> 'query')::tsquery) AS held
        FROM jsonb_array_elements(match::jsonb -> 'terms') AS term) AS t;
    RETURN QUERY
        SELECT g.seq, -(
            SELECT sum(t.idf * f.frequency * 2.2 / (f.frequency + 1.2 * (0.25 + 0.75 * g.length / average)))
            FROM unnest(queries, idfs) AS t (query, idf), LATERAL (
                SELECT sum(cardinality(l.positions))::double precision AS frequency FROM unnest(g.grams) AS l
                WHERE array_to_tsvector(ARRAY[l.lexeme]) @@ t.query) AS f
            WHERE f.frequency > 0)
        FROM record_grams AS g
        WHERE g.tenant = whose AND g.grams @@ match_query(match::jsonb)
        ORDER BY 2, 1 LIMIT scan;
END $$;

CREATE FUNCTION count_gram_matching(match text, most bigint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT count(*) FROM (
        SELECT 1 FROM record_grams AS g
        WHERE g.tenant = current_tenant() AND g.grams @@ match_query(match::jsonb) LIMIT most) AS found;
END;

-- The nearest vectors of a model by an index of vectors of that many dimensions. An index wants the number of dimensions
-- in the text of the query. The scan goes on until enough vectors pass the filter.
CREATE FUNCTION nearest_by_index(
    question halfvec, size integer, whose_model bigint, spaces text[], who text, kinds text[], most bigint)
RETURNS TABLE (record bigint, part integer, vector halfvec)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '100', true);
    RETURN QUERY EXECUTE format('
        SELECT v.record, v.part, v.vector FROM vectors AS v
        WHERE v.tenant = $2 AND v.dimensions = %1$s AND v.model = $3 AND v.space = ANY ($4)
            AND ($5::text IS NULL OR v.person IS NULL OR v.visibility <> ''private'' OR v.person = $5)
            AND ($6::text[] IS NULL OR v.kind = ANY ($6))
        ORDER BY v.vector::halfvec(%1$s) <#> $1::halfvec(%1$s) LIMIT $7', size)
    USING question, current_tenant(), whose_model, spaces, who, kinds, most;
END $$;

-- The name of that index in the partition of the tenant; NULL where the tenant has no vectors.
CREATE FUNCTION vector_index_name(size integer) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT c.relname || '_hnsw_' || size FROM pg_class AS c
    WHERE c.oid = (SELECT v.tableoid FROM vectors AS v WHERE v.tenant = current_tenant() LIMIT 1);
END;

CREATE FUNCTION has_vector_index(size integer) RETURNS boolean
LANGUAGE sql STABLE
RETURN coalesce(to_regclass('toldonce.' || vector_index_name(size)) IS NOT NULL, false);

-- Makes that index; returns whether it had to be made. Writers of the partition wait for it.
CREATE FUNCTION index_vectors(size integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    name text := vector_index_name(size);
BEGIN
    IF name IS NULL OR has_vector_index(size) THEN
        RETURN false;
    END IF;
    EXECUTE format(
        'CREATE INDEX %I ON %I USING hnsw ((vector::halfvec(%s)) halfvec_ip_ops) WHERE dimensions = %s',
        name, split_part(name, '_hnsw_', 1), size, size);
    RETURN true;
END $$;

-- Makes the statistics of the tenant's tables that have at least doubled since the last time. The server does so by itself,
-- but only once a minute; until then a plan takes a tenant for small, and reads all rows of one that was just loaded.
CREATE FUNCTION refresh_statistics() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    number integer := (
        SELECT n FROM generate_series(0, 15) AS n
        WHERE satisfies_hash_partition('changes'::regclass, 16, n, current_tenant()));
    part text;
BEGIN
    FOR part IN
        SELECT c.relname FROM pg_class AS c
        WHERE c.relispartition AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
            AND c.relname LIKE '%\_' || number
            AND pg_relation_size(c.oid) / current_setting('block_size')::bigint >= greatest(2 * c.relpages, 10)
    LOOP
        EXECUTE format('ANALYZE (SKIP_LOCKED) %I', part);
    END LOOP;
END $$;

-- Partitions, row-level security and the role of the application

DO $$
DECLARE
    part text;
    tab text;
BEGIN
    FOREACH tab IN ARRAY ARRAY[
        'records', 'record_words', 'record_grams', 'word_counts', 'changes', 'links', 'mentions', 'vectors', 'times']
    LOOP
        FOR n IN 0..15 LOOP
            part := tab || '_' || n;
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, tab, n);
            -- Nobody reads a partition itself: without a policy it shows nothing.
            EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', part);
            EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', part);
        END LOOP;
    END LOOP;
    FOR tab IN SELECT c.relname FROM pg_class AS c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tab);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tab);
        EXECUTE format(
            'CREATE POLICY of_tenant ON %I USING (tenant = (SELECT current_setting(''toldonce.tenant'', true)))', tab);
    END LOOP;
END $$;

-- The spaces that the person of the transaction is a member of; a function, so that policies are planned quickly.
CREATE FUNCTION joined_spaces() RETURNS text[]
LANGUAGE sql STABLE
RETURN ARRAY(
    SELECT m.space FROM memberships AS m
    WHERE m.tenant = current_tenant() AND m.person = current_setting('toldonce.person', true));

-- What is private to a person is there for that person, and for the engine's own transactions, which work for everybody.
CREATE POLICY of_person ON records AS RESTRICTIVE USING (
    (SELECT current_setting('toldonce.role', true)) = 'engine'
    OR person IS NULL OR person = (SELECT current_setting('toldonce.person', true)) OR visibility = 'project'
    OR (visibility = 'team' AND space = ANY ((SELECT joined_spaces())::text[])));
CREATE POLICY of_person ON vectors AS RESTRICTIVE USING (
    (SELECT current_setting('toldonce.role', true)) = 'engine'
    OR person IS NULL OR person = (SELECT current_setting('toldonce.person', true)) OR visibility = 'project'
    OR (visibility = 'team' AND space = ANY ((SELECT joined_spaces())::text[])));
CREATE POLICY of_person ON documents AS RESTRICTIVE USING (
    (SELECT current_setting('toldonce.role', true)) = 'engine'
    OR owner IN ('', (SELECT current_setting('toldonce.person', true))));
CREATE POLICY of_person ON questions AS RESTRICTIVE USING (
    (SELECT current_setting('toldonce.role', true)) = 'engine'
    OR person IS NULL OR person = (SELECT current_setting('toldonce.person', true)));
CREATE POLICY of_person ON sealed_items AS RESTRICTIVE USING (
    (SELECT current_setting('toldonce.role', true)) = 'engine'
    OR person IS NULL OR person = (SELECT current_setting('toldonce.person', true)) OR visibility = 'project'
    OR (visibility = 'team' AND space = ANY ((SELECT joined_spaces())::text[])));
CREATE POLICY of_engine ON drafts AS RESTRICTIVE USING ((SELECT current_setting('toldonce.role', true)) = 'engine');
CREATE POLICY of_engine ON runs AS RESTRICTIVE USING ((SELECT current_setting('toldonce.role', true)) = 'engine');
CREATE POLICY of_engine ON access_keys AS RESTRICTIVE USING (
    (SELECT current_setting('toldonce.role', true)) = 'engine');
CREATE POLICY of_engine ON held_values AS RESTRICTIVE USING (
    (SELECT current_setting('toldonce.role', true)) = 'engine');
CREATE POLICY of_engine ON webhooks AS RESTRICTIVE USING ((SELECT current_setting('toldonce.role', true)) = 'engine');
CREATE POLICY of_engine ON audit_log AS RESTRICTIVE USING ((SELECT current_setting('toldonce.role', true)) = 'engine');

CREATE TABLE schema_version (version integer NOT NULL);
INSERT INTO schema_version VALUES (5);
