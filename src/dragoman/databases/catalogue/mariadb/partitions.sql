SELECT table_schema, table_name, partition_name
FROM information_schema.partitions
WHERE partition_name IS NOT NULL
  AND table_schema NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')
  AND (%(database)s = '' OR table_schema = %(database)s)
ORDER BY table_schema, table_name, partition_ordinal_position
