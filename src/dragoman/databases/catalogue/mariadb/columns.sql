SELECT table_schema, table_name, column_name, column_type, is_nullable, column_comment, column_default, extra,
       privileges
FROM information_schema.columns
WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')
  AND (%(database)s = '' OR table_schema = %(database)s)
ORDER BY table_schema, table_name, ordinal_position
