/**
 * What a buyer's manager, a plant manager and a controller ask about the demo's purchases, in English and German, with the truth as SQL
 * over the same tables. Today is 2026-06-30. A line: the questions of one conversation, ` // ` between them, then ` => ` and the truth of
 * the last: a query, of which every figure and text has to be in the answer; `refuse`; or `ask` where two readings differ.
 */
export const purchasingQuestions = `
How many suppliers are in Germany? => select count(*) from supplier where country = 'DE'
How many suppliers do we have? => select count(*) from supplier
How many suppliers are blocked? => select count(*) from supplier where blocked
Which suppliers are blocked? => select supplier_no from supplier where blocked
Wie viele Lieferanten sind gesperrt? => select count(*) from supplier where blocked
Wie viele Lieferanten sitzen in Spanien? => select count(*) from supplier where country = 'ES'
How many purchase orders did plant 2010 place? => select count(*) from purchase_order where plant = '2010'
How many purchase orders were placed by plant 1020? => select count(*) from purchase_order where plant = '1020'
How many orders were placed in 2025? => select count(*) from purchase_order where order_date between '2025-01-01' and '2025-12-31'
How many orders went to suppliers in Spain? => select count(*) from purchase_order o join supplier s using (supplier_no) where s.country = 'ES'
How many orders have we placed with German suppliers? => select count(*) from purchase_order o join supplier s using (supplier_no) where s.country = 'DE'
How many invoices are blocked? => select count(*) from invoice where blocking_reason is not null
How many open items are there? => select count(*) from po_item where not delivery_completed
How many open items are there in plant 3010? => select count(*) from po_item where not delivery_completed and plant = '3010'
Wie viele offene Positionen hat das Werk 1010? => select count(*) from po_item where not delivery_completed and plant = '1010'
How many payments were late? => select count(*) from payment where payment_date > due_date
How many late payments did we make in 2025? => select count(*) from payment where payment_date > due_date and payment_date between '2025-01-01' and '2025-12-31'
Wie viele Zahlungen waren verspätet? => select count(*) from payment where payment_date > due_date
How many invoices are duplicates? => select count(*) from invoice where duplicate_of is not null
How many items were ordered without requisition? => select count(*) from po_item where requisition_no is null
How many order items have no contract? => select count(*) from po_item where contract_no is null
Wie viele Bestellpositionen haben keine Bedarfsanforderung? => select count(*) from po_item where requisition_no is null
How many invoices have no goods receipt? => select count(*) from invoice where receipt_no is null
How many goods receipts were posted late? => select count(*) from goods_receipt where receipt_date - delivered_on > 3
How many orders are not completed? => select count(*) from purchase_order where completed_on is null
How many framework orders are there? => select count(*) from purchase_order where order_type = 'FO'
Wie viele Rahmenbestellungen gibt es? => select count(*) from purchase_order where order_type = 'FO'
How many items are under contract? => select count(*) from po_item where contract_no is not null
How many orders are over 50,000 EUR? => select count(*) from purchase_order where total_amount > 50000
Wie viele Bestellungen liegen über 50.000 EUR? => select count(*) from purchase_order where total_amount > 50000
How many invoices have a gross amount over 10,000? => select count(*) from invoice where gross_amount > 10000
How many items have a net amount below 100 EUR? => select count(*) from po_item where net_amount < 100
How many payments were more than 20 days late? => select count(*) from payment where days_late > 20
How many orders are older than 90 days and not completed? => select count(*) from purchase_order where completed_on is null and order_date < date '2026-06-30' - 90
List the five largest invoices => select invoice_no from invoice order by net_amount desc, invoice_no limit 5
List the five largest orders => select order_no, total_amount from purchase_order order by total_amount desc, order_no limit 5
Show me the three largest payments => select payment_no, amount from payment order by amount desc, payment_no limit 3
Zeige die fünf größten Bestellungen => select order_no, total_amount from purchase_order order by total_amount desc, order_no limit 5
What is the largest order in plant 2010? => select order_no, total_amount from purchase_order where plant = '2010' order by total_amount desc limit 1
List the three largest blocked invoices => select invoice_no from invoice where blocking_reason is not null order by net_amount desc limit 3
Which suppliers have a rating below 2? => select supplier_no from supplier where rating < 2
How many suppliers are rated poor? => select count(*) from supplier where rating < 3
What is the average rating of suppliers in Germany? => select avg(rating) from supplier where country = 'DE'
What is the average net amount of invoices? => select avg(net_amount) from invoice
Wie hoch ist der durchschnittliche Nettobetrag der Rechnungen? => select avg(net_amount) from invoice
What is the average order value? => select sum(net_amount) / (select count(*) from purchase_order) from po_item
Wie hoch ist der durchschnittliche Bestellwert? => select sum(net_amount) / (select count(*) from purchase_order) from po_item
What is the average order value by plant? => select plant, sum(total_amount) / count(*) from purchase_order group by 1
What is the median order amount? => select percentile_cont(0.5) within group (order by total_amount) from purchase_order
What is the median net amount of invoices? => select percentile_cont(0.5) within group (order by net_amount) from invoice
How many days late are payments on average? => select avg(days_late) from payment
What is the total gross amount of invoices in 2026? => select sum(gross_amount) from invoice where invoice_date between '2026-01-01' and '2026-12-31'
What is the gross amount of blocked invoices? => select sum(gross_amount) from invoice where blocking_reason is not null
What is the purchase order value? => select sum(net_amount) from po_item
What is the purchase order value by plant? => select plant, sum(net_amount) from po_item group by 1
What is our spend with suppliers in Germany? => select sum(i.net_amount) from po_item i join supplier s using (supplier_no) where s.country = 'DE'
What is the order value in Germany? => ask
What is the order value by country? => ask
What is the order value by supplier country? => select s.country, sum(i.net_amount) from po_item i join supplier s using (supplier_no) group by 1
Order value by country of the plant => select country, sum(net_amount) from po_item group by 1
Wie hoch sind die Ausgaben bei Lieferanten in Frankreich? => select sum(i.net_amount) from po_item i join supplier s using (supplier_no) where s.country = 'FR'
What share of invoices is blocked? => select count(*) filter (where blocking_reason is not null)::numeric / count(*) from invoice
What share of the order value comes from suppliers in Germany? => select sum(i.net_amount) filter (where s.country = 'DE') / sum(i.net_amount) from po_item i join supplier s using (supplier_no)
What percentage of payments were late? => select count(*) filter (where payment_date > due_date)::numeric / count(*) from payment
Welcher Anteil der Rechnungen ist gesperrt? => select count(*) filter (where blocking_reason is not null)::numeric / count(*) from invoice
What share of items was ordered without requisition in plant 2010? => select count(*) filter (where requisition_no is null)::numeric / count(*) from po_item where plant = '2010'
What is the order value per year? => select extract(year from order_date)::text, sum(net_amount) from po_item group by 1
Order value by quarter in 2025 => select sum(net_amount) from po_item where order_date between '2025-01-01' and '2025-12-31' group by date_trunc('quarter', order_date)
Number of orders by quarter => select count(*) from purchase_order group by date_trunc('quarter', order_date)
Bestellwert pro Jahr => select sum(net_amount) from po_item group by extract(year from order_date)
Lost discount by quarter => select sum(discount_lost) from payment group by date_trunc('quarter', payment_date)
Orders per week in June 2026 => select count(*) from purchase_order where order_date between '2026-06-01' and '2026-06-30' group by date_trunc('week', order_date)
Lost discount in 2025 compared to the previous year => select sum(discount_lost) from payment where payment_date between '2025-01-01' and '2025-12-31' union all select sum(discount_lost) from payment where payment_date between '2024-01-01' and '2024-12-31'
Order value in the first quarter of 2026 versus the same quarter last year => select sum(net_amount) from po_item where order_date between '2026-01-01' and '2026-03-31' union all select sum(net_amount) from po_item where order_date between '2025-01-01' and '2025-03-31'
Is the maverick rate in 2026 better or worse than last year? => select avg((requisition_no is null)::int) from po_item where order_date between '2026-01-01' and '2026-12-31' union all select avg((requisition_no is null)::int) from po_item where order_date between '2025-01-01' and '2025-12-31'
Order value last month compared to the month before => select sum(net_amount) from po_item where order_date between '2026-05-01' and '2026-05-31' union all select sum(net_amount) from po_item where order_date between '2026-04-01' and '2026-04-30'
Wie hoch war der Bestellwert im Mai 2026 im Vergleich zum Vorjahr? => select sum(net_amount) from po_item where order_date between '2026-05-01' and '2026-05-31' union all select sum(net_amount) from po_item where order_date between '2025-05-01' and '2025-05-31'
What was the order value last year? => select sum(net_amount) from po_item where order_date between '2025-01-01' and '2025-12-31'
Order value in 2026 // and in the year before? => select sum(net_amount) from po_item where order_date between '2025-01-01' and '2025-12-31'
Order value in May 2026 // and the month before? => select sum(net_amount) from po_item where order_date between '2026-04-01' and '2026-04-30'
Bestellwert im Jahr 2025 // und im Jahr davor? => select sum(net_amount) from po_item where order_date between '2024-01-01' and '2024-12-31'
Lost discount in plant 2010 // and in plant 1010? => select sum(p.discount_lost) from payment p join invoice i using (invoice_no) join purchase_order o using (order_no) where o.plant = '1010'
Lost discount in plant 2010 // which supplier is worst there? => select p.supplier_no, sum(p.discount_lost) from payment p join invoice i using (invoice_no) join purchase_order o using (order_no) where o.plant = '2010' group by 1 order by 2 desc limit 1
How many invoices are blocked? // and in plant 1020? => select count(*) from invoice i join purchase_order o using (order_no) where blocking_reason is not null and o.plant = '1020'
How many invoices are blocked? // by plant => select o.plant, count(*) from invoice i join purchase_order o using (order_no) where blocking_reason is not null group by 1
How many suppliers are in Germany? // and in Spain? => select count(*) from supplier where country = 'ES'
What is the order value in Germany? // the supplier => select sum(i.net_amount) from po_item i join supplier s using (supplier_no) where s.country = 'DE'
What is the order value in Germany? // 1 => select sum(net_amount) from po_item where country = 'DE'
Which plant has the most blocked invoices? => select o.plant, count(*) from invoice i join purchase_order o using (order_no) where blocking_reason is not null group by 1 order by 2 desc limit 1
Which supplier has the most late payments? => select supplier_no, count(*) from payment where payment_date > due_date group by 1 order by 2 desc, 1 limit 1
Which buyer has placed the most orders? => select buyer, count(*) from purchase_order group by 1 order by 2 desc limit 1
Welcher Einkäufer hat die meisten Bestellungen? => select buyer, count(*) from purchase_order group by 1 order by 2 desc limit 1
How many orders does each plant have? => select plant, count(*) from purchase_order group by 1
How many orders were completed in May 2026? => select count(*) from purchase_order where completed_on between '2026-05-01' and '2026-05-31'
How many invoices are due in June 2026? => select count(*) from invoice where due_date between '2026-06-01' and '2026-06-30'
How many goods receipts came in March 2026? => select count(*) from goods_receipt where delivered_on between '2026-03-01' and '2026-03-31'
How many events were done manually? => select count(*) from event where not automated
How many events are automated? => select count(*) from event where automated
How many suppliers give a discount? => select count(*) from supplier where discount_percentage > 0
How many invoices are open? => select count(*) from invoice where status = 'open'
How many invoices have been paid? => select count(*) from invoice where status = 'paid'
Wie viele Rechnungen sind offen? => select count(*) from invoice where status = 'open'
How many orders are cancelled? => select count(*) from purchase_order where status = 'cancelled'
Open order value by plant => select plant, sum(net_amount - received_amount) from po_item where not delivery_completed group by 1
What is the open order value of suppliers in Spain? => select sum(i.net_amount - i.received_amount) from po_item i join supplier s using (supplier_no) where not i.delivery_completed and s.country = 'ES'
Maverick rate by material group => select material_group, avg((requisition_no is null)::int) from po_item group by 1
Cycle time of orders with suppliers in Italy => select avg(o.completed_on - o.order_date) from purchase_order o join supplier s using (supplier_no) where s.country = 'IT'
Top 3 suppliers by order value in 2026 => select supplier_no, sum(net_amount) from po_item where order_date >= '2026-01-01' group by 1 order by 2 desc limit 3
Welche drei Werke haben den höchsten Bestellwert? => select plant, sum(net_amount) from po_item group by 1 order by 2 desc limit 3
Who is responsible for verifying invoices? => say Verify invoices
Who owns the process Raise requisition? => say Raise requisition
Wer ist für die Rechnungsprüfung verantwortlich? => say Rechnungen prüfen
What is our revenue? => refuse
How many employees work in plant 2010? => refuse
What is the profit margin by supplier? => refuse
How many open orders are stuck in customs? => refuse
Wie hoch ist der Umsatz mit Kunden in Bayern? => refuse
What will the order value be next quarter? => refuse
How many suppliers are in Atlantis? => refuse
What is the satisfaction of our suppliers? => refuse
`;
