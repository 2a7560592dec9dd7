-- What the confidence of a record fades from: the one it had when it was last used or set, and when that was.
CREATE TABLE standings (
    record      INTEGER PRIMARY KEY REFERENCES records (seq) ON DELETE CASCADE,
    confidence  REAL NOT NULL,
    since       INTEGER NOT NULL
) STRICT;

CREATE INDEX people_blocked ON people (tenant, space) WHERE blocked = 1;

-- Notes of private conversations of several people had no owner, so everybody could read them. Whose they are is told by
-- the private messages they came from, or, where those are gone, by who took part.
CREATE TEMP TABLE note_owners AS
SELECT r.seq, min(m.user) AS owner, count(DISTINCT m.user) AS people
FROM records AS r
JOIN links AS l ON l.source = r.id AND l.type = 'derived_from' AND l.tenant = r.tenant
JOIN records AS m ON m.id = l.target AND m.tenant = r.tenant
WHERE r.user IS NULL AND r.visibility = 'private' AND r.role = 'system' AND r.conversation IS NULL
    AND m.user IS NOT NULL AND m.visibility = 'private'
GROUP BY r.seq;

INSERT INTO note_owners
SELECT r.seq, min(p.id), count(DISTINCT p.id)
FROM records AS r
JOIN json_each(iif(json_valid(r.metadata), r.metadata, '{}'), '$.participants') AS one
JOIN people AS p ON p.tenant = r.tenant AND p.space = r.space AND p.id = one.value
WHERE r.user IS NULL AND r.visibility = 'private' AND r.role = 'system' AND r.conversation IS NULL
    AND r.seq NOT IN (SELECT seq FROM note_owners)
GROUP BY r.seq;

-- One person's words: it is theirs. The word index and the amounts follow.
INSERT INTO record_text (record_text, rowid, text, title, author, audience)
SELECT 'delete', seq, text, title, author, audience FROM records
WHERE seq IN (SELECT seq FROM note_owners WHERE people = 1);
UPDATE stored_amounts SET
    records = records - (SELECT count(*) FROM records AS r JOIN note_owners AS o ON o.seq = r.seq AND o.people = 1
        WHERE r.tenant = stored_amounts.tenant AND r.space = stored_amounts.space),
    bytes = bytes - (SELECT coalesce(sum(octet_length(r.text)), 0) FROM records AS r
        JOIN note_owners AS o ON o.seq = r.seq AND o.people = 1
        WHERE r.tenant = stored_amounts.tenant AND r.space = stored_amounts.space)
WHERE user = '';
UPDATE records SET
    user = (SELECT o.owner FROM note_owners AS o WHERE o.seq = records.seq),
    audience = (SELECT o.owner FROM note_owners AS o WHERE o.seq = records.seq)
WHERE seq IN (SELECT seq FROM note_owners WHERE people = 1);
INSERT INTO record_text (rowid, text, title, author, audience)
SELECT seq, text, title, author, audience FROM records WHERE seq IN (SELECT seq FROM note_owners WHERE people = 1);
INSERT INTO stored_amounts (tenant, space, user, records, bytes)
SELECT r.tenant, r.space, r.user, count(*), sum(octet_length(r.text)) FROM records AS r
JOIN note_owners AS o ON o.seq = r.seq AND o.people = 1
GROUP BY r.tenant, r.space, r.user
ON CONFLICT DO UPDATE SET records = records + excluded.records, bytes = bytes + excluded.bytes;
DELETE FROM stored_amounts WHERE user = '' AND records = 0;

-- Several people's words: it is shown to nobody. What they said is still found by each of them.
INSERT INTO changes (tenant, space, record, at, action, state, reason, by, other)
SELECT r.tenant, r.space, r.id, unixepoch() * 1000000, 'flagged', 'flagged',
    'made of private words of several people, without an owner', '', NULL
FROM records AS r WHERE r.seq IN (SELECT seq FROM note_owners WHERE people > 1) AND r.state IN ('active', 'proposed');
UPDATE records SET state = 'flagged', state_at = unixepoch() * 1000000,
    state_reason = 'made of private words of several people, without an owner'
WHERE seq IN (SELECT seq FROM note_owners WHERE people > 1) AND state IN ('active', 'proposed');
DROP TABLE note_owners;
