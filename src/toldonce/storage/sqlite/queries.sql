-- Every statement that runs against a memory file, by name. Values come in as named parameters only.

-- part: job_columns
space, key, name, args, state, due_at, again_at, cron, zone, attempts, max_attempts, timeout_ms, lease,
    lease_until, last_run_at, last_error

-- part: told
    (
        :user IS NULL OR r.user IS NULL OR r.user = :user OR r.visibility = 'project'
        OR (r.visibility = 'team' AND EXISTS (
            SELECT 1 FROM memberships AS m WHERE m.tenant = r.tenant AND m.space = r.space AND m.person = :user))
    )

-- part: fits
    (:where IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(:where) AS w
        WHERE CASE w.type
            WHEN 'array' THEN NOT EXISTS (
                SELECT 1 FROM json_each(w.value) AS one
                WHERE one.value IS (SELECT m.value FROM json_each(iif(json_valid(r.metadata), r.metadata, '{}')) AS m WHERE m.key = w.key))
            ELSE (SELECT m.value FROM json_each(iif(json_valid(r.metadata), r.metadata, '{}')) AS m WHERE m.key = w.key) IS NOT w.value
        END))

-- part: reader
iif(r.visibility = 'private' AND r.user IS NOT NULL, r.user, '')

-- part: visible
    r.tenant = :tenant
    AND r.space IN (SELECT value FROM json_each(:spaces))
    AND (:kinds IS NULL OR r.kind IN (SELECT value FROM json_each(:kinds)))
    AND {told}
    AND (:session IS NULL OR r.session = :session)
    AND (:not_session IS NULL OR r.session IS NULL OR r.session <> :not_session)
    AND (:channel IS NULL OR r.channel = :channel)
    AND (:branches IS NULL OR r.branch IS NULL OR r.branch IN (SELECT value FROM json_each(:branches)))
    AND (:since IS NULL OR r.at >= :since)
    AND (:until IS NULL OR r.at < :until)
    AND (r.expires_at IS NULL OR r.expires_at > :now)
    AND (:as_of IS NOT NULL OR r.state = 'active')
    AND (:as_of IS NULL OR (r.at <= :as_of AND coalesce(
        (SELECT c.state FROM changes AS c WHERE c.record = r.id AND c.tenant = r.tenant AND c.at <= :as_of
            ORDER BY c.at DESC, c.seq DESC LIMIT 1),
        'active') = 'active'))
    AND {fits}

-- part: state_now
CASE WHEN r.state IN ('active', 'doubted') AND r.expires_at <= :now THEN 'expired' ELSE r.state END

-- part: state_then
CASE WHEN :as_of IS NULL THEN r.state ELSE coalesce(
    (SELECT c.state FROM changes AS c WHERE c.record = r.id AND c.tenant = r.tenant AND c.at <= :as_of
        ORDER BY c.at DESC, c.seq DESC LIMIT 1),
    'active') END

-- part: browsed
    r.tenant = :tenant
    AND r.space IN (SELECT value FROM json_each(:spaces))
    AND (:kinds IS NULL OR r.kind IN (SELECT value FROM json_each(:kinds)))
    AND {told}
    AND (:session IS NULL OR r.session = :session)
    AND (:since IS NULL OR r.at >= :since)
    AND (:until IS NULL OR r.at < :until)
    AND {state_now} IN (SELECT value FROM json_each(:states))
    AND (:origins IS NULL OR r.origin IN (SELECT value FROM json_each(:origins)))
    AND (:visibility IS NULL OR r.visibility = :visibility)
    AND r.confidence >= :least_confidence AND r.confidence < :below_confidence
    AND (:pinned IS NULL OR r.pinned = :pinned)
    AND (:validated IS NULL OR r.validated = :validated)
    AND (:derived = 0 OR r.conversation IS NULL)
    AND {fits}

-- part: record_columns
    r.seq, r.id, r.tenant, r.space, r.kind, r.text, r.title, r.summary, r.author, r.role, r.user, r.session, r.channel,
    r.branch, r.visibility, r.subject, r.state, r.state_reason, r.state_at, r.superseded_by, r.confidence, r.validated,
    r.pinned, r.origin, r.made_by, r.trust, r.conversation, r.at, r.created_at, r.expires_at, r.accessed_at,
    r.access_count, r.faded_at, r.tags, r.metadata,
    (SELECT json_group_array(l.target) FROM (
        SELECT target FROM links WHERE source = r.id AND type = 'derived_from' AND tenant = r.tenant
        ORDER BY target) AS l) AS sources

-- part: gone
    SELECT id FROM records NOT INDEXED WHERE tenant = :tenant AND seq IN (SELECT value FROM json_each(:seqs))

-- part: their_spaces
    SELECT space FROM records NOT INDEXED WHERE seq IN (SELECT value FROM json_each(:seqs))

-- part: in_time
    r.tenant = :tenant
    AND r.space IN (SELECT value FROM json_each(
        coalesce(:spaces, (SELECT json_group_array(name) FROM spaces WHERE tenant = :tenant))))
    AND (:kinds IS NULL OR r.kind IN (SELECT value FROM json_each(:kinds)))
    AND (:user IS NULL OR r.user = :user OR (:joined AND EXISTS (
        SELECT 1 FROM json_each(iif(json_valid(r.metadata), r.metadata, '{}'), '$.participants') AS p WHERE p.value = :user)))

-- name: add_space
-- A new space; an existing one stays as it is.
INSERT INTO spaces (tenant, name, preset, preset_text, zone, created_at)
VALUES (:tenant, :name, :preset, :preset_text, :zone, :created_at)
ON CONFLICT DO NOTHING

-- name: get_space
-- One space by name.
SELECT name, preset, preset_text, zone, enabled, created_at, deleted_at
FROM spaces WHERE tenant = :tenant AND name = :name

-- name: space_state
-- What every write must know of a space: whether it is on, and its limits.
SELECT enabled, deleted_at IS NOT NULL,
    (SELECT value FROM settings AS s WHERE s.tenant = spaces.tenant AND s.space = spaces.name AND s.key = 'quota'),
    (SELECT value FROM settings AS s WHERE s.tenant = spaces.tenant AND s.space = '' AND s.key = 'tenant quota')
FROM spaces WHERE tenant = :tenant AND name = :name

-- name: list_spaces
-- All spaces of a tenant.
SELECT name, preset, preset_text, zone, enabled, created_at, deleted_at
FROM spaces WHERE tenant = :tenant ORDER BY name

-- name: set_space
-- Switch a space on or off, mark it deleted or restored, change its zone.
UPDATE spaces SET enabled = :enabled, deleted_at = :deleted_at, zone = :zone WHERE tenant = :tenant AND name = :name

-- name: drop_space
-- The last trace of a purged space.
DELETE FROM spaces WHERE tenant = :tenant AND name = :name

-- name: see_person
-- A person was seen: new names win over old, empty ones change nothing.
INSERT INTO people (tenant, space, id, username, display_name, zone, language, seen_at)
VALUES (:tenant, :space, :id, :username, :display_name, :zone, :language, :seen_at)
ON CONFLICT (tenant, space, id) DO UPDATE SET
    username = CASE WHEN excluded.username <> '' THEN excluded.username ELSE username END,
    display_name = CASE WHEN excluded.display_name <> '' THEN excluded.display_name ELSE display_name END,
    zone = CASE WHEN excluded.zone <> '' THEN excluded.zone ELSE zone END,
    language = CASE WHEN excluded.language <> '' THEN excluded.language ELSE language END,
    seen_at = max(seen_at, excluded.seen_at)

-- name: get_person
-- One person of a space.
SELECT id, space, username, display_name, zone, language, blocked, seen_at
FROM people WHERE tenant = :tenant AND space = :space AND id = :id

-- name: list_people
-- Everyone seen in a space.
SELECT id, space, username, display_name, zone, language, blocked, seen_at
FROM people WHERE tenant = :tenant AND space = :space ORDER BY id

-- name: blocked_people
-- Everyone who is blocked in one of these spaces.
SELECT id, space, username, display_name, zone, language, blocked, seen_at
FROM people INDEXED BY people_blocked
WHERE blocked = 1 AND tenant = :tenant AND space IN (SELECT value FROM json_each(:spaces)) ORDER BY id

-- name: block_person
-- Keep a person out of memory, or let them in again.
INSERT INTO people (tenant, space, id, blocked, seen_at) VALUES (:tenant, :space, :id, :blocked, :seen_at)
ON CONFLICT (tenant, space, id) DO UPDATE SET blocked = excluded.blocked

-- name: drop_person
-- Forget who a person was.
DELETE FROM people WHERE tenant = :tenant AND id = :id AND (:space IS NULL OR space = :space)

-- name: set_member
-- Give a person a role in a space.
INSERT INTO memberships (tenant, space, person, role) VALUES (:tenant, :space, :person, :role)
ON CONFLICT (tenant, space, person) DO UPDATE SET role = excluded.role

-- name: list_members
-- Who has which role in a space.
SELECT person, role FROM memberships WHERE tenant = :tenant AND space = :space ORDER BY person

-- name: drop_memberships
-- Take all roles of a person away.
DELETE FROM memberships WHERE tenant = :tenant AND person = :person AND (:space IS NULL OR space = :space)

-- name: add_record
-- A record enters; its words are searchable from here on.
INSERT INTO records (
    id, tenant, space, kind, text, title, summary, author, role, user, session, channel, branch, visibility, audience,
    subject, state, state_reason, state_at, superseded_by, confidence, validated, pinned, origin, made_by, trust, conversation,
    fingerprint, at, created_at, expires_at, accessed_at, access_count, faded_at, embedding, tags, metadata)
VALUES (
    :id, :tenant, :space, :kind, :text, :title, :summary, :author, :role, :user, :session, :channel, :branch,
    :visibility, :audience, :subject, :state, :state_reason, :state_at, :superseded_by, :confidence, :validated, :pinned, :origin,
    :made_by, :trust, :conversation, :fingerprint, :at, :created_at, :expires_at, :accessed_at, :access_count,
    :faded_at, :embedding, :tags, :metadata)
RETURNING seq

-- name: add_grams
-- The character pairs of a text without spaces.
INSERT INTO record_grams (rowid, grams) VALUES (:seq, :grams)

-- name: get_records
-- Records by id, in any state.
SELECT {record_columns} FROM records AS r WHERE r.tenant = :tenant AND r.id IN (SELECT value FROM json_each(:ids))

-- name: get_by_seq
-- Records by their place in the store.
SELECT {record_columns} FROM records AS r NOT INDEXED
WHERE r.tenant = :tenant AND r.seq IN (SELECT value FROM json_each(:seqs))

-- name: find_records
-- Visible records, newest first.
SELECT {record_columns} FROM records AS r
WHERE {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: browse_records
-- Records in some states, narrowed by what a reader chose, newest first.
SELECT {record_columns} FROM records AS r
WHERE {browsed}
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: count_browsed
-- How many of these there are of each kind, state and area, and the newest moment of each.
SELECT r.kind, {state_now}, coalesce(iif(json_valid(r.metadata), r.metadata, '{}') ->> '$.area', '') AS area, count(*), max(r.at), sum(r.validated) FROM records AS r
WHERE {browsed}
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3

-- name: browse_inactive
-- The same of records that are not active, narrowed by what a reader chose, newest first.
SELECT {record_columns} FROM records AS r INDEXED BY records_not_active
WHERE r.state <> 'active' AND {browsed}
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: count_inactive
-- How many of those there are of each kind, state and area, and the newest moment of each.
SELECT r.kind, {state_now}, coalesce(iif(json_valid(r.metadata), r.metadata, '{}') ->> '$.area', '') AS area, count(*), max(r.at), sum(r.validated) FROM records AS r INDEXED BY records_not_active
WHERE r.state <> 'active' AND {browsed}
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3

-- name: find_derived
-- Visible records of some kinds that are not messages, newest first.
SELECT {record_columns} FROM records AS r INDEXED BY derived_by_kind
WHERE r.conversation IS NULL AND r.kind IN (SELECT value FROM json_each(:kinds)) AND {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: find_readable_derived
-- The same for a person: what is private to others is not even looked at, by an index on whose a private record is.
SELECT {record_columns} FROM records AS r INDEXED BY derived_by_reader
WHERE r.conversation IS NULL AND r.kind IN (SELECT value FROM json_each(:kinds)) AND {reader} IN ('', :user) AND {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: find_about
-- Visible records of some kinds about one of these files, or about one in these folders ("/" at the end), newest first.
SELECT {record_columns} FROM records AS r INDEXED BY derived_by_kind
WHERE r.conversation IS NULL AND r.kind IN (SELECT value FROM json_each(:kinds)) AND {visible}
    AND EXISTS (
        SELECT 1 FROM json_tree(iif(json_valid(r.metadata), r.metadata, '{}')) AS m, json_each(:places) AS p
        WHERE m.type = 'text'
            AND (m.fullkey = '$.file' OR m.path = '$.files' OR m.fullkey LIKE '$.cites[%].path')
            AND (m.value = p.value
                OR (substr(p.value, -1) = '/' AND substr(m.value, 1, length(p.value)) = p.value)))
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: find_pinned
-- Visible records that a person pinned, newest first.
SELECT {record_columns} FROM records AS r INDEXED BY records_pinned
WHERE r.pinned = 1 AND {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: all_records
-- Everything in a space in any state, in time order, a page at a time: for export and review.
SELECT {record_columns} FROM records AS r NOT INDEXED
WHERE r.tenant = :tenant AND (:space IS NULL OR r.space = :space) AND (:user IS NULL OR r.user = :user)
    AND (:state IS NULL OR r.state = :state) AND r.seq > :after
ORDER BY r.seq LIMIT :limit

-- name: places_in_time
-- Places of records in any state that were said in a stretch of time, newest first.
SELECT r.seq FROM records AS r
WHERE {in_time} AND r.at >= :since AND r.at < :until
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: changes_in_time
-- What happened to records in a stretch of time, newest first.
SELECT c.record, c.at, c.action, c.state, c.reason, c.by, c.other
FROM changes AS c CROSS JOIN records AS r ON r.id = c.record AND r.tenant = c.tenant
WHERE {in_time} AND c.at >= :since AND c.at < :until
ORDER BY c.at DESC, c.seq DESC LIMIT :limit

-- name: count_activity
-- How many messages (1) and derived records (0) were said in each stretch of time.
SELECT (r.at - :since) / :every, CASE WHEN r.conversation IS NULL THEN 0 ELSE 1 END, count(*) FROM records AS r
WHERE r.tenant = :tenant AND r.space IN (SELECT value FROM json_each(:spaces)) AND {told} AND r.at >= :since AND r.at < :until
GROUP BY 1, 2

-- name: count_person_changes
-- How many changes people made in each stretch of time.
SELECT (c.at - :since) / :every, count(*) FROM changes AS c JOIN records AS r ON r.id = c.record AND r.tenant = c.tenant
WHERE r.tenant = :tenant AND r.space IN (SELECT value FROM json_each(:spaces)) AND {told} AND c.by = 'person' AND c.at >= :since AND c.at < :until
GROUP BY 1

-- name: same_text
-- Current records of one owner and kind that say exactly the same.
SELECT {record_columns} FROM records AS r
WHERE r.fingerprint = :fingerprint AND r.tenant = :tenant AND r.space = :space AND r.kind = :kind
    AND r.user IS :user AND r.state = 'active'
ORDER BY r.seq LIMIT 1

-- name: known_of_person
-- What was learnt of a person and counts, newest first; messages are left out.
SELECT {record_columns} FROM records AS r
WHERE r.tenant = :tenant AND r.space = :space AND r.conversation IS NULL AND r.user = :user AND r.state = 'active'
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: said_before
-- The newest record of one owner and kind that says exactly the same, in whatever state.
SELECT {record_columns} FROM records AS r
WHERE r.fingerprint = :fingerprint AND r.tenant = :tenant AND r.space = :space AND r.kind = :kind AND r.user IS :user
ORDER BY r.seq DESC LIMIT 1

-- name: proposed_records
-- Records that wait for a person's review, oldest first; doubts are asked as questions and not listed here.
SELECT {record_columns} FROM records AS r INDEXED BY records_not_active
WHERE r.state <> 'active' AND r.state = 'proposed' AND r.tenant = :tenant AND r.space = :space
    AND NOT EXISTS (SELECT 1 FROM questions AS q WHERE q.newer = r.id AND q.tenant = r.tenant AND q.space = r.space)
ORDER BY r.seq LIMIT :limit

-- name: same_subject
-- Current records about one subject.
SELECT {record_columns} FROM records AS r INDEXED BY records_by_subject
WHERE r.tenant = :tenant AND r.space = :space AND r.subject = :subject AND r.user IS :user AND r.state = 'active'
ORDER BY r.at DESC, r.seq DESC
LIMIT :limit

-- name: subject_values
-- The values of current records about one subject, without reading the records.
SELECT id, coalesce(CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$.value') END, '') || ''
FROM records INDEXED BY records_by_subject
WHERE tenant = :tenant AND space = :space AND subject = :subject AND user IS :user AND state = 'active'
ORDER BY at DESC, seq DESC
LIMIT :limit

-- name: count_session_records
-- How many derived records a session has written.
SELECT count(*) FROM records
WHERE tenant = :tenant AND space = :space AND session = :session AND conversation IS NULL AND state <> 'forgotten'

-- name: set_state
-- A record changes its state.
UPDATE records SET state = :state, state_reason = :reason, state_at = :at, superseded_by = :superseded_by
WHERE tenant = :tenant AND id = :id

-- name: set_standing
-- What a person or fading says of a record: how sure, validated, pinned.
UPDATE records SET confidence = :confidence, validated = :validated, pinned = :pinned, faded_at = :faded_at
WHERE tenant = :tenant AND id = :id

-- name: set_faded
-- Time lowers the confidence of a record.
UPDATE records SET confidence = :confidence, faded_at = :faded_at WHERE tenant = :tenant AND id = :id

-- name: put_standing
-- What the confidence of a record fades from, and since when.
INSERT INTO standings (record, confidence, since)
SELECT seq, :confidence, :since FROM records WHERE tenant = :tenant AND id = :id
ON CONFLICT DO UPDATE SET confidence = excluded.confidence, since = excluded.since

-- name: get_standing
-- What the confidence of a record fades from, if it has faded.
SELECT s.confidence, s.since FROM records AS r JOIN standings AS s ON s.record = r.seq
WHERE r.tenant = :tenant AND r.id = :id

-- name: forget_standing
-- The confidence of a record is set anew.
DELETE FROM standings WHERE record IN (SELECT seq FROM records WHERE tenant = :tenant AND id = :id)

-- name: set_expiry
-- A record gets another end of its time.
UPDATE records SET expires_at = :expires_at WHERE tenant = :tenant AND id = :id

-- name: set_metadata
-- Replace a record's metadata.
UPDATE records SET metadata = :metadata WHERE tenant = :tenant AND id = :id

-- name: index_record_again
-- The words of a record with another audience; before the record itself has it.
UPDATE record_text SET text = :text, title = :title, author = :author, audience = :audience
WHERE rowid IN (SELECT seq FROM records WHERE tenant = :tenant AND id = :id)

-- name: set_visibility
-- Who may see a record from now on.
UPDATE records SET visibility = :visibility, audience = :audience WHERE tenant = :tenant AND id = :id

-- name: touch_records
-- Records were shown: count it. Use restores the confidence that time took.
UPDATE records SET access_count = access_count + 1, accessed_at = max(coalesce(accessed_at, 0), :at),
    confidence = coalesce((SELECT s.confidence FROM standings AS s WHERE s.record = records.seq), confidence)
WHERE tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: add_change
-- One line of a record's history.
INSERT INTO changes (tenant, space, record, at, action, state, reason, by, other)
VALUES (:tenant, :space, :record, :at, :action, :state, :reason, :by, :other)

-- name: list_changes
-- A record's history, oldest first.
SELECT record, at, action, state, reason, by, other FROM changes
WHERE tenant = :tenant AND record = :record ORDER BY at, seq

-- name: expired_records
-- Active and doubted records whose time has run out.
SELECT {record_columns} FROM (
    SELECT seq FROM records INDEXED BY records_by_expiry WHERE state = 'active' AND expires_at <= :now
    UNION ALL
    SELECT seq FROM records INDEXED BY records_not_active
    WHERE state <> 'active' AND state = 'doubted' AND expires_at <= :now) AS spent
CROSS JOIN records AS r ON r.seq = spent.seq
WHERE r.tenant = :tenant AND (:space IS NULL OR r.space = :space)
ORDER BY r.seq LIMIT :limit

-- name: records_to_enrich
-- Active records with few names that no accurate tagger has read, newest first.
SELECT {record_columns} FROM records AS r NOT INDEXED
WHERE r.tenant = :tenant AND r.space = :space AND r.state = 'active'
    AND NOT EXISTS (SELECT 1 FROM json_each(iif(json_valid(r.metadata), r.metadata, '{}')) AS m WHERE m.key = 'enriched_at')
    AND (SELECT count(*) FROM mentions AS m WHERE m.record = r.seq) <= :most
ORDER BY r.seq DESC LIMIT :limit

-- name: fading_records
-- Active records of the kinds that lose confidence with time.
SELECT {record_columns} FROM records AS r
WHERE r.tenant = :tenant AND r.space = :space AND r.state = 'active' AND r.conversation IS NULL
    AND r.kind IN (SELECT value FROM json_each(:kinds)) AND r.pinned = 0 AND r.validated = 0 AND r.seq > :after
ORDER BY r.seq LIMIT :limit

-- name: ended_records
-- Records that left their state before a moment: candidates for purging.
SELECT seq FROM records INDEXED BY records_not_active
WHERE state <> 'active' AND state = :state AND state_at < :before AND tenant = :tenant AND space = :space ORDER BY seq LIMIT :limit

-- name: spent_records
-- The same, without records that others were drawn from.
SELECT r.seq FROM records AS r
WHERE r.state = :state AND r.state_at < :before AND r.tenant = :tenant AND r.space = :space
    AND NOT EXISTS (
        SELECT 1 FROM links AS l WHERE l.target = r.id AND l.type = 'derived_from' AND l.tenant = r.tenant)
ORDER BY r.seq LIMIT :limit

-- name: space_seqs
-- Every record of a space, for its purge.
SELECT seq FROM records WHERE tenant = :tenant AND space = :space ORDER BY seq LIMIT :limit

-- name: user_seqs
-- Every record of a person, for erasure: their own, those in their own space, and those that name them as taking part.
SELECT seq FROM records AS r
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (
    user = :user OR (:space IS NULL AND space = '@' || :user)
    OR (instr(metadata, '"participants"') AND EXISTS (
        SELECT 1 FROM json_each(iif(json_valid(r.metadata), r.metadata, '{}'), '$.participants') AS p WHERE p.value = :user)))
ORDER BY seq

-- name: answer_seqs
-- Messages of nobody in conversations of a person where nobody else spoke.
SELECT r.seq FROM records AS r
WHERE r.tenant = :tenant AND r.user IS NULL AND r.conversation IN (
    SELECT conversation FROM records
    WHERE tenant = :tenant AND user = :user AND conversation IS NOT NULL AND (:space IS NULL OR space = :space))
    AND NOT EXISTS (
        SELECT 1 FROM records AS o
        WHERE o.conversation = r.conversation AND o.tenant = r.tenant AND o.user <> :user)
ORDER BY r.seq

-- name: talks_with_replies
-- All that was said where this person spoke and a machine replied to others.
SELECT r.conversation, r.seq, r.user, r.role, r.text FROM records AS r
WHERE r.tenant = :tenant AND r.conversation IN (
    SELECT o.conversation FROM records AS o
    WHERE o.tenant = :tenant AND o.role <> 'user' AND (o.user IS NULL OR o.user <> :user) AND o.conversation IN (
        SELECT conversation FROM records
        WHERE tenant = :tenant AND user = :user AND conversation IS NOT NULL AND (:space IS NULL OR space = :space)))
ORDER BY r.conversation, r.seq

-- name: session_seqs
-- Messages of nobody in sessions where this person alone spoke.
WITH own AS (
    SELECT space, session FROM records
    WHERE tenant = :tenant AND session IS NOT NULL AND user IS NOT NULL AND (:space IS NULL OR space = :space)
    GROUP BY space, session HAVING min(user) = :user AND max(user) = :user)
SELECT r.seq FROM records AS r JOIN own ON r.space = own.space AND r.session = own.session
WHERE r.tenant = :tenant AND r.user IS NULL ORDER BY r.seq

-- name: sessions_of_seqs
-- The sessions that these records belong to.
SELECT DISTINCT session FROM records NOT INDEXED
WHERE tenant = :tenant AND session IS NOT NULL AND seq IN (SELECT value FROM json_each(:seqs))

-- name: sessions_of_jobs
-- The sessions that jobs are to read for a person.
SELECT DISTINCT json_extract(args, '$.session') FROM jobs
WHERE tenant = :tenant AND (:space IS NULL OR space = :space)
    AND iif(json_valid(args), json_extract(args, '$.user') = :user AND json_type(args, '$.session') = 'text', 0)

-- name: sessions_left
-- Those of these sessions that still have a record, in a space or with NULL in any.
SELECT DISTINCT session FROM records
WHERE tenant = :tenant AND session IN (SELECT value FROM json_each(:sessions)) AND (:space IS NULL OR space = :space)

-- name: person_names
-- What a person is called.
SELECT username, display_name FROM people
WHERE tenant = :tenant AND id = :user AND (:space IS NULL OR space = :space)

-- name: purge_user_questions
-- Questions to an erased person.
DELETE FROM questions WHERE tenant = :tenant AND user = :user AND (:space IS NULL OR space = :space)

-- name: purge_user_amounts
-- How much an erased person had stored.
DELETE FROM stored_amounts WHERE tenant = :tenant AND user = :user AND (:space IS NULL OR space = :space)

-- name: purge_user_changes
-- What an erased person did to the records of others stays, without their name.
UPDATE changes SET by = '' WHERE tenant = :tenant AND by = :user AND (:space IS NULL OR space = :space)

-- name: purge_user_keys
-- A conversation that is called after an erased person gets another name.
UPDATE conversations SET key = 'erased:' || id
WHERE tenant = :tenant AND key = 'user:' || :user AND (:space IS NULL OR space = :space)

-- name: purge_user_jobs
-- Jobs that are for an erased person or one of their sessions, and those for conversations that are gone.
DELETE FROM jobs WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (
    EXISTS (SELECT 1 FROM json_each(:names) AS n WHERE substr(jobs.key, -length(n.value) - 1) = ':' || n.value)
    OR EXISTS (SELECT 1 FROM json_each(:names) AS n WHERE NOT json_valid(jobs.args) AND instr(jobs.args, n.value))
    OR EXISTS (
        SELECT 1 FROM json_tree(iif(json_valid(jobs.args), jobs.args, 'null')) AS a
        JOIN json_each(:names) AS n ON a.atom = n.value)
    OR (name = 'settle' AND NOT EXISTS (
        SELECT 1 FROM conversations AS c
        WHERE c.id = iif(json_valid(jobs.args), json_extract(jobs.args, '$.conversation'), NULL))))

-- name: purge_user_runs
-- And the record of past runs for them.
DELETE FROM runs WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (
    EXISTS (SELECT 1 FROM json_each(:names) AS n WHERE substr(runs.key, -length(n.value) - 1) = ':' || n.value)
    OR EXISTS (
        SELECT 1 FROM json_each(:names) AS n
        WHERE (NOT json_valid(detail) AND instr(detail, n.value)) OR (NOT json_valid(counts) AND instr(counts, n.value)))
    OR EXISTS (
        SELECT 1 FROM json_tree(iif(json_valid(detail), detail, 'null')) AS d
        JOIN json_each(:names) AS n ON n.value IN (d.atom, d.key))
    OR EXISTS (
        SELECT 1 FROM json_tree(iif(json_valid(counts), counts, 'null')) AS d
        JOIN json_each(:names) AS n ON n.value IN (d.atom, d.key)))

-- name: purge_space_runs
-- The record of past runs in the own space of an erased person.
DELETE FROM runs WHERE tenant = :tenant AND space = :space

-- name: purge_space_amounts
-- How much was stored in the own space of an erased person.
DELETE FROM stored_amounts WHERE tenant = :tenant AND space = :space

-- name: purge_run_errors
-- Messages of past runs that name an erased person.
UPDATE runs SET error = '' WHERE tenant = :tenant AND instr(error, :user)

-- name: purge_job_errors
-- Messages of waiting jobs that name an erased person.
UPDATE jobs SET last_error = '' WHERE tenant = :tenant AND instr(last_error, :user)

-- name: list_shown
-- What sessions were shown.
SELECT space, key, value FROM settings
WHERE tenant = :tenant AND key >= 'shown:' AND key < 'shown;' AND (:space IS NULL OR space = :space)

-- name: drop_setting
-- A small value is forgotten.
DELETE FROM settings WHERE tenant = :tenant AND space = :space AND key = :key

-- name: holds_word
-- Whether any record has this word, by the word index.
SELECT 1 FROM record_text WHERE record_text MATCH :match LIMIT 1

-- name: page_of_kept_texts
-- Everything that the next :limit records after one of them say, as one text, with the place of the last one.
SELECT max(seq), CAST(group_concat(said, char(10)) AS BLOB) FROM (
    SELECT seq, text || ' ' || title || ' ' || summary || ' ' || author || ' ' || coalesce(user, '') || ' '
        || coalesce(session, '') || ' ' || coalesce(channel, '') || ' ' || coalesce(branch, '') || ' '
        || coalesce(subject, '') || ' ' || tags || ' ' || metadata || ' ' || state_reason || ' ' || made_by || ' '
        || kind || ' ' || visibility || ' ' || role || ' ' || state || ' ' || origin || ' ' || embedding AS said
    FROM records WHERE seq > :after ORDER BY seq LIMIT :limit)

-- name: kept_words_beside_records
-- The same for all other tables, as bytes like it: a damaged text must not stop the search.
-- Names of entities are left out, since they come from records.
SELECT CAST(group_concat(DISTINCT said) AS BLOB) FROM (
    SELECT state || ' ' || ended_by AS said FROM conversations
    UNION ALL SELECT key || ' ' || value FROM settings WHERE key NOT LIKE 'shown:%'
    UNION ALL SELECT type FROM links
    UNION ALL SELECT type FROM entities
    UNION ALL SELECT role FROM memberships
    UNION ALL SELECT action || ' ' || interface || ' ' || detail FROM audit_log
    UNION ALL SELECT name || ' ' || status || ' ' || counts FROM runs
    UNION ALL SELECT owner || ' ' || name || ' ' || entries || ' ' || data FROM documents
    UNION ALL SELECT id || ' ' || username || ' ' || display_name FROM people
    UNION ALL SELECT name || ' ' || coalesce(preset_text, '') FROM spaces
    UNION ALL SELECT reason || ' ' || by || ' ' || action FROM changes
    UNION ALL SELECT path FROM copies
    UNION ALL SELECT task || ' ' || model FROM usage
    UNION ALL SELECT name FROM models
    UNION ALL SELECT sql FROM sqlite_schema
    UNION ALL SELECT key || ' ' || name || ' ' || zone FROM jobs)

-- name: add_destroyed_message
-- A message with an idempotency key was destroyed.
INSERT INTO destroyed_messages (tenant, id) VALUES (:tenant, :id) ON CONFLICT DO NOTHING

-- name: was_destroyed
-- Whether a message with an idempotency key was destroyed.
SELECT 1 FROM destroyed_messages WHERE tenant = :tenant AND id = :id

-- name: add_tombstone
-- A person was erased.
INSERT INTO tombstones (tenant, salt, digest, at) VALUES (:tenant, :salt, :digest, :at)

-- name: list_tombstones
-- All erased persons.
SELECT salt, digest, at FROM tombstones WHERE tenant = :tenant

-- name: any_tombstone
-- Whether anybody was erased.
SELECT 1 FROM tombstones WHERE tenant = :tenant LIMIT 1

-- name: add_copy
-- A backup or an export is written elsewhere; the newest at a path counts.
INSERT INTO copies (tenant, path, what, at) VALUES (:tenant, :path, :what, :at)
ON CONFLICT (tenant, path) DO UPDATE SET what = excluded.what, at = excluded.at

-- name: list_copies
-- All copies, oldest first.
SELECT path, what, at FROM copies WHERE tenant = :tenant ORDER BY at, path

-- name: drop_copy
-- A copy that is no longer there.
DELETE FROM copies WHERE tenant = :tenant AND path = :path

-- name: purge_changes
-- The history of purged records goes with them.
DELETE FROM changes WHERE tenant = :tenant AND record IN ({gone})

-- name: purge_links
-- So do their links, in both directions.
DELETE FROM links WHERE tenant = :tenant AND (source IN ({gone}) OR target IN ({gone}))

-- name: purge_successors
-- What a purged record had superseded no longer points to it.
UPDATE records SET superseded_by = NULL WHERE tenant = :tenant AND superseded_by IN ({gone})

-- name: purge_questions
-- And questions about them.
DELETE FROM questions WHERE tenant = :tenant AND (older IN ({gone}) OR newer IN ({gone}))

-- name: purge_drafts
-- Unused answers of models in the spaces of purged records may tell of them.
DELETE FROM drafts WHERE tenant = :tenant AND space IN ({their_spaces})

-- name: purge_outputs
-- And so may what models literally said in past runs there.
UPDATE runs SET detail = iif(json_valid(detail), json_remove(detail, '$.output'), '{}')
WHERE tenant = :tenant AND iif(json_valid(detail), json_extract(detail, '$.output') IS NOT NULL, 1) AND space IN ({their_spaces})

-- name: purge_counts
-- Whoever works on what was read there before can tell that something is gone.
UPDATE spaces SET purges = purges + 1 WHERE tenant = :tenant AND name IN ({their_spaces})

-- name: count_purges
-- How often something was destroyed in a space.
SELECT purges FROM spaces WHERE tenant = :tenant AND name = :space

-- name: purge_user_drafts
-- The same for the spaces that an erased person was in.
DELETE FROM drafts WHERE tenant = :tenant AND (:space IS NULL OR space = :space)

-- name: purge_user_outputs
-- And for past runs.
UPDATE runs SET detail = iif(json_valid(detail), json_remove(detail, '$.output'), '{}')
WHERE tenant = :tenant AND iif(json_valid(detail), json_extract(detail, '$.output') IS NOT NULL, 1) AND (:space IS NULL OR space = :space)

-- name: purge_user_counts
-- And for the count.
UPDATE spaces SET purges = purges + 1 WHERE tenant = :tenant AND (:space IS NULL OR name = :space)

-- name: traces_of_user
-- Where a person's id still stands: for the proof of an erasure.
SELECT
    (SELECT count(*) FROM records WHERE tenant = :tenant AND user = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM people WHERE tenant = :tenant AND id = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM documents WHERE tenant = :tenant AND owner = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM conversations WHERE tenant = :tenant AND (user = :user OR key = 'user:' || :user)
        AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM questions WHERE tenant = :tenant AND user = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM memberships WHERE tenant = :tenant AND person = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM stored_amounts
        WHERE tenant = :tenant AND user = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM spaces WHERE tenant = :tenant AND :space IS NULL AND name = '@' || :user),
    (SELECT count(*) FROM jobs WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (
        substr(key, -length(:user) - 1) = ':' || :user
        OR EXISTS (SELECT 1 FROM json_tree(iif(json_valid(jobs.args), jobs.args, 'null')) AS a WHERE a.atom = :user))),
    (SELECT count(*) FROM runs WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (
        substr(key, -length(:user) - 1) = ':' || :user
        OR EXISTS (SELECT 1 FROM json_tree(iif(json_valid(runs.detail), runs.detail, 'null')) AS d WHERE :user IN (d.atom, d.key)))),
    (SELECT count(*) FROM audit_log WHERE tenant = :tenant AND actor = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM sealed_items WHERE tenant = :tenant AND user = :user AND (:space IS NULL OR space = :space))

-- name: orphans
-- Rows that point to records which are gone: none, ever.
SELECT
    (SELECT count(*) FROM vectors WHERE record NOT IN (SELECT seq FROM records)),
    (SELECT count(*) FROM mentions WHERE record NOT IN (SELECT seq FROM records)),
    (SELECT count(*) FROM times WHERE record NOT IN (SELECT seq FROM records)),
    (SELECT count(*) FROM links WHERE tenant = :tenant AND source NOT IN (SELECT id FROM records)),
    (SELECT count(*) FROM changes WHERE tenant = :tenant AND record NOT IN (SELECT id FROM records))

-- name: purge_user_conversations
-- Conversations that an erased person opened: others may have spoken in them, so only the name goes.
UPDATE conversations SET user = NULL WHERE tenant = :tenant AND user = :user AND (:space IS NULL OR space = :space)

-- name: purge_shapes
-- So does what the vectors looked like: it is found anew.
UPDATE models SET shape = NULL, shaped_at = 0

-- name: purge_packs
-- Snapshots of vectors hold what was purged: drop them, they are rebuilt.
DELETE FROM vector_packs

-- name: purge_aliases
-- Ways to write an entity that only purged records used, where another way is left.
DELETE FROM aliases WHERE tenant = :tenant
    AND entity IN (SELECT entity FROM mentions WHERE record IN (SELECT value FROM json_each(:seqs)))
    AND NOT EXISTS (
        SELECT 1 FROM mentions AS m JOIN records AS r ON r.seq = m.record
        WHERE m.entity = aliases.entity AND r.seq NOT IN (SELECT value FROM json_each(:seqs))
            AND instr(lower(r.text), lower(aliases.shown)) > 0)
    AND EXISTS (
        SELECT 1 FROM aliases AS o JOIN mentions AS m ON m.entity = o.entity JOIN records AS r ON r.seq = m.record
        WHERE o.entity = aliases.entity AND r.seq NOT IN (SELECT value FROM json_each(:seqs))
            AND instr(lower(r.text), lower(o.shown)) > 0)

-- name: purge_names
-- An entity whose own name went is called by one that is left.
UPDATE entities SET name = (SELECT min(shown) FROM aliases WHERE entity = entities.seq)
WHERE tenant = :tenant AND seq IN (SELECT entity FROM mentions WHERE record IN (SELECT value FROM json_each(:seqs)))
    AND name NOT IN (SELECT shown FROM aliases WHERE entity = entities.seq)
    AND EXISTS (SELECT 1 FROM aliases WHERE entity = entities.seq)

-- name: purge_records
-- The records themselves; words, vectors, mentions and times follow.
DELETE FROM records NOT INDEXED WHERE tenant = :tenant AND seq IN (SELECT value FROM json_each(:seqs))

-- name: count_grams
-- How many of these records have character pairs.
SELECT count(*) FROM record_grams WHERE rowid IN (SELECT value FROM json_each(:seqs))

-- name: purge_grams
-- Character pairs of purged records are only marked as gone until the index is merged.
INSERT INTO record_grams (record_grams) VALUES ('optimize')

-- name: drawn_records
-- Records that came from any of these, directly, with the places of all their sources.
SELECT r.seq, (
    SELECT json_group_array(s.seq) FROM links AS o CROSS JOIN records AS s ON s.id = o.target AND s.tenant = o.tenant
    WHERE o.source = r.id AND o.type = 'derived_from' AND o.tenant = r.tenant)
FROM records AS r
WHERE r.tenant = :tenant AND r.id IN (
    SELECT source FROM links WHERE tenant = :tenant AND type = 'derived_from' AND target IN ({gone}))
ORDER BY r.seq

-- name: texts_of
-- Everything that these records say.
SELECT seq, text || ' ' || title || ' ' || summary FROM records NOT INDEXED
WHERE tenant = :tenant AND seq IN (SELECT value FROM json_each(:seqs))

-- name: purge_lone_entities
-- Entities that nobody mentions any more.
DELETE FROM entities WHERE tenant = :tenant AND NOT EXISTS (SELECT 1 FROM mentions WHERE entity = entities.seq)

-- name: purge_lone_conversations
-- Conversations without a message.
DELETE FROM conversations WHERE tenant = :tenant
    AND NOT EXISTS (SELECT 1 FROM records WHERE conversation = conversations.id)

-- name: drop_space_rows_people
-- What a purged space leaves behind: people.
DELETE FROM people WHERE tenant = :tenant AND space = :space

-- name: drop_space_rows_members
-- What a purged space leaves behind: roles.
DELETE FROM memberships WHERE tenant = :tenant AND space = :space

-- name: drop_space_rows_documents
-- What a purged space leaves behind: documents.
DELETE FROM documents WHERE tenant = :tenant AND space = :space

-- name: drop_space_rows_conversations
-- What a purged space leaves behind: conversations.
DELETE FROM conversations WHERE tenant = :tenant AND space = :space

-- name: drop_space_rows_questions
-- What a purged space leaves behind: questions.
DELETE FROM questions WHERE tenant = :tenant AND space = :space

-- name: drop_space_rows_settings
-- What a purged space leaves behind: settings.
DELETE FROM settings WHERE tenant = :tenant AND space = :space

-- name: drop_space_rows_jobs
-- What a purged space leaves behind: jobs.
DELETE FROM jobs WHERE tenant = :tenant AND space = :space

-- name: drop_space_rows_drafts
-- What a purged space leaves behind: unused answers of models.
DELETE FROM drafts WHERE tenant = :tenant AND space = :space

-- name: drop_space_rows_outputs
-- What a purged space leaves behind: what models literally said in past runs.
UPDATE runs SET detail = iif(json_valid(detail), json_remove(detail, '$.output'), '{}')
WHERE tenant = :tenant AND space = :space AND iif(json_valid(detail), json_extract(detail, '$.output') IS NOT NULL, 1)

-- name: add_link
-- A typed edge; the same edge twice is one edge.
INSERT INTO links (tenant, space, source, type, target, at) VALUES (:tenant, :space, :source, :type, :target, :at)
ON CONFLICT DO NOTHING

-- name: message_parts
-- The other parts of the message of which a record is a part, in order.
SELECT {record_columns} FROM records AS r
WHERE r.tenant = :tenant AND r.id <> :id AND r.id IN (
    SELECT target FROM links WHERE tenant = :tenant AND source = :id AND type = 'part_of'
    UNION
    SELECT source FROM links WHERE tenant = :tenant AND type = 'part_of' AND target IN (
        SELECT :id UNION SELECT target FROM links WHERE tenant = :tenant AND source = :id AND type = 'part_of'))
ORDER BY r.seq

-- name: given_way
-- Those of these records that a current one had taken the place of by then. Asked by target: few records are replaced.
-- One that is doubted counts too; one that was kept after all, whatever still links to it, does not.
SELECT DISTINCT l.target FROM json_each(:ids) AS named CROSS JOIN links AS l INDEXED BY links_by_target
    ON l.target = named.value CROSS JOIN records AS r ON r.id = l.source AND r.tenant = l.tenant
WHERE l.tenant = :tenant AND l.at <= :at AND r.state = 'active'
    AND (l.type = 'supersedes' OR (l.type = 'doubts' AND EXISTS (
        SELECT 1 FROM records AS o WHERE o.id = l.target AND o.tenant = l.tenant AND o.state = 'doubted')))
    AND NOT EXISTS (
        SELECT 1 FROM links AS j
        WHERE j.source = l.source AND j.type = 'judged' AND j.target = l.target AND j.tenant = l.tenant)

-- name: any_doubted
-- Whether any record is doubted: mostly none is, and nothing has to be looked for.
SELECT 1 FROM records INDEXED BY records_not_active WHERE state <> 'active' AND state = 'doubted' AND tenant = :tenant LIMIT 1

-- name: find_doubted
-- Doubted records that follow each of these: those that it doubts, and those that one which follows it doubts.
WITH RECURSIVE below (top, id) AS (
    SELECT named.value, named.value FROM json_each(:ids) AS named
    UNION
    SELECT b.top, l.target FROM below AS b CROSS JOIN links AS l ON l.source = b.id
    CROSS JOIN records AS r ON r.id = l.target AND r.tenant = l.tenant
    WHERE l.type = 'doubts' AND l.tenant = :tenant AND l.at <= :now AND {state_then} = 'doubted'
        AND (r.expires_at IS NULL OR r.expires_at > :now) AND {told}
)
SELECT {record_columns}, b.top FROM below AS b CROSS JOIN records AS r ON r.id = b.id AND r.tenant = :tenant
WHERE b.id <> b.top
ORDER BY r.at DESC, r.seq DESC

-- name: find_doubted_among
-- Those of these records that are doubted, and the doubted ones drawn from these.
SELECT {record_columns}, named.value FROM json_each(:ids) AS named CROSS JOIN records AS r ON r.id = named.value
WHERE r.tenant = :tenant AND {state_then} = 'doubted' AND (r.expires_at IS NULL OR r.expires_at > :now) AND {told}
UNION ALL
SELECT {record_columns}, named.value FROM json_each(:ids) AS named
CROSS JOIN links AS d INDEXED BY links_by_target ON d.target = named.value AND d.type = 'derived_from'
CROSS JOIN records AS r ON r.id = d.source AND r.tenant = d.tenant
WHERE d.tenant = :tenant AND {state_then} = 'doubted' AND (r.expires_at IS NULL OR r.expires_at > :now) AND {told}

-- name: find_over_doubted
-- The active records that each of these doubted ones is shown under, newest first.
WITH RECURSIVE above (bottom, id) AS (
    SELECT named.value, named.value FROM json_each(:ids) AS named
    UNION
    SELECT a.bottom, l.source FROM above AS a CROSS JOIN records AS r ON r.id = a.id AND r.tenant = :tenant
    CROSS JOIN links AS l INDEXED BY links_by_target ON l.target = a.id
    WHERE l.type = 'doubts' AND l.tenant = :tenant AND l.at <= :now AND {state_then} = 'doubted'
)
SELECT {record_columns}, a.bottom FROM above AS a CROSS JOIN records AS r ON r.id = a.id AND r.tenant = :tenant
WHERE {state_then} = 'active' AND a.id <> a.bottom AND (r.expires_at IS NULL OR r.expires_at > :now) AND {told}
ORDER BY r.at DESC, r.seq DESC

-- name: list_links
-- Edges that start or end at a record.
SELECT source, type, target, at FROM links
WHERE tenant = :tenant AND (source = :id OR target = :id) ORDER BY at, source, target

-- name: search_words
-- The best matches by words among the first :scan of all spaces that are visible here.
SELECT r.seq, found.score FROM (
    SELECT rowid AS seq, bm25(record_text, 1.0, 1.2, 0.5, 0.0) AS score FROM record_text
    WHERE record_text MATCH :match ORDER BY score LIMIT :scan) AS found
CROSS JOIN records AS r ON r.seq = found.seq
WHERE {visible}
ORDER BY found.score LIMIT :limit

-- name: search_recent_words
-- The same among the newest :scan matches, for words that are nearly everywhere.
SELECT r.seq, found.score FROM (
    SELECT rowid AS seq, bm25(record_text, 1.0, 1.2, 0.5, 0.0) AS score FROM record_text
    WHERE record_text MATCH :match ORDER BY rowid DESC LIMIT :scan) AS found
CROSS JOIN records AS r ON r.seq = found.seq
WHERE {visible}
ORDER BY found.score LIMIT :limit

-- name: search_holding
-- Places of records that match, newest first.
SELECT rowid FROM record_text WHERE record_text MATCH :match ORDER BY rowid DESC LIMIT :most

-- name: merge_words
-- Some pages of the full-text index are merged into its newest part.
INSERT INTO record_text (record_text, rank) VALUES ('merge', :pages)

-- name: count_word_parts
-- In how many parts the full-text index is.
SELECT count(DISTINCT segid) FROM record_text_idx

-- name: count_word_matches
-- Whether there are more matches than were scanned.
SELECT count(*) FROM (SELECT rowid FROM record_text WHERE record_text MATCH :match LIMIT :scan)

-- name: search_grams
-- The best matches by character pairs.
SELECT r.seq, found.score FROM (
    SELECT rowid AS seq, bm25(record_grams) AS score FROM record_grams
    WHERE record_grams MATCH :match ORDER BY score LIMIT :scan) AS found
CROSS JOIN records AS r ON r.seq = found.seq
WHERE {visible}
ORDER BY found.score LIMIT :limit

-- name: count_records
-- About how many records there are.
SELECT coalesce(max(seq), 0) FROM records

-- name: place_ends
-- The places of the oldest and of the newest record; nothing where there is none.
SELECT (SELECT min(seq) FROM records), (SELECT max(seq) FROM records)

-- name: last_place
-- The place of the newest record; 0 where there is none.
SELECT coalesce((SELECT seq FROM records NOT INDEXED WHERE tenant = :tenant ORDER BY seq DESC LIMIT 1), 0)

-- name: end_of_page
-- The place of the last of the next :limit records after a place; null after the last record.
SELECT max(seq) FROM (
    SELECT seq FROM records NOT INDEXED WHERE tenant = :tenant AND seq > :after ORDER BY seq LIMIT :limit) AS page

-- name: mentions_of_any
-- Records that mention these entities, most of them first, then newest.
SELECT record, count(*) AS score FROM mentions WHERE entity IN (SELECT value FROM json_each(:entities))
GROUP BY record ORDER BY score DESC, record DESC LIMIT :most

-- name: mentions_of_one
-- Records that mention one entity, newest first.
SELECT record FROM mentions WHERE entity = :entity ORDER BY record DESC LIMIT :most

-- name: search_time
-- Visible records of a stretch of time, newest first.
SELECT r.seq, r.at FROM records AS r
WHERE r.at >= :start AND r.at < :end AND {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: search_told
-- Visible records of a space that tell of a stretch of time, the latest told, and how much of both stretches they share.
SELECT seq, max(1.0 * (min(ends_at, :end) - max(starts_at, :start))
    / (max(ends_at, :end) - min(starts_at, :start))) AS score, at
FROM (
    SELECT r.seq, r.at, t.starts_at, t.ends_at FROM times AS t CROSS JOIN records AS r ON r.seq = t.record
    WHERE t.tenant = :tenant AND t.space = :space AND t.starts_at >= :earliest AND t.starts_at < :end
        AND t.ends_at > :start AND {visible}
    ORDER BY t.starts_at DESC, t.ends_at DESC, t.record DESC LIMIT :limit)
GROUP BY seq

-- name: telling_records
-- Which of these records tell of a stretch of time.
SELECT DISTINCT record FROM times INDEXED BY times_by_record
WHERE record IN (SELECT value FROM json_each(:seqs)) AND tenant = :tenant AND starts_at < :end AND ends_at > :start

-- name: said_after
-- The beginnings of what people said after a place, in order.
SELECT seq, space, substr(text, 1, :length), at FROM records NOT INDEXED
WHERE seq > :after AND tenant = :tenant AND role <> 'assistant' ORDER BY seq LIMIT :limit

-- name: said_up_to
-- The beginnings of what people said up to a place, the last first.
SELECT seq, space, substr(text, 1, :length), at FROM records NOT INDEXED
WHERE seq <= :place AND tenant = :tenant AND role <> 'assistant' ORDER BY seq DESC LIMIT :limit

-- name: put_time
-- A record tells of a time.
INSERT OR IGNORE INTO times (tenant, space, starts_at, ends_at, record)
SELECT tenant, space, :start, :end, seq FROM records WHERE seq = :record AND tenant = :tenant

-- name: drop_other_times
-- A record tells of none but these times, each an array of its two ends.
DELETE FROM times WHERE record = :record AND tenant = :tenant
    AND json_array(starts_at, ends_at) NOT IN (SELECT value FROM json_each(:spans))

-- name: search_subjects
-- Visible records about these attributes of these people, or of anyone, newest first.
SELECT r.seq, r.at FROM records AS r
WHERE r.subject IS NOT NULL AND r.space IN (SELECT value FROM json_each(:spaces))
    AND (:owners IS NULL OR substr(r.subject, 1, instr(r.subject, '/') - 1) IN (SELECT value FROM json_each(:owners)))
    AND substr(r.subject, instr(r.subject, '/') + 1) IN (SELECT value FROM json_each(:attributes)) AND {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: units
-- Records as evidence: what they say, who said it and when, and whether each is visible here; other active ones too.
-- What is private to somebody else is evidence of nothing, since a score would tell of it.
SELECT r.seq, r.text, r.author, r.role, r.at, ({visible}) AS visible, r.kind, r.session
FROM records AS r NOT INDEXED
WHERE r.tenant = :tenant AND r.seq IN (SELECT value FROM json_each(:seqs)) AND (visible OR (r.state = 'active' AND {told}))

-- name: windows
-- Which messages stand before and after these, nearest first, where they are part of a conversation.
SELECT r.seq,
    (SELECT group_concat(seq) FROM (SELECT seq FROM records
        WHERE conversation = r.conversation AND seq < r.seq ORDER BY seq DESC LIMIT :reach)) AS before,
    (SELECT group_concat(seq) FROM (SELECT seq FROM records
        WHERE conversation = r.conversation AND seq > r.seq ORDER BY seq LIMIT :reach)) AS after
FROM records AS r NOT INDEXED
WHERE r.tenant = :tenant AND r.seq IN (SELECT value FROM json_each(:seqs))
    AND (r.session IS NOT NULL OR r.channel IS NOT NULL)

-- name: visible_seqs
-- Which of these records are visible here.
SELECT r.seq FROM records AS r NOT INDEXED WHERE r.seq IN (SELECT value FROM json_each(:seqs)) AND {visible}

-- name: window_messages
-- The last messages of a session or channel that a person may see; of a message in parts, the first one.
SELECT {record_columns} FROM records AS r INDEXED BY records_by_conversation
WHERE r.tenant = :tenant AND r.conversation IN (
        SELECT id FROM conversations WHERE tenant = :tenant AND space = :space
            AND ((:session IS NOT NULL AND session = :session) OR (:session IS NULL AND channel = :channel))
        ORDER BY updated_at DESC LIMIT 20)
    AND r.state = 'active' AND (r.expires_at IS NULL OR r.expires_at > :now)
    AND {told}
    AND NOT EXISTS (SELECT 1 FROM links AS l WHERE l.source = r.id AND l.type = 'part_of' AND l.tenant = r.tenant)
ORDER BY r.seq DESC LIMIT :limit

-- name: find_entities
-- Entities by any of their aliases.
SELECT a.entity, e.id, e.name, e.type, a.alias FROM aliases AS a JOIN entities AS e ON e.seq = a.entity
WHERE a.tenant = :tenant AND a.space IN (SELECT value FROM json_each(:spaces))
    AND a.alias IN (SELECT value FROM json_each(:aliases))
ORDER BY a.entity

-- name: find_aliases
-- What these aliases of a space may mean. An alias with a type belongs to one entity.
SELECT alias, type, entity FROM aliases WHERE tenant = :tenant AND space = :space AND alias IN (SELECT value FROM json_each(:aliases))

-- name: add_entity
-- A new entity.
INSERT INTO entities (id, tenant, space, name, type) VALUES (:id, :tenant, :space, :name, :type) RETURNING seq

-- name: add_alias
-- One more way to write an entity.
INSERT INTO aliases (tenant, space, alias, type, entity, shown)
VALUES (:tenant, :space, :alias, :type, :entity, :shown) ON CONFLICT DO NOTHING

-- name: add_mention
-- A record mentions an entity.
INSERT INTO mentions (entity, record) VALUES (:entity, :record) ON CONFLICT DO NOTHING

-- name: entity_by_seq
-- An entity with its aliases and how many current records mention it.
SELECT e.id, e.name, e.type, e.space,
    (SELECT json_group_array(shown) FROM (SELECT DISTINCT shown FROM aliases WHERE entity = e.seq ORDER BY shown)),
    (SELECT count(*) FROM mentions AS m JOIN records AS r ON r.seq = m.record WHERE m.entity = e.seq AND r.state = 'active')
FROM entities AS e WHERE e.seq = :seq

-- name: move_mentions
-- The records that mention an entity mention another from now on.
UPDATE OR IGNORE mentions SET entity = :into WHERE entity = :entity

-- name: move_aliases
-- The ways to write an entity lead to another from now on.
UPDATE aliases SET entity = :into WHERE entity = :entity

-- name: drop_entity
-- An entity that became part of another.
DELETE FROM entities WHERE seq = :entity AND seq <> :into

-- name: list_entities
-- All entities of a space with what they are called, most mentioned first.
SELECT e.seq, e.id, e.name, e.type, count(m.record) AS mentioned FROM entities AS e
LEFT JOIN mentions AS m ON m.entity = e.seq
WHERE e.tenant = :tenant AND e.space = :space GROUP BY e.seq ORDER BY mentioned DESC, e.name LIMIT :limit

-- name: open_conversation
-- The open conversation of a key, if there is one.
SELECT id, space, key, user, session, channel, started_at, updated_at, messages, state, ended_by, settled_at
FROM conversations WHERE tenant = :tenant AND space = :space AND key = :key AND state = 'open'

-- name: other_open_conversations
-- Open conversations of a person in other sessions.
SELECT id, space, key, user, session, channel, started_at, updated_at, messages, state, ended_by, settled_at
FROM conversations INDEXED BY conversations_open_by_user
WHERE tenant = :tenant AND space = :space AND user IS :user AND state = 'open' AND session IS NOT :session

-- name: add_conversation
-- A conversation opens.
INSERT INTO conversations (id, tenant, space, key, user, session, channel, started_at, updated_at, messages, state)
VALUES (:id, :tenant, :space, :key, :user, :session, :channel, :started_at, :updated_at, 0, 'open')

-- name: extend_conversation
-- More messages.
UPDATE conversations
SET messages = messages + :count, updated_at = max(updated_at, :last), started_at = min(started_at, :first)
WHERE tenant = :tenant AND id = :id

-- name: end_conversation
-- Nothing more is added; it waits to be settled.
UPDATE conversations SET state = 'ended', ended_by = :ended_by WHERE tenant = :tenant AND id = :id AND state = 'open'

-- name: settle_conversation
-- It became knowledge; only one caller can say so.
UPDATE conversations SET state = 'settled', settled_at = :at WHERE tenant = :tenant AND id = :id AND state <> 'settled'

-- name: reopen_conversation
-- Something of it was changed or destroyed: it waits to be settled again.
UPDATE conversations SET state = 'ended', settled_at = NULL WHERE tenant = :tenant AND id = :id AND state = 'settled'

-- name: last_settled
-- When a person's conversations were last settled.
SELECT user, max(settled_at) FROM conversations
WHERE tenant = :tenant AND space = :space AND user IS NOT NULL AND settled_at IS NOT NULL GROUP BY user

-- name: get_conversation
-- One conversation.
SELECT id, space, key, user, session, channel, started_at, updated_at, messages, state, ended_by, settled_at
FROM conversations WHERE tenant = :tenant AND id = :id

-- name: list_conversations
-- Conversations that are not settled, oldest first.
SELECT id, space, key, user, session, channel, started_at, updated_at, messages, state, ended_by, settled_at
FROM conversations INDEXED BY conversations_unsettled
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND state <> 'settled'
    AND (:session IS NULL OR session = :session) AND (:channel IS NULL OR channel = :channel)
    AND (:user IS NULL OR user = :user)
ORDER BY started_at

-- name: restore_conversation
-- A conversation as an export told it.
INSERT INTO conversations (
    id, tenant, space, key, user, session, channel, started_at, updated_at, messages, state, ended_by, settled_at)
VALUES (
    :id, :tenant, :space, :key, :user, :session, :channel, :started_at, :updated_at, :messages, :state, :ended_by,
    :settled_at)
ON CONFLICT DO NOTHING

-- name: all_conversations
-- Every conversation, for export.
SELECT id, space, key, user, session, channel, started_at, updated_at, messages, state, ended_by, settled_at
FROM conversations WHERE tenant = :tenant AND (:space IS NULL OR space = :space) ORDER BY id

-- name: conversation_messages
-- What was said in a conversation, in order, a page at a time.
SELECT {record_columns} FROM records AS r
WHERE r.conversation = :conversation AND r.tenant = :tenant AND r.state = 'active' AND r.seq > :after
ORDER BY r.seq LIMIT :limit

-- name: last_said
-- The newest messages of a conversation: whose each is, in which role, and its words.
SELECT r.user, r.role, r.text FROM records AS r INDEXED BY records_by_conversation
WHERE r.conversation = :conversation AND r.tenant = :tenant
ORDER BY r.seq DESC LIMIT 16

-- name: last_said_in
-- The same of a session or a channel, or outside of both.
SELECT r.user, r.role, r.text FROM records AS r INDEXED BY records_by_conversation
WHERE r.tenant = :tenant AND r.conversation IN (
    SELECT id FROM conversations WHERE tenant = :tenant AND space = :space
        AND session IS :session AND channel IS :channel
    ORDER BY updated_at DESC LIMIT 20)
ORDER BY r.seq DESC LIMIT 16

-- name: get_document
-- The current version of a document.
SELECT name, owner, space, version, entries, data, at FROM documents
WHERE tenant = :tenant AND space = :space AND owner = :owner AND name = :name ORDER BY version DESC LIMIT 1

-- name: document_as_of
-- The version of a document that was current then.
SELECT name, owner, space, version, entries, data, at FROM documents
WHERE tenant = :tenant AND space = :space AND owner = :owner AND name = :name AND at <= :as_of
ORDER BY version DESC LIMIT 1

-- name: put_document
-- A new version of a document.
INSERT INTO documents (tenant, space, owner, name, version, entries, data, at)
VALUES (:tenant, :space, :owner, :name, :version, :entries, :data, :at)

-- name: all_documents
-- Every version of every document, for export and for erasing sources.
SELECT name, owner, space, version, entries, data, at FROM documents
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) ORDER BY space, owner, name, version

-- name: list_documents
-- The current versions of an owner's documents whose names begin like this.
SELECT name, owner, space, max(version), entries, data, at FROM documents
WHERE tenant = :tenant AND space = :space AND owner = :owner
    AND name >= :prefix AND substr(name, 1, length(:prefix)) = :prefix
GROUP BY owner, name ORDER BY name

-- name: list_documents_of_all
-- The current versions of all owners' documents whose names begin like this.
SELECT name, owner, space, max(version), entries, data, at FROM documents
WHERE tenant = :tenant AND space = :space AND substr(name, 1, length(:prefix)) = :prefix
GROUP BY owner, name ORDER BY owner, name

-- name: documents_drawn_from
-- Versions of documents with an entry that came from any of these records.
SELECT d.name, d.owner, d.space, d.version, d.entries, d.data, d.at FROM documents AS d
WHERE d.tenant = :tenant AND EXISTS (
    SELECT 1 FROM json_each(iif(json_valid(d.entries), d.entries, '[]')) AS e, json_each(e.value, '$.sources') AS s
    WHERE s.value IN (SELECT value FROM json_each(:ids)))
ORDER BY d.space, d.owner, d.name, d.version

-- name: rewrite_document
-- Take erased entries out of a version.
UPDATE documents SET entries = :entries, data = :data
WHERE tenant = :tenant AND space = :space AND owner = :owner AND name = :name AND version = :version

-- name: drop_documents
-- All versions of an owner's documents.
DELETE FROM documents
WHERE tenant = :tenant AND owner = :owner AND (:space IS NULL OR space = :space) AND (:name IS NULL OR name = :name)

-- name: add_model
-- An embedding model by name.
INSERT INTO models (name, dimensions) VALUES (:name, :dimensions) ON CONFLICT DO NOTHING

-- name: get_model
-- The number and dimensions of a model.
SELECT id, dimensions FROM models WHERE name = :name

-- name: list_models
-- All models with how many vectors each has.
SELECT m.id, m.name, m.dimensions, (SELECT count(*) FROM vectors WHERE model = m.id) FROM models AS m ORDER BY m.id

-- name: records_to_embed
-- Records that wait for a vector, all or of some, newest first, with who or what heads them.
SELECT seq, text, CASE
    WHEN title <> '' THEN title || char(10) WHEN role = 'user' AND author NOT IN ('', role) THEN author || ': ' ELSE '' END
FROM records
WHERE embedding = 'wanted' AND (:among IS NULL OR seq IN (SELECT value FROM json_each(:among)))
ORDER BY seq DESC LIMIT :limit

-- name: places_to_embed
-- Where the records are that wait for a vector, all or of some, newest first, without those of a session.
SELECT seq FROM records
WHERE embedding = 'wanted' AND (:not_session IS NULL OR session IS NULL OR session <> :not_session)
    AND (:among IS NULL OR seq IN (SELECT value FROM json_each(:among)))
ORDER BY seq DESC LIMIT :limit

-- name: put_vector
-- The vector of a part of a record; an older one of the same model gives way.
INSERT OR REPLACE INTO vectors (record, part, model, vector)
SELECT seq, :part, :model, :vector FROM records WHERE seq = :record

-- name: drop_vector
-- The vector of a part that a text no longer has.
DELETE FROM vectors WHERE record = :record AND model = :model AND part = :part

-- name: mark_embedded
-- Records that have their vectors, or will not get any.
UPDATE records SET embedding = 'done' WHERE seq IN (SELECT value FROM json_each(:seqs)) AND embedding = 'wanted'

-- name: want_vectors
-- Every record that lacks a vector of this model waits for one.
UPDATE records SET embedding = 'wanted'
WHERE embedding = 'done' AND NOT EXISTS (SELECT 1 FROM vectors WHERE record = records.seq AND model = :model)

-- name: count_lacking
-- How many records have no vector of this model, whatever it is if null, and are to have one.
SELECT count(*) FROM records AS r
WHERE r.tenant = :tenant AND (:space IS NULL OR r.space = :space) AND r.embedding <> 'none' AND NOT EXISTS (
    SELECT 1 FROM vectors WHERE record = r.seq AND model = :model)

-- name: models_of_record
-- The models that made vectors of a record.
SELECT DISTINCT m.name FROM vectors AS v JOIN models AS m ON m.id = v.model WHERE v.record = :record ORDER BY m.id

-- name: any_model
-- Whether any model is known.
SELECT 1 FROM models LIMIT 1

-- name: records_refused
-- Active records that have no vector of this model and wait for none; two indexes pass over all others.
SELECT id FROM records
WHERE seq IN (
        SELECT r.seq FROM records AS r
        WHERE r.tenant = :tenant AND NOT EXISTS (SELECT 1 FROM vectors WHERE record = r.seq AND model = :model))
    AND embedding = 'done' AND state = 'active'
ORDER BY seq DESC

-- name: drop_other_vectors
-- Vectors of models no longer used.
DELETE FROM vectors WHERE model <> :model

-- name: vectors_after
-- Vectors written since, with what a filter needs to know of their records.
SELECT v.seq, v.record, v.part, v.vector, r.space, r.user, r.kind, r.visibility FROM vectors AS v JOIN records AS r ON r.seq = v.record
WHERE v.model = :model AND v.seq > :after ORDER BY v.seq LIMIT :limit

-- name: vectors_of
-- The vectors of these records.
SELECT record, part, vector FROM vectors WHERE model = :model AND record IN (SELECT value FROM json_each(:seqs))

-- name: vector_parts_of
-- Which of these records have vectors, by part.
SELECT record, part FROM vectors WHERE model = :model AND record IN (SELECT value FROM json_each(:seqs))

-- name: count_unpacked
-- How many vectors came after the last packed part, up to a limit.
SELECT count(*) FROM (
    SELECT 1 FROM vectors
    WHERE model = :model AND seq > (SELECT coalesce(max(last), 0) FROM vector_packs WHERE model = :model)
    LIMIT :limit)

-- name: set_shape
-- What the vectors of a model look like here, for asking with them.
UPDATE models SET shape = :shape, shaped_at = :count WHERE id = :model

-- name: get_shape
-- What the vectors of a model look like here, about how many there were when that was found, and are.
SELECT shape, shaped_at, (SELECT coalesce(max(seq), 0) FROM vectors WHERE model = :model) FROM models WHERE id = :model

-- name: sample_vectors
-- About as many vectors as wanted, from everywhere.
SELECT vector FROM vectors WHERE model = :model AND seq % :every = 0 LIMIT :limit

-- name: list_packs
-- Packed parts of the index, in order.
SELECT last, pack FROM vector_packs WHERE model = :model ORDER BY last

-- name: list_pack_ends
-- Where the packed parts of the index end.
SELECT last FROM vector_packs WHERE model = :model ORDER BY last

-- name: put_pack
-- A packed part of the index.
INSERT OR REPLACE INTO vector_packs (model, last, pack) VALUES (:model, :last, :pack)

-- name: drop_packs
-- Packs of a model, to be rebuilt.
DELETE FROM vector_packs WHERE model = :model

-- name: put_job
-- A job is due: a waiting one of the same key moves to the new time, a running one runs once more afterwards.
INSERT INTO jobs (tenant, space, key, name, args, state, due_at, cron, zone, max_attempts, timeout_ms)
VALUES (:tenant, :space, :key, :name, :args, 'ready', :due_at, :cron, :zone, :max_attempts, :timeout_ms)
ON CONFLICT (tenant, space, key) DO UPDATE SET
    args = excluded.args,
    cron = excluded.cron,
    zone = excluded.zone,
    max_attempts = excluded.max_attempts,
    timeout_ms = excluded.timeout_ms,
    due_at = CASE WHEN state = 'running' THEN due_at ELSE excluded.due_at END,
    again_at = CASE WHEN state = 'running' THEN excluded.due_at ELSE NULL END,
    attempts = CASE WHEN state = 'failed' THEN 0 ELSE attempts END,
    state = CASE WHEN state = 'failed' THEN 'ready' ELSE state END

-- name: get_job
-- One job.
SELECT {job_columns}
FROM jobs WHERE tenant = :tenant AND space = :space AND key = :key

-- name: list_jobs
-- All jobs, the next one first.
SELECT {job_columns}
FROM jobs WHERE tenant = :tenant AND (:space IS NULL OR space = :space) ORDER BY due_at, key

-- name: scheduled_jobs
-- Jobs that come again by a schedule, and those that failed; thousands of others may wait beside them.
SELECT {job_columns}
FROM jobs WHERE tenant = :tenant AND (cron <> '' OR state = 'failed') ORDER BY due_at, key

-- name: stray_jobs
-- How many jobs wait or are leased further ahead than anything is ever planned.
SELECT count(*) FROM jobs
WHERE tenant = :tenant AND ((state = 'ready' AND due_at > :furthest AND cron = '')
    OR (state = 'running' AND lease_until > :leased))

-- name: free_stray_jobs
-- Jobs that were planned or leased while a clock was wrong are due now.
UPDATE jobs SET state = 'ready', lease = NULL, lease_until = NULL, again_at = NULL, due_at = :now
WHERE tenant = :tenant AND ((state = 'ready' AND due_at > :furthest AND cron = '')
    OR (state = 'running' AND lease_until > :leased))

-- name: next_job
-- The first job that is due and free, or whose worker went silent.
SELECT {job_columns}
FROM jobs
WHERE tenant = :tenant AND ((state = 'ready' AND due_at <= :now) OR (state = 'running' AND lease_until <= :now))
    AND name IN (SELECT value FROM json_each(:names))
ORDER BY due_at, key LIMIT 1

-- name: due_jobs
-- Jobs of one name that are due and free, at their first attempt.
SELECT {job_columns}
FROM jobs WHERE tenant = :tenant AND state = 'ready' AND due_at <= :now AND name = :name AND attempts = 0
ORDER BY due_at, key

-- name: next_due
-- When the next job is due.
SELECT min(CASE state WHEN 'running' THEN lease_until ELSE due_at END) FROM jobs
WHERE tenant = :tenant AND state <> 'failed' AND name IN (SELECT value FROM json_each(:names))

-- name: lease_job
-- A worker takes a job.
UPDATE jobs SET state = 'running', lease = :lease, lease_until = :lease_until, attempts = attempts + 1, last_run_at = :now
WHERE tenant = :tenant AND space = :space AND key = :key

-- name: renew_lease
-- The worker is still alive.
UPDATE jobs SET lease_until = :lease_until
WHERE tenant = :tenant AND space = :space AND key = :key AND lease = :lease AND state = 'running'

-- name: reschedule_job
-- The run is over: when the job is due again.
UPDATE jobs SET state = :state, due_at = :due_at, again_at = NULL, attempts = :attempts, lease = NULL,
    lease_until = NULL, last_error = :last_error
WHERE tenant = :tenant AND space = :space AND key = :key AND lease = :lease

-- name: drop_job
-- A job that is done for good.
DELETE FROM jobs WHERE tenant = :tenant AND space = :space AND key = :key AND (:lease IS NULL OR lease = :lease)

-- name: add_run
-- What a run did.
INSERT INTO runs (tenant, space, key, name, started_at, ended_at, status, counts, error, detail)
VALUES (:tenant, :space, :key, :name, :started_at, :ended_at, :status, :counts, :error, :detail)

-- name: list_runs
-- Past runs, newest first.
SELECT space, key, name, started_at, ended_at, status, counts, error, detail FROM runs
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:name IS NULL OR name = :name)
ORDER BY seq DESC LIMIT :limit

-- name: trim_runs
-- Old runs are not kept for ever.
DELETE FROM runs WHERE tenant = :tenant AND ended_at < :before

-- name: get_draft
-- What a model answered when it was asked just this.
SELECT answer FROM drafts WHERE tenant = :tenant AND space = :space AND key = :key

-- name: put_draft
-- A paid answer, until what became of it is in the store.
INSERT INTO drafts (tenant, space, key, answer, at) VALUES (:tenant, :space, :key, :answer, :at)
ON CONFLICT DO UPDATE SET answer = excluded.answer, at = excluded.at

-- name: drop_drafts
-- Answers that are in the store now.
DELETE FROM drafts WHERE tenant = :tenant AND space = :space AND key IN (SELECT value FROM json_each(:keys))

-- name: trim_drafts
-- Answers that nobody came back for.
DELETE FROM drafts WHERE tenant = :tenant AND at < :before

-- name: add_usage
-- What one task asked of a model, added to its day.
INSERT INTO usage (tenant, space, task, model, day, calls, refused, input_tokens, output_tokens, cost, unpriced)
VALUES (:tenant, :space, :task, :model, :day, :calls, :refused, :input_tokens, :output_tokens, :cost, :unpriced)
ON CONFLICT DO UPDATE SET
    calls = calls + excluded.calls, refused = refused + excluded.refused,
    input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens,
    cost = cost + excluded.cost, unpriced = unpriced + excluded.unpriced

-- name: list_usage
-- What was asked of models, per space, task and model.
SELECT space, task, model, sum(calls), sum(refused), sum(input_tokens), sum(output_tokens), sum(cost), sum(unpriced)
FROM usage
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:since IS NULL OR day >= :since)
GROUP BY space, task, model ORDER BY space, task, model

-- name: list_usage_by_day
-- What was asked of models on each day, oldest first; and how many of the calls read a conversation.
SELECT day, sum(CASE WHEN task = :reading THEN calls - refused ELSE 0 END), sum(calls), sum(input_tokens),
    sum(output_tokens), sum(cost), sum(unpriced)
FROM usage
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:since IS NULL OR day >= :since)
GROUP BY day ORDER BY day

-- name: add_question
-- A doubt to put to the person, or one as an export told it.
INSERT INTO questions (id, tenant, space, user, text, older, newer, created_at, answered_at, answer)
VALUES (:id, :tenant, :space, :user, :text, :older, :newer, :created_at, :answered_at, :answer)
ON CONFLICT DO NOTHING

-- name: list_questions
-- Open questions, oldest first, or all of them. One about a record that no longer counts, or that was kept, is not open.
SELECT q.id, q.space, q.user, q.text, q.older, q.newer, q.created_at, q.answered_at, q.answer FROM questions AS q
WHERE q.tenant = :tenant AND (:space IS NULL OR q.space = :space)
    AND (:user IS NULL OR q.user IS NULL OR q.user = :user) AND (:id IS NULL OR q.id = :id)
    AND (:open = 0 OR (q.answered_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM records AS r WHERE r.tenant = :tenant AND (
            (r.id = q.older AND r.state NOT IN ('active', 'doubted'))
            OR (r.id = q.newer AND r.state NOT IN ('active', 'proposed')))
        ) AND NOT EXISTS (
        SELECT 1 FROM links AS l
        WHERE l.tenant = :tenant AND l.source = q.newer AND l.type = 'judged' AND l.target = q.older)))
ORDER BY q.created_at, q.id

-- name: answer_question
-- A question is settled.
UPDATE questions SET answered_at = :at, answer = :answer WHERE tenant = :tenant AND id = :id

-- name: put_setting
-- A value kept for a space.
INSERT INTO settings (tenant, space, key, value) VALUES (:tenant, :space, :key, :value)
ON CONFLICT (tenant, space, key) DO UPDATE SET value = excluded.value

-- name: get_setting
-- A value kept for a space.
SELECT value FROM settings WHERE tenant = :tenant AND space = :space AND key = :key

-- name: add_audit
-- One entry of the audit log.
INSERT INTO audit_log (tenant, space, at, actor, interface, action, detail, salt, commitment, digest)
VALUES (:tenant, :space, :at, :actor, :interface, :action, :detail, :salt, :commitment, :digest)

-- name: last_audit_digest
-- What the next entry commits to.
SELECT digest FROM audit_log WHERE tenant = :tenant ORDER BY seq DESC LIMIT 1

-- name: list_audit
-- Entries of the audit log, newest first.
SELECT space, at, actor, interface, action, detail FROM audit_log
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:actor IS NULL OR actor = :actor)
    AND (:action IS NULL OR action = :action) AND (:since IS NULL OR at >= :since)
ORDER BY seq DESC LIMIT :limit

-- name: audit_page
-- Whole rows of the audit log in order, for its verification.
SELECT seq, space, at, actor, interface, action, detail, salt, commitment, digest FROM audit_log
WHERE tenant = :tenant AND seq > :after ORDER BY seq LIMIT :limit

-- name: blank_audit
-- Removes what names an erased person; time, action and commitment stay.
UPDATE audit_log SET space = '', actor = '', interface = '', detail = '{}', salt = NULL
WHERE tenant = :tenant AND (salt IS NOT NULL OR digest = x'') AND (:space IS NULL OR space = :space)
    AND (actor = :user OR space = '@' || :user OR iif(json_valid(detail), json_extract(detail, '$.user'), NULL) = :user)

-- name: last_expired_audit
-- The newest entry that is older than the retention.
SELECT seq, digest FROM audit_log WHERE tenant = :tenant AND at < :before ORDER BY seq DESC LIMIT 1

-- name: expire_audit
-- Removes the entries up to one of them.
DELETE FROM audit_log WHERE tenant = :tenant AND seq <= :seq

-- part: sealed_amount
    SELECT count(*), coalesce(sum(length(box) + length(vector)), 0) FROM sealed_items WHERE tenant = :tenant

-- name: amount_of_person
-- What one person has stored in a space, sealed items too.
SELECT sum(records), sum(bytes) FROM (
    SELECT records, bytes FROM stored_amounts WHERE tenant = :tenant AND space = :space AND user = :user
    UNION ALL {sealed_amount} AND space = :space AND coalesce(user, '') = :user)

-- name: amount_of_space
-- What everybody has stored in a space, sealed items too.
SELECT sum(records), sum(bytes) FROM (
    SELECT records, bytes FROM stored_amounts WHERE tenant = :tenant AND space = :space
    UNION ALL {sealed_amount} AND space = :space)

-- name: amount_of_tenant
-- What everybody has stored in all spaces, sealed items too, and how many writes were counted in one minute.
SELECT sum(records), sum(bytes), sum(writes) FROM (
    SELECT records, bytes, CASE WHEN minute = :minute THEN writes ELSE 0 END AS writes
    FROM stored_amounts WHERE tenant = :tenant
    UNION ALL SELECT *, 0 FROM ({sealed_amount}))

-- name: amounts_added_after
-- What was stored after the record at a place, by space and person.
SELECT space, user, count(*), sum(octet_length(text)) FROM records NOT INDEXED
WHERE tenant = :tenant AND seq > :seq GROUP BY space, user

-- name: list_owners
-- Who has stored something where.
SELECT space, user FROM stored_amounts WHERE tenant = :tenant AND user <> '' ORDER BY space, user

-- name: count_writes
-- Adds to the writes of a person in one minute; another minute starts from zero.
INSERT INTO stored_amounts (tenant, space, user, records, bytes, minute, writes)
VALUES (:tenant, :space, :user, 0, 0, :minute, :count)
ON CONFLICT DO UPDATE SET
    writes = CASE WHEN minute = excluded.minute THEN writes + excluded.writes ELSE excluded.writes END,
    minute = excluded.minute
RETURNING writes

-- name: count_by_kind
-- How many records of each kind and state.
SELECT kind, state, count(*), max(at) FROM records
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:user IS NULL OR user = :user)
GROUP BY kind, state ORDER BY kind, state

-- name: count_rows
-- Sizes that `stats` shows.
SELECT
    (SELECT count(*) FROM people WHERE tenant = :tenant AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM entities WHERE tenant = :tenant AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM conversations WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND state <> 'settled'),
    (SELECT count(*) FROM records WHERE tenant = :tenant AND embedding = 'wanted'),
    (SELECT count(*) FROM jobs WHERE tenant = :tenant AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM questions WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND answered_at IS NULL)

-- name: rebuild_words
-- The word index anew from the records.
INSERT INTO record_text (record_text) VALUES ('rebuild')

-- name: unchecked_records
-- Every row with the columns that other programs and damage may have made unusable.
SELECT seq, at, created_at, expires_at, state_at, accessed_at, faded_at, CAST(tags AS BLOB) AS tags, CAST(metadata
    AS BLOB) AS metadata, CAST(id AS BLOB) AS id, CAST(text AS BLOB) AS text, CAST(title AS BLOB) AS title,
    CAST(summary AS BLOB) AS summary, CAST(author AS BLOB) AS author, CAST(user AS BLOB) AS user, CAST(session
    AS BLOB) AS session, CAST(channel AS BLOB) AS channel, CAST(branch AS BLOB) AS branch, CAST(subject AS BLOB)
    AS subject
FROM records

-- name: replace_records
-- Values that can be used take the place of those that cannot.
UPDATE records SET
    at = :at, created_at = :created_at, expires_at = :expires_at, state_at = :state_at, accessed_at =
    :accessed_at, faded_at = :faded_at, tags = :tags, metadata = :metadata, id = :id, text = :text, title =
    :title, summary = :summary, author = :author, user = :user, session = :session, channel = :channel, branch =
    :branch, subject = :subject
WHERE seq = :seq

-- name: unchecked_conversations
-- Every row with the columns that other programs and damage may have made unusable.
SELECT id, tenant, space, started_at, updated_at, settled_at
FROM conversations

-- name: replace_conversations
-- Values that can be used take the place of those that cannot.
UPDATE conversations SET
    started_at = :started_at, updated_at = :updated_at, settled_at = :settled_at
WHERE id = :id AND tenant = :tenant AND space = :space

-- name: unchecked_jobs
-- Every row with the columns that other programs and damage may have made unusable.
SELECT tenant, space, key, due_at, again_at, lease_until, last_run_at, CAST(args AS BLOB) AS args, CAST(last_error
    AS BLOB) AS last_error
FROM jobs

-- name: replace_jobs
-- Values that can be used take the place of those that cannot.
UPDATE jobs SET
    due_at = :due_at, again_at = :again_at, lease_until = :lease_until, last_run_at = :last_run_at, args =
    :args, last_error = :last_error
WHERE tenant = :tenant AND space = :space AND key = :key

-- name: unchecked_runs
-- Every row with the columns that other programs and damage may have made unusable.
SELECT seq, started_at, ended_at, CAST(counts AS BLOB) AS counts, CAST(detail AS BLOB) AS detail, CAST(error AS
    BLOB) AS error
FROM runs

-- name: replace_runs
-- Values that can be used take the place of those that cannot.
UPDATE runs SET
    started_at = :started_at, ended_at = :ended_at, counts = :counts, detail = :detail, error = :error
WHERE seq = :seq

-- name: unchecked_people
-- Every row with the columns that other programs and damage may have made unusable.
SELECT tenant, space, id, seen_at, CAST(username AS BLOB) AS username, CAST(display_name AS BLOB) AS display_name
FROM people

-- name: replace_people
-- Values that can be used take the place of those that cannot.
UPDATE people SET
    seen_at = :seen_at, username = :username, display_name = :display_name
WHERE tenant = :tenant AND space = :space AND id = :id

-- name: unchecked_documents
-- Every row with the columns that other programs and damage may have made unusable.
SELECT tenant, space, owner, name, version, at, CAST(entries AS BLOB) AS entries, CAST(data AS BLOB) AS data
FROM documents

-- name: replace_documents
-- Values that can be used take the place of those that cannot.
UPDATE documents SET
    at = :at, entries = :entries, data = :data
WHERE tenant = :tenant AND space = :space AND owner = :owner AND name = :name AND version = :version

-- name: unchecked_changes
-- Every row with the columns that other programs and damage may have made unusable.
SELECT seq, at, CAST(reason AS BLOB) AS reason
FROM changes

-- name: replace_changes
-- Values that can be used take the place of those that cannot.
UPDATE changes SET
    at = :at, reason = :reason
WHERE seq = :seq

-- name: check_words
-- Raises when the word index and the records disagree.
INSERT INTO record_text (record_text, rank) VALUES ('integrity-check', 1)

-- name: places_with_grams
-- Which records have character pairs.
SELECT rowid FROM record_grams

-- name: texts_beyond_ascii
-- Texts that may have character pairs.
SELECT seq, text FROM records WHERE length(text) <> octet_length(text)

-- name: clear_grams
-- All character pairs, before they are made anew.
INSERT INTO record_grams (record_grams) VALUES ('delete-all')

-- name: count_gram_matches
-- Whether there are more matches than were scanned.
SELECT count(*) FROM (SELECT rowid FROM record_grams WHERE record_grams MATCH :match LIMIT :scan)

-- part: exported
    r.tenant = :tenant AND (:space IS NULL OR r.space = :space) AND (:user IS NULL OR r.user = :user)

-- name: record_places
-- Where records stand.
SELECT id, seq, space FROM records WHERE tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: entity_place
-- Where an entity stands.
SELECT seq FROM entities WHERE tenant = :tenant AND space = :space AND id = :id

-- name: alias_place
-- The entity that an alias leads to.
SELECT entity FROM aliases WHERE tenant = :tenant AND space = :space AND alias = :alias AND type = :type

-- name: export_space
-- Spaces for an export; for a person's, those where something of theirs is kept.
SELECT s.name, s.preset, s.preset_text, s.zone, s.enabled, s.created_at, s.deleted_at FROM spaces AS s
WHERE s.tenant = :tenant AND (:space IS NULL OR s.name = :space) AND (
    :user IS NULL
    OR EXISTS (SELECT 1 FROM people WHERE tenant = s.tenant AND space = s.name AND id = :user)
    OR EXISTS (SELECT 1 FROM memberships WHERE tenant = s.tenant AND space = s.name AND person = :user)
    OR EXISTS (SELECT 1 FROM documents WHERE tenant = s.tenant AND space = s.name AND owner = :user)
    OR EXISTS (SELECT 1 FROM records WHERE tenant = s.tenant AND space = s.name AND user = :user))
ORDER BY s.name

-- name: export_person
-- People for an export.
SELECT space, id, username, display_name, zone, language, blocked, seen_at FROM people
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:user IS NULL OR id = :user) ORDER BY space, id

-- name: export_member
-- Roles for an export.
SELECT space, person, role FROM memberships
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:user IS NULL OR person = :user)
ORDER BY space, person

-- name: export_conversation
-- Conversations for an export, a page at a time; for a person's, those they took part in, without who else did.
SELECT c.id, c.id, c.space, c.key, CASE WHEN :user IS NULL OR c.user = :user THEN c.user END, c.session, c.channel,
    c.started_at, c.updated_at, c.messages, c.state, c.ended_by, c.settled_at
FROM conversations AS c NOT INDEXED
WHERE c.tenant = :tenant AND c.id > :after AND (:space IS NULL OR c.space = :space) AND (
    :user IS NULL OR EXISTS (SELECT 1 FROM records AS r WHERE r.conversation = c.id AND r.user = :user))
ORDER BY c.id LIMIT :limit

-- name: export_record
-- Records for an export in the order they came, a page at a time.
SELECT r.seq, r.id, r.space, r.kind, r.text, r.title, r.summary, r.author, r.role, r.user, r.session, r.channel,
    r.branch, r.visibility, r.subject, r.state, r.state_reason, r.state_at, r.superseded_by, r.confidence, r.validated,
    r.pinned, r.origin, r.made_by, r.trust, r.conversation, r.at, r.created_at, r.expires_at, r.accessed_at,
    r.access_count, r.faded_at, r.tags, r.metadata
FROM records AS r NOT INDEXED
WHERE {exported} AND r.seq > :after ORDER BY r.seq LIMIT :limit

-- name: export_change
-- The history of records in the order in which it happened, for an export.
SELECT c.seq, c.record, c.at, c.action, c.state, c.reason, c.by, c.other
FROM changes AS c NOT INDEXED CROSS JOIN records AS r ON r.id = c.record AND {exported}
WHERE c.tenant = :tenant AND c.seq > :after ORDER BY c.seq LIMIT :limit

-- name: export_link
-- The links that start in a stretch of records and end inside the export.
SELECT l.source, l.type, l.target, l.at
FROM records AS o NOT INDEXED CROSS JOIN links AS l ON l.source = o.id AND l.tenant = o.tenant
CROSS JOIN records AS r ON r.id = l.target AND {exported}
WHERE o.seq > :after AND o.seq <= :upto AND o.tenant = :tenant
    AND (:space IS NULL OR o.space = :space) AND (:user IS NULL OR o.user = :user)
ORDER BY o.seq, l.type, l.target

-- name: export_entity
-- Entities with their aliases for an export, a page at a time; for a person's, those that their records mention.
SELECT e.seq, e.id, e.space, e.name, e.type, (
    SELECT json_group_array(json_object('alias', a.alias, 'type', a.type, 'shown', a.shown)) FROM (
        SELECT alias, type, shown FROM aliases WHERE entity = e.seq ORDER BY alias, type) AS a)
FROM entities AS e
WHERE e.tenant = :tenant AND e.seq > :after AND (:space IS NULL OR e.space = :space) AND (:user IS NULL OR EXISTS (
    SELECT 1 FROM mentions AS m JOIN records AS r ON r.seq = m.record WHERE m.entity = e.seq AND {exported}))
ORDER BY e.seq LIMIT :limit

-- name: export_mentions
-- The records of an export that mention an entity, a page at a time.
SELECT r.seq, r.id FROM mentions AS m CROSS JOIN records AS r ON r.seq = m.record
WHERE m.entity = :entity AND m.record > :after AND {exported} ORDER BY m.record LIMIT :limit

-- name: export_document
-- Every version of the documents of an export, a page at a time.
SELECT space, owner, name, version, entries, data, at FROM documents
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:user IS NULL OR owner = :user)
    AND (space, owner, name, version) > (:after_space, :after_owner, :after_name, :after_version)
ORDER BY space, owner, name, version LIMIT :limit

-- name: export_question
-- Questions for an export, open and answered, about records that are in it.
SELECT q.id, q.space, q.user, q.text, q.older, q.newer, q.created_at, q.answered_at, q.answer FROM questions AS q
WHERE q.tenant = :tenant AND (:space IS NULL OR q.space = :space) AND (:user IS NULL OR q.user = :user)
    AND EXISTS (SELECT 1 FROM records AS r WHERE r.id = q.older AND {exported})
    AND EXISTS (SELECT 1 FROM records AS r WHERE r.id = q.newer AND {exported})
ORDER BY q.created_at, q.id

-- name: export_setting
-- Settings for an export; a person's has none, since they belong to the space, nor those of this very store.
SELECT space, key, value FROM settings
WHERE tenant = :tenant AND space <> '' AND (:space IS NULL OR space = :space) AND :user IS NULL ORDER BY space, key

-- name: import_space
-- A space as an export told it.
INSERT INTO spaces (tenant, name, preset, preset_text, zone, enabled, created_at, deleted_at)
VALUES (:tenant, :name, :preset, :preset_text, :zone, :enabled, :created_at, :deleted_at) ON CONFLICT DO NOTHING

-- name: import_person
-- A person as an export told them.
INSERT INTO people (tenant, space, id, username, display_name, zone, language, blocked, seen_at)
VALUES (:tenant, :space, :id, :username, :display_name, :zone, :language, :blocked, :seen_at) ON CONFLICT DO NOTHING

-- name: import_member
-- A role as an export told it.
INSERT INTO memberships (tenant, space, person, role) VALUES (:tenant, :space, :person, :role) ON CONFLICT DO NOTHING

-- name: import_document
-- A version of a document as an export told it.
INSERT INTO documents (tenant, space, owner, name, version, entries, data, at)
VALUES (:tenant, :space, :owner, :name, :version, :entries, :data, :at) ON CONFLICT DO NOTHING

-- name: import_setting
-- A setting as an export told it.
INSERT INTO settings (tenant, space, key, value) VALUES (:tenant, :space, :key, :value) ON CONFLICT DO NOTHING

-- name: count_copied
-- What a backup must have as much of as its original.
SELECT
    (SELECT count(*) FROM records), (SELECT count(*) FROM documents), (SELECT count(*) FROM conversations),
    (SELECT count(*) FROM people), (SELECT count(*) FROM links), (SELECT count(*) FROM changes),
    (SELECT count(*) FROM vectors), (SELECT count(*) FROM settings), (SELECT count(*) FROM audit_log)

-- part: access_key_columns
    id, name, person, spaces, rights, role, created_at, expires_at, revoked_at, last_used_at

-- name: add_access_key
-- A new key for the server.
INSERT INTO access_keys (tenant, id, name, digest, person, spaces, rights, role, created_at, expires_at)
VALUES (:tenant, :id, :name, :digest, :person, :spaces, :rights, :role, :created_at, :expires_at)

-- name: find_access_key
-- The key that holds now and has this hash.
SELECT {access_key_columns} FROM access_keys
WHERE tenant = :tenant AND (digest = :digest OR (previous_digest = :digest AND previous_until > :now))
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)

-- name: list_access_keys
-- All keys, oldest first.
SELECT {access_key_columns} FROM access_keys WHERE tenant = :tenant ORDER BY created_at, id

-- name: rotate_access_key
-- A key gets a new secret; the previous one holds until a moment.
UPDATE access_keys SET previous_digest = digest, previous_until = :previous_until, digest = :digest
WHERE tenant = :tenant AND id = :id AND revoked_at IS NULL

-- name: revoke_access_key
-- A key holds no longer.
UPDATE access_keys SET revoked_at = :at, previous_digest = NULL, previous_until = NULL
WHERE tenant = :tenant AND id = :id AND revoked_at IS NULL

-- name: touch_access_key
-- A key was used.
UPDATE access_keys SET last_used_at = :at WHERE tenant = :tenant AND id = :id

-- name: purge_user_access_keys
-- The keys of a person who was erased everywhere.
DELETE FROM access_keys WHERE tenant = :tenant AND person = :user AND :space IS NULL

-- name: hold_value
-- A value that is shared until it expires; one that is there and has not expired stays.
INSERT INTO held_values (tenant, purpose, key, value, person, expires_at)
VALUES (:tenant, :purpose, :key, :value, :person, :expires_at)
ON CONFLICT (tenant, purpose, key) DO UPDATE SET
    value = excluded.value, person = excluded.person, expires_at = excluded.expires_at
WHERE held_values.expires_at <= :now

-- name: get_held_value
-- A shared value that has not expired.
SELECT value FROM held_values WHERE tenant = :tenant AND purpose = :purpose AND key = :key AND expires_at > :now

-- name: held_values_between
-- Shared values whose keys lie between two, the first among them.
SELECT key, value FROM held_values
WHERE tenant = :tenant AND purpose = :purpose AND key >= :low AND key < :high AND expires_at > :now

-- name: set_held_value
-- A shared value changes.
UPDATE held_values SET value = :value, expires_at = :expires_at
WHERE tenant = :tenant AND purpose = :purpose AND key = :key

-- name: drop_held_value
-- A shared value is taken away.
DELETE FROM held_values WHERE tenant = :tenant AND purpose = :purpose AND key = :key

-- name: trim_held_values
-- Shared values that have expired.
DELETE FROM held_values WHERE tenant = :tenant AND expires_at <= :now

-- name: purge_user_held_values
-- The signed-in browsers of a person who was erased everywhere.
DELETE FROM held_values WHERE tenant = :tenant AND person = :user AND :space IS NULL

-- name: purge_answers
-- Answers that are kept for repeated requests may quote a destroyed record.
DELETE FROM held_values WHERE tenant = :tenant AND purpose = 'answer' AND :seqs <> '[]'

-- name: event_heads
-- The newest record, change and run, and the newest entry of the audit log about a question or a settled conversation.
SELECT
    (SELECT coalesce(max(seq), 0) FROM records),
    (SELECT coalesce(max(seq), 0) FROM changes),
    (SELECT coalesce(max(seq), 0) FROM runs),
    (SELECT coalesce(max(seq), 0) FROM audit_log INDEXED BY audit_log_events
        WHERE tenant = :tenant AND action IN ('settle', 'ask question', 'answer question'))

-- name: records_after
-- Records that were added after a place, oldest first.
SELECT {record_columns} FROM records AS r NOT INDEXED WHERE r.tenant = :tenant AND r.seq > :after AND r.seq <= :upto
ORDER BY r.seq LIMIT :limit

-- name: changes_after
-- Changes of records after a place, oldest first, with the places of the records.
SELECT c.seq, c.action, c.state, c.at, c.record FROM changes AS c
WHERE c.tenant = :tenant AND c.seq > :after AND c.seq <= :upto ORDER BY c.seq LIMIT :limit

-- name: runs_after
-- Runs of jobs after a place, oldest first.
SELECT seq, space, name, status, ended_at FROM runs
WHERE tenant = :tenant AND seq > :after AND seq <= :upto ORDER BY seq LIMIT :limit

-- name: logged_after
-- Settled conversations, and questions that were asked or answered, after a place; what is gone has no id.
SELECT a.seq, a.action, a.space, a.at, coalesce(c.id, q.id), coalesce(c.user, q.user), c.session,
    iif(json_valid(a.detail), json_extract(a.detail, '$.records'), NULL), iif(json_valid(a.detail), json_extract(a.detail, '$.documents'), NULL)
FROM audit_log AS a INDEXED BY audit_log_events
LEFT JOIN conversations AS c ON a.action = 'settle' AND c.tenant = a.tenant AND c.space = a.space
    AND c.id = iif(json_valid(a.detail), json_extract(a.detail, '$.conversation'), NULL)
LEFT JOIN questions AS q ON a.action <> 'settle' AND q.tenant = a.tenant AND q.space = a.space
    AND q.id = iif(json_valid(a.detail), json_extract(a.detail, '$.question'), NULL)
WHERE a.tenant = :tenant AND a.action IN ('settle', 'ask question', 'answer question') AND a.seq > :after AND a.seq <= :upto
ORDER BY a.seq LIMIT :limit

-- name: add_webhook
-- A new webhook.
INSERT INTO webhooks (tenant, id, url, secret, events, with_text, private, place, created_at)
VALUES (:tenant, :id, :url, :secret, :events, :with_text, :private, :event_place, :created_at)

-- name: list_webhooks
-- All webhooks, oldest first, or one of them.
SELECT id, url, secret, events, with_text, private, place, created_at, delivered, dropped, delivered_at, ended_at, last_error
FROM webhooks WHERE tenant = :tenant AND (:id IS NULL OR id = :id) ORDER BY created_at, id

-- name: drop_webhook
-- A webhook is removed.
DELETE FROM webhooks WHERE tenant = :tenant AND id = :id

-- name: move_webhook
-- Events up to a place were delivered, or given up.
UPDATE webhooks SET place = :event_place, delivered = delivered + :delivered, dropped = dropped + :dropped,
    delivered_at = CASE WHEN :delivered > 0 THEN :at ELSE delivered_at END, last_error = :last_error
WHERE tenant = :tenant AND id = :id

-- name: end_webhook
-- Nothing more is sent to a webhook.
UPDATE webhooks SET ended_at = :at, last_error = :last_error WHERE tenant = :tenant AND id = :id

-- name: reopen_webhook
-- A webhook that had ended is sent to again.
UPDATE webhooks SET ended_at = NULL, last_error = '' WHERE tenant = :tenant AND id = :id

-- Rows that a move takes beside those of an export. Each reading begins with the place after which the next page starts.

-- name: move_out_store_setting
-- Settings of the whole store that are not positions in it.
SELECT place, key, value FROM (
    SELECT row_number() OVER (ORDER BY key) AS place, key, value FROM settings WHERE tenant = :tenant AND space = '' AND key IN ('tenant quota', 'audit anchor')) AS numbered
WHERE place > :after ORDER BY place LIMIT :limit

-- name: move_in_store_setting
-- A setting of the whole store, unless it is here.
INSERT INTO settings (tenant, space, key, value) VALUES (:tenant, '', :key, :value) ON CONFLICT DO NOTHING

-- name: move_out_model
-- Models of vectors, with the shape of theirs.
SELECT place, name, dimensions, shape, shaped_at FROM (
    SELECT row_number() OVER (ORDER BY name) AS place, name, dimensions, shape, shaped_at FROM models) AS numbered
WHERE place > :after ORDER BY place LIMIT :limit

-- name: move_in_model
-- A model with the shape of its vectors, unless it is here.
INSERT INTO models (name, dimensions, shape, shaped_at) VALUES (:name, :dimensions, :shape, :count)
ON CONFLICT DO NOTHING

-- name: move_out_vector
-- Vectors with the record and model that each is of.
SELECT v.seq, r.id, v.part, m.name, v.vector FROM vectors AS v
JOIN records AS r ON r.seq = v.record JOIN models AS m ON m.id = v.model
WHERE v.seq > :after ORDER BY v.seq LIMIT :limit

-- name: move_out_standing
-- What the confidence of records fades from.
SELECT s.record, r.id, s.confidence, s.since FROM standings AS s JOIN records AS r ON r.seq = s.record
WHERE s.record > :after ORDER BY s.record LIMIT :limit

-- name: move_in_standing
-- The same for a record, unless it is here.
INSERT INTO standings (record, confidence, since)
SELECT seq, :confidence, :since FROM records WHERE tenant = :tenant AND id = :record
ON CONFLICT DO NOTHING

-- name: move_out_usage
-- What was asked of models.
SELECT place, space, task, model, day, calls, refused, input_tokens, output_tokens, cost, unpriced FROM (
    SELECT row_number() OVER (ORDER BY space, task, model, day) AS place, space, task, model, day, calls, refused, input_tokens, output_tokens, cost, unpriced FROM usage WHERE tenant = :tenant) AS numbered
WHERE place > :after ORDER BY place LIMIT :limit

-- name: move_in_usage
-- What one task asked of a model on a day, unless it is here.
INSERT INTO usage (tenant, space, task, model, day, calls, refused, input_tokens, output_tokens, cost, unpriced) VALUES (:tenant, :space, :task, :model, :day, :calls, :refused, :input_tokens, :output_tokens, :cost, :unpriced)
ON CONFLICT DO NOTHING

-- name: move_out_draft
-- Paid answers whose result is not in the store yet.
SELECT place, space, key, answer, at FROM (
    SELECT row_number() OVER (ORDER BY space, key) AS place, space, key, answer, at FROM drafts WHERE tenant = :tenant) AS numbered
WHERE place > :after ORDER BY place LIMIT :limit

-- name: move_in_draft
-- A paid answer, unless it is here.
INSERT INTO drafts (tenant, space, key, answer, at) VALUES (:tenant, :space, :key, :answer, :at)
ON CONFLICT DO NOTHING

-- name: move_out_run
-- What jobs did.
SELECT seq, space, key, name, started_at, ended_at, status, counts, error, detail FROM runs WHERE tenant = :tenant AND seq > :after ORDER BY seq LIMIT :limit

-- name: count_moved_run
-- How many of them are here.
SELECT count(*) FROM runs WHERE tenant = :tenant

-- name: move_in_run
-- What one run did.
INSERT INTO runs (tenant, space, key, name, started_at, ended_at, status, counts, error, detail) VALUES (:tenant, :space, :key, :name, :started_at, :ended_at, :status, :counts, :error, :detail)
ON CONFLICT DO NOTHING

-- name: move_out_tombstone
-- Erased persons.
SELECT place, salt, digest, at FROM (
    SELECT row_number() OVER (ORDER BY digest) AS place, salt, digest, at FROM tombstones WHERE tenant = :tenant) AS numbered
WHERE place > :after ORDER BY place LIMIT :limit

-- name: move_in_tombstone
-- An erased person, unless known here.
INSERT INTO tombstones (tenant, salt, digest, at) VALUES (:tenant, :salt, :digest, :at)
ON CONFLICT DO NOTHING

-- name: move_out_destroyed
-- Messages with an idempotency key that were destroyed.
SELECT place, id FROM (
    SELECT row_number() OVER (ORDER BY id) AS place, id FROM destroyed_messages WHERE tenant = :tenant) AS numbered
WHERE place > :after ORDER BY place LIMIT :limit

-- name: move_in_destroyed
-- One of them, unless known here.
INSERT INTO destroyed_messages (tenant, id) VALUES (:tenant, :id)
ON CONFLICT DO NOTHING

-- name: move_out_held_value
-- What is held for good: digests of secrets that were redacted, and the key of these digests.
SELECT number, purpose, key, value, person, expires_at FROM (
    SELECT row_number() OVER (ORDER BY purpose, key) AS number, purpose, key, value, person, expires_at FROM held_values
    WHERE tenant = :tenant AND purpose IN ('secret', 'secret_key')) AS numbered
WHERE number > :after ORDER BY number LIMIT :limit

-- name: move_in_held_value
-- One of them, unless it is here.
INSERT INTO held_values (tenant, purpose, key, value, person, expires_at)
VALUES (:tenant, :purpose, :key, :value, :person, :expires_at)
ON CONFLICT DO NOTHING

-- name: move_out_copy
-- Backups and exports that were written elsewhere.
SELECT place, path, what, at FROM (
    SELECT row_number() OVER (ORDER BY path) AS place, path, what, at FROM copies WHERE tenant = :tenant) AS numbered
WHERE place > :after ORDER BY place LIMIT :limit

-- name: move_in_copy
-- One of them, unless known here.
INSERT INTO copies (tenant, path, what, at) VALUES (:tenant, :path, :what, :at)
ON CONFLICT DO NOTHING

-- name: move_out_access_key
-- Keys of the server.
SELECT place, id, name, digest, previous_digest, previous_until, person, spaces, rights, role, created_at, expires_at, revoked_at, last_used_at FROM (
    SELECT row_number() OVER (ORDER BY id) AS place, id, name, digest, previous_digest, previous_until, person, spaces, rights, role, created_at, expires_at, revoked_at, last_used_at FROM access_keys WHERE tenant = :tenant) AS numbered
WHERE place > :after ORDER BY place LIMIT :limit

-- name: move_in_access_key
-- A key, unless it is here.
INSERT INTO access_keys (tenant, id, name, digest, previous_digest, previous_until, person, spaces, rights, role, created_at, expires_at, revoked_at, last_used_at) VALUES (:tenant, :id, :name, :digest, :previous_digest, :previous_until, :person, :spaces, :rights, :role, :created_at, :expires_at, :revoked_at, :last_used_at)
ON CONFLICT DO NOTHING

-- name: move_out_webhook
-- Webhooks, each with how many records, changes, runs and entries of the audit log it is past.
SELECT number, id, url, secret, events, with_text, private, created_at, delivered, dropped, delivered_at, ended_at, last_error, records, changes, runs, logged FROM (
    SELECT row_number() OVER (ORDER BY w.id) AS number, w.id, w.url, w.secret, w.events, w.with_text, w.private, w.created_at, w.delivered, w.dropped, w.delivered_at, w.ended_at, w.last_error,
        (SELECT count(*) FROM records AS e WHERE e.tenant = :tenant AND e.seq <= json_extract(w.place, '$[0]')) AS records,
        (SELECT count(*) FROM changes AS e WHERE e.tenant = :tenant AND e.seq <= json_extract(w.place, '$[1]')) AS changes,
        (SELECT count(*) FROM runs AS e WHERE e.tenant = :tenant AND e.seq <= json_extract(w.place, '$[2]')) AS runs,
        (SELECT count(*) FROM audit_log AS e WHERE e.tenant = :tenant AND e.seq <= json_extract(w.place, '$[3]') AND e.action IN ('settle', 'ask question', 'answer question')) AS logged
    FROM webhooks AS w WHERE w.tenant = :tenant) AS numbered
WHERE number > :after ORDER BY number LIMIT :limit

-- name: move_in_webhook
-- A webhook at the same place in what happened; one that is here goes on if it had ended.
INSERT INTO webhooks (tenant, id, url, secret, events, with_text, private, created_at, delivered, dropped, delivered_at, ended_at, last_error, place)
VALUES (:tenant, :id, :url, :secret, :events, :with_text, :private, :created_at, :delivered, :dropped, :delivered_at, :ended_at, :last_error, json_array(
    coalesce((SELECT seq FROM records WHERE tenant = :tenant AND :records > 0 ORDER BY seq LIMIT 1 OFFSET max(:records - 1, 0)), 0),
    coalesce((SELECT seq FROM changes WHERE tenant = :tenant AND :changes > 0 ORDER BY seq LIMIT 1 OFFSET max(:changes - 1, 0)), 0),
    coalesce((SELECT seq FROM runs WHERE tenant = :tenant AND :runs > 0 ORDER BY seq LIMIT 1 OFFSET max(:runs - 1, 0)), 0),
    coalesce((SELECT seq FROM audit_log WHERE tenant = :tenant AND action IN ('settle', 'ask question', 'answer question') AND :logged > 0 ORDER BY seq LIMIT 1 OFFSET max(:logged - 1, 0)), 0)))
ON CONFLICT (tenant, id) DO UPDATE SET
    place = excluded.place, delivered = excluded.delivered, dropped = excluded.dropped, delivered_at = excluded.delivered_at,
    ended_at = excluded.ended_at, last_error = excluded.last_error
WHERE webhooks.ended_at IS NOT NULL AND excluded.ended_at IS NULL

-- name: move_out_audit
-- Whole rows of the audit log.
SELECT seq, space, at, actor, interface, action, detail, salt, commitment, digest FROM audit_log WHERE tenant = :tenant AND seq > :after ORDER BY seq LIMIT :limit

-- name: count_moved_audit
-- How many of them are here.
SELECT count(*) FROM audit_log WHERE tenant = :tenant

-- name: move_in_audit
-- A row of the audit log as it was written.
INSERT INTO audit_log (tenant, space, at, actor, interface, action, detail, salt, commitment, digest) VALUES (:tenant, :space, :at, :actor, :interface, :action, :detail, :salt, :commitment, :digest)
ON CONFLICT DO NOTHING

-- part: sealed_columns
    r.space, r.id, r.user, r.visibility, r.at, r.seal, r.model, r.vector, r.box

-- part: sealed_visible
    r.tenant = :tenant AND r.space = :space AND {told}

-- name: put_sealed
-- An item that a client sealed; one with its id that is here already stays.
INSERT INTO sealed_items (tenant, space, id, user, visibility, at, seal, model, vector, box)
VALUES (:tenant, :space, :id, :user, :visibility, :at, :seal, :model_name, :numbers, :box)
ON CONFLICT DO NOTHING

-- name: renew_sealed
-- The vector that another model made for an item of the same person and key.
UPDATE sealed_items SET model = :model_name, vector = :numbers, box = :box
WHERE tenant = :tenant AND space = :space AND id = :id AND user IS :user AND seal = :seal AND model <> :model_name

-- name: sealed_vectors
-- Vectors of sealed items that a person may see, a page at a time.
SELECT r.id, r.vector FROM sealed_items AS r
WHERE {sealed_visible} AND r.model = :model_name AND r.seal IN (SELECT value FROM json_each(:seals))
    AND (:since IS NULL OR r.at >= :since) AND (:until IS NULL OR r.at < :until) AND r.id > :after_id
ORDER BY r.id LIMIT :limit

-- name: get_sealed
-- Sealed items by id, as far as a person may see them.
SELECT {sealed_columns} FROM sealed_items AS r
WHERE {sealed_visible} AND r.id IN (SELECT value FROM json_each(:ids))
ORDER BY r.id

-- name: list_sealed
-- Sealed items that a person may see, newest first.
SELECT {sealed_columns} FROM sealed_items AS r
WHERE {sealed_visible}
ORDER BY r.at DESC, r.id DESC LIMIT :limit

-- name: count_sealed
-- How many sealed items a person may see, by key and whether they are the person's own.
SELECT r.seal, CASE WHEN r.user IS :user THEN 1 ELSE 0 END AS is_own, count(*), sum(length(r.box)), max(r.at), r.model
FROM sealed_items AS r
WHERE {sealed_visible}
GROUP BY r.seal, is_own, r.model ORDER BY r.seal, is_own, r.model

-- name: drop_sealed
-- A sealed item goes for good; only its owner takes it away, or the engine.
DELETE FROM sealed_items
WHERE tenant = :tenant AND space = :space AND id = :id AND (:user IS NULL OR user IS NULL OR user = :user)

-- name: export_sealed
-- Sealed items as an export tells them.
SELECT r.space, r.id, r.user, r.visibility, r.at, r.seal, r.model, r.vector, r.box FROM sealed_items AS r
WHERE r.tenant = :tenant AND (:space IS NULL OR r.space = :space) AND (:user IS NULL OR r.user = :user)
ORDER BY r.space, r.id

-- name: purge_user_sealed
-- What an erased person sealed.
DELETE FROM sealed_items WHERE tenant = :tenant AND user = :user AND (:space IS NULL OR space = :space)

-- name: drop_space_rows_sealed
-- What a purged space leaves behind: sealed items.
DELETE FROM sealed_items WHERE tenant = :tenant AND space = :space
