-- Changes with every change of a definition, a comment or a grant; no table's data are read.
SELECT count(*),
       sum(a.xmin::text::bigint),
       sum(c.xmin::text::bigint),
       (SELECT sum(hashtext(d.description || d.objoid::text)::bigint) FROM pg_description AS d
        WHERE d.classoid = 'pg_class'::regclass AND d.objoid >= 16384),
       (SELECT sum(k.xmin::text::bigint) FROM pg_constraint AS k WHERE k.contype = 'f'),
       (SELECT sum(e.xmin::text::bigint) FROM pg_enum AS e),
       (SELECT sum(n.xmin::text::bigint) FROM pg_namespace AS n WHERE n.nspname !~ '^pg_(toast|temp_)'),
       current_user::text,
       current_schema()
FROM pg_class AS c
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp_)'
