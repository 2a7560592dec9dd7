-- name: set_up
-- How the file is written: a cache needs no flush to disk, only that a crash leaves it readable.
PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY

-- name: begin
-- Take the one writer's place.
BEGIN IMMEDIATE

-- name: commit
-- Let others see what was written.
COMMIT

-- name: rollback
-- Undo what was written since the beginning.
ROLLBACK

-- name: get_fact
-- A small value of the index.
SELECT value FROM facts WHERE name = :name

-- name: put_fact
-- Keep a small value.
INSERT OR REPLACE INTO facts (name, value) VALUES (:name, :value)

-- name: all_files
-- Every path ever seen with what tells whether it changed.
SELECT path, id, size, changed_ns, present, digest FROM files

-- name: present_files
-- Every file that is there.
SELECT id, path, language, role, size, lines, about, churn FROM files WHERE present = 1 ORDER BY path

-- name: add_file
-- A path seen for the first time.
INSERT INTO files (id, path, name, stem, language, role, present) VALUES (:id, :path, :name, :stem, :language, :role, 1)

-- name: last_id
-- The highest id in a range.
SELECT coalesce(max(id), :low) FROM files WHERE id BETWEEN :low AND :high

-- name: set_present
-- A path is there again, or gone; either way it must be read anew.
UPDATE files SET present = :present, size = -1, digest = NULL WHERE id = :id

-- name: set_seen
-- The size and time at which a file was last read.
UPDATE files SET size = :size, changed_ns = :changed_ns WHERE id = :id

-- name: set_read
-- What reading a file gave.
UPDATE files SET size = :size, changed_ns = :changed_ns, digest = :digest, lines = :lines, about = :about,
    skipped = :skipped WHERE id = :id

-- name: put_path_text
-- Make a path searchable.
INSERT OR REPLACE INTO path_text (rowid, words) VALUES (:id, :words)

-- name: put_symbol_text
-- Make a file's names searchable.
INSERT OR REPLACE INTO symbol_text (rowid, words) VALUES (:id, :words)

-- name: put_body_text
-- Make a file's text searchable.
INSERT OR REPLACE INTO body_text (rowid, words) VALUES (:id, :words)

-- name: put_commit_text
-- Make a commit's message searchable.
INSERT OR REPLACE INTO commit_text (rowid, words) VALUES (:id, :words)

-- name: drop_path_text
-- Forget a path's words.
DELETE FROM path_text WHERE rowid = :id

-- name: drop_symbol_text
-- Forget a file's names.
DELETE FROM symbol_text WHERE rowid = :id

-- name: drop_body_text
-- Forget a file's text.
DELETE FROM body_text WHERE rowid = :id

-- name: drop_symbols
-- Forget a file's definitions.
DELETE FROM symbols WHERE file = :id

-- name: drop_refs
-- Forget a file's imports.
DELETE FROM refs WHERE file = :id

-- name: add_symbol
-- Keep a definition.
INSERT INTO symbols (file, name, kind, line, last) VALUES (:file, :name, :kind, :line, :last)

-- name: add_ref
-- Keep a word of an import line.
INSERT OR IGNORE INTO refs (file, word) VALUES (:file, :word)

-- name: add_import
-- Keep what a file imports.
INSERT OR IGNORE INTO imports (file, target) VALUES (:file, :target)

-- name: drop_imports
-- Forget what a file imports.
DELETE FROM imports WHERE file = :id

-- name: all_imports
-- What every file that is there imports.
SELECT f.path, f.language, i.target FROM imports AS i JOIN files AS f ON f.id = i.file WHERE f.present = 1

-- name: add_commit
-- Keep a commit; one that is known stays as it is.
INSERT OR IGNORE INTO commits (id, sha, at, width) VALUES (:id, :sha, :at, :width)

-- name: last_commit
-- The highest id of a commit.
SELECT coalesce(max(id), 0) FROM commits

-- name: known_commits
-- How many commits are kept, and when the newest was made.
SELECT count(*), coalesce(max(at), 0) FROM commits

-- name: add_touched
-- A commit changed a file.
INSERT OR IGNORE INTO touched (commit_id, file) VALUES (:commit_id, :file)

-- name: drop_commits
-- Forget all commits.
DELETE FROM commits

-- name: drop_touched
-- Forget what commits changed.
DELETE FROM touched

-- name: drop_commit_texts
-- Forget all messages.
INSERT INTO commit_text (commit_text) VALUES ('delete-all')

-- name: all_touched
-- Which files each commit changed, with its time and how many paths it touched in all.
SELECT c.id, c.at, c.width, t.file FROM commits AS c JOIN touched AS t ON t.commit_id = c.id ORDER BY c.id

-- name: reset_churn
-- Before churn is counted anew.
UPDATE files SET churn = 0 WHERE churn <> 0

-- name: set_churn
-- How often and how lately a file changes, from 0 to 1.
UPDATE files SET churn = :churn WHERE id = :id

-- name: drop_together
-- Before co-change is counted anew.
DELETE FROM together

-- name: add_together
-- Of the commits that changed a file, the share that changed the other too.
INSERT INTO together (file, other, share) VALUES (:file, :other, :share)

-- name: match_path
-- Files by the words of their paths.
SELECT rowid, -rank FROM path_text WHERE path_text MATCH :words AND rowid BETWEEN :low AND :high ORDER BY rank LIMIT :most

-- name: match_symbol
-- Files by the names they define.
SELECT rowid, -rank FROM symbol_text WHERE symbol_text MATCH :words AND rowid BETWEEN :low AND :high ORDER BY rank LIMIT :most

-- name: match_body
-- Files by their text.
SELECT rowid, -rank FROM body_text WHERE body_text MATCH :words AND rowid BETWEEN :low AND :high ORDER BY rank LIMIT :most

-- name: match_commits
-- Files that the past commits with the most similar messages changed.
WITH hits AS MATERIALIZED (
    SELECT rowid AS id, -rank AS score FROM commit_text WHERE commit_text MATCH :words ORDER BY rank LIMIT :most
)
SELECT t.file, h.score, c.at, c.width, c.sha FROM hits AS h JOIN commits AS c ON c.id = h.id
    JOIN touched AS t ON t.commit_id = c.id JOIN files AS f ON f.id = t.file
    WHERE f.present = 1 AND t.file BETWEEN :low AND :high

-- name: word_count
-- In how many files a stem stands.
SELECT doc FROM body_words WHERE term = :stem

-- name: text_count
-- How many files have been read.
SELECT count(*) FROM files WHERE present = 1 AND size >= 0

-- name: defined_by
-- Which files define these names.
SELECT s.name, s.file FROM json_each(:names) AS n JOIN symbols AS s ON s.name = n.value
    WHERE s.file BETWEEN :low AND :high GROUP BY s.name, s.file

-- name: files_named
-- Files with one of these names.
SELECT id, path, name FROM files WHERE name IN (SELECT value FROM json_each(:names)) AND present = 1

-- name: files_stemmed
-- Files that one of these words may mean.
SELECT id, path, stem FROM files WHERE stem IN (SELECT value FROM json_each(:stems)) AND present = 1

-- name: churning
-- Every file that ever changed, with how much.
SELECT id, churn FROM files WHERE churn > 0 AND present = 1 AND id BETWEEN :low AND :high

-- name: changed_with
-- What changed together with a file.
SELECT t.other, t.share FROM together AS t JOIN files AS f ON f.id = t.other WHERE t.file = :file AND f.present = 1

-- name: imported_by
-- Files that a file's import lines name; a word that could mean many files is passed over.
WITH clear AS MATERIALIZED (
    SELECT word FROM refs WHERE file = :file
        AND (SELECT count(*) FROM (SELECT 1 FROM files WHERE stem = word AND present = 1 LIMIT :meanings + 1)) <= :meanings
)
SELECT f.id FROM clear JOIN files AS f ON f.stem = clear.word WHERE f.present = 1 AND f.id <> :file

-- name: importers_of
-- Files whose import lines name this file, with how many words those lines have; none when the name means many files.
SELECT r.file, (SELECT count(*) FROM refs AS o WHERE o.file = r.file) FROM files AS f JOIN refs AS r ON r.word = f.stem
    WHERE f.id = :file AND r.file <> :file
        AND (SELECT count(*) FROM (SELECT 1 FROM files WHERE stem = f.stem AND present = 1 LIMIT :meanings + 1)) <= :meanings
    LIMIT 200

-- name: all_together
-- Everything that changed together.
SELECT file, other, share FROM together

-- name: file_rows
-- Files by id.
SELECT f.id, f.path, f.role, f.lines FROM json_each(:ids) AS i JOIN files AS f ON f.id = i.value

-- name: symbols_of
-- The definitions of a file.
SELECT name, kind, line, last FROM symbols WHERE file = :file ORDER BY line

-- name: present_count
-- How many files there are in a range of ids.
SELECT count(*) FROM files WHERE present = 1 AND id BETWEEN :low AND :high

-- name: pending_count
-- How many files have not been read yet.
SELECT count(*) FROM files WHERE present = 1 AND size < 0

-- name: has_tables
-- Whether anything was made in the file yet.
SELECT count(*) FROM sqlite_schema

-- name: pack_path
-- Join the pieces that writing left behind, so that asking is quick.
INSERT INTO path_text (path_text) VALUES ('optimize')

-- name: pack_symbol
-- The same for names.
INSERT INTO symbol_text (symbol_text) VALUES ('optimize')

-- name: pack_body
-- The same for texts.
INSERT INTO body_text (body_text) VALUES ('optimize')

-- name: pack_commit
-- The same for messages.
INSERT INTO commit_text (commit_text) VALUES ('optimize')

-- name: skipped_files
-- Files of which only the path is known, with the reason.
SELECT skipped, path FROM files WHERE present = 1 AND skipped <> '' ORDER BY path

-- name: count_files
-- How many files of each language and role there are.
SELECT language, role, count(*) FROM files WHERE present = 1 GROUP BY language, role ORDER BY language, role
