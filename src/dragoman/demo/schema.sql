CREATE TABLE countries (
  code TEXT NOT NULL PRIMARY KEY, -- two letters, ISO 3166
  name TEXT NOT NULL, -- English name
  local_name TEXT NOT NULL,
  continent TEXT NOT NULL,
  currency TEXT NOT NULL, -- local currency, ISO 4217; all amounts in this database are in euro
  vat_percent NUMERIC NOT NULL
);

CREATE TABLE regions (
  country_code TEXT NOT NULL REFERENCES countries (code),
  code TEXT NOT NULL, -- unique within a country only
  name TEXT NOT NULL,
  PRIMARY KEY (country_code, code)
);

CREATE TABLE departments (
  department_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  cost_centre TEXT NOT NULL
);

CREATE TABLE warehouses (
  warehouse_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  city TEXT NOT NULL,
  country_code TEXT NOT NULL REFERENCES countries (code),
  opened_on DATE NOT NULL,
  capacity_m3 INTEGER NOT NULL, -- cubic metres
  time_zone TEXT NOT NULL
);

CREATE TABLE employees (
  employee_id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  job_title TEXT NOT NULL,
  department_id INTEGER NOT NULL REFERENCES departments (department_id),
  manager_id INTEGER REFERENCES employees (employee_id), -- NULL for the managing director
  warehouse_id INTEGER REFERENCES warehouses (warehouse_id), -- NULL for office staff
  hired_on DATE NOT NULL,
  left_on DATE, -- NULL while employed
  salary NUMERIC(10, 2) NOT NULL -- euro a year
);

CREATE TABLE customers (
  customer_id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  phone TEXT, -- NULL if never given
  birth_date DATE, -- NULL if never given
  country_code TEXT NOT NULL REFERENCES countries (code),
  language TEXT NOT NULL, -- two letters, ISO 639
  segment TEXT NOT NULL CHECK (segment IN ('private', 'business', 'school')),
  status TEXT NOT NULL CHECK (status IN ('active', 'dormant', 'blocked', 'deleted')),
  newsletter INTEGER NOT NULL, -- 1 if subscribed
  referred_by INTEGER REFERENCES customers (customer_id), -- the customer who invited this one
  signed_up_at DATETIME NOT NULL -- UTC
);

CREATE TABLE addresses (
  address_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  kind TEXT NOT NULL CHECK (kind IN ('home', 'work', 'billing')),
  street TEXT NOT NULL,
  city TEXT NOT NULL,
  postal_code TEXT, -- NULL in countries that have none
  country_code TEXT NOT NULL REFERENCES countries (code),
  region_code TEXT, -- NULL where regions are not recorded
  FOREIGN KEY (country_code, region_code) REFERENCES regions (country_code, code)
);

CREATE TABLE suppliers (
  supplier_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  country_code TEXT NOT NULL REFERENCES countries (code),
  contact_email TEXT,
  lead_time_days INTEGER NOT NULL,
  rating NUMERIC, -- 1 to 5, NULL if not yet rated
  since DATE NOT NULL
);

CREATE TABLE categories (
  category_id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES categories (category_id), -- NULL for a main category
  name TEXT NOT NULL UNIQUE
);

CREATE TABLE products (
  product_id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE, -- article number
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES categories (category_id),
  supplier_id INTEGER REFERENCES suppliers (supplier_id), -- NULL for our own make
  price_cents INTEGER NOT NULL, -- euro cents, VAT included
  cost_cents INTEGER NOT NULL, -- euro cents paid to the supplier
  weight_grams INTEGER, -- NULL if not weighed
  launched_on DATE NOT NULL,
  discontinued_on DATE, -- NULL while in the range
  status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'discontinued')),
  attributes JSON -- {"color", "material", "care": [...], "size_cm": {"width", "height"}, "eco": true}
);

CREATE TABLE product_names (
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  language TEXT NOT NULL, -- two letters, ISO 639
  name TEXT NOT NULL,
  PRIMARY KEY (product_id, language)
) WITHOUT ROWID;

CREATE TABLE inventory (
  warehouse_id INTEGER NOT NULL REFERENCES warehouses (warehouse_id),
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  quantity INTEGER NOT NULL, -- pieces in stock
  reorder_level INTEGER NOT NULL, -- order again when quantity falls below
  counted_on DATE, -- last stock count, NULL if never counted
  PRIMARY KEY (warehouse_id, product_id)
);

CREATE TABLE promotions (
  promotion_id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  discount_percent NUMERIC NOT NULL,
  starts_on DATE NOT NULL,
  ends_on DATE, -- NULL for no end
  minimum_order_cents INTEGER -- NULL for no minimum
);

CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  ordered_at DATETIME NOT NULL, -- UTC
  utc_offset_minutes INTEGER NOT NULL, -- local time of the customer = ordered_at + this
  status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'shipped', 'delivered', 'cancelled', 'returned')),
  channel TEXT NOT NULL CHECK (channel IN ('web', 'app', 'phone', 'marketplace')),
  address_id INTEGER NOT NULL REFERENCES addresses (address_id),
  promotion_id INTEGER REFERENCES promotions (promotion_id), -- NULL without a promotion
  shipping_cents INTEGER NOT NULL, -- euro cents charged for delivery
  gift_note TEXT -- NULL if not a gift
);

CREATE TABLE order_items (
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  line_no INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  quantity INTEGER NOT NULL,
  unit_price_cents INTEGER NOT NULL, -- euro cents
  discount_cents INTEGER NOT NULL, -- euro cents off the whole line
  PRIMARY KEY (order_id, line_no)
);

CREATE TABLE payments (
  payment_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  method TEXT NOT NULL CHECK (method IN ('card', 'wallet', 'invoice', 'bank transfer', 'gift card')),
  status TEXT NOT NULL CHECK (status IN ('captured', 'failed', 'pending')),
  amount_cents INTEGER NOT NULL, -- euro cents
  created_at DATETIME NOT NULL, -- UTC
  captured_at DATETIME -- UTC, NULL if no money came
);

CREATE TABLE refunds (
  refund_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  line_no INTEGER, -- NULL if the whole order was refunded
  reason TEXT NOT NULL,
  amount_cents INTEGER NOT NULL, -- euro cents
  refunded_at DATETIME NOT NULL, -- UTC
  approved_by INTEGER REFERENCES employees (employee_id), -- NULL if approved automatically
  FOREIGN KEY (order_id, line_no) REFERENCES order_items (order_id, line_no)
);

CREATE TABLE carriers (
  carrier_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  tracks_parcels INTEGER NOT NULL -- 1 if parcels can be followed
);

CREATE TABLE shipments (
  shipment_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  warehouse_id INTEGER NOT NULL REFERENCES warehouses (warehouse_id),
  carrier_id INTEGER NOT NULL REFERENCES carriers (carrier_id),
  tracking_code TEXT, -- NULL if the carrier has none
  status TEXT NOT NULL CHECK (status IN ('in transit', 'delivered', 'lost', 'returned')),
  shipped_at DATETIME NOT NULL, -- UTC
  delivered_at DATETIME -- UTC, NULL if not delivered
);

CREATE TABLE reviews (
  review_id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5), -- stars
  body TEXT, -- NULL for stars only
  language TEXT NOT NULL, -- two letters, ISO 639
  helpful_votes INTEGER NOT NULL,
  written_at DATETIME NOT NULL -- UTC
);

CREATE TABLE support_tickets (
  ticket_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  order_id INTEGER REFERENCES orders (order_id), -- NULL if not about an order
  assigned_to INTEGER REFERENCES employees (employee_id), -- NULL while nobody has taken it
  topic TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('email', 'chat', 'phone')),
  priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
  status TEXT NOT NULL CHECK (status IN ('new', 'open', 'waiting', 'closed')),
  subject TEXT NOT NULL, -- in the customer's language
  opened_at DATETIME NOT NULL, -- UTC
  closed_at DATETIME, -- UTC, NULL while not closed
  satisfaction INTEGER -- 1 to 5, NULL if the customer gave no answer
);

CREATE TABLE web_sessions (
  session_id INTEGER PRIMARY KEY,
  customer_id INTEGER REFERENCES customers (customer_id), -- NULL for a visitor who is not logged in
  order_id INTEGER REFERENCES orders (order_id), -- NULL if nothing was bought
  started_at DATETIME NOT NULL, -- UTC
  duration_seconds INTEGER NOT NULL,
  device TEXT NOT NULL CHECK (device IN ('phone', 'tablet', 'desktop')),
  browser TEXT NOT NULL,
  source TEXT, -- where the visitor came from, NULL if typed in directly
  country_code TEXT REFERENCES countries (code) -- NULL if unknown
);

CREATE TABLE CUST_MST ( -- dealer accounts, taken over from the old system as they were
  cst_no INTEGER PRIMARY KEY,
  cst_nm TEXT NOT NULL,
  cst_typ_cd TEXT NOT NULL,
  cty_nm TEXT,
  cntry_cd TEXT NOT NULL REFERENCES countries (code),
  rgn_cd TEXT,
  slsmn_emp_id INTEGER REFERENCES employees (employee_id),
  crdt_lmt_amt NUMERIC NOT NULL,
  crdt_bal_amt NUMERIC NOT NULL,
  pymt_trm_dys INTEGER NOT NULL,
  dsc_pct NUMERIC,
  stat_flg TEXT NOT NULL,
  tax_exmt_flg TEXT NOT NULL,
  crt_dt TEXT NOT NULL,
  lst_ord_dt TEXT,
  web_cst_id INTEGER REFERENCES customers (customer_id)
);
