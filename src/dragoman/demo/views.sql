CREATE VIEW order_totals AS
SELECT
  o.order_id,
  o.customer_id,
  o.status,
  date(o.ordered_at) AS ordered_on,
  SUM(i.quantity * i.unit_price_cents - i.discount_cents) AS goods_cents,
  o.shipping_cents,
  SUM(i.quantity * i.unit_price_cents - i.discount_cents) + o.shipping_cents AS total_cents
FROM orders AS o
JOIN order_items AS i ON i.order_id = o.order_id
GROUP BY o.order_id;

CREATE VIEW monthly_revenue AS
SELECT
  substr(ordered_on, 1, 7) AS month,
  COUNT(*) AS orders,
  SUM(total_cents) AS revenue_cents
FROM order_totals
WHERE status <> 'cancelled'
GROUP BY substr(ordered_on, 1, 7);

CREATE VIEW product_ratings AS
SELECT
  p.product_id,
  p.name,
  COUNT(r.review_id) AS reviews,
  AVG(r.rating) AS average_rating
FROM products AS p
LEFT JOIN reviews AS r ON r.product_id = p.product_id
GROUP BY p.product_id;

CREATE INDEX customers_country ON customers (country_code);
CREATE INDEX addresses_customer ON addresses (customer_id);
CREATE INDEX orders_customer ON orders (customer_id);
CREATE INDEX order_items_product ON order_items (product_id);
CREATE INDEX payments_order ON payments (order_id);
CREATE INDEX shipments_order ON shipments (order_id);
CREATE INDEX reviews_product ON reviews (product_id);
