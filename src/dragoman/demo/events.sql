CREATE TABLE events_{month} (
  event_id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES web_sessions (session_id),
  occurred_at DATETIME NOT NULL, -- UTC
  event_type TEXT NOT NULL, -- page_view, search, add_to_cart, checkout or purchase
  page TEXT NOT NULL,
  product_id INTEGER REFERENCES products (product_id), -- NULL if not about one product
  search_term TEXT, -- NULL unless a search
  value_cents INTEGER -- euro cents, NULL unless add_to_cart or purchase
);
