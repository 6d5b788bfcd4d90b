-- Counts of rows written, as the server's statistics know them (they lag by a second or so).
SELECT sum(n_tup_ins), sum(n_tup_upd), sum(n_tup_del) FROM pg_stat_user_tables
