-- A view that its own tables no longer support carries the error as its comment.
SELECT table_schema, table_name, table_type, table_comment, table_rows, create_options
FROM information_schema.tables
WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')
  AND (%(database)s = '' OR table_schema = %(database)s)
ORDER BY table_schema, table_name
