SELECT table_schema, table_name, table_type, comment, row_count
FROM information_schema.tables
WHERE table_schema <> 'INFORMATION_SCHEMA'
ORDER BY table_schema, table_name
