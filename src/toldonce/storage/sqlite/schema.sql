-- The current shape of a memory file. Moments are whole microseconds since 1970 (UTC); lists and tables are JSON text.
-- Every table carries tenant and space, so that the same shape can be partitioned and guarded elsewhere.

CREATE TABLE spaces (
    tenant       TEXT NOT NULL,
    name         TEXT NOT NULL,
    preset       TEXT NOT NULL,
    preset_text  TEXT,
    zone         TEXT NOT NULL,
    enabled      INTEGER NOT NULL DEFAULT 1,
    created_at   INTEGER NOT NULL,
    deleted_at   INTEGER,
    purges       INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE people (
    tenant        TEXT NOT NULL,
    space         TEXT NOT NULL,
    id            TEXT NOT NULL,
    username      TEXT NOT NULL DEFAULT '',
    display_name  TEXT NOT NULL DEFAULT '',
    zone          TEXT NOT NULL DEFAULT '',
    language      TEXT NOT NULL DEFAULT '',
    blocked       INTEGER NOT NULL DEFAULT 0,
    seen_at       INTEGER NOT NULL,
    PRIMARY KEY (tenant, space, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX people_blocked ON people (tenant, space) WHERE blocked = 1;

CREATE TABLE memberships (
    tenant  TEXT NOT NULL,
    space   TEXT NOT NULL,
    person  TEXT NOT NULL,
    role    TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    PRIMARY KEY (tenant, space, person)
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT NOT NULL,
    tenant         TEXT NOT NULL,
    space          TEXT NOT NULL,
    kind           TEXT NOT NULL,
    text           TEXT NOT NULL,
    title          TEXT NOT NULL DEFAULT '',
    summary        TEXT NOT NULL DEFAULT '',
    author         TEXT NOT NULL DEFAULT '',
    role           TEXT NOT NULL,
    user           TEXT,
    session        TEXT,
    channel        TEXT,
    branch         TEXT,
    visibility     TEXT NOT NULL,
    audience       TEXT NOT NULL,
    subject        TEXT,
    state          TEXT NOT NULL,
    state_reason   TEXT NOT NULL DEFAULT '',
    state_at       INTEGER,
    superseded_by  TEXT,
    confidence     REAL NOT NULL,
    validated      INTEGER NOT NULL DEFAULT 0,
    pinned         INTEGER NOT NULL DEFAULT 0,
    origin         TEXT NOT NULL,
    made_by        TEXT NOT NULL,
    trust          INTEGER NOT NULL,
    conversation   TEXT,
    fingerprint    TEXT,
    at             INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    expires_at     INTEGER,
    accessed_at    INTEGER,
    access_count   INTEGER NOT NULL DEFAULT 0,
    faded_at       INTEGER,
    embedding      TEXT NOT NULL DEFAULT 'none' CHECK (embedding IN ('none', 'wanted', 'done')),
    tags           TEXT NOT NULL DEFAULT '[]',
    metadata       TEXT NOT NULL DEFAULT '{}',
    UNIQUE (id, tenant, space)
) STRICT;

CREATE INDEX records_by_time ON records (tenant, space, at);
CREATE INDEX records_by_conversation ON records (conversation, seq) WHERE conversation IS NOT NULL;
CREATE INDEX derived_by_kind ON records (tenant, space, kind, state, at) WHERE conversation IS NULL;
CREATE INDEX derived_by_reader ON records (
    tenant, space, kind, iif(visibility = 'private' AND user IS NOT NULL, user, ''), at)
    WHERE conversation IS NULL;
CREATE INDEX derived_by_text ON records (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX records_by_subject ON records (tenant, space, subject) WHERE subject IS NOT NULL;
-- What is known of an attribute, whoever it is about.
CREATE INDEX records_by_attribute ON records (tenant, space, substr(subject, instr(subject, '/') + 1), at)
    WHERE subject IS NOT NULL;
CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL AND state = 'active';
CREATE INDEX records_pinned ON records (tenant, space) WHERE pinned = 1;
CREATE INDEX records_to_embed ON records (seq) WHERE embedding = 'wanted';
CREATE INDEX records_not_active ON records (state, state_at) WHERE state <> 'active';

CREATE VIRTUAL TABLE record_text USING fts5 (
    text, title, author, audience,
    content = 'records', content_rowid = 'seq',
    tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO record_text (record_text, rank) VALUES ('secure-delete', 1);

-- Pairs of neighbouring characters, for scripts that write no spaces between words.
-- Vowel signs and tone marks are part of a pair, so they count as letters here.
CREATE VIRTUAL TABLE record_grams USING fts5 (
    grams, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N*'"
);
INSERT INTO record_grams (record_grams, rank) VALUES ('secure-delete', 1);

-- How much each person has stored in each space ('' is nobody's own), and how many writes they made in one minute.
CREATE TABLE stored_amounts (
    tenant   TEXT NOT NULL,
    space    TEXT NOT NULL,
    user     TEXT NOT NULL,
    records  INTEGER NOT NULL,
    bytes    INTEGER NOT NULL,
    minute   INTEGER NOT NULL DEFAULT 0,
    writes   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, space, user)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER records_added AFTER INSERT ON records BEGIN
    INSERT INTO record_text (rowid, text, title, author, audience)
    VALUES (new.seq, new.text, new.title, new.author, new.audience);
    INSERT INTO stored_amounts (tenant, space, user, records, bytes)
    VALUES (new.tenant, new.space, coalesce(new.user, ''), 1, octet_length(new.text))
    ON CONFLICT DO UPDATE SET records = records + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER records_gone AFTER DELETE ON records BEGIN
    INSERT INTO record_text (record_text, rowid, text, title, author, audience)
    VALUES ('delete', old.seq, old.text, old.title, old.author, old.audience);
    DELETE FROM record_grams WHERE rowid = old.seq;
    UPDATE stored_amounts SET records = records - 1, bytes = bytes - octet_length(old.text)
    WHERE tenant = old.tenant AND space = old.space AND user = coalesce(old.user, '');
    DELETE FROM stored_amounts
    WHERE tenant = old.tenant AND space = old.space AND user = coalesce(old.user, '') AND records = 0;
END;

CREATE TABLE changes (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant  TEXT NOT NULL,
    space   TEXT NOT NULL,
    record  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    action  TEXT NOT NULL,
    state   TEXT NOT NULL,
    reason  TEXT NOT NULL DEFAULT '',
    by      TEXT NOT NULL DEFAULT '',
    other   TEXT
) STRICT;
CREATE INDEX changes_by_record ON changes (record, at, seq);

CREATE TABLE links (
    tenant  TEXT NOT NULL,
    space   TEXT NOT NULL,
    source  TEXT NOT NULL,
    type    TEXT NOT NULL,
    target  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (source, type, target, tenant, space)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_target ON links (target, type);

CREATE TABLE entities (
    seq       INTEGER PRIMARY KEY,
    id        TEXT NOT NULL,
    tenant    TEXT NOT NULL,
    space     TEXT NOT NULL,
    name      TEXT NOT NULL,
    type      TEXT NOT NULL,
    UNIQUE (id, tenant, space)
) STRICT;

CREATE TABLE aliases (
    tenant  TEXT NOT NULL,
    space   TEXT NOT NULL,
    alias   TEXT NOT NULL,
    type    TEXT NOT NULL,
    entity  INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
    shown   TEXT NOT NULL,
    PRIMARY KEY (tenant, space, alias, type)
) STRICT, WITHOUT ROWID;
CREATE INDEX aliases_by_entity ON aliases (entity);

CREATE TABLE mentions (
    entity  INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
    record  INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    PRIMARY KEY (entity, record)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_record ON mentions (record);

CREATE TABLE models (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    dimensions  INTEGER NOT NULL,
    shape       BLOB,
    shaped_at   INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE vectors (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    record  INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    part    INTEGER NOT NULL,
    model   INTEGER NOT NULL REFERENCES models (id),
    vector  BLOB NOT NULL,
    UNIQUE (record, model, part)
) STRICT;

CREATE TABLE vector_packs (
    model  INTEGER NOT NULL REFERENCES models (id),
    last   INTEGER NOT NULL,
    pack   BLOB NOT NULL,
    PRIMARY KEY (model, last)
) STRICT;

-- Stretches of time that records tell of; "yesterday" is the day before the record.
CREATE TABLE times (
    tenant     TEXT NOT NULL,
    space      TEXT NOT NULL,
    starts_at  INTEGER NOT NULL,
    ends_at    INTEGER NOT NULL,
    record     INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    PRIMARY KEY (tenant, space, starts_at, ends_at, record)
) STRICT, WITHOUT ROWID;
CREATE INDEX times_by_record ON times (record);

-- What the confidence of a record fades from: the one it had when it was last used or set, and when that was.
CREATE TABLE standings (
    record      INTEGER PRIMARY KEY REFERENCES records (seq) ON DELETE CASCADE,
    confidence  REAL NOT NULL,
    since       INTEGER NOT NULL
) STRICT;

CREATE TABLE documents (
    tenant   TEXT NOT NULL,
    space    TEXT NOT NULL,
    owner    TEXT NOT NULL,
    name     TEXT NOT NULL,
    version  INTEGER NOT NULL,
    entries  TEXT NOT NULL,
    data     TEXT NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (tenant, space, owner, name, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
    id          TEXT NOT NULL,
    tenant      TEXT NOT NULL,
    space       TEXT NOT NULL,
    key         TEXT NOT NULL,
    user        TEXT,
    session     TEXT,
    channel     TEXT,
    started_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    messages    INTEGER NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('open', 'ended', 'settled')),
    ended_by    TEXT NOT NULL DEFAULT '',
    settled_at  INTEGER,
    PRIMARY KEY (id, tenant, space)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX conversations_open ON conversations (tenant, space, key) WHERE state = 'open';
CREATE INDEX conversations_open_by_user ON conversations (tenant, space, user) WHERE state = 'open';
CREATE INDEX conversations_unsettled ON conversations (tenant, space, user) WHERE state <> 'settled';
CREATE INDEX conversations_by_session ON conversations (tenant, space, session);

CREATE TABLE jobs (
    tenant        TEXT NOT NULL,
    space         TEXT NOT NULL,
    key           TEXT NOT NULL,
    name          TEXT NOT NULL,
    args          TEXT NOT NULL DEFAULT '{}',
    state         TEXT NOT NULL CHECK (state IN ('ready', 'running', 'failed')),
    due_at        INTEGER NOT NULL,
    again_at      INTEGER,
    cron          TEXT NOT NULL DEFAULT '',
    zone          TEXT NOT NULL DEFAULT 'UTC',
    attempts      INTEGER NOT NULL DEFAULT 0,
    max_attempts  INTEGER NOT NULL,
    timeout_ms    INTEGER NOT NULL,
    lease         TEXT,
    lease_until   INTEGER,
    last_run_at   INTEGER,
    last_error    TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, space, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_by_due ON jobs (tenant, state, due_at);

CREATE TABLE runs (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant      TEXT NOT NULL,
    space       TEXT NOT NULL,
    key         TEXT NOT NULL,
    name        TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('completed', 'partial', 'skipped', 'failed')),
    counts      TEXT NOT NULL,
    error       TEXT NOT NULL DEFAULT '',
    detail      TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX runs_by_name ON runs (tenant, space, name, started_at);

-- Answers that a model was paid for and whose result is not in the store yet, by what was asked.
CREATE TABLE drafts (
    tenant  TEXT NOT NULL,
    space   TEXT NOT NULL,
    key     TEXT NOT NULL,
    answer  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (tenant, space, key)
) STRICT, WITHOUT ROWID;

-- What was asked of models, per day (whole days since 1970, UTC). Costs are in millionths.
CREATE TABLE usage (
    tenant         TEXT NOT NULL,
    space          TEXT NOT NULL,
    task           TEXT NOT NULL,
    model          TEXT NOT NULL,
    day            INTEGER NOT NULL,
    calls          INTEGER NOT NULL,
    refused        INTEGER NOT NULL,
    input_tokens   INTEGER NOT NULL,
    output_tokens  INTEGER NOT NULL,
    cost           INTEGER NOT NULL,
    unpriced       INTEGER NOT NULL,
    PRIMARY KEY (tenant, space, task, model, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE questions (
    id           TEXT NOT NULL,
    tenant       TEXT NOT NULL,
    space        TEXT NOT NULL,
    user         TEXT,
    text         TEXT NOT NULL,
    older        TEXT NOT NULL,
    newer        TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    answered_at  INTEGER,
    answer       TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (id, tenant, space)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    tenant  TEXT NOT NULL,
    space   TEXT NOT NULL,
    key     TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (tenant, space, key)
) STRICT, WITHOUT ROWID;

-- Who did what, when and through which interface. Each row commits to the row before it: `digest` covers the previous
-- digest, the time, the action and `commitment`, a salted hash of the other columns. Erasing a person blanks those columns
-- and drops the salt, and the chain still verifies. Rows older than the chain have an empty digest.
CREATE TABLE audit_log (
    seq         INTEGER PRIMARY KEY,
    tenant      TEXT NOT NULL,
    space       TEXT NOT NULL,
    at          INTEGER NOT NULL,
    actor       TEXT NOT NULL,
    interface   TEXT NOT NULL DEFAULT '',
    action      TEXT NOT NULL,
    detail      TEXT NOT NULL DEFAULT '{}',
    salt        BLOB,
    commitment  BLOB NOT NULL,
    digest      BLOB NOT NULL
) STRICT;
CREATE INDEX audit_log_events ON audit_log (tenant, seq) WHERE action IN ('settle', 'ask question', 'answer question');

-- Persons who were erased, as salted hashes: an export made before the erasure must not bring them back.
CREATE TABLE tombstones (
    tenant  TEXT NOT NULL,
    salt    BLOB NOT NULL,
    digest  BLOB NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (tenant, digest)
) STRICT, WITHOUT ROWID;

-- Messages with an idempotency key that were destroyed, by their ids, which tell nothing: a retry must not store them again.
CREATE TABLE destroyed_messages (
    tenant  TEXT NOT NULL,
    id      TEXT NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- Backups and exports that were written elsewhere: an erasure cannot reach them, so it lists them.
CREATE TABLE copies (
    tenant  TEXT NOT NULL,
    path    TEXT NOT NULL,
    what    TEXT NOT NULL CHECK (what IN ('backup', 'export')),
    at      INTEGER NOT NULL,
    PRIMARY KEY (tenant, path)
) STRICT, WITHOUT ROWID;

-- API keys of the server. Only a hash of a key is stored; after a rotation the previous one may hold for some time more.
CREATE TABLE access_keys (
    tenant           TEXT NOT NULL,
    id               TEXT NOT NULL,
    name             TEXT NOT NULL,
    digest           BLOB NOT NULL,
    previous_digest  BLOB,
    previous_until   INTEGER,
    person           TEXT,
    spaces           TEXT,
    rights           TEXT NOT NULL,
    role             TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    expires_at       INTEGER,
    revoked_at       INTEGER,
    last_used_at     INTEGER,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX access_keys_by_digest ON access_keys (digest);
CREATE INDEX access_keys_by_previous ON access_keys (previous_digest) WHERE previous_digest IS NOT NULL;

-- What the processes of a server share until it expires: signed-in browsers, one-time links, answers to repeated requests.
CREATE TABLE held_values (
    tenant      TEXT NOT NULL,
    purpose     TEXT NOT NULL,
    key         TEXT NOT NULL,
    value       TEXT NOT NULL,
    person      TEXT,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant, purpose, key)
) STRICT, WITHOUT ROWID;

-- What clients sealed before they sent it: vectors to search by, and boxes that only a client's key opens. `seal` tells
-- which key that is by a salt and a check value, not the key.
CREATE TABLE sealed_items (
    tenant      TEXT NOT NULL,
    space       TEXT NOT NULL,
    id          TEXT NOT NULL,
    user        TEXT,
    visibility  TEXT NOT NULL CHECK (visibility IN ('private', 'team', 'project')),
    at          INTEGER NOT NULL,
    seal        TEXT NOT NULL,
    model       TEXT NOT NULL,
    vector      BLOB NOT NULL,
    box         BLOB NOT NULL,
    PRIMARY KEY (tenant, space, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sealed_items_by_time ON sealed_items (tenant, space, at);

-- Whom to tell by HTTP what happens: where, about which events, up to which place that is done, and how it went. The secret
-- signs what is sent. `private` allows addresses of this machine and its own network.
CREATE TABLE webhooks (
    tenant        TEXT NOT NULL,
    id            TEXT NOT NULL,
    url           TEXT NOT NULL,
    secret        TEXT NOT NULL,
    events        TEXT NOT NULL,
    with_text     INTEGER NOT NULL,
    private       INTEGER NOT NULL,
    place         TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    delivered     INTEGER NOT NULL DEFAULT 0,
    dropped       INTEGER NOT NULL DEFAULT 0,
    delivered_at  INTEGER,
    ended_at      INTEGER,
    last_error    TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
