-- Changes with every change of a definition, and with the data as Snowflake counts them.
SELECT count(*), max(last_altered), sum(row_count), sum(bytes)
FROM information_schema.tables
WHERE table_schema <> 'INFORMATION_SCHEMA'
