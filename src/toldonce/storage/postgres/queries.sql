-- Every statement that runs against PostgreSQL, by name, with the names and values of SQLite's. Values come in as named
-- parameters only, and `tenant` is always there. A parameter is a text unless one of these lines says otherwise, or the
-- query itself with a cast.
-- type bigint: access_count accessed_at after after_version again_at answered_at as_of at attempts before blocked calls
-- type bigint: cost count created_at day deleted_at derived dimensions due_at earliest enabled end ended_at entity every
-- type bigint: expires_at faded_at first furthest input_tokens into joined last last_run_at lease_until leased length limit
-- type bigint: max_attempts messages minute model most now open output_tokens pages parts pinned place previous_until reach
-- type bigint: refused scan seen_at seq settled_at since start started_at state_at timeout_ms trust unpriced until
-- type bigint: changes delivered delivered_at dropped last_used_at logged private records revoked_at runs updated_at upto
-- type bigint: validated version with_text
-- type integer: part
-- type double precision: below_confidence confidence least_confidence
-- type bytea: box commitment digest numbers pack previous_digest salt shape
-- type halfvec: question vector
-- type tsvector: grams words

-- part: job_columns
space, key, name, args, state, due_at, again_at, cron, zone, attempts, max_attempts, timeout_ms, lease,
    lease_until, last_run_at, last_error

-- part: told
    (
        :user IS NULL OR r.person IS NULL OR r.person = :user OR r.visibility = 'project'
        OR (r.visibility = 'team' AND EXISTS (
            SELECT 1 FROM memberships AS m WHERE m.tenant = :tenant AND m.space = r.space AND m.person = :user))
    )

-- part: reader
(CASE WHEN r.visibility = 'private' AND r.person IS NOT NULL THEN r.person ELSE '' END)

-- part: visible
    r.tenant = :tenant
    AND r.space = ANY ((SELECT text_list(:spaces))::text[])
    AND (:kinds IS NULL OR r.kind = ANY ((SELECT text_list(:kinds))::text[]))
    AND {told}
    AND (:session IS NULL OR r.session = :session)
    AND (:not_session IS NULL OR r.session IS NULL OR r.session <> :not_session)
    AND (:channel IS NULL OR r.channel = :channel)
    AND (:branches IS NULL OR r.branch IS NULL OR r.branch = ANY ((SELECT text_list(:branches))::text[]))
    AND (:since IS NULL OR r.at >= :since)
    AND (:until IS NULL OR r.at < :until)
    AND (r.expires_at IS NULL OR r.expires_at > :now)
    AND (:as_of IS NOT NULL OR r.state = 'active')
    AND (:as_of IS NULL OR (r.at <= :as_of AND coalesce(
        (SELECT c.state FROM changes AS c WHERE c.record = r.id AND c.tenant = :tenant AND c.at <= :as_of
            ORDER BY c.at DESC, c.seq DESC LIMIT 1),
        'active') = 'active'))
    AND (:where IS NULL OR has_metadata(r.metadata, :where))

-- part: state_now
CASE WHEN r.state IN ('active', 'doubted') AND r.expires_at <= :now THEN 'expired' ELSE r.state END

-- part: state_then
CASE WHEN :as_of IS NULL THEN r.state ELSE coalesce(
    (SELECT c.state FROM changes AS c WHERE c.record = r.id AND c.tenant = :tenant AND c.at <= :as_of
        ORDER BY c.at DESC, c.seq DESC LIMIT 1),
    'active') END

-- part: browsed
    r.tenant = :tenant
    AND r.space = ANY ((SELECT text_list(:spaces))::text[])
    AND (:kinds IS NULL OR r.kind = ANY ((SELECT text_list(:kinds))::text[]))
    AND {told}
    AND (:session IS NULL OR r.session = :session)
    AND (:since IS NULL OR r.at >= :since)
    AND (:until IS NULL OR r.at < :until)
    AND {state_now} = ANY ((SELECT text_list(:states))::text[])
    AND (:origins IS NULL OR r.origin = ANY ((SELECT text_list(:origins))::text[]))
    AND (:visibility IS NULL OR r.visibility = :visibility)
    AND r.confidence >= :least_confidence AND r.confidence < :below_confidence
    AND (:pinned IS NULL OR r.pinned = :pinned)
    AND (:validated IS NULL OR r.validated = :validated)
    AND (:derived = 0 OR r.conversation IS NULL)
    AND (:where IS NULL OR has_metadata(r.metadata, :where))

-- part: record_columns
    r.seq, r.id, r.tenant, r.space, r.kind, r.text, r.title, r.summary, r.author, r.role, r.person, r.session, r.channel,
    r.branch, r.visibility, r.subject, r.state, r.state_reason, r.state_at, r.superseded_by, r.confidence, r.validated,
    r.pinned, r.origin, r.made_by, r.trust, r.conversation, r.at, r.created_at, r.expires_at, r.accessed_at,
    r.access_count, r.faded_at, r.tags, r.metadata,
    coalesce((SELECT json_agg(l.target ORDER BY l.target)::text FROM links AS l
        WHERE l.source = r.id AND l.type = 'derived_from' AND l.tenant = :tenant), '[]') AS sources

-- part: gone
    SELECT id FROM records WHERE tenant = :tenant AND seq = ANY ((SELECT bigint_list(:seqs))::bigint[])

-- part: their_spaces
    SELECT space FROM records WHERE tenant = :tenant AND seq = ANY ((SELECT bigint_list(:seqs))::bigint[])

-- part: in_time
    r.tenant = :tenant
    AND r.space = ANY ((SELECT coalesce(text_list(:spaces), ARRAY(SELECT name FROM spaces WHERE tenant = :tenant)))::text[])
    AND (:kinds IS NULL OR r.kind = ANY ((SELECT text_list(:kinds))::text[]))
    AND (:user IS NULL OR r.person = :user OR (:joined <> 0 AND took_part(r.metadata, :user)))

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
    (SELECT value FROM settings AS s WHERE s.tenant = :tenant AND s.space = spaces.name AND s.key = 'quota'),
    (SELECT value FROM settings AS s WHERE s.tenant = :tenant AND s.space = '' AND s.key = 'tenant quota')
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
INSERT INTO people AS p (tenant, space, id, username, display_name, zone, language, seen_at)
VALUES (:tenant, :space, :id, :username, :display_name, :zone, :language, :seen_at)
ON CONFLICT (tenant, space, id) DO UPDATE SET
    username = CASE WHEN excluded.username <> '' THEN excluded.username ELSE p.username END,
    display_name = CASE WHEN excluded.display_name <> '' THEN excluded.display_name ELSE p.display_name END,
    zone = CASE WHEN excluded.zone <> '' THEN excluded.zone ELSE p.zone END,
    language = CASE WHEN excluded.language <> '' THEN excluded.language ELSE p.language END,
    seen_at = greatest(p.seen_at, excluded.seen_at)

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
FROM people
WHERE blocked = 1 AND tenant = :tenant AND space = ANY ((SELECT text_list(:spaces))::text[]) ORDER BY id

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
WITH added AS (
    INSERT INTO records (
        id, tenant, space, kind, text, title, summary, author, role, person, session, channel, branch, visibility, audience,
        subject, state, state_reason, state_at, superseded_by, confidence, validated, pinned, origin, made_by, trust,
        conversation, fingerprint, at, created_at, expires_at, accessed_at, access_count, faded_at, embedding, tags, metadata)
    VALUES (
        :id, :tenant, :space, :kind, :text, :title, :summary, :author, :role, :user, :session, :channel, :branch,
        :visibility, :audience, :subject, :state, :state_reason, :state_at, :superseded_by, :confidence, :validated,
        :pinned, :origin, :made_by, :trust, :conversation, :fingerprint, :at, :created_at, :expires_at, :accessed_at,
        :access_count, :faded_at, :embedding, :tags, :metadata)
    RETURNING seq),
indexed AS (
    INSERT INTO record_words (tenant, seq, words, length) SELECT :tenant, seq, :words, :length FROM added),
counted AS (
    INSERT INTO word_counts (tenant, word, records, length)
    SELECT :tenant, w, 1, 0 FROM unnest(tsvector_to_array(:words)) AS w WHERE left(w, 1) NOT IN ('=', '@')
    UNION ALL SELECT :tenant, '', 1, :length),
amount AS (
    INSERT INTO stored_amounts AS s (tenant, space, person, records, bytes)
    VALUES (:tenant, :space, coalesce(:user, ''), 1, octet_length(:text))
    ON CONFLICT (tenant, space, person) DO UPDATE
    SET records = s.records + 1, bytes = s.bytes + excluded.bytes)
SELECT seq FROM added

-- name: take_places
-- Places for records that are written together.
SELECT nextval('places') FROM generate_series(1, :count::integer)

-- name: stage_records
-- A table of this transaction for records on their way in: COPY is refused where row-level security is on.
CREATE TEMP TABLE IF NOT EXISTS staged_records (
    seq bigint, id text, space text, kind text, text text, title text, summary text, author text, role text, "user" text,
    session text, channel text, branch text, visibility text, audience text, subject text, state text, state_reason text,
    state_at bigint, superseded_by text, confidence double precision, validated bigint, pinned bigint, origin text,
    made_by text, trust bigint, conversation text, fingerprint text, at bigint, created_at bigint, expires_at bigint,
    accessed_at bigint, access_count bigint, faded_at bigint, embedding text, tags text, metadata text,
    words text, length bigint
) ON COMMIT DROP

-- name: clear_staged_records
-- Make room for more of them.
TRUNCATE staged_records

-- name: copy_records
-- Records into that table.
COPY staged_records FROM STDIN (FORMAT binary)

-- name: add_staged_records
-- Records enter together; their words are searchable from here on.
WITH staged AS MATERIALIZED (SELECT *, words::tsvector AS found FROM staged_records),
added AS (
    INSERT INTO records (
        seq, id, tenant, space, kind, text, title, summary, author, role, person, session, channel, branch, visibility,
        audience, subject, state, state_reason, state_at, superseded_by, confidence, validated, pinned, origin, made_by,
        trust, conversation, fingerprint, at, created_at, expires_at, accessed_at, access_count, faded_at, embedding, tags,
        metadata)
    SELECT seq, id, :tenant, space, kind, text, title, summary, author, role, "user", session, channel, branch, visibility,
        audience, subject, state, state_reason, state_at, superseded_by, confidence, validated, pinned, origin, made_by,
        trust, conversation, fingerprint, at, created_at, expires_at, accessed_at, access_count, faded_at, embedding, tags,
        metadata
    FROM staged),
indexed AS (
    INSERT INTO record_words (tenant, seq, words, length) SELECT :tenant, seq, found, length FROM staged),
counted AS (
    INSERT INTO word_counts (tenant, word, records, length)
    SELECT :tenant, w, count(*), 0 FROM staged, unnest(tsvector_to_array(found)) AS w
    WHERE left(w, 1) NOT IN ('=', '@') GROUP BY w
    UNION ALL SELECT :tenant, '', count(*), sum(length) FROM staged)
INSERT INTO stored_amounts AS s (tenant, space, person, records, bytes)
SELECT :tenant, space, coalesce("user", ''), count(*), sum(octet_length(text)) FROM staged GROUP BY space, coalesce("user", '')
ON CONFLICT (tenant, space, person) DO UPDATE SET records = s.records + excluded.records, bytes = s.bytes + excluded.bytes

-- name: stage_mentions
-- The same for mentions.
CREATE TEMP TABLE IF NOT EXISTS staged_mentions (entity bigint, record bigint) ON COMMIT DROP

-- name: clear_staged_mentions
-- Make room for more of them.
TRUNCATE staged_mentions

-- name: copy_mentions
-- Mentions into that table.
COPY staged_mentions FROM STDIN (FORMAT binary)

-- name: add_staged_mentions
-- Records mention entities.
INSERT INTO mentions (tenant, entity, record) SELECT :tenant, entity, record FROM staged_mentions ON CONFLICT DO NOTHING

-- name: add_grams
-- The character pairs of a text without spaces.
INSERT INTO record_grams (tenant, seq, grams, length) VALUES (:tenant, :seq, :grams, :length)

-- name: get_records
-- Records by id, in any state.
SELECT {record_columns} FROM records AS r WHERE r.tenant = :tenant AND r.id = ANY ((SELECT text_list(:ids))::text[])

-- name: get_by_seq
-- Records by their place in the store.
SELECT {record_columns} FROM records AS r
WHERE r.tenant = :tenant AND r.seq = ANY ((SELECT bigint_list(:seqs))::bigint[])

-- name: find_records
-- Visible records, newest first.
SELECT {record_columns} FROM records AS r
WHERE {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT nullif(:limit, -1)

-- name: browse_records
-- Records in some states, narrowed by what a reader chose, newest first.
SELECT {record_columns} FROM records AS r
WHERE {browsed}
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: count_browsed
-- How many of these there are of each kind, state and area, and the newest moment of each.
SELECT r.kind, {state_now}, coalesce(read_json(r.metadata) ->> 'area', '') AS area, count(*), max(r.at), sum(r.validated) FROM records AS r
WHERE {browsed}
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3

-- name: browse_inactive
-- The same of records that are not active, narrowed by what a reader chose, newest first.
SELECT {record_columns} FROM records AS r
WHERE r.state <> 'active' AND {browsed}
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: count_inactive
-- How many of those there are of each kind, state and area, and the newest moment of each.
SELECT r.kind, {state_now}, coalesce(read_json(r.metadata) ->> 'area', '') AS area, count(*), max(r.at), sum(r.validated) FROM records AS r
WHERE r.state <> 'active' AND {browsed}
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3

-- name: find_derived
-- Visible records of some kinds that are not messages, newest first.
SELECT {record_columns} FROM records AS r
WHERE r.conversation IS NULL AND r.kind = ANY ((SELECT text_list(:kinds))::text[]) AND {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT nullif(:limit, -1)

-- name: find_readable_derived
-- The same for a person: what is private to others is not even looked at, by an index on whose a private record is.
SELECT {record_columns} FROM records AS r
WHERE r.conversation IS NULL AND r.kind = ANY ((SELECT text_list(:kinds))::text[])
    AND {reader} = ANY (ARRAY['', :user]) AND {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT nullif(:limit, -1)

-- name: find_about
-- Visible records of some kinds about one of these files, or about one in these folders ("/" at the end), newest first.
SELECT {record_columns} FROM records AS r
WHERE r.conversation IS NULL AND r.kind = ANY ((SELECT text_list(:kinds))::text[]) AND {visible}
    AND EXISTS (
        SELECT 1 FROM unnest((SELECT text_list(:places))::text[]) AS p (place), (
            SELECT jsonb_path_query(read_json(r.metadata), '$.file')
            UNION ALL SELECT jsonb_path_query(read_json(r.metadata), '$.files[*]')
            UNION ALL SELECT jsonb_path_query(read_json(r.metadata), '$.cites[*].path')) AS m (value)
        WHERE jsonb_typeof(m.value) = 'string'
            AND (m.value #>> '{}' = p.place
                OR (right(p.place, 1) = '/' AND starts_with(m.value #>> '{}', p.place))))
ORDER BY r.at DESC, r.seq DESC LIMIT nullif(:limit, -1)

-- name: find_pinned
-- Visible records that a person pinned, newest first.
SELECT {record_columns} FROM records AS r
WHERE r.pinned = 1 AND {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT nullif(:limit, -1)

-- name: all_records
-- Everything in a space in any state, in time order, a page at a time: for export and review.
SELECT {record_columns} FROM records AS r
WHERE r.tenant = :tenant AND (:space IS NULL OR r.space = :space) AND (:user IS NULL OR r.person = :user)
    AND (:state IS NULL OR r.state = :state) AND r.seq > :after
ORDER BY r.seq LIMIT nullif(:limit, -1)

-- name: places_in_time
-- Places of records in any state that were said in a stretch of time, newest first.
SELECT r.seq FROM records AS r
WHERE {in_time} AND r.at >= :since AND r.at < :until
ORDER BY r.at DESC, r.seq DESC LIMIT nullif(:limit, -1)

-- name: changes_in_time
-- What happened to records in a stretch of time, newest first.
SELECT c.record, c.at, c.action, c.state, c.reason, c.by, c.other
FROM changes AS c JOIN records AS r ON r.id = c.record AND r.tenant = :tenant
WHERE {in_time} AND c.at >= :since AND c.at < :until
ORDER BY c.at DESC, c.seq DESC LIMIT nullif(:limit, -1)

-- name: count_activity
-- How many messages (1) and derived records (0) were said in each stretch of time.
SELECT (r.at - :since) / :every, CASE WHEN r.conversation IS NULL THEN 0 ELSE 1 END, count(*) FROM records AS r
WHERE r.tenant = :tenant AND r.space = ANY ((SELECT text_list(:spaces))::text[]) AND {told} AND r.at >= :since AND r.at < :until
GROUP BY 1, 2

-- name: count_person_changes
-- How many changes people made in each stretch of time.
SELECT (c.at - :since) / :every, count(*) FROM changes AS c JOIN records AS r ON r.id = c.record AND r.tenant = c.tenant
WHERE r.tenant = :tenant AND r.space = ANY ((SELECT text_list(:spaces))::text[]) AND {told} AND c.by = 'person' AND c.at >= :since AND c.at < :until
GROUP BY 1

-- name: same_text
-- Current records of one owner and kind that say exactly the same.
SELECT {record_columns} FROM records AS r
WHERE r.fingerprint = :fingerprint AND r.tenant = :tenant AND r.space = :space AND r.kind = :kind
    AND r.person IS NOT DISTINCT FROM :user AND r.state = 'active'
ORDER BY r.seq LIMIT 1

-- name: known_of_person
-- What was learnt of a person and counts, newest first; messages are left out.
SELECT {record_columns} FROM records AS r
WHERE r.tenant = :tenant AND r.space = :space AND r.conversation IS NULL AND r.person = :user AND r.state = 'active'
ORDER BY r.at DESC, r.seq DESC LIMIT :limit

-- name: said_before
-- The newest record of one owner and kind that says exactly the same, in whatever state.
SELECT {record_columns} FROM records AS r
WHERE r.fingerprint = :fingerprint AND r.tenant = :tenant AND r.space = :space AND r.kind = :kind AND r.person IS NOT DISTINCT FROM :user
ORDER BY r.seq DESC LIMIT 1

-- name: proposed_records
-- Records that wait for a person's review, oldest first; doubts are asked as questions and not listed here.
SELECT {record_columns} FROM records AS r
WHERE r.state = 'proposed' AND r.tenant = :tenant AND r.space = :space
    AND NOT EXISTS (SELECT 1 FROM questions AS q WHERE q.newer = r.id AND q.tenant = :tenant AND q.space = r.space)
ORDER BY r.seq LIMIT nullif(:limit, -1)

-- name: same_subject
-- Current records about one subject.
SELECT {record_columns} FROM records AS r
WHERE r.tenant = :tenant AND r.space = :space AND r.subject = :subject AND r.person IS NOT DISTINCT FROM :user AND r.state = 'active'
ORDER BY r.at DESC, r.seq DESC
LIMIT nullif(:limit, -1)

-- name: subject_values
-- The values of current records about one subject, without reading the records.
SELECT id, coalesce(read_json(metadata) ->> 'value', '')
FROM records
WHERE tenant = :tenant AND space = :space AND subject = :subject AND person IS NOT DISTINCT FROM :user AND state = 'active'
ORDER BY at DESC, seq DESC
LIMIT nullif(:limit, -1)

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
INSERT INTO standings (tenant, record, confidence, since)
SELECT tenant, seq, :confidence, :since FROM records WHERE tenant = :tenant AND id = :id
ON CONFLICT (tenant, record) DO UPDATE SET confidence = excluded.confidence, since = excluded.since

-- name: get_standing
-- What the confidence of a record fades from, if it has faded.
SELECT s.confidence, s.since FROM records AS r JOIN standings AS s ON s.record = r.seq AND s.tenant = :tenant
WHERE r.tenant = :tenant AND r.id = :id

-- name: forget_standing
-- The confidence of a record is set anew.
DELETE FROM standings WHERE tenant = :tenant AND record IN (SELECT seq FROM records WHERE tenant = :tenant AND id = :id)

-- name: set_expiry
-- A record gets another end of its time.
UPDATE records SET expires_at = :expires_at WHERE tenant = :tenant AND id = :id

-- name: set_metadata
-- Replace a record's metadata.
UPDATE records SET metadata = :metadata WHERE tenant = :tenant AND id = :id

-- name: index_record_again
-- The words of a record with another audience; before the record itself has it.
WITH before AS (
    SELECT w.seq, w.length FROM record_words AS w JOIN records AS r ON r.tenant = w.tenant AND r.seq = w.seq
    WHERE r.tenant = :tenant AND r.id = :id AND r.text = :text AND r.title = :title AND r.author = :author
        AND r.audience <> :audience),
changed AS (
    UPDATE record_words AS w SET words = :words, length = :length FROM before
    WHERE w.tenant = :tenant AND w.seq = before.seq)
INSERT INTO word_counts (tenant, word, records, length)
SELECT :tenant, '', 0, :length - before.length FROM before

-- name: set_visibility
-- Who may see a record from now on.
UPDATE records SET visibility = :visibility, audience = :audience WHERE tenant = :tenant AND id = :id

-- name: touch_records
-- Records were shown: count it. Use restores the confidence that time took.
UPDATE records SET access_count = access_count + 1, accessed_at = greatest(coalesce(accessed_at, 0), :at),
    confidence = coalesce((SELECT s.confidence FROM standings AS s WHERE s.tenant = :tenant AND s.record = records.seq), confidence)
WHERE tenant = :tenant AND id = ANY ((SELECT text_list(:ids))::text[])

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
SELECT {record_columns} FROM records AS r
WHERE (r.state = 'active' OR (r.state <> 'active' AND r.state = 'doubted')) AND r.expires_at <= :now AND r.tenant = :tenant AND (:space IS NULL OR r.space = :space)
ORDER BY r.seq LIMIT nullif(:limit, -1)

-- name: records_to_enrich
-- Active records with few names that no accurate tagger has read, newest first.
SELECT {record_columns} FROM records AS r
WHERE r.tenant = :tenant AND r.space = :space AND r.state = 'active'
    AND NOT coalesce(read_json(r.metadata) ? 'enriched_at', false)
    AND (SELECT count(*) FROM mentions AS m WHERE m.tenant = :tenant AND m.record = r.seq) <= :most
ORDER BY r.seq DESC LIMIT nullif(:limit, -1)

-- name: fading_records
-- Active records of the kinds that lose confidence with time.
SELECT {record_columns} FROM records AS r
WHERE r.tenant = :tenant AND r.space = :space AND r.state = 'active' AND r.conversation IS NULL
    AND r.kind = ANY ((SELECT text_list(:kinds))::text[]) AND r.pinned = 0 AND r.validated = 0 AND r.seq > :after
ORDER BY r.seq LIMIT nullif(:limit, -1)

-- name: ended_records
-- Records that left their state before a moment: candidates for purging.
SELECT seq FROM records
WHERE state <> 'active' AND state = :state AND state_at < :before AND tenant = :tenant AND space = :space ORDER BY seq LIMIT nullif(:limit, -1)

-- name: spent_records
-- The same, without records that others were drawn from.
SELECT r.seq FROM records AS r
WHERE r.state = :state AND r.state_at < :before AND r.tenant = :tenant AND r.space = :space
    AND NOT EXISTS (
        SELECT 1 FROM links AS l WHERE l.target = r.id AND l.type = 'derived_from' AND l.tenant = :tenant)
ORDER BY r.seq LIMIT nullif(:limit, -1)

-- name: space_seqs
-- Every record of a space, for its purge.
SELECT seq FROM records WHERE tenant = :tenant AND space = :space ORDER BY seq LIMIT nullif(:limit, -1)

-- name: user_seqs
-- Every record of a person, for erasure: their own, those in their own space, and those that name them as taking part.
SELECT seq FROM records AS r
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (
    person = :user OR (:space IS NULL AND space = '@' || :user)
    OR (strpos(metadata, '"participants"') > 0 AND took_part(metadata, :user)))
ORDER BY seq

-- name: answer_seqs
-- Messages of nobody in conversations of a person where nobody else spoke.
SELECT r.seq FROM records AS r
WHERE r.tenant = :tenant AND r.person IS NULL AND r.conversation IN (
    SELECT conversation FROM records
    WHERE tenant = :tenant AND person = :user AND conversation IS NOT NULL AND (:space IS NULL OR space = :space))
    AND NOT EXISTS (
        SELECT 1 FROM records AS o
        WHERE o.conversation = r.conversation AND o.tenant = r.tenant AND o.person <> :user)
ORDER BY r.seq

-- name: talks_with_replies
-- All that was said where this person spoke and a machine replied to others.
SELECT r.conversation, r.seq, r.person, r.role, r.text FROM records AS r
WHERE r.tenant = :tenant AND r.conversation IN (
    SELECT o.conversation FROM records AS o
    WHERE o.tenant = :tenant AND o.role <> 'user' AND (o.person IS NULL OR o.person <> :user) AND o.conversation IN (
        SELECT conversation FROM records
        WHERE tenant = :tenant AND person = :user AND conversation IS NOT NULL AND (:space IS NULL OR space = :space)))
ORDER BY r.conversation, r.seq

-- name: session_seqs
-- Messages of nobody in sessions where this person alone spoke.
WITH own AS (
    SELECT space, session FROM records
    WHERE tenant = :tenant AND session IS NOT NULL AND person IS NOT NULL AND (:space IS NULL OR space = :space)
    GROUP BY space, session HAVING min(person) = :user AND max(person) = :user)
SELECT r.seq FROM records AS r JOIN own ON r.space = own.space AND r.session = own.session
WHERE r.tenant = :tenant AND r.person IS NULL ORDER BY r.seq

-- name: sessions_of_seqs
-- The sessions that these records belong to.
SELECT DISTINCT session FROM records
WHERE tenant = :tenant AND session IS NOT NULL AND seq = ANY ((SELECT bigint_list(:seqs))::bigint[])

-- name: sessions_of_jobs
-- The sessions that jobs are to read for a person.
SELECT DISTINCT read_json(args) ->> 'session' FROM jobs
WHERE tenant = :tenant AND (:space IS NULL OR space = :space)
    AND read_json(args) -> 'user' = to_jsonb(:user) AND jsonb_typeof(read_json(args) -> 'session') = 'string'

-- name: sessions_left
-- Those of these sessions that still have a record, in a space or with NULL in any.
SELECT DISTINCT session FROM records
WHERE tenant = :tenant AND session = ANY ((SELECT text_list(:sessions))::text[]) AND (:space IS NULL OR space = :space)

-- name: person_names
-- What a person is called.
SELECT username, display_name FROM people
WHERE tenant = :tenant AND id = :user AND (:space IS NULL OR space = :space)

-- name: purge_user_questions
-- Questions to an erased person.
DELETE FROM questions WHERE tenant = :tenant AND person = :user AND (:space IS NULL OR space = :space)

-- name: purge_user_amounts
-- How much an erased person had stored.
DELETE FROM stored_amounts WHERE tenant = :tenant AND person = :user AND (:space IS NULL OR space = :space)

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
    EXISTS (SELECT 1 FROM unnest(text_list(:names)) AS n WHERE right(jobs.key, length(n) + 1) = ':' || n)
    OR EXISTS (SELECT 1 FROM unnest(text_list(:names)) AS n WHERE read_json(jobs.args) IS NULL AND strpos(jobs.args, n) > 0)
    OR EXISTS (SELECT 1 FROM json_texts(jobs.args) AS a WHERE a = ANY (text_list(:names)))
    OR (name = 'settle' AND NOT EXISTS (
        SELECT 1 FROM conversations AS c
        WHERE c.tenant = :tenant AND c.id = read_json(jobs.args) ->> 'conversation')))

-- name: purge_user_runs
-- And the record of past runs for them.
DELETE FROM runs WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (
    EXISTS (SELECT 1 FROM unnest(text_list(:names)) AS n WHERE right(runs.key, length(n) + 1) = ':' || n)
    OR EXISTS (
        SELECT 1 FROM unnest(text_list(:names)) AS n
        WHERE (read_json(detail) IS NULL AND strpos(detail, n) > 0) OR (read_json(counts) IS NULL AND strpos(counts, n) > 0))
    OR EXISTS (SELECT 1 FROM json_texts(detail) AS d WHERE d = ANY (text_list(:names)))
    OR EXISTS (SELECT 1 FROM json_texts(counts) AS d WHERE d = ANY (text_list(:names))))

-- name: purge_space_runs
-- The record of past runs in the own space of an erased person.
DELETE FROM runs WHERE tenant = :tenant AND space = :space

-- name: purge_space_amounts
-- How much was stored in the own space of an erased person.
DELETE FROM stored_amounts WHERE tenant = :tenant AND space = :space

-- name: purge_run_errors
-- Messages of past runs that name an erased person.
UPDATE runs SET error = '' WHERE tenant = :tenant AND strpos(error, :user) > 0

-- name: purge_job_errors
-- Messages of waiting jobs that name an erased person.
UPDATE jobs SET last_error = '' WHERE tenant = :tenant AND strpos(last_error, :user) > 0

-- name: list_shown
-- What sessions were shown.
SELECT space, key, value FROM settings
WHERE tenant = :tenant AND key >= 'shown:' AND key < 'shown;' AND (:space IS NULL OR space = :space)

-- name: drop_setting
-- A small value is forgotten.
DELETE FROM settings WHERE tenant = :tenant AND space = :space AND key = :key

-- name: holds_word
-- Whether any record has this word, by the word index.
SELECT 1 FROM matching_places(:match, 1)

-- name: page_of_kept_texts
-- Everything that the next :limit records after one of them say, as one text, with the place of the last one.
SELECT max(seq), convert_to(string_agg(said, chr(10)), 'UTF8') FROM (
    SELECT seq, text || ' ' || title || ' ' || summary || ' ' || author || ' ' || coalesce(person, '') || ' '
        || coalesce(session, '') || ' ' || coalesce(channel, '') || ' ' || coalesce(branch, '') || ' '
        || coalesce(subject, '') || ' ' || tags || ' ' || metadata || ' ' || state_reason || ' ' || made_by || ' '
        || kind || ' ' || visibility || ' ' || role || ' ' || state || ' ' || origin || ' ' || embedding AS said
    FROM records WHERE tenant = :tenant AND seq > :after ORDER BY seq LIMIT nullif(:limit, -1)) AS page

-- name: kept_words_beside_records
-- The same for all other tables, as bytes like it: a damaged text must not stop the search.
-- Names of entities are left out, since they come from records.
SELECT convert_to(string_agg(DISTINCT said, ','), 'UTF8') FROM (
    SELECT state || ' ' || ended_by AS said FROM conversations WHERE tenant = :tenant
    UNION ALL SELECT key || ' ' || value FROM settings WHERE tenant = :tenant AND key NOT LIKE 'shown:%'
    UNION ALL SELECT type FROM links WHERE tenant = :tenant
    UNION ALL SELECT type FROM entities WHERE tenant = :tenant
    UNION ALL SELECT role FROM memberships WHERE tenant = :tenant
    UNION ALL SELECT action || ' ' || interface || ' ' || detail FROM audit_log WHERE tenant = :tenant
    UNION ALL SELECT name || ' ' || status || ' ' || counts FROM runs WHERE tenant = :tenant
    UNION ALL SELECT owner || ' ' || name || ' ' || entries || ' ' || data FROM documents WHERE tenant = :tenant
    UNION ALL SELECT id || ' ' || username || ' ' || display_name FROM people WHERE tenant = :tenant
    UNION ALL SELECT name || ' ' || coalesce(preset_text, '') FROM spaces WHERE tenant = :tenant
    UNION ALL SELECT reason || ' ' || by || ' ' || action FROM changes WHERE tenant = :tenant
    UNION ALL SELECT path FROM copies WHERE tenant = :tenant
    UNION ALL SELECT task || ' ' || model FROM usage WHERE tenant = :tenant
    UNION ALL SELECT name FROM models WHERE tenant = :tenant
    UNION ALL SELECT key || ' ' || name || ' ' || zone FROM jobs WHERE tenant = :tenant) AS kept

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
UPDATE runs SET detail = coalesce((read_json(detail) - 'output')::text, '{}')
WHERE tenant = :tenant AND coalesce(read_json(detail) ? 'output', true) AND space IN ({their_spaces})

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
UPDATE runs SET detail = coalesce((read_json(detail) - 'output')::text, '{}')
WHERE tenant = :tenant AND coalesce(read_json(detail) ? 'output', true) AND (:space IS NULL OR space = :space)

-- name: purge_user_counts
-- And for the count.
UPDATE spaces SET purges = purges + 1 WHERE tenant = :tenant AND (:space IS NULL OR name = :space)

-- name: traces_of_user
-- Where a person's id still stands: for the proof of an erasure.
SELECT
    (SELECT count(*) FROM records WHERE tenant = :tenant AND person = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM people WHERE tenant = :tenant AND id = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM documents WHERE tenant = :tenant AND owner = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM conversations WHERE tenant = :tenant AND (person = :user OR key = 'user:' || :user)
        AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM questions WHERE tenant = :tenant AND person = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM memberships WHERE tenant = :tenant AND person = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM stored_amounts
        WHERE tenant = :tenant AND person = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM spaces WHERE tenant = :tenant AND :space IS NULL AND name = '@' || :user),
    (SELECT count(*) FROM jobs WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (
        right(key, length(:user) + 1) = ':' || :user
        OR EXISTS (SELECT 1 FROM json_texts(jobs.args) AS a WHERE a = :user))),
    (SELECT count(*) FROM runs WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (
        right(key, length(:user) + 1) = ':' || :user
        OR EXISTS (SELECT 1 FROM json_texts(runs.detail) AS d WHERE d = :user))),
    (SELECT count(*) FROM audit_log WHERE tenant = :tenant AND actor = :user AND (:space IS NULL OR space = :space)),
    (SELECT count(*) FROM sealed_items WHERE tenant = :tenant AND person = :user AND (:space IS NULL OR space = :space))

-- name: orphans
-- Rows that point to records which are gone: none, ever.
SELECT
    (SELECT count(*) FROM vectors AS o WHERE o.tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM records AS r WHERE r.tenant = :tenant AND r.seq = o.record)),
    (SELECT count(*) FROM mentions AS o WHERE o.tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM records AS r WHERE r.tenant = :tenant AND r.seq = o.record)),
    (SELECT count(*) FROM times AS o WHERE o.tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM records AS r WHERE r.tenant = :tenant AND r.seq = o.record)),
    (SELECT count(*) FROM links AS o WHERE o.tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM records AS r WHERE r.tenant = :tenant AND r.id = o.source)),
    (SELECT count(*) FROM changes AS o WHERE o.tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM records AS r WHERE r.tenant = :tenant AND r.id = o.record))

-- name: purge_user_conversations
-- Conversations that an erased person opened: others may have spoken in them, so only the name goes.
UPDATE conversations SET person = NULL WHERE tenant = :tenant AND person = :user AND (:space IS NULL OR space = :space)

-- name: purge_shapes
-- So does what the vectors looked like: it is found anew.
UPDATE models SET shape = NULL, shaped_at = 0 WHERE tenant = :tenant

-- name: purge_packs
-- Snapshots of vectors hold what was purged: drop them, they are rebuilt.
DELETE FROM vector_packs WHERE tenant = :tenant

-- name: purge_aliases
-- Ways to write an entity that only purged records used, where another way is left.
DELETE FROM aliases WHERE tenant = :tenant
    AND entity IN (SELECT entity FROM mentions WHERE tenant = :tenant AND record = ANY ((SELECT bigint_list(:seqs))::bigint[]))
    AND NOT EXISTS (
        SELECT 1 FROM mentions AS m JOIN records AS r ON r.tenant = :tenant AND r.seq = m.record
        WHERE m.tenant = :tenant AND m.entity = aliases.entity AND r.seq <> ALL ((SELECT bigint_list(:seqs))::bigint[])
            AND strpos(lower(r.text), lower(aliases.shown)) > 0)
    AND EXISTS (
        SELECT 1 FROM aliases AS o JOIN mentions AS m ON m.tenant = :tenant AND m.entity = o.entity
        JOIN records AS r ON r.tenant = :tenant AND r.seq = m.record
        WHERE o.tenant = :tenant AND o.entity = aliases.entity AND r.seq <> ALL ((SELECT bigint_list(:seqs))::bigint[])
            AND strpos(lower(r.text), lower(o.shown)) > 0)

-- name: purge_names
-- An entity whose own name went is called by one that is left.
UPDATE entities SET name = (SELECT min(shown) FROM aliases WHERE tenant = :tenant AND entity = entities.seq)
WHERE tenant = :tenant AND seq IN (
        SELECT entity FROM mentions WHERE tenant = :tenant AND record = ANY ((SELECT bigint_list(:seqs))::bigint[]))
    AND name NOT IN (SELECT shown FROM aliases WHERE tenant = :tenant AND entity = entities.seq)
    AND EXISTS (SELECT 1 FROM aliases WHERE tenant = :tenant AND entity = entities.seq)

-- name: purge_records
-- The records themselves; words, vectors, mentions and times follow.
WITH doomed AS (SELECT unnest(bigint_list(:seqs)) AS seq),
words AS (
    DELETE FROM record_words AS w USING doomed WHERE w.tenant = :tenant AND w.seq = doomed.seq RETURNING w.words, w.length),
counted AS (
    INSERT INTO word_counts (tenant, word, records, length)
    SELECT :tenant, u.word, -1, 0 FROM words, unnest(tsvector_to_array(words.words)) AS u (word)
    WHERE left(u.word, 1) NOT IN ('=', '@')
    UNION ALL SELECT :tenant, '', -1, -words.length FROM words),
grams AS (DELETE FROM record_grams AS g USING doomed WHERE g.tenant = :tenant AND g.seq = doomed.seq),
vectors_gone AS (DELETE FROM vectors AS v USING doomed WHERE v.tenant = :tenant AND v.record = doomed.seq),
mentions_gone AS (DELETE FROM mentions AS m USING doomed WHERE m.tenant = :tenant AND m.record = doomed.seq),
times_gone AS (DELETE FROM times AS t USING doomed WHERE t.tenant = :tenant AND t.record = doomed.seq),
standings_gone AS (DELETE FROM standings AS s USING doomed WHERE s.tenant = :tenant AND s.record = doomed.seq),
amounts AS (
    UPDATE stored_amounts AS a SET records = a.records - g.records, bytes = a.bytes - g.bytes
    FROM (
        SELECT r.space, coalesce(r.person, '') AS person, count(*) AS records, sum(octet_length(r.text))::bigint AS bytes
        FROM records AS r WHERE r.tenant = :tenant AND r.seq IN (SELECT seq FROM doomed) GROUP BY 1, 2) AS g
    WHERE a.tenant = :tenant AND a.space = g.space AND a.person = g.person AND a.records > g.records),
empty AS (
    DELETE FROM stored_amounts AS a USING (
        SELECT r.space, coalesce(r.person, '') AS person, count(*) AS records
        FROM records AS r WHERE r.tenant = :tenant AND r.seq IN (SELECT seq FROM doomed) GROUP BY 1, 2) AS g
    WHERE a.tenant = :tenant AND a.space = g.space AND a.person = g.person AND a.records <= g.records)
DELETE FROM records WHERE tenant = :tenant AND seq IN (SELECT seq FROM doomed)

-- name: count_grams
-- How many of these records have character pairs.
SELECT count(*) FROM record_grams WHERE tenant = :tenant AND seq = ANY ((SELECT bigint_list(:seqs))::bigint[])

-- name: purge_grams
-- Nothing is left to do: character pairs are deleted with their records.
SELECT 1

-- name: drawn_records
-- Records that came from any of these, directly, with the places of all their sources.
SELECT r.seq, coalesce((
    SELECT json_agg(s.seq)::text FROM links AS o JOIN records AS s ON s.id = o.target AND s.tenant = :tenant
    WHERE o.source = r.id AND o.type = 'derived_from' AND o.tenant = :tenant), '[]')
FROM records AS r
WHERE r.tenant = :tenant AND r.id IN (
    SELECT source FROM links WHERE tenant = :tenant AND type = 'derived_from' AND target IN ({gone}))
ORDER BY r.seq

-- name: texts_of
-- Everything that these records say.
SELECT seq, text || ' ' || title || ' ' || summary FROM records
WHERE tenant = :tenant AND seq = ANY ((SELECT bigint_list(:seqs))::bigint[])

-- name: purge_lone_entities
-- Entities that nobody mentions any more.
WITH lone AS (
    DELETE FROM entities AS e WHERE e.tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM mentions AS m WHERE m.tenant = :tenant AND m.entity = e.seq)
    RETURNING e.seq)
DELETE FROM aliases WHERE tenant = :tenant AND entity IN (SELECT seq FROM lone)

-- name: purge_lone_conversations
-- Conversations without a message.
DELETE FROM conversations WHERE tenant = :tenant
    AND NOT EXISTS (SELECT 1 FROM records WHERE tenant = :tenant AND conversation = conversations.id)

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
UPDATE runs SET detail = coalesce((read_json(detail) - 'output')::text, '{}')
WHERE tenant = :tenant AND space = :space AND coalesce(read_json(detail) ? 'output', true)

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
-- Those of these records that a current one had taken the place of by then.
-- One that is doubted counts too; one that was kept after all, whatever still links to it, does not.
SELECT DISTINCT l.target FROM links AS l JOIN records AS r ON r.id = l.source AND r.tenant = :tenant
WHERE l.tenant = :tenant AND l.at <= :at AND r.state = 'active'
    AND l.target = ANY ((SELECT text_list(:ids))::text[])
    AND (l.type = 'supersedes' OR (l.type = 'doubts' AND EXISTS (
        SELECT 1 FROM records AS o WHERE o.id = l.target AND o.tenant = :tenant AND o.state = 'doubted')))
    AND NOT EXISTS (
        SELECT 1 FROM links AS j
        WHERE j.source = l.source AND j.type = 'judged' AND j.target = l.target AND j.tenant = :tenant)

-- name: any_doubted
-- Whether any record is doubted: mostly none is, and nothing has to be looked for.
SELECT 1 FROM records WHERE state <> 'active' AND state = 'doubted' AND tenant = :tenant LIMIT 1

-- name: find_doubted
-- Doubted records that follow each of these: those that it doubts, and those that one which follows it doubts.
WITH RECURSIVE below (top, id) AS (
    SELECT named COLLATE "C", named COLLATE "C" FROM unnest((SELECT text_list(:ids))::text[]) AS named
    UNION
    SELECT b.top, l.target FROM below AS b JOIN links AS l ON l.source = b.id AND l.tenant = :tenant
    JOIN records AS r ON r.id = l.target AND r.tenant = :tenant
    WHERE l.type = 'doubts' AND l.at <= :now AND {state_then} = 'doubted'
        AND (r.expires_at IS NULL OR r.expires_at > :now) AND {told}
)
SELECT {record_columns}, b.top FROM below AS b JOIN records AS r ON r.id = b.id AND r.tenant = :tenant
WHERE b.id <> b.top
ORDER BY r.at DESC, r.seq DESC

-- name: find_doubted_among
-- Those of these records that are doubted, and the doubted ones drawn from these.
SELECT {record_columns}, r.id AS named FROM records AS r
WHERE r.tenant = :tenant AND r.id = ANY ((SELECT text_list(:ids))::text[]) AND {state_then} = 'doubted'
    AND (r.expires_at IS NULL OR r.expires_at > :now) AND {told}
UNION ALL
SELECT {record_columns}, d.target FROM links AS d JOIN records AS r ON r.id = d.source AND r.tenant = :tenant
WHERE d.tenant = :tenant AND d.target = ANY ((SELECT text_list(:ids))::text[]) AND d.type = 'derived_from'
    AND {state_then} = 'doubted' AND (r.expires_at IS NULL OR r.expires_at > :now) AND {told}

-- name: find_over_doubted
-- The active records that each of these doubted ones is shown under, newest first.
WITH RECURSIVE above (bottom, id) AS (
    SELECT named COLLATE "C", named COLLATE "C" FROM unnest((SELECT text_list(:ids))::text[]) AS named
    UNION
    SELECT a.bottom, l.source FROM above AS a JOIN records AS r ON r.id = a.id AND r.tenant = :tenant
    JOIN links AS l ON l.target = a.id AND l.tenant = :tenant
    WHERE l.type = 'doubts' AND l.at <= :now AND {state_then} = 'doubted'
)
SELECT {record_columns}, a.bottom FROM above AS a JOIN records AS r ON r.id = a.id AND r.tenant = :tenant
WHERE {state_then} = 'active' AND a.id <> a.bottom AND (r.expires_at IS NULL OR r.expires_at > :now) AND {told}
ORDER BY r.at DESC, r.seq DESC

-- name: list_links
-- Edges that start or end at a record.
SELECT source, type, target, at FROM links
WHERE tenant = :tenant AND (source = :id OR target = :id) ORDER BY at, source, target

-- name: search_words
-- The best matches by words among the first :scan of all spaces that are visible here.
SELECT r.seq, found.score FROM rank_words(:match, nullif(:scan, -1), false) AS found
JOIN records AS r ON r.tenant = :tenant AND r.seq = found.seq
WHERE {visible}
ORDER BY found.score, r.seq LIMIT nullif(:limit, -1)

-- name: search_recent_words
-- The same among the newest :scan matches, for words that are nearly everywhere.
SELECT r.seq, found.score FROM rank_words(:match, nullif(:scan, -1), true) AS found
JOIN records AS r ON r.tenant = :tenant AND r.seq = found.seq
WHERE {visible}
ORDER BY found.score, r.seq LIMIT nullif(:limit, -1)

-- name: search_holding
-- Places of records that match, newest first.
SELECT * FROM matching_places(:match, nullif(:most, -1))

-- name: merge_words
-- What was appended to the counts of words is summed up: all of it with pages below zero, else some of it.
WITH scattered AS (
    SELECT word FROM word_counts WHERE tenant = :tenant GROUP BY word HAVING count(*) > 1 OR sum(records) = 0
    LIMIT CASE WHEN :pages < 0 THEN NULL ELSE 100 * :pages END),
gone AS (
    DELETE FROM word_counts AS c USING scattered WHERE c.tenant = :tenant AND c.word = scattered.word
    RETURNING c.word, c.records, c.length)
INSERT INTO word_counts (tenant, word, records, length)
SELECT :tenant, word, sum(records)::bigint, sum(length)::bigint FROM gone GROUP BY word HAVING sum(records) <> 0

-- name: count_word_parts
-- In how many parts the counts of the most scattered word are.
SELECT coalesce(max(parts), 1) FROM (
    SELECT count(*) AS parts FROM word_counts WHERE tenant = :tenant GROUP BY word) AS counted

-- name: count_word_matches
-- Whether there are more matches than were scanned.
SELECT count_matching(:match, nullif(:scan, -1))

-- name: search_grams
-- The best matches by character pairs.
SELECT r.seq, found.score FROM rank_grams(:match, nullif(:scan, -1)) AS found
JOIN records AS r ON r.tenant = :tenant AND r.seq = found.seq
WHERE {visible}
ORDER BY found.score, r.seq LIMIT nullif(:limit, -1)

-- name: count_records
-- About how many records there are.
SELECT coalesce(sum(records), 0)::bigint FROM word_counts WHERE tenant = :tenant AND word = ''

-- name: place_ends
-- The places of the oldest and of the newest record; nothing where there is none.
SELECT (SELECT min(seq) FROM records WHERE tenant = :tenant), (SELECT max(seq) FROM records WHERE tenant = :tenant)

-- name: last_place
-- The place of the newest record; 0 where there is none.
SELECT coalesce(max(seq), 0) FROM records WHERE tenant = :tenant

-- name: end_of_page
-- The place of the last of the next :limit records after a place; null after the last record.
SELECT max(seq) FROM (SELECT seq FROM records WHERE tenant = :tenant AND seq > :after ORDER BY seq LIMIT :limit) AS page

-- name: mentions_of_any
-- Records that mention these entities, most of them first, then newest.
SELECT record, count(*) AS score FROM mentions WHERE tenant = :tenant AND entity = ANY ((SELECT bigint_list(:entities))::bigint[])
GROUP BY record ORDER BY score DESC, record DESC LIMIT nullif(:most, -1)

-- name: mentions_of_one
-- Records that mention one entity, newest first.
SELECT record FROM mentions WHERE tenant = :tenant AND entity = :entity ORDER BY record DESC LIMIT nullif(:most, -1)

-- name: search_time
-- Visible records of a stretch of time, newest first.
SELECT r.seq, r.at FROM records AS r
WHERE r.at >= :start AND r.at < :end AND {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT nullif(:limit, -1)

-- name: search_told
-- Visible records of a space that tell of a stretch of time, the latest told, and how much of both stretches they share.
SELECT seq, max((least(ends_at, :end) - greatest(starts_at, :start))::double precision
    / (greatest(ends_at, :end) - least(starts_at, :start))) AS score, at
FROM (
    SELECT r.seq, r.at, t.starts_at, t.ends_at FROM times AS t JOIN records AS r ON r.tenant = :tenant AND r.seq = t.record
    WHERE t.tenant = :tenant AND t.space = :space AND t.starts_at >= :earliest AND t.starts_at < :end
        AND t.ends_at > :start AND {visible}
    ORDER BY t.starts_at DESC, t.ends_at DESC, t.record DESC LIMIT nullif(:limit, -1)) AS told
GROUP BY seq, at

-- name: telling_records
-- Which of these records tell of a stretch of time.
SELECT DISTINCT record FROM times
WHERE record = ANY ((SELECT bigint_list(:seqs))::bigint[]) AND tenant = :tenant AND starts_at < :end AND ends_at > :start

-- name: said_after
-- The beginnings of what people said after a place, in order.
SELECT seq, space, left(text, :length::integer), at FROM records
WHERE seq > :after AND tenant = :tenant AND role <> 'assistant' ORDER BY seq LIMIT nullif(:limit, -1)

-- name: said_up_to
-- The beginnings of what people said up to a place, the last first.
SELECT seq, space, left(text, :length::integer), at FROM records
WHERE seq <= :place AND tenant = :tenant AND role <> 'assistant' ORDER BY seq DESC LIMIT nullif(:limit, -1)

-- name: put_time
-- A record tells of a time.
INSERT INTO times (tenant, space, starts_at, ends_at, record)
SELECT tenant, space, :start, :end, seq FROM records WHERE seq = :record::bigint AND tenant = :tenant
ON CONFLICT DO NOTHING

-- name: drop_other_times
-- A record tells of none but these times, each an array of its two ends.
DELETE FROM times WHERE record = :record::bigint AND tenant = :tenant
    AND jsonb_build_array(starts_at, ends_at) NOT IN (SELECT jsonb_array_elements(:spans::jsonb))

-- name: search_subjects
-- Visible records about these attributes of these people, or of anyone, newest first.
SELECT r.seq, r.at FROM records AS r
WHERE r.subject IS NOT NULL
    AND (:owners IS NULL OR left(r.subject, strpos(r.subject, '/') - 1) = ANY ((SELECT text_list(:owners))::text[]))
    AND r.attribute = ANY ((SELECT text_list(:attributes))::text[]) AND {visible}
ORDER BY r.at DESC, r.seq DESC LIMIT nullif(:limit, -1)

-- name: units
-- Records as evidence: what they say, who said it and when, and whether each is visible here; other active ones too.
-- What is private to somebody else is evidence of nothing, since a score would tell of it. With the offset both conditions
-- are computed once for each record.
SELECT u.seq, u.text, u.author, u.role, u.at, u.visible, u.kind, u.session FROM (
    SELECT r.seq, r.text, r.author, r.role, r.at, ({visible}) AS visible, r.kind, r.session,
        r.state = 'active' AND {told} AS counts
    FROM records AS r
    WHERE r.tenant = :tenant AND r.seq = ANY ((SELECT bigint_list(:seqs))::bigint[]) OFFSET 0) AS u
WHERE u.visible OR u.counts
ORDER BY u.seq

-- name: windows
-- Which messages stand before and after these, nearest first, where they are part of a conversation.
SELECT r.seq,
    array_to_string(ARRAY(SELECT b.seq FROM records AS b
        WHERE b.tenant = :tenant AND b.conversation = r.conversation AND b.seq < r.seq
        ORDER BY b.seq DESC LIMIT :reach), ',') AS before,
    array_to_string(ARRAY(SELECT a.seq FROM records AS a
        WHERE a.tenant = :tenant AND a.conversation = r.conversation AND a.seq > r.seq
        ORDER BY a.seq LIMIT :reach), ',') AS after
FROM records AS r
WHERE r.tenant = :tenant AND r.seq = ANY ((SELECT bigint_list(:seqs))::bigint[])
    AND (r.session IS NOT NULL OR r.channel IS NOT NULL)
ORDER BY r.seq

-- name: visible_seqs
-- Which of these records are visible here.
SELECT r.seq FROM records AS r WHERE r.seq = ANY ((SELECT bigint_list(:seqs))::bigint[]) AND {visible}

-- name: window_messages
-- The last messages of a session or channel that a person may see; of a message in parts, the first one.
SELECT {record_columns} FROM records AS r
WHERE r.tenant = :tenant AND r.conversation IN (
        SELECT id FROM conversations WHERE tenant = :tenant AND space = :space
            AND ((:session IS NOT NULL AND session = :session) OR (:session IS NULL AND channel = :channel))
        ORDER BY updated_at DESC LIMIT 20)
    AND r.state = 'active' AND (r.expires_at IS NULL OR r.expires_at > :now)
    AND {told}
    AND NOT EXISTS (SELECT 1 FROM links AS l WHERE l.source = r.id AND l.type = 'part_of' AND l.tenant = :tenant)
ORDER BY r.seq DESC LIMIT nullif(:limit, -1)

-- name: find_entities
-- Entities by any of their aliases.
SELECT a.entity, e.id, e.name, e.type, a.alias FROM aliases AS a JOIN entities AS e ON e.tenant = :tenant AND e.seq = a.entity
WHERE a.tenant = :tenant AND a.space = ANY ((SELECT text_list(:spaces))::text[])
    AND a.alias = ANY ((SELECT text_list(:aliases))::text[])
ORDER BY a.entity

-- name: find_aliases
-- What these aliases of a space may mean. An alias with a type belongs to one entity.
SELECT alias, type, entity FROM aliases WHERE tenant = :tenant AND space = :space AND alias = ANY ((SELECT text_list(:aliases))::text[])

-- name: add_entity
-- A new entity.
INSERT INTO entities (id, tenant, space, name, type) VALUES (:id, :tenant, :space, :name, :type) RETURNING seq

-- name: add_alias
-- One more way to write an entity.
INSERT INTO aliases (tenant, space, alias, type, entity, shown)
VALUES (:tenant, :space, :alias, :type, :entity, :shown) ON CONFLICT DO NOTHING

-- name: add_mention
-- A record mentions an entity.
INSERT INTO mentions (tenant, entity, record) VALUES (:tenant, :entity, :record::bigint) ON CONFLICT DO NOTHING

-- name: entity_by_seq
-- An entity with its aliases and how many current records mention it.
SELECT e.id, e.name, e.type, e.space,
    coalesce((SELECT json_agg(shown)::text FROM (
        SELECT DISTINCT a.shown FROM aliases AS a WHERE a.tenant = :tenant AND a.entity = e.seq ORDER BY a.shown) AS names), '[]'),
    (SELECT count(*) FROM mentions AS m JOIN records AS r ON r.tenant = :tenant AND r.seq = m.record
        WHERE m.tenant = :tenant AND m.entity = e.seq AND r.state = 'active')
FROM entities AS e WHERE e.tenant = :tenant AND e.seq = :seq

-- name: move_mentions
-- The records that mention an entity mention another from now on.
WITH moved AS (DELETE FROM mentions WHERE tenant = :tenant AND entity = :entity AND entity <> :into RETURNING record)
INSERT INTO mentions (tenant, entity, record) SELECT :tenant, :into, record FROM moved ON CONFLICT DO NOTHING

-- name: move_aliases
-- The ways to write an entity lead to another from now on.
UPDATE aliases SET entity = :into WHERE tenant = :tenant AND entity = :entity

-- name: drop_entity
-- An entity that became part of another.
WITH left_behind AS (DELETE FROM mentions WHERE tenant = :tenant AND entity = :entity AND :entity <> :into),
names AS (DELETE FROM aliases WHERE tenant = :tenant AND entity = :entity AND :entity <> :into)
DELETE FROM entities WHERE tenant = :tenant AND seq = :entity AND seq <> :into

-- name: list_entities
-- All entities of a space with what they are called, most mentioned first.
SELECT e.seq, e.id, e.name, e.type, count(m.record) AS mentioned FROM entities AS e
LEFT JOIN mentions AS m ON m.tenant = :tenant AND m.entity = e.seq
WHERE e.tenant = :tenant AND e.space = :space GROUP BY e.tenant, e.seq ORDER BY mentioned DESC, e.name LIMIT nullif(:limit, -1)

-- name: open_conversation
-- The open conversation of a key, if there is one.
SELECT id, space, key, person, session, channel, started_at, updated_at, messages, state, ended_by, settled_at
FROM conversations WHERE tenant = :tenant AND space = :space AND key = :key AND state = 'open'

-- name: other_open_conversations
-- Open conversations of a person in other sessions.
SELECT id, space, key, person, session, channel, started_at, updated_at, messages, state, ended_by, settled_at
FROM conversations
WHERE tenant = :tenant AND space = :space AND person IS NOT DISTINCT FROM :user AND state = 'open' AND session IS DISTINCT FROM :session

-- name: add_conversation
-- A conversation opens.
INSERT INTO conversations (id, tenant, space, key, person, session, channel, started_at, updated_at, messages, state)
VALUES (:id, :tenant, :space, :key, :user, :session, :channel, :started_at, :updated_at, 0, 'open')

-- name: extend_conversation
-- More messages.
UPDATE conversations
SET messages = messages + :count, updated_at = greatest(updated_at, :last), started_at = least(started_at, :first)
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
SELECT person, max(settled_at) FROM conversations
WHERE tenant = :tenant AND space = :space AND person IS NOT NULL AND settled_at IS NOT NULL GROUP BY person

-- name: get_conversation
-- One conversation.
SELECT id, space, key, person, session, channel, started_at, updated_at, messages, state, ended_by, settled_at
FROM conversations WHERE tenant = :tenant AND id = :id

-- name: list_conversations
-- Conversations that are not settled, oldest first.
SELECT id, space, key, person, session, channel, started_at, updated_at, messages, state, ended_by, settled_at
FROM conversations
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND state <> 'settled'
    AND (:session IS NULL OR session = :session) AND (:channel IS NULL OR channel = :channel)
    AND (:user IS NULL OR person = :user)
ORDER BY started_at

-- name: restore_conversation
-- A conversation as an export told it.
INSERT INTO conversations (
    id, tenant, space, key, person, session, channel, started_at, updated_at, messages, state, ended_by, settled_at)
VALUES (
    :id, :tenant, :space, :key, :user, :session, :channel, :started_at, :updated_at, :messages, :state, :ended_by,
    :settled_at)
ON CONFLICT DO NOTHING

-- name: all_conversations
-- Every conversation, for export.
SELECT id, space, key, person, session, channel, started_at, updated_at, messages, state, ended_by, settled_at
FROM conversations WHERE tenant = :tenant AND (:space IS NULL OR space = :space) ORDER BY id

-- name: conversation_messages
-- What was said in a conversation, in order, a page at a time.
SELECT {record_columns} FROM records AS r
WHERE r.conversation = :conversation AND r.tenant = :tenant AND r.state = 'active' AND r.seq > :after
ORDER BY r.seq LIMIT nullif(:limit, -1)

-- name: last_said
-- The newest messages of a conversation: whose each is, in which role, and its words.
SELECT r.person, r.role, r.text FROM records AS r
WHERE r.conversation = :conversation AND r.tenant = :tenant
ORDER BY r.seq DESC LIMIT 16

-- name: last_said_in
-- The same of a session or a channel, or outside of both.
SELECT r.person, r.role, r.text FROM records AS r
WHERE r.tenant = :tenant AND r.conversation IN (
    SELECT id FROM conversations WHERE tenant = :tenant AND space = :space
        AND session IS NOT DISTINCT FROM :session AND channel IS NOT DISTINCT FROM :channel
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
SELECT DISTINCT ON (owner, name) name, owner, space, version, entries, data, at FROM documents
WHERE tenant = :tenant AND space = :space AND owner = :owner AND starts_with(name, :prefix)
ORDER BY owner, name, version DESC

-- name: list_documents_of_all
-- The current versions of all owners' documents whose names begin like this.
SELECT DISTINCT ON (owner, name) name, owner, space, version, entries, data, at FROM documents
WHERE tenant = :tenant AND space = :space AND starts_with(name, :prefix)
ORDER BY owner, name, version DESC

-- name: documents_drawn_from
-- Versions of documents with an entry that came from any of these records.
SELECT d.name, d.owner, d.space, d.version, d.entries, d.data, d.at FROM documents AS d
WHERE d.tenant = :tenant AND EXISTS (
    SELECT 1 FROM jsonb_path_query(coalesce(read_json(d.entries), '[]'), '$[*].sources[*]') AS s
    WHERE s #>> '{}' = ANY ((SELECT text_list(:ids))::text[]))
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
INSERT INTO models (tenant, name, dimensions) VALUES (:tenant, :name, :dimensions) ON CONFLICT DO NOTHING

-- name: get_model
-- The number and dimensions of a model.
SELECT id, dimensions FROM models WHERE tenant = :tenant AND name = :name

-- name: list_models
-- All models with how many vectors each has.
SELECT m.id, m.name, m.dimensions, (SELECT count(*) FROM vectors AS v WHERE v.tenant = :tenant AND v.model = m.id)
FROM models AS m WHERE m.tenant = :tenant ORDER BY m.id

-- name: records_to_embed
-- Records that wait for a vector, all or of some, newest first, with who or what heads them.
SELECT seq, text, CASE
    WHEN title <> '' THEN title || chr(10) WHEN role = 'user' AND author NOT IN ('', role) THEN author || ': ' ELSE '' END
FROM records
WHERE tenant = :tenant AND embedding = 'wanted'
    AND (:among IS NULL OR seq IN (SELECT value::bigint FROM jsonb_array_elements_text(:among::jsonb) AS a (value)))
ORDER BY seq DESC LIMIT nullif(:limit, -1)

-- name: places_to_embed
-- Where the records are that wait for a vector, all or of some, newest first, without those of a session.
SELECT seq FROM records
WHERE tenant = :tenant AND embedding = 'wanted' AND (:not_session IS NULL OR session IS NULL OR session <> :not_session)
    AND (:among IS NULL OR seq IN (SELECT value::bigint FROM jsonb_array_elements_text(:among::jsonb) AS a (value)))
ORDER BY seq DESC LIMIT nullif(:limit, -1)

-- name: put_vector
-- The vector of a part of a record; an older one of the same model gives way.
INSERT INTO vectors (tenant, record, part, model, dimensions, space, person, kind, visibility, vector)
SELECT tenant, seq, :part, :model, vector_dims(:vector), space, person, kind, visibility, :vector
FROM records WHERE tenant = :tenant AND seq = :record::bigint
ON CONFLICT (tenant, record, model, part) DO UPDATE
SET seq = nextval('places'), vector = excluded.vector, dimensions = excluded.dimensions

-- name: stage_vectors
-- The same for vectors.
CREATE TEMP TABLE IF NOT EXISTS staged_vectors (model bigint, record bigint, part bigint, vector halfvec) ON COMMIT DROP

-- name: clear_staged_vectors
-- Make room for more of them.
TRUNCATE staged_vectors

-- name: copy_vectors
-- Vectors into that table.
COPY staged_vectors FROM STDIN (FORMAT binary)

-- name: add_staged_vectors
-- The vectors of many records, each of which is looked up: a join would read all records of the tenant.
INSERT INTO vectors (tenant, record, part, model, dimensions, space, person, kind, visibility, vector)
SELECT r.tenant, r.seq, s.part, s.model, vector_dims(s.vector), r.space, r.person, r.kind, r.visibility, s.vector
FROM staged_vectors AS s
CROSS JOIN LATERAL (SELECT * FROM records WHERE tenant = :tenant AND seq = s.record OFFSET 0) AS r
ORDER BY s.record DESC, s.part
ON CONFLICT (tenant, record, model, part) DO UPDATE
SET seq = nextval('places'), vector = excluded.vector, dimensions = excluded.dimensions

-- name: drop_vector
-- The vector of a part that a text no longer has.
DELETE FROM vectors WHERE tenant = :tenant AND record = :record::bigint AND model = :model AND part = :part

-- name: mark_embedded
-- Records that have their vectors, or will not get any.
UPDATE records SET embedding = 'done'
WHERE tenant = :tenant AND seq = ANY ((SELECT bigint_list(:seqs))::bigint[]) AND embedding = 'wanted'

-- name: want_vectors
-- Every record that lacks a vector of this model waits for one.
UPDATE records AS r SET embedding = 'wanted'
WHERE r.tenant = :tenant AND r.embedding = 'done' AND NOT EXISTS (
    SELECT 1 FROM vectors AS v WHERE v.tenant = :tenant AND v.record = r.seq AND v.model = :model)

-- name: count_lacking
-- How many records have no vector of this model, whatever it is if null, and are to have one.
SELECT count(*) FROM records AS r
WHERE r.tenant = :tenant AND (:space IS NULL OR r.space = :space) AND r.embedding <> 'none' AND NOT EXISTS (
    SELECT 1 FROM vectors AS v WHERE v.tenant = :tenant AND v.record = r.seq AND v.model = :model)

-- name: models_of_record
-- The models that made vectors of a record.
SELECT m.name FROM models AS m WHERE m.tenant = :tenant AND EXISTS (
    SELECT 1 FROM vectors AS v WHERE v.tenant = :tenant AND v.record = :record::bigint AND v.model = m.id)
ORDER BY m.id

-- name: any_model
-- Whether any model is known.
SELECT 1 FROM models WHERE tenant = :tenant LIMIT 1

-- name: records_refused
-- Active records that have no vector of this model and wait for none; two indexes pass over all others.
SELECT r.id FROM records AS r
WHERE r.tenant = :tenant AND r.embedding = 'done' AND r.state = 'active' AND NOT EXISTS (
    SELECT 1 FROM vectors AS v WHERE v.tenant = :tenant AND v.record = r.seq AND v.model = :model)
ORDER BY r.seq DESC

-- name: drop_other_vectors
-- Vectors of models no longer used.
DELETE FROM vectors WHERE tenant = :tenant AND model <> :model

-- name: vectors_after
-- Vectors written since, with what a filter needs to know of their records.
SELECT seq, record, part, vector, space, person, kind, visibility FROM vectors
WHERE tenant = :tenant AND model = :model AND seq > :after ORDER BY seq LIMIT nullif(:limit, -1)

-- part: of_records
    tenant = :tenant AND model + 0 = :model AND record = ANY ((SELECT bigint_list(:seqs))::bigint[])

-- name: vectors_of
-- The vectors of these records. A tenant has models of its own, so a plan would expect few vectors of both, and read all of
-- them instead of looking records up; `+ 0` hides the model from it.
SELECT record, part, vector FROM vectors WHERE {of_records}

-- name: vector_numbers_of
-- Whose each of these vectors is, and its bare numbers, big-endian: psycopg reads bytes much faster than vectors.
SELECT record, substr(halfvec_send(vector), 5) FROM vectors
WHERE {of_records}

-- name: vector_parts_of
-- Which of these records have vectors, by part.
SELECT record, part FROM vectors WHERE {of_records}

-- name: count_unpacked
-- How many vectors came after the last packed part, up to a limit.
SELECT count(*) FROM (
    SELECT 1 FROM vectors
    WHERE tenant = :tenant AND model = :model AND seq > (
        SELECT coalesce(max(last), 0) FROM vector_packs WHERE tenant = :tenant AND model = :model)
    LIMIT nullif(:limit, -1)) AS found

-- name: set_shape
-- What the vectors of a model look like here, for asking with them.
UPDATE models SET shape = :shape, shaped_at = :count WHERE tenant = :tenant AND id = :model

-- name: get_shape
-- What the vectors of a model look like here, about how many there were when that was found, and are.
SELECT shape, shaped_at, (SELECT count(*) FROM vectors WHERE tenant = :tenant AND model = :model)
FROM models WHERE tenant = :tenant AND id = :model

-- name: sample_vectors
-- About as many vectors as wanted, from everywhere.
SELECT vector FROM vectors WHERE tenant = :tenant AND model = :model AND seq % :every = 0 LIMIT nullif(:limit, -1)

-- name: list_packs
-- Packed parts of the index, in order.
SELECT last, pack FROM vector_packs WHERE tenant = :tenant AND model = :model ORDER BY last

-- name: list_pack_ends
-- Where the packed parts of the index end.
SELECT last FROM vector_packs WHERE tenant = :tenant AND model = :model ORDER BY last

-- name: put_pack
-- A packed part of the index.
INSERT INTO vector_packs (tenant, model, last, pack) VALUES (:tenant, :model, :last, :pack)
ON CONFLICT (tenant, model, last) DO UPDATE SET pack = excluded.pack

-- name: drop_packs
-- Packs of a model, to be rebuilt.
DELETE FROM vector_packs WHERE tenant = :tenant AND model = :model

-- name: put_job
-- A job is due: a waiting one of the same key moves to the new time, a running one runs once more afterwards.
INSERT INTO jobs AS j (tenant, space, key, name, args, state, due_at, cron, zone, max_attempts, timeout_ms)
VALUES (:tenant, :space, :key, :name, :args, 'ready', :due_at, :cron, :zone, :max_attempts, :timeout_ms)
ON CONFLICT (tenant, space, key) DO UPDATE SET
    args = excluded.args,
    cron = excluded.cron,
    zone = excluded.zone,
    max_attempts = excluded.max_attempts,
    timeout_ms = excluded.timeout_ms,
    due_at = CASE WHEN j.state = 'running' THEN j.due_at ELSE excluded.due_at END,
    again_at = CASE WHEN j.state = 'running' THEN excluded.due_at END,
    attempts = CASE WHEN j.state = 'failed' THEN 0 ELSE j.attempts END,
    state = CASE WHEN j.state = 'failed' THEN 'ready' ELSE j.state END

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
    AND name = ANY ((SELECT text_list(:names))::text[])
ORDER BY due_at, key LIMIT 1
FOR UPDATE SKIP LOCKED

-- name: due_jobs
-- Jobs of one name that are due and free, at their first attempt.
SELECT {job_columns}
FROM jobs WHERE tenant = :tenant AND state = 'ready' AND due_at <= :now AND name = :name AND attempts = 0
ORDER BY due_at, key

-- name: next_due
-- When the next job is due.
SELECT min(CASE state WHEN 'running' THEN lease_until ELSE due_at END) FROM jobs
WHERE tenant = :tenant AND state <> 'failed' AND name = ANY ((SELECT text_list(:names))::text[])

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
ORDER BY seq DESC LIMIT nullif(:limit, -1)

-- name: trim_runs
-- Old runs are not kept for ever.
DELETE FROM runs WHERE tenant = :tenant AND ended_at < :before

-- name: get_draft
-- What a model answered when it was asked just this.
SELECT answer FROM drafts WHERE tenant = :tenant AND space = :space AND key = :key

-- name: put_draft
-- A paid answer, until what became of it is in the store.
INSERT INTO drafts (tenant, space, key, answer, at) VALUES (:tenant, :space, :key, :answer, :at)
ON CONFLICT (tenant, space, key) DO UPDATE SET answer = excluded.answer, at = excluded.at

-- name: drop_drafts
-- Answers that are in the store now.
DELETE FROM drafts WHERE tenant = :tenant AND space = :space AND key = ANY ((SELECT text_list(:keys))::text[])

-- name: trim_drafts
-- Answers that nobody came back for.
DELETE FROM drafts WHERE tenant = :tenant AND at < :before

-- name: add_usage
-- What one task asked of a model, added to its day.
INSERT INTO usage AS u (tenant, space, task, model, day, calls, refused, input_tokens, output_tokens, cost, unpriced)
VALUES (
    :tenant, :space, :task, :model::text, :day, :calls, :refused, :input_tokens, :output_tokens, :cost, :unpriced)
ON CONFLICT (tenant, space, task, model, day) DO UPDATE SET
    calls = u.calls + excluded.calls, refused = u.refused + excluded.refused,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
    cost = u.cost + excluded.cost, unpriced = u.unpriced + excluded.unpriced

-- name: list_usage
-- What was asked of models, per space, task and model.
SELECT space, task, model, sum(calls)::bigint, sum(refused)::bigint, sum(input_tokens)::bigint, sum(output_tokens)::bigint, sum(cost)::bigint, sum(unpriced)::bigint
FROM usage
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:since IS NULL OR day >= :since)
GROUP BY space, task, model ORDER BY space, task, model

-- name: list_usage_by_day
-- What was asked of models on each day, oldest first; and how many of the calls read a conversation.
SELECT day, sum(CASE WHEN task = :reading THEN calls - refused ELSE 0 END)::bigint, sum(calls)::bigint,
    sum(input_tokens)::bigint, sum(output_tokens)::bigint, sum(cost)::bigint, sum(unpriced)::bigint
FROM usage
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:since IS NULL OR day >= :since)
GROUP BY day ORDER BY day

-- name: add_question
-- A doubt to put to the person, or one as an export told it.
INSERT INTO questions (id, tenant, space, person, text, older, newer, created_at, answered_at, answer)
VALUES (:id, :tenant, :space, :user, :text, :older, :newer, :created_at, :answered_at, :answer)
ON CONFLICT DO NOTHING

-- name: list_questions
-- Open questions, oldest first, or all of them. One about a record that no longer counts, or that was kept, is not open.
SELECT q.id, q.space, q.person, q.text, q.older, q.newer, q.created_at, q.answered_at, q.answer FROM questions AS q
WHERE q.tenant = :tenant AND (:space IS NULL OR q.space = :space)
    AND (:user IS NULL OR q.person IS NULL OR q.person = :user) AND (:id IS NULL OR q.id = :id)
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
ORDER BY seq DESC LIMIT nullif(:limit, -1)

-- name: audit_page
-- Whole rows of the audit log in order, for its verification.
SELECT seq, space, at, actor, interface, action, detail, salt, commitment, digest FROM audit_log
WHERE tenant = :tenant AND seq > :after ORDER BY seq LIMIT nullif(:limit, -1)

-- name: blank_audit
-- Removes what names an erased person; time, action and commitment stay.
UPDATE audit_log SET space = '', actor = '', interface = '', detail = '{}', salt = NULL
WHERE tenant = :tenant AND (salt IS NOT NULL OR digest = ''::bytea) AND (:space IS NULL OR space = :space)
    AND (actor = :user OR space = '@' || :user OR read_json(detail) ->> 'user' = :user)

-- name: last_expired_audit
-- The newest entry that is older than the retention.
SELECT seq, digest FROM audit_log WHERE tenant = :tenant AND at < :before ORDER BY seq DESC LIMIT 1

-- name: expire_audit
-- Removes the entries up to one of them.
DELETE FROM audit_log WHERE tenant = :tenant AND seq <= :seq

-- part: sealed_amount
    SELECT count(*) AS records, coalesce(sum(length(box) + length(vector)), 0) AS bytes
    FROM sealed_items WHERE tenant = :tenant

-- name: amount_of_person
-- What one person has stored in a space, sealed items too.
SELECT sum(records)::bigint, sum(bytes)::bigint FROM (
    SELECT records, bytes FROM stored_amounts WHERE tenant = :tenant AND space = :space AND person = :user
    UNION ALL {sealed_amount} AND space = :space AND coalesce(person, '') = :user) AS amounts

-- name: amount_of_space
-- What everybody has stored in a space, sealed items too.
SELECT sum(records)::bigint, sum(bytes)::bigint FROM (
    SELECT records, bytes FROM stored_amounts WHERE tenant = :tenant AND space = :space
    UNION ALL {sealed_amount} AND space = :space) AS amounts

-- name: amount_of_tenant
-- What everybody has stored in all spaces, sealed items too, and how many writes were counted in one minute.
SELECT sum(records)::bigint, sum(bytes)::bigint, sum(writes)::bigint FROM (
    SELECT records, bytes, CASE WHEN minute = :minute THEN writes ELSE 0 END AS writes
    FROM stored_amounts WHERE tenant = :tenant
    UNION ALL SELECT records, bytes, 0 FROM ({sealed_amount}) AS sealed) AS amounts

-- name: amounts_added_after
-- What was stored after the record at a place, by space and person.
SELECT space, person, count(*), sum(octet_length(text))::bigint FROM records
WHERE tenant = :tenant AND seq > :seq GROUP BY space, person

-- name: list_owners
-- Who has stored something where.
SELECT space, person FROM stored_amounts WHERE tenant = :tenant AND person <> '' ORDER BY space, person

-- name: count_writes
-- Adds to the writes of a person in one minute; another minute starts from zero.
INSERT INTO stored_amounts AS s (tenant, space, person, records, bytes, minute, writes)
VALUES (:tenant, :space, :user, 0, 0, :minute, :count)
ON CONFLICT (tenant, space, person) DO UPDATE SET
    writes = CASE WHEN s.minute = excluded.minute THEN s.writes + excluded.writes ELSE excluded.writes END,
    minute = excluded.minute
RETURNING s.writes

-- name: count_by_kind
-- How many records of each kind and state.
SELECT kind, state, count(*), max(at) FROM records
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:user IS NULL OR person = :user)
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

-- name: places_with_grams
-- Which records have character pairs.
SELECT seq FROM record_grams WHERE tenant = :tenant

-- name: texts_beyond_ascii
-- Texts that may have character pairs.
SELECT seq, text FROM records WHERE tenant = :tenant AND length(text) <> octet_length(text)

-- name: clear_grams
-- All character pairs, before they are made anew.
DELETE FROM record_grams WHERE tenant = :tenant

-- name: count_gram_matches
-- Whether there are more matches than were scanned.
SELECT count_gram_matching(:match, nullif(:scan, -1))

-- part: exported
    r.tenant = :tenant AND (:space IS NULL OR r.space = :space) AND (:user IS NULL OR r.person = :user)

-- name: record_places
-- Where records stand.
SELECT id, seq, space FROM records WHERE tenant = :tenant AND id = ANY ((SELECT text_list(:ids))::text[])

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
    OR EXISTS (SELECT 1 FROM people WHERE tenant = :tenant AND space = s.name AND id = :user)
    OR EXISTS (SELECT 1 FROM memberships WHERE tenant = :tenant AND space = s.name AND person = :user)
    OR EXISTS (SELECT 1 FROM documents WHERE tenant = :tenant AND space = s.name AND owner = :user)
    OR EXISTS (SELECT 1 FROM records WHERE tenant = :tenant AND space = s.name AND person = :user))
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
SELECT c.id, c.id, c.space, c.key, CASE WHEN :user IS NULL OR c.person = :user THEN c.person END, c.session, c.channel,
    c.started_at, c.updated_at, c.messages, c.state, c.ended_by, c.settled_at
FROM conversations AS c
WHERE c.tenant = :tenant AND c.id > :after::text AND (:space IS NULL OR c.space = :space) AND (
    :user IS NULL OR EXISTS (SELECT 1 FROM records AS r WHERE r.tenant = :tenant AND r.conversation = c.id AND r.person = :user))
ORDER BY c.id LIMIT nullif(:limit, -1)

-- name: export_record
-- Records for an export in the order they came, a page at a time.
SELECT r.seq, r.id, r.space, r.kind, r.text, r.title, r.summary, r.author, r.role, r.person, r.session, r.channel,
    r.branch, r.visibility, r.subject, r.state, r.state_reason, r.state_at, r.superseded_by, r.confidence, r.validated,
    r.pinned, r.origin, r.made_by, r.trust, r.conversation, r.at, r.created_at, r.expires_at, r.accessed_at,
    r.access_count, r.faded_at, r.tags, r.metadata
FROM records AS r
WHERE {exported} AND r.seq > :after ORDER BY r.seq LIMIT nullif(:limit, -1)

-- name: export_change
-- The history of records in the order in which it happened, for an export.
SELECT c.seq, c.record, c.at, c.action, c.state, c.reason, c.by, c.other
FROM changes AS c JOIN records AS r ON r.id = c.record AND {exported}
WHERE c.tenant = :tenant AND c.seq > :after ORDER BY c.seq LIMIT :limit

-- name: export_link
-- The links that start in a stretch of records and end inside the export.
SELECT l.source, l.type, l.target, l.at
FROM records AS o JOIN links AS l ON l.source = o.id AND l.tenant = :tenant
JOIN records AS r ON r.id = l.target AND {exported}
WHERE o.seq > :after AND o.seq <= :upto AND o.tenant = :tenant
    AND (:space IS NULL OR o.space = :space) AND (:user IS NULL OR o.person = :user)
ORDER BY o.seq, l.type, l.target

-- name: export_entity
-- Entities with their aliases for an export, a page at a time; for a person's, those that their records mention.
SELECT e.seq, e.id, e.space, e.name, e.type, coalesce((
    SELECT json_agg(json_build_object('alias', a.alias, 'type', a.type, 'shown', a.shown) ORDER BY a.alias, a.type)::text
    FROM aliases AS a WHERE a.tenant = :tenant AND a.entity = e.seq), '[]')
FROM entities AS e
WHERE e.tenant = :tenant AND e.seq > :after AND (:space IS NULL OR e.space = :space) AND (:user IS NULL OR EXISTS (
    SELECT 1 FROM mentions AS m JOIN records AS r ON r.tenant = :tenant AND r.seq = m.record
    WHERE m.tenant = :tenant AND m.entity = e.seq AND {exported}))
ORDER BY e.seq LIMIT nullif(:limit, -1)

-- name: export_mentions
-- The records of an export that mention an entity, a page at a time.
SELECT r.seq, r.id FROM mentions AS m JOIN records AS r ON r.tenant = :tenant AND r.seq = m.record
WHERE m.tenant = :tenant AND m.entity = :entity AND m.record > :after AND {exported}
ORDER BY m.record LIMIT nullif(:limit, -1)

-- name: export_document
-- Every version of the documents of an export, a page at a time.
SELECT space, owner, name, version, entries, data, at FROM documents
WHERE tenant = :tenant AND (:space IS NULL OR space = :space) AND (:user IS NULL OR owner = :user)
    AND (space, owner, name, version) > (:after_space, :after_owner, :after_name, :after_version)
ORDER BY space, owner, name, version LIMIT nullif(:limit, -1)

-- name: export_question
-- Questions for an export, open and answered, about records that are in it.
SELECT q.id, q.space, q.person, q.text, q.older, q.newer, q.created_at, q.answered_at, q.answer FROM questions AS q
WHERE q.tenant = :tenant AND (:space IS NULL OR q.space = :space) AND (:user IS NULL OR q.person = :user)
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
    (SELECT count(*) FROM records WHERE tenant = :tenant), (SELECT count(*) FROM documents WHERE tenant = :tenant), (SELECT count(*) FROM conversations WHERE tenant = :tenant),
    (SELECT count(*) FROM people WHERE tenant = :tenant), (SELECT count(*) FROM links WHERE tenant = :tenant), (SELECT count(*) FROM changes WHERE tenant = :tenant),
    (SELECT count(*) FROM vectors WHERE tenant = :tenant), (SELECT count(*) FROM settings WHERE tenant = :tenant), (SELECT count(*) FROM audit_log WHERE tenant = :tenant)

-- name: clear_words
-- All words, before they are made anew.
DELETE FROM record_words WHERE tenant = :tenant

-- name: texts_to_index
-- What the index of words is made of.
SELECT seq, text, title, author, audience FROM records WHERE tenant = :tenant ORDER BY seq

-- name: index_words
-- The words of one record.
INSERT INTO record_words (tenant, seq, words, length) VALUES (:tenant, :seq, :words, :length)

-- name: recount_words
-- The counts of words anew from the index.
WITH gone AS (DELETE FROM word_counts WHERE tenant = :tenant)
INSERT INTO word_counts (tenant, word, records, length)
SELECT :tenant, u.word, count(*), 0 FROM record_words AS w, unnest(tsvector_to_array(w.words)) AS u (word)
WHERE w.tenant = :tenant AND left(u.word, 1) NOT IN ('=', '@') GROUP BY u.word
UNION ALL SELECT :tenant, '', count(*), coalesce(sum(length), 0) FROM record_words WHERE tenant = :tenant

-- name: count_unmatched_words
-- How many records have no words, words no record, and by how much their count is wrong.
SELECT
    (SELECT count(*) FROM records AS r WHERE r.tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM record_words AS w WHERE w.tenant = :tenant AND w.seq = r.seq)),
    (SELECT count(*) FROM record_words AS w WHERE w.tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM records AS r WHERE r.tenant = :tenant AND r.seq = w.seq)),
    (SELECT count(*) FROM records WHERE tenant = :tenant) - (
        SELECT coalesce(sum(records), 0)::bigint FROM word_counts WHERE tenant = :tenant AND word = '')

-- name: database_size
-- Bytes of all tables and indexes, those of other tenants included.
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class AS c
WHERE c.relnamespace = 'toldonce'::regnamespace AND c.relkind = 'r'

-- name: nearest_exact
-- The vectors nearest to a question within a scope, each compared.
SELECT v.record, v.part, v.vector FROM vectors AS v
WHERE v.tenant = :tenant AND v.model = :model AND v.space = ANY ((SELECT text_list(:spaces))::text[])
    AND (:user IS NULL OR v.person IS NULL OR v.visibility <> 'private' OR v.person = :user)
    AND (:kinds IS NULL OR v.kind = ANY ((SELECT text_list(:kinds))::text[]))
ORDER BY v.vector <#> :question, v.record, v.part LIMIT :limit

-- name: nearest_indexed
-- The same by the index of vectors, for large scopes.
SELECT record, part, vector FROM nearest_by_index(
    :question, :dimensions::integer, :model, text_list(:spaces), :user, text_list(:kinds), :limit)

-- name: nearest_products
-- As nearest_exact, without the vectors: whose each is, and its negative inner product with the question.
SELECT v.record, v.vector <#> :question AS product FROM vectors AS v
WHERE v.tenant = :tenant AND v.model = :model AND v.space = ANY ((SELECT text_list(:spaces))::text[])
    AND (:user IS NULL OR v.person IS NULL OR v.visibility <> 'private' OR v.person = :user)
    AND (:kinds IS NULL OR v.kind = ANY ((SELECT text_list(:kinds))::text[]))
ORDER BY product, v.record, v.part LIMIT :limit

-- name: nearest_indexed_products
-- The same by the index of vectors, which finds them nearly in order.
SELECT record, vector <#> :question AS product FROM nearest_by_index(
    :question, :dimensions::integer, :model, text_list(:spaces), :user, text_list(:kinds), :limit)
ORDER BY product, record, part

-- name: products_of
-- The negative inner product of a question with the nearest vector of each of these records.
SELECT record, min(vector <#> :question) FROM vectors
WHERE {of_records}
GROUP BY record

-- name: count_scope
-- How many vectors there are in a scope, counted up to a limit.
SELECT count(*) FROM (
    SELECT 1 FROM vectors AS v
    WHERE v.tenant = :tenant AND v.model = :model AND v.space = ANY ((SELECT text_list(:spaces))::text[])
        AND (:user IS NULL OR v.person IS NULL OR v.visibility <> 'private' OR v.person = :user)
        AND (:kinds IS NULL OR v.kind = ANY ((SELECT text_list(:kinds))::text[]))
    LIMIT :limit) AS found

-- name: index_vectors
-- Make the index of vectors of that many dimensions, where it is missing.
SELECT index_vectors(:dimensions::integer)

-- name: vector_place_after
-- The place of the vector that comes so many after another.
SELECT seq FROM vectors WHERE tenant = :tenant AND model = :model AND seq > :after ORDER BY seq OFFSET :skip::bigint LIMIT 1

-- name: vector_state
-- With how many vectors the shape of a model was found, 0 for none; and whether there is an index of vectors here.
SELECT shaped_at, has_vector_index(dimensions) FROM models WHERE tenant = :tenant AND id = :model

-- name: refresh_statistics
-- Make the statistics of tables that a load has filled.
SELECT refresh_statistics()

-- name: list_tables
-- Every table of the schema; their partitions go with them.
SELECT c.relname FROM pg_class AS c
WHERE c.relnamespace = 'toldonce'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
ORDER BY c.relname

-- name: list_emptied
-- Tables that an analysis has just found empty: it keeps the statistics of what was in them.
SELECT c.oid::bigint FROM pg_class AS c
WHERE c.relnamespace = 'toldonce'::regnamespace AND c.relkind IN ('r', 'p') AND c.reltuples = 0

-- name: clear_statistics
-- Drop what the server knows of the columns of these tables.
SELECT count(pg_clear_attribute_stats('toldonce', c.relname, a.attname, inherited))
FROM pg_class AS c
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
CROSS JOIN (VALUES (true), (false)) AS whole (inherited)
WHERE c.oid::bigint = ANY(:tables::bigint[]) AND (c.relkind = 'p' OR NOT inherited)

-- name: count_emptied
-- How many of the partitions that hold a tenant are empty.
SELECT count(*) FROM pg_class AS c JOIN pg_inherits AS i ON i.inhrelid = c.oid
WHERE c.relnamespace = 'toldonce'::regnamespace AND c.relkind = 'r' AND c.reltuples = 0
    AND c.relname LIKE '%\_' || (
        SELECT n FROM generate_series(0, 15) AS n
        WHERE satisfies_hash_partition('toldonce.records'::regclass, 16, n, :tenant::text))

-- name: count_unclear
-- How many partitions that hold a tenant have pages which not every transaction may see as they are now: a vacuum could not
-- clear what an older one still reads.
SELECT count(*) FROM pg_class AS c JOIN pg_inherits AS i ON i.inhrelid = c.oid
WHERE c.relnamespace = 'toldonce'::regnamespace AND c.relkind = 'r' AND c.relallvisible < c.relpages
    AND c.relname LIKE '%\_' || (
        SELECT n FROM generate_series(0, 15) AS n
        WHERE satisfies_hash_partition('toldonce.records'::regclass, 16, n, :tenant::text))

-- name: read_statistics
-- Examples of what columns hold, as far as this login may see them.
SELECT concat_ws(E'\n', s.most_common_vals::text, s.histogram_bounds::text, s.most_common_elems::text)
FROM pg_stats AS s WHERE s.schemaname = 'toldonce'

-- name: announce_job
-- Wake workers that listen: a job of this tenant is due.
SELECT pg_notify('toldonce_jobs', :tenant)

-- name: find_schema
-- Whether there is a schema of Toldonce in this database.
SELECT to_regclass('toldonce.schema_version') IS NOT NULL

-- name: read_version
-- The version of the schema.
SELECT max(version) FROM toldonce.schema_version

-- name: is_standby
-- Whether the server takes no writes: it follows another one, or its settings say so.
SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean

-- name: written_position
-- How far the log of the server is on disk.
SELECT pg_current_wal_flush_lsn()::text

-- name: has_replayed
-- Whether this is a standby that has everything up to a position of the primary's log.
SELECT pg_is_in_recovery() AND (:position IS NULL OR pg_last_wal_replay_lsn() >= :position::pg_lsn)

-- name: lock_schema
-- One process at a time makes or migrates the schema.
SELECT pg_advisory_xact_lock(:lock::integer, 0)

-- name: set_transaction
-- Who reads or writes what in this transaction; what is null stays as it is.
SELECT set_config('search_path', :path, true), set_config('lock_timeout', :lock_wait, true),
    set_config('toldonce.tenant', :tenant, true), set_config('toldonce.person', :person, true),
    set_config('toldonce.role', :acting_as, true),
    set_config('plan_cache_mode', coalesce(:plan_mode, current_setting('plan_cache_mode')), true),
    set_config('role', coalesce(:app_role, current_setting('role')), true)

-- name: take_turn
-- Writers of a tenant wait for each other until their transactions end.
SELECT pg_advisory_xact_lock(:lock::integer, hashtext(:tenant))

-- name: find_pgvector
-- In which schema pgvector is, if it is there.
SELECT n.nspname FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = :name

-- name: look_in
-- Where names are looked up until the end of the transaction.
SELECT set_config('search_path', :path, true)

-- name: read_login
-- Whether the login is beyond row-level security, whether it may act as the role of the application, whether whoever it then
-- acts as may make tables of a transaction, and whether it could give that role its rights.
SELECT l.is_exempt, l.has_role,
    has_database_privilege(CASE WHEN l.has_role THEN :role ELSE current_user END, current_database(), 'TEMPORARY'),
    l.may_grant
FROM (
    SELECT r.rolsuper OR r.rolbypassrls AS is_exempt, coalesce((
        SELECT pg_has_role(r.rolname, a.oid, 'MEMBER') AND has_schema_privilege(a.oid, 'toldonce', 'USAGE')
        FROM pg_roles AS a WHERE a.rolname = :role), false) AS has_role,
        pg_has_role(r.rolname, n.nspowner, 'USAGE') AND coalesce(
            (SELECT pg_has_role(r.rolname, a.oid, 'MEMBER') FROM pg_roles AS a WHERE a.rolname = :role),
            r.rolsuper OR r.rolcreaterole) AS may_grant
    FROM pg_roles AS r, pg_namespace AS n WHERE r.rolname = current_user AND n.nspname = 'toldonce') AS l

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
    (SELECT coalesce(max(seq), 0) FROM records WHERE tenant = :tenant),
    (SELECT coalesce(max(seq), 0) FROM changes WHERE tenant = :tenant),
    (SELECT coalesce(max(seq), 0) FROM runs WHERE tenant = :tenant),
    (SELECT coalesce(max(seq), 0) FROM audit_log WHERE tenant = :tenant AND action IN ('settle', 'ask question', 'answer question'))

-- name: records_after
-- Records that were added after a place, oldest first.
SELECT {record_columns} FROM records AS r WHERE r.tenant = :tenant AND r.seq > :after AND r.seq <= :upto
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
SELECT a.seq, a.action, a.space, a.at, coalesce(c.id, q.id), coalesce(c.person, q.person), c.session,
    (read_json(a.detail) ->> 'records')::bigint, (read_json(a.detail) ->> 'documents')::bigint
FROM audit_log AS a
LEFT JOIN conversations AS c ON a.action = 'settle' AND c.tenant = a.tenant AND c.space = a.space
    AND c.id = read_json(a.detail) ->> 'conversation'
LEFT JOIN questions AS q ON a.action <> 'settle' AND q.tenant = a.tenant AND q.space = a.space
    AND q.id = read_json(a.detail) ->> 'question'
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
    SELECT row_number() OVER (ORDER BY name) AS place, name, dimensions, shape, shaped_at FROM models WHERE tenant = :tenant) AS numbered
WHERE place > :after ORDER BY place LIMIT :limit

-- name: move_in_model
-- A model with the shape of its vectors, unless it is here.
INSERT INTO models (tenant, name, dimensions, shape, shaped_at) VALUES (:tenant, :name, :dimensions, :shape, :count)
ON CONFLICT DO NOTHING

-- name: move_out_vector
-- Vectors with the record and model that each is of, all those of a record on one page: no index has them in their order.
SELECT v.record, r.id, v.part, m.name, v.vector FROM vectors AS v
JOIN records AS r ON r.tenant = :tenant AND r.seq = v.record JOIN models AS m ON m.tenant = :tenant AND m.id = v.model
WHERE v.tenant = :tenant AND v.record > :after AND v.record <= (
    SELECT max(p.record) FROM (
        SELECT record FROM vectors WHERE tenant = :tenant AND record > :after ORDER BY record LIMIT :limit) AS p)
ORDER BY v.record, v.model, v.part

-- name: move_out_standing
-- What the confidence of records fades from.
SELECT s.record, r.id, s.confidence, s.since FROM standings AS s JOIN records AS r ON r.tenant = :tenant AND r.seq = s.record
WHERE s.tenant = :tenant AND s.record > :after ORDER BY s.record LIMIT :limit

-- name: move_in_standing
-- The same for a record, unless it is here.
INSERT INTO standings (tenant, record, confidence, since)
SELECT tenant, seq, :confidence, :since FROM records WHERE tenant = :tenant AND id = :record::text
ON CONFLICT DO NOTHING

-- name: move_out_usage
-- What was asked of models.
SELECT place, space, task, model, day, calls, refused, input_tokens, output_tokens, cost, unpriced FROM (
    SELECT row_number() OVER (ORDER BY space, task, model, day) AS place, space, task, model, day, calls, refused, input_tokens, output_tokens, cost, unpriced FROM usage WHERE tenant = :tenant) AS numbered
WHERE place > :after ORDER BY place LIMIT :limit

-- name: move_in_usage
-- What one task asked of a model on a day, unless it is here.
INSERT INTO usage (tenant, space, task, model, day, calls, refused, input_tokens, output_tokens, cost, unpriced) VALUES (:tenant, :space, :task, :model::text, :day, :calls, :refused, :input_tokens, :output_tokens, :cost, :unpriced)
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
        (SELECT count(*) FROM records AS e WHERE e.tenant = :tenant AND e.seq <= (read_json(w.place) ->> 0)::bigint) AS records,
        (SELECT count(*) FROM changes AS e WHERE e.tenant = :tenant AND e.seq <= (read_json(w.place) ->> 1)::bigint) AS changes,
        (SELECT count(*) FROM runs AS e WHERE e.tenant = :tenant AND e.seq <= (read_json(w.place) ->> 2)::bigint) AS runs,
        (SELECT count(*) FROM audit_log AS e WHERE e.tenant = :tenant AND e.seq <= (read_json(w.place) ->> 3)::bigint AND e.action IN ('settle', 'ask question', 'answer question')) AS logged
    FROM webhooks AS w WHERE w.tenant = :tenant) AS numbered
WHERE number > :after ORDER BY number LIMIT :limit

-- name: move_in_webhook
-- A webhook at the same place in what happened; one that is here goes on if it had ended.
INSERT INTO webhooks (tenant, id, url, secret, events, with_text, private, created_at, delivered, dropped, delivered_at, ended_at, last_error, place)
VALUES (:tenant, :id, :url, :secret, :events, :with_text, :private, :created_at, :delivered, :dropped, :delivered_at, :ended_at, :last_error, json_build_array(
    coalesce((SELECT seq FROM records WHERE tenant = :tenant AND :records > 0 ORDER BY seq LIMIT 1 OFFSET greatest(:records - 1, 0)), 0),
    coalesce((SELECT seq FROM changes WHERE tenant = :tenant AND :changes > 0 ORDER BY seq LIMIT 1 OFFSET greatest(:changes - 1, 0)), 0),
    coalesce((SELECT seq FROM runs WHERE tenant = :tenant AND :runs > 0 ORDER BY seq LIMIT 1 OFFSET greatest(:runs - 1, 0)), 0),
    coalesce((SELECT seq FROM audit_log WHERE tenant = :tenant AND action IN ('settle', 'ask question', 'answer question') AND :logged > 0 ORDER BY seq LIMIT 1 OFFSET greatest(:logged - 1, 0)), 0))::text)
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
    r.space, r.id, r.person, r.visibility, r.at, r.seal, r.model, r.vector, r.box

-- part: sealed_visible
    r.tenant = :tenant AND r.space = :space AND {told}

-- name: put_sealed
-- An item that a client sealed; one with its id that is here already stays.
INSERT INTO sealed_items (tenant, space, id, person, visibility, at, seal, model, vector, box)
VALUES (:tenant, :space, :id, :user, :visibility, :at, :seal, :model_name, :numbers, :box)
ON CONFLICT DO NOTHING

-- name: renew_sealed
-- The vector that another model made for an item of the same person and key.
UPDATE sealed_items SET model = :model_name, vector = :numbers, box = :box
WHERE tenant = :tenant AND space = :space AND id = :id AND person IS NOT DISTINCT FROM :user AND seal = :seal AND model <> :model_name

-- name: sealed_vectors
-- Vectors of sealed items that a person may see, a page at a time.
SELECT r.id, r.vector FROM sealed_items AS r
WHERE {sealed_visible} AND r.model = :model_name AND r.seal = ANY ((SELECT text_list(:seals))::text[])
    AND (:since IS NULL OR r.at >= :since) AND (:until IS NULL OR r.at < :until) AND r.id > :after_id
ORDER BY r.id LIMIT nullif(:limit, -1)

-- name: get_sealed
-- Sealed items by id, as far as a person may see them.
SELECT {sealed_columns} FROM sealed_items AS r
WHERE {sealed_visible} AND r.id = ANY ((SELECT text_list(:ids))::text[])
ORDER BY r.id

-- name: list_sealed
-- Sealed items that a person may see, newest first.
SELECT {sealed_columns} FROM sealed_items AS r
WHERE {sealed_visible}
ORDER BY r.at DESC, r.id DESC LIMIT nullif(:limit, -1)

-- name: count_sealed
-- How many sealed items a person may see, by key and whether they are the person's own.
SELECT r.seal, CASE WHEN r.person IS NOT DISTINCT FROM :user THEN 1 ELSE 0 END AS is_own, count(*), sum(octet_length(r.box)), max(r.at), r.model
FROM sealed_items AS r
WHERE {sealed_visible}
GROUP BY r.seal, is_own, r.model ORDER BY r.seal, is_own, r.model

-- name: drop_sealed
-- A sealed item goes for good; only its owner takes it away, or the engine.
DELETE FROM sealed_items
WHERE tenant = :tenant AND space = :space AND id = :id AND (:user IS NULL OR person IS NULL OR person = :user)

-- name: export_sealed
-- Sealed items as an export tells them.
SELECT r.space, r.id, r.person, r.visibility, r.at, r.seal, r.model, r.vector, r.box FROM sealed_items AS r
WHERE r.tenant = :tenant AND (:space IS NULL OR r.space = :space) AND (:user IS NULL OR r.person = :user)
ORDER BY r.space, r.id

-- name: purge_user_sealed
-- What an erased person sealed.
DELETE FROM sealed_items WHERE tenant = :tenant AND person = :user AND (:space IS NULL OR space = :space)

-- name: drop_space_rows_sealed
-- What a purged space leaves behind: sealed items.
DELETE FROM sealed_items WHERE tenant = :tenant AND space = :space
