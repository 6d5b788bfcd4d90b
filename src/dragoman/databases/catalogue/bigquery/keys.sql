-- The referred columns of a foreign key stand in constraint_column_usage, one a row; for keys of one column they fit.
SELECT k.table_schema, k.table_name, k.constraint_name, k.column_name, k.ordinal_position, c.constraint_type,
       u.table_schema AS target_schema, u.table_name AS target, u.column_name AS target_column
FROM {dataset}.INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS k
JOIN {dataset}.INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS c USING (constraint_name)
LEFT JOIN {dataset}.INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE AS u
  ON u.constraint_name = k.constraint_name AND c.constraint_type = 'FOREIGN KEY'
