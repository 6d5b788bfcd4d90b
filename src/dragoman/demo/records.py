"""One row of each table, as named tuples whose fields are the table's columns in order."""

from __future__ import annotations

from typing import NamedTuple


class Country(NamedTuple):
    code: str
    name: str
    local_name: str
    continent: str
    currency: str
    vat_percent: float


class Region(NamedTuple):
    country_code: str
    code: str
    name: str


class Department(NamedTuple):
    department_id: int
    name: str
    cost_centre: str


class Warehouse(NamedTuple):
    warehouse_id: int
    name: str
    city: str
    country_code: str
    opened_on: str
    capacity_m3: int
    time_zone: str


class Employee(NamedTuple):
    employee_id: int
    first_name: str
    last_name: str
    job_title: str
    department_id: int
    manager_id: int | None
    warehouse_id: int | None
    hired_on: str
    left_on: str | None
    salary: float


class Customer(NamedTuple):
    customer_id: int
    first_name: str
    last_name: str
    email: str
    phone: str | None
    birth_date: str | None
    country_code: str
    language: str
    segment: str
    status: str
    newsletter: int
    referred_by: int | None
    signed_up_at: str


class Address(NamedTuple):
    address_id: int
    customer_id: int
    kind: str
    street: str
    city: str
    postal_code: str | None
    country_code: str
    region_code: str | None


class Supplier(NamedTuple):
    supplier_id: int
    name: str
    country_code: str
    contact_email: str | None
    lead_time_days: int
    rating: float | None
    since: str


class Category(NamedTuple):
    category_id: int
    parent_id: int | None
    name: str


class Product(NamedTuple):
    product_id: int
    sku: str
    name: str
    category_id: int
    supplier_id: int | None
    price_cents: int
    cost_cents: int
    weight_grams: int | None
    launched_on: str
    discontinued_on: str | None
    status: str
    attributes: str | None


class ProductName(NamedTuple):
    product_id: int
    language: str
    name: str


class Stock(NamedTuple):
    warehouse_id: int
    product_id: int
    quantity: int
    reorder_level: int
    counted_on: str | None


class Promotion(NamedTuple):
    promotion_id: int
    code: str
    name: str
    discount_percent: float
    starts_on: str
    ends_on: str | None
    minimum_order_cents: int | None


class Order(NamedTuple):
    order_id: int
    customer_id: int
    ordered_at: str
    utc_offset_minutes: int
    status: str
    channel: str
    address_id: int
    promotion_id: int | None
    shipping_cents: int
    gift_note: str | None


class Item(NamedTuple):
    order_id: int
    line_no: int
    product_id: int
    quantity: int
    unit_price_cents: int
    discount_cents: int

    @property
    def total_cents(self) -> int:
        """What the customer pays for this line, in euro cents."""
        return self.quantity * self.unit_price_cents - self.discount_cents


class Payment(NamedTuple):
    payment_id: int
    order_id: int
    method: str
    status: str
    amount_cents: int
    created_at: str
    captured_at: str | None


class Refund(NamedTuple):
    refund_id: int
    order_id: int
    line_no: int | None
    reason: str
    amount_cents: int
    refunded_at: str
    approved_by: int | None


class Carrier(NamedTuple):
    carrier_id: int
    name: str
    tracks_parcels: int


class Shipment(NamedTuple):
    shipment_id: int
    order_id: int
    warehouse_id: int
    carrier_id: int
    tracking_code: str | None
    status: str
    shipped_at: str
    delivered_at: str | None


class Review(NamedTuple):
    review_id: int
    product_id: int
    customer_id: int
    rating: int
    body: str | None
    language: str
    helpful_votes: int
    written_at: str


class Ticket(NamedTuple):
    ticket_id: int
    customer_id: int
    order_id: int | None
    assigned_to: int | None
    topic: str
    channel: str
    priority: str
    status: str
    subject: str
    opened_at: str
    closed_at: str | None
    satisfaction: int | None


class Session(NamedTuple):
    session_id: int
    customer_id: int | None
    order_id: int | None
    started_at: str
    duration_seconds: int
    device: str
    browser: str
    source: str | None
    country_code: str | None


class Event(NamedTuple):
    event_id: int
    session_id: int
    occurred_at: str
    event_type: str
    page: str
    product_id: int | None
    search_term: str | None
    value_cents: int | None


class EventInExperiment(NamedTuple):
    """The shape of the one month that has a column more."""

    event_id: int
    session_id: int
    occurred_at: str
    event_type: str
    page: str
    product_id: int | None
    search_term: str | None
    value_cents: int | None
    experiment: str | None


class Dealer(NamedTuple):
    cst_no: int
    cst_nm: str
    cst_typ_cd: str
    cty_nm: str | None
    cntry_cd: str
    rgn_cd: str | None
    slsmn_emp_id: int | None
    crdt_lmt_amt: float
    crdt_bal_amt: float
    pymt_trm_dys: int
    dsc_pct: float | None
    stat_flg: str
    tax_exmt_flg: str
    crt_dt: str
    lst_ord_dt: str | None
    web_cst_id: int | None


Row = (
    Country | Region | Department | Warehouse | Employee | Customer | Address | Supplier | Category | Product
    | ProductName | Stock | Promotion | Order | Item | Payment | Refund | Carrier | Shipment | Review | Ticket
    | Session | Event | EventInExperiment | Dealer
)  # fmt: skip
