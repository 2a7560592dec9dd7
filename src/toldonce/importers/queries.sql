-- Every statement that runs against a database of another program. They only read.

-- name: tables
-- The names of all tables.
SELECT name FROM sqlite_master WHERE type IN ('table', 'view')

-- name: facts
-- Every row of a table of facts, whatever its columns are called.
SELECT * FROM facts

-- name: users
-- Every row of the table of users beside it.
SELECT * FROM users

-- name: chroma_memories
-- What each collection of a ChromaDB folder holds.
SELECT e.id AS place, c.name AS collection, e.embedding_id AS id, e.created_at AS stored_at
FROM embeddings AS e
JOIN segments AS s ON s.id = e.segment_id
JOIN collections AS c ON c.id = s.collection
ORDER BY c.name, e.id

-- name: chroma_metadata
-- The text and the metadata of what a ChromaDB folder holds, one row for each key.
SELECT * FROM embedding_metadata

-- name: mem0_points
-- What the local mode of Qdrant holds of one collection; a point is a pickled object.
SELECT id, point FROM points

-- name: mem0_history
-- What mem0 noted of its memories, oldest first.
SELECT * FROM history ORDER BY created_at

-- name: chroma_has_rooms
-- Whether anything in a ChromaDB folder lies in a wing and a room, as in a palace of MemPalace.
SELECT EXISTS (SELECT 1 FROM embedding_metadata WHERE key = 'wing')
    AND EXISTS (SELECT 1 FROM embedding_metadata WHERE key = 'room') AS has_rooms

-- name: mempalace_triples
-- What the knowledge graph of MemPalace states, with the names of its entities.
SELECT t.*, s.name AS subject_name, o.name AS object_name
FROM triples AS t
LEFT JOIN entities AS s ON s.id = t.subject
LEFT JOIN entities AS o ON o.id = t.object
ORDER BY t.extracted_at, t.id
