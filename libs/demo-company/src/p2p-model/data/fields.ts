/** The records of purchase to pay and their attributes. */

/**
 * record | table | name | German name | short name | description, then its attributes:
 * column | name | German name | description | unit | format. Types come from the tables; amounts are in EUR.
 */
export const recordRows = `
record | purchase_order | Purchase order | Bestellung | Order | An order of one plant to one supplier.
order_no | Order | Bestellung | The number of the order.
company_code | Company code | Buchungskreis | The legal entity that orders.
plant | Plant | Werk | Where the goods go.
country | Country | Land | The country of the plant.
purchasing_org | Purchasing organisation | Einkaufsorganisation | Who buys for the group.
supplier_no | Supplier | Lieferant | The number of the supplier.
buyer | Buyer | Einkäufer | Who placed the order.
order_type | Order type | Bestellart | NB is a standard order, FO a framework order.
status | Status | Status | ordered, partly received, received, completed or cancelled.
order_date | Order date | Bestelldatum | The day on which the order was placed.
created_at | Created at | Angelegt am | When the order was entered, in the time of the plant.
completed_on | Completed on | Abgeschlossen am | The last payment, when nothing is left to come, to be invoiced or to be paid.
payment_terms | Payment terms | Zahlungsbedingung | The key of the terms of payment.
incoterms | Incoterms | Incoterms | Who bears transport and risk.
item_count | Items | Positionen | How many items the order has.
total_amount | Total amount | Gesamtbetrag | The net amount of all items.
currency | Currency | Währung | The currency of the amounts.
note | Note | Notiz | What the buyer wrote down.

record | po_item | Purchase order item | Bestellposition | Item | One line of a purchase order.
order_no | Order | Bestellung | The number of the order.
item_no | Item | Position | The number of the item in its order.
company_code | Company code | Buchungskreis | The legal entity that orders.
plant | Plant | Werk | Where the goods go.
country | Country | Land | The country of the plant.
purchasing_org | Purchasing organisation | Einkaufsorganisation | Who buys for the group.
material_group | Material group | Warengruppe | What kind of goods or service it is.
material_no | Material | Material | The number of the material; none for services.
description | Description | Bezeichnung | What is bought, in the language of the supplier.
supplier_no | Supplier | Lieferant | The number of the supplier.
buyer | Buyer | Einkäufer | Who placed the order.
requisition_no | Requisition | Bedarfsanforderung | Who asked for it; none when nobody did.
contract_no | Contract | Kontrakt | The contract with the agreed price, if there is one.
cost_centre | Cost centre | Kostenstelle | Who pays for it.
quantity | Quantity | Menge | The quantity ordered. | | ,
unit | Unit | Mengeneinheit | KG, L, PC, HUR, DAY or MON.
unit_price | Unit price | Einzelpreis | The net price of one unit.
net_amount | Net amount | Nettobetrag | Quantity times unit price.
currency | Currency | Währung | The currency of the amounts.
order_date | Order date | Bestelldatum | The day on which the order was placed.
delivery_date | Delivery date | Lieferdatum | The day that the supplier was asked for.
received_quantity | Received quantity | Gelieferte Menge | What has come of it. | | ,
received_amount | Received amount | Gelieferter Betrag | What has come of it, at the price of the order.
delivery_completed | Delivery completed | Endgeliefert | Whether nothing more is to come.
cancelled_on | Cancelled on | Storniert am | The day on which the rest was cancelled.
status | Status | Status | ordered, partly received, received or cancelled.

record | goods_receipt | Goods receipt | Wareneingang | Receipt | A delivery of an item.
receipt_no | Goods receipt | Wareneingang | The number of the document.
order_no | Order | Bestellung | The number of the order.
item_no | Item | Position | The number of the item in its order.
company_code | Company code | Buchungskreis | The legal entity that ordered.
plant | Plant | Werk | Where the goods arrived.
quantity | Quantity | Menge | The quantity delivered. | | ,
amount | Amount | Betrag | The quantity at the price of the order.
delivered_on | Delivered on | Geliefert am | The day at the gate.
arrival_time | Arrival time | Ankunftszeit | The time at the gate, when it was noted.
receipt_date | Receipt date | Buchungsdatum | The day in the books.
receiver | Receiver | Gebucht von | Who posted it.
delivery_note | Delivery note | Lieferschein | The number of the delivery note.

record | invoice | Invoice | Rechnung | Invoice | An invoice for one item and one goods receipt, or for none.
invoice_no | Invoice | Rechnung | The number in the books.
supplier_invoice_no | Supplier's number | Rechnungsnummer des Lieferanten | The number on the invoice.
company_code | Company code | Buchungskreis | The legal entity that owes it.
order_no | Order | Bestellung | The number of the order.
item_no | Item | Position | The number of the item in its order.
receipt_no | Goods receipt | Wareneingang | The delivery it is for; none when nothing came.
supplier_no | Supplier | Lieferant | The number of the supplier.
quantity | Quantity | Menge | The quantity invoiced. | | ,
unit_price | Unit price | Einzelpreis | The net price of one unit.
net_amount | Net amount | Nettobetrag | Quantity times unit price.
tax_amount | Tax | Steuer | The tax on the net amount.
gross_amount | Gross amount | Bruttobetrag | Net amount and tax.
currency | Currency | Währung | The currency of the amounts.
invoice_date | Invoice date | Rechnungsdatum | The date on the invoice.
posting_date | Posting date | Buchungsdatum | The day in the books.
due_date | Due date | Fällig am | The last day to pay it in time.
payment_terms | Payment terms | Zahlungsbedingung | The key of the terms of payment.
discount_percentage | Discount | Skontosatz | The discount for paying early. | % | .1f
discount_days | Discount days | Skontotage | The days in which the discount can be taken. | days
discount_date | Discount until | Skonto bis | The last day to take the discount.
discount_amount | Discount offered | Skontobetrag | What paying early would save.
blocking_reason | Blocked for | Sperrgrund | Why it may not be paid now.
duplicate_of | Duplicate of | Duplikat von | The invoice that asked for the same before.
status | Status | Status | open, blocked or paid.

record | payment | Payment | Zahlung | Payment | The payment of one invoice.
payment_no | Payment | Zahlung | The number of the payment.
invoice_no | Invoice | Rechnung | The invoice that is paid.
company_code | Company code | Buchungskreis | The legal entity that pays.
supplier_no | Supplier | Lieferant | Who is paid.
payment_date | Payment date | Zahlungsdatum | The day on which it was paid.
due_date | Due date | Fällig am | The last day to pay in time.
days_late | Days late | Tage zu spät | Days from the due date to the payment; 0 when in time. | days
gross_amount | Gross amount | Bruttobetrag | What the invoice asks for.
discount_taken | Discount taken | Gezogenes Skonto | The discount that was taken off.
discount_lost | Discount lost | Entgangenes Skonto | The discount that was offered and not taken.
amount | Amount | Betrag | What was paid.
currency | Currency | Währung | The currency of the amounts.

record | supplier | Supplier | Lieferant | Supplier | Who delivers, with terms of payment and bank account.
supplier_no | Supplier | Lieferant | The number of the supplier.
name | Name | Name | What the supplier is called.
country | Country | Land | Where the supplier is.
city | City | Ort | Where the supplier is.
category | Category | Kategorie | What the supplier mostly delivers.
payment_terms | Payment terms | Zahlungsbedingung | The key of the terms of payment.
discount_percentage | Discount | Skontosatz | The discount for paying early. | % | .1f
discount_days | Discount days | Skontotage | The days in which the discount can be taken. | days
net_days | Days to pay | Zahlungsziel | The days in which an invoice is to be paid. | days
bank_account | Bank account | Bankverbindung | Where payments go; only for callers with the scope finance:read.
tax_no | Tax number | Steuernummer | The number at the tax office.
email | E-mail | E-Mail | Where orders are sent.
rating | Rating | Bewertung | The last evaluation, up to 5. | | .1f
blocked | Blocked | Gesperrt | Whether nothing may be ordered.
created_on | Created on | Angelegt am | The day on which the supplier was taken on.

record | event | Event | Ereignis | Event | What happened to an order, in the order of time.
case_id | Order | Bestellung | The number of the order.
event_no | Number | Nummer | The place in the life of the order, from 1.
company_code | Company code | Buchungskreis | The legal entity that orders.
activity | Activity | Aktivität | What was done.
occurred_at | Occurred at | Zeitpunkt | When it was done.
resource | Resource | Bearbeiter | Who did it.
automated | Automated | Automatisch | Whether a system did it.
item_no | Item | Position | The item it was about; none for the whole order.
document_no | Document | Beleg | The receipt, invoice or payment it was about.
`;
