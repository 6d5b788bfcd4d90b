SELECT table_schema, table_name, column_name,
       CASE WHEN data_type = 'NUMBER' THEN 'NUMBER(' || numeric_precision || ',' || numeric_scale || ')'
            ELSE data_type END AS data_type,
       is_nullable, comment, column_default
FROM information_schema.columns
WHERE table_schema <> 'INFORMATION_SCHEMA'
ORDER BY table_schema, table_name, ordinal_position
