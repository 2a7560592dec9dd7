-- Stored amounts for quotas, an audit log with a hash chain, tombstones of erased persons, and known copies.

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

INSERT INTO stored_amounts (tenant, space, user, records, bytes)
SELECT tenant, space, coalesce(user, ''), count(*), sum(octet_length(text)) FROM records
GROUP BY tenant, space, coalesce(user, '');

DROP TRIGGER records_added;
DROP TRIGGER records_gone;
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

INSERT INTO audit_log (seq, tenant, space, at, actor, action, detail, commitment, digest)
SELECT seq, tenant, space, at, actor, action, detail, x'', x'' FROM audit;
DROP TABLE audit;

-- Persons who were erased, as salted hashes: an export made before the erasure must not bring them back.
CREATE TABLE tombstones (
    tenant  TEXT NOT NULL,
    salt    BLOB NOT NULL,
    digest  BLOB NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (tenant, digest)
) STRICT, WITHOUT ROWID;

-- Backups and exports that were written elsewhere: an erasure cannot reach them, so it lists them.
CREATE TABLE copies (
    tenant  TEXT NOT NULL,
    path    TEXT NOT NULL,
    what    TEXT NOT NULL CHECK (what IN ('backup', 'export')),
    at      INTEGER NOT NULL,
    PRIMARY KEY (tenant, path)
) STRICT, WITHOUT ROWID;

-- A person with many conversations that wait must not make each of their messages dearer.
CREATE INDEX conversations_open_by_user ON conversations (tenant, space, user) WHERE state = 'open';
