"""Rows that several parts of the demo use: named tuples whose fields are the columns of their table in order."""

from __future__ import annotations

from typing import NamedTuple


class Country(NamedTuple):
    """A country we sell to or might."""

    code: str
    name: str
    local_name: str
    continent: str
    currency: str
    vat_percent: float


class Region(NamedTuple):
    """A region of a country; its code is unique within the country."""

    country_code: str
    code: str
    name: str


class Department(NamedTuple):
    """A department of the company."""

    department_id: int
    name: str
    cost_centre: str


class Warehouse(NamedTuple):
    """A warehouse of our own."""

    warehouse_id: int
    name: str
    city: str
    country_code: str
    opened_on: str
    capacity_m3: int
    time_zone: str


class Employee(NamedTuple):
    """Somebody who works or worked here."""

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
    """A customer of the web shop."""

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
    """An address of a customer."""

    address_id: int
    customer_id: int
    kind: str
    street: str
    city: str
    postal_code: str | None
    country_code: str
    region_code: str | None


class Supplier(NamedTuple):
    """A maker of products."""

    supplier_id: int
    name: str
    country_code: str
    contact_email: str | None
    lead_time_days: int
    rating: float | None
    since: str


class Category(NamedTuple):
    """A category of products, main or below a main one."""

    category_id: int
    parent_id: int | None
    name: str


class Product(NamedTuple):
    """An article of the range."""

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
    """The name of a product in another language."""

    product_id: int
    language: str
    name: str


class Stock(NamedTuple):
    """One product in one warehouse: a row of `inventory`."""

    warehouse_id: int
    product_id: int
    quantity: int
    reorder_level: int
    counted_on: str | None


class Promotion(NamedTuple):
    """A promotion with its code."""

    promotion_id: int
    code: str
    name: str
    discount_percent: float
    starts_on: str
    ends_on: str | None
    minimum_order_cents: int | None


class Order(NamedTuple):
    """An order."""

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
    """One line of an order: a row of `order_items`."""

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
    """An attempt to pay for an order."""

    payment_id: int
    order_id: int
    method: str
    status: str
    amount_cents: int
    created_at: str
    captured_at: str | None


class Refund(NamedTuple):
    """Money given back for a line or a whole order."""

    refund_id: int
    order_id: int
    line_no: int | None
    reason: str
    amount_cents: int
    refunded_at: str
    approved_by: int | None


class Carrier(NamedTuple):
    """A company that carries parcels."""

    carrier_id: int
    name: str
    tracks_parcels: int


class Shipment(NamedTuple):
    """A parcel on its way."""

    shipment_id: int
    order_id: int
    warehouse_id: int
    carrier_id: int
    tracking_code: str | None
    status: str
    shipped_at: str
    delivered_at: str | None
