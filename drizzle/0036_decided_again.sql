-- Rows of the journal may name messages that are decided again (STORE-J6). An older version would pass over them, so it
-- must not open this database.
SELECT 1;
