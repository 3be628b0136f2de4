/** What else people call things of purchase to pay, beside their English and German names: id | words. */
export const recordSynonyms = `
PURCHASE_ORDER | PO, Einkaufsbestellung, Auftrag an Lieferanten
PO_ITEM | order line, PO line, Position, Bestellzeile
GOODS_RECEIPT | GR, delivery, Anlieferung, Lieferung
INVOICE | bill, vendor invoice, Lieferantenrechnung, Eingangsrechnung, Kreditorenrechnung
PAYMENT | disbursement, Auszahlung, Überweisung, Zahlungsausgang
SUPPLIER | vendor, creditor, Kreditor, Lieferfirma
EVENT | activity log, Prozessschritt, Vorgang
`;

/** The same word for a field of every record that has it; `RECORD.FIELD` for one record alone. */
export const fieldSynonyms = `
SUPPLIER_NO | vendor number, Kreditor, Kreditorennummer, Lieferantennummer
SUPPLIER.NAME | vendor name, Lieferantenname, Kreditorenname, Firma
ORDER_NO | PO number, Bestellnummer
ITEM_NO | line number, Positionsnummer
INVOICE_NO | bill number, Belegnummer der Rechnung, Rechnungsnummer
RECEIPT_NO | GR number, Wareneingangsnummer
PLANT | site, factory, Standort, Fabrik, Betrieb
COMPANY_CODE | legal entity, Gesellschaft
COUNTRY | nation, Staat
PURCHASING_ORG | EKORG
MATERIAL_GROUP | commodity, category of goods, Materialgruppe
MATERIAL_NO | article, Artikel, Materialnummer
BUYER | purchaser, Besteller, Sachbearbeiter im Einkauf
REQUISITION_NO | purchase requisition, BANF
CONTRACT_NO | outline agreement, Rahmenvertrag
COST_CENTRE | cost center
NET_AMOUNT | net value, Nettowert
GROSS_AMOUNT | gross value, Bruttowert
UNIT_PRICE | price per unit, Preis je Einheit, Stückpreis
PAYMENT_TERMS | terms of payment, Zahlungskonditionen
DUE_DATE | due by, Fälligkeit
BLOCKING_REASON | payment block, Zahlungssperre
DUPLICATE_OF | paid twice, Dublette, Doppelrechnung
DISCOUNT_PERCENTAGE | cash discount rate, Skonto, Skontoprozent
DISCOUNT_DAYS | cash discount period, Skontofrist
DISCOUNT_AMOUNT | possible cash discount, Skonto
PAYMENT.DISCOUNT_TAKEN | cash discount earned, Skontoertrag
PAYMENT.DISCOUNT_LOST | missed cash discount, Skontoverlust, verlorenes Skonto
PAYMENT.DAYS_LATE | delay, Verzug, Verspätung
PAYMENT.LATE | overdue, verspätet
PAYMENT.PUNCTUALITY | on-time payment, Zahlungspünktlichkeit
SUPPLIER.NET_DAYS | payment period, net terms, Zahlungsfrist
INVOICE.PAYMENT_DAYS | payment period, Zahlungsfrist
SUPPLIER.BANK_ACCOUNT | IBAN, Kontonummer
SUPPLIER.RATING | score, evaluation, Lieferantenbewertung
PO_ITEM.MAVERICK | maverick buying, without approval, wilder Einkauf, ungenehmigter Einkauf
PO_ITEM.OPEN_AMOUNT | outstanding value, Obligo
PO_ITEM.DELIVERY_DATE | promised date, Wunschtermin, Liefertermin
PO_ITEM.LEAD_DAYS | delivery time, Lieferzeit, Wiederbeschaffungszeit
PURCHASE_ORDER.CYCLE_DAYS | throughput time, duration, Laufzeit, Dauer
GOODS_RECEIPT.POSTING_LAG_DAYS | booking delay, Buchungsverzögerung
EVENT.ACTIVITY | step, Schritt, Tätigkeit
`;

export const kpiSynonyms = `
OPEN_PO_VALUE | outstanding orders, commitments, Obligo, offene Bestellungen
MAVERICK_RATE | maverick rate, off-contract buying, Maverick-Quote, wilder Einkauf, ungenehmigter Einkauf
THREE_WAY_MATCH_RATE | invoice match rate, Rechnungsabgleich, Abgleichquote, Drei-Wege-Abgleich
ON_TIME_PAYMENT_RATE | punctuality of payments, pünktliche Zahlungen, Zahlungspünktlichkeit, Pünktlichkeitsquote, Termintreue der Zahlung
LOST_DISCOUNT | missed cash discount, Skontoverlust, verlorenes Skonto, nicht gezogenes Skonto
DUPLICATE_INVOICE_VALUE | double payments, Doppelrechnungen, Dubletten, Doppelzahlungen
CYCLE_TIME_DAYS | throughput time, lead time of orders, Laufzeit, Prozessdauer
ORDER_COUNT | number of orders, Anzahl Bestellungen
ITEM_COUNT | number of order lines, Anzahl Positionen
INVOICE_COUNT | number of invoices, Anzahl Rechnungen
EVENT_COUNT | number of events, Anzahl Ereignisse
SUPPLIER_COUNT | number of vendors, Anzahl Lieferanten, aktive Kreditoren
ORDER_VALUE | spend, Ausgaben, purchasing volume, Einkaufsvolumen, Bestellvolumen
PAID_AMOUNT | payments made, Zahlungsvolumen, Auszahlungen
CONTRACT_SHARE | contract coverage, Kontraktquote, Rahmenvertragsquote
LARGE_ITEM_SHARE | large orders, Großbestellungen
PRICE_DEVIATION | price variance, Preisabweichung, Überberechnung
LATE_PAYMENT_RATE | overdue payments, verspätete Zahlungen, Zahlungsverzug, Verspätungsquote
BLOCKED_INVOICE_VALUE | payment blocks, Zahlungssperren, gesperrter Betrag
POSTING_LAG_DAYS | booking delay of receipts, Buchungsverzögerung
AUTOMATION_RATE | touchless rate, degree of automation, Automatisierungsgrad, Dunkelbuchungsquote
`;

export const filterSynonyms = `
LAST_12_MONTHS | past year, vergangene zwölf Monate
OPEN_ITEMS | outstanding lines, offene Bestellungen
BLOCKED_INVOICES | payment block, Zahlungssperre
HIGH_VALUE | expensive, large items, große Positionen, teuer
`;
