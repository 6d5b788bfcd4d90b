-- Run in template1, so that every database made later starts from these privileges.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'dragoman_reader') THEN
    CREATE ROLE dragoman_reader LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'dragoman_admin') THEN
    CREATE ROLE dragoman_admin LOGIN SUPERUSER;
  END IF;
END
$$;

-- Nobody but an owner makes objects.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO PUBLIC;

-- Functions that any login may call by default, and that act on something else than their result: other sessions,
-- locks, large objects, the write-ahead log, transaction numbers.
DO $$
DECLARE
  target regprocedure;
BEGIN
  FOR target IN
    SELECT p.oid FROM pg_proc AS p
    WHERE p.pronamespace = 'pg_catalog'::regnamespace
      AND (p.proname ~ '^(pg_advisory_(xact_)?lock|pg_try_advisory_|lo_|pg_logical_emit_message|pg_export_snapshot)'
           OR p.proname IN ('pg_cancel_backend', 'pg_terminate_backend', 'loread', 'lowrite', 'pg_notify',
                            'txid_current', 'pg_current_xact_id', 'pg_sleep_until', 'pg_sleep_for', 'pg_sleep'))
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', target);
  END LOOP;
END
$$;
