/** What the records of purchase to pay know beyond their columns: augmented attributes and flags. */

/** record -> rows: id | name | German name | description | formula | unit | format; an id with ? is a flag. */
export const derivedFieldRows: Readonly<Record<string, string>> = {
  PURCHASE_ORDER: `
ORDER_MONTH | Order month | Bestellmonat | The first day of the month of the order. | date_trunc('month', ORDER_DATE)
CYCLE_DAYS | Cycle time | Durchlaufzeit | Days from the order to its completion; none while it is open. | COMPLETED_ON - ORDER_DATE | days
SIZE | Size class | Größenklasse | large from 100,000, medium from 10,000, else small. | case when TOTAL_AMOUNT >= 100000 then 'large' when TOTAL_AMOUNT >= 10000 then 'medium' else 'small' end
COMPLETED? | Completed | Abgeschlossen | Whether nothing is left to come, to be invoiced or to be paid. | COMPLETED_ON is not null
FRAMEWORK? | Framework order | Rahmenbestellung | Whether it calls off from a framework. | ORDER_TYPE = 'FO'
`,
  PO_ITEM: `
ORDER_MONTH | Order month | Bestellmonat | The first day of the month of the order. | date_trunc('month', ORDER_DATE)
SIZE | Size class | Größenklasse | large from 10,000, medium from 1,000, else small. | case when NET_AMOUNT >= 10000 then 'large' when NET_AMOUNT >= 1000 then 'medium' else 'small' end
OPEN_AMOUNT | Open amount | Offener Betrag | What is still to come, at the price of the order. | case when DELIVERY_COMPLETED then 0.00 else NET_AMOUNT - RECEIVED_AMOUNT end | EUR | ,.2f
LEAD_DAYS | Lead time | Vorlaufzeit | Days from the order to the day that was asked for. | DELIVERY_DATE - ORDER_DATE | days
RECEIVED_SHARE | Received share | Gelieferter Anteil | The received part of the quantity. | RECEIVED_QUANTITY / QUANTITY | | .1%
MAVERICK? | Bought without requisition | Ohne Bedarfsanforderung | Nobody had asked for it. | REQUISITION_NO is null
UNDER_CONTRACT? | Under contract | Mit Kontrakt | Its price was agreed before. | CONTRACT_NO is not null
OPEN? | Open | Offen | Something is still to come. | not DELIVERY_COMPLETED
CANCELLED? | Cancelled | Storniert | What had not come was cancelled. | CANCELLED_ON is not null
`,
  GOODS_RECEIPT: `
POSTING_LAG_DAYS | Posting lag | Buchungsverzug | Days from the gate to the books. | RECEIPT_DATE - DELIVERED_ON | days
DELIVERY_MONTH | Delivery month | Liefermonat | The first day of the month of the delivery. | date_trunc('month', DELIVERED_ON)
POSTED_LATE? | Posted late | Spät gebucht | It was in the books more than three days after it came. | POSTING_LAG_DAYS > 3
`,
  INVOICE: `
INVOICE_MONTH | Invoice month | Rechnungsmonat | The first day of the month of the invoice. | date_trunc('month', INVOICE_DATE)
PAYMENT_DAYS | Days to pay | Zahlungsziel | Days from the invoice to its due date. | DUE_DATE - INVOICE_DATE | days
DUPLICATE? | Duplicate | Duplikat | The same was invoiced before. | DUPLICATE_OF is not null
BLOCKED? | Blocked | Gesperrt | It may not be paid now. | BLOCKING_REASON is not null
DISCOUNT_OFFERED? | Discount offered | Skonto angeboten | Paying early would save something. | DISCOUNT_DATE is not null
WITHOUT_RECEIPT? | Without receipt | Ohne Wareneingang | Nothing has come for it. | RECEIPT_NO is null
`,
  PAYMENT: `
PAYMENT_MONTH | Payment month | Zahlungsmonat | The first day of the month of the payment. | date_trunc('month', PAYMENT_DATE)
PUNCTUALITY | Punctuality | Pünktlichkeit | in time, up to a week late, or later. | case when PAYMENT_DATE <= DUE_DATE then 'in time' when PAYMENT_DATE <= DUE_DATE + 7 then 'up to a week late' else 'later' end
LATE? | Late | Zu spät | It was paid after the due date. | PAYMENT_DATE > DUE_DATE
DISCOUNT_MISSED? | Discount missed | Skonto verpasst | A discount was offered and not taken. | DISCOUNT_LOST > 0
`,
  SUPPLIER: `
RATED | Rated | Bewertet | good from 4, fair from 3, poor below, unknown without a rating. | case when RATING is null then 'unknown' when RATING >= 4 then 'good' when RATING >= 3 then 'fair' else 'poor' end
GIVES_DISCOUNT? | Gives discount | Gewährt Skonto | Its terms have a discount for paying early. | DISCOUNT_PERCENTAGE > 0
`,
  EVENT: `
DAY | Day | Tag | The day, in UTC. | cast(OCCURRED_AT as date)
HOUR | Hour | Stunde | The hour of the day, in UTC. | extract(hour from OCCURRED_AT)
MANUAL? | Manual | Manuell | A person did it. | not AUTOMATED
`,
};
