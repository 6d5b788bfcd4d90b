SELECT table_schema, table_name, column_name, description
FROM {dataset}.INFORMATION_SCHEMA.COLUMN_FIELD_PATHS
WHERE field_path = column_name AND description IS NOT NULL
