SELECT CASE database_name WHEN 'temp' THEN '' ELSE schema_name END,
       table_name, column_name, data_type, is_nullable, comment, column_default, is_generated
FROM duckdb_columns()
WHERE NOT internal AND database_name IN (current_database(), 'temp')
ORDER BY database_name, schema_name, table_name, column_index
