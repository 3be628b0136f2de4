/** The German names of KPIs and filters: id | name. */
export const germanKpiRows = `
OPEN_PO_VALUE | Offener Bestellwert
MAVERICK_RATE | Einkauf ohne Anforderung
THREE_WAY_MATCH_RATE | Dreifachabgleich
ON_TIME_PAYMENT_RATE | Pünktlich bezahlt
LOST_DISCOUNT | Entgangenes Skonto
DUPLICATE_INVOICE_VALUE | Wert doppelter Rechnungen
CYCLE_TIME_DAYS | Durchlaufzeit
ORDER_COUNT | Bestellungen
ITEM_COUNT | Bestellpositionen
INVOICE_COUNT | Rechnungen
EVENT_COUNT | Ereignisse
SUPPLIER_COUNT | Beauftragte Lieferanten
ORDER_VALUE | Bestellwert
PAID_AMOUNT | Gezahlt
CONTRACT_SHARE | Bestellwert mit Kontrakt
LARGE_ITEM_SHARE | Bestellwert großer Positionen
PRICE_DEVIATION | Mehr berechnet als bestellt
LATE_PAYMENT_RATE | Zu spät bezahlt
BLOCKED_INVOICE_VALUE | Wert gesperrter Rechnungen
POSTING_LAG_DAYS | Buchungsverzug der Wareneingänge
AUTOMATION_RATE | Automatisierung
`;

export const germanFilterRows = `
LAST_12_MONTHS | Letzte zwölf Monate
OPEN_ITEMS | Offene Positionen
BLOCKED_INVOICES | Gesperrte Rechnungen
HIGH_VALUE | Hoher Wert
`;
