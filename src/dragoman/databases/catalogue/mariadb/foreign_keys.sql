SELECT table_schema, table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name,
       referenced_column_name
FROM information_schema.key_column_usage
WHERE referenced_table_name IS NOT NULL
  AND table_schema NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')
  AND (%(database)s = '' OR table_schema = %(database)s)
ORDER BY table_schema, table_name, constraint_name, ordinal_position
