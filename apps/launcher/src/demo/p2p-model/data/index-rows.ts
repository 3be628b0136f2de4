/**
 * What questions to purchase to pay compare and sort by, beside keys and relationships:
 * table | columns | included columns; "trigram" in front of columns that are searched. Refuses: code.
 */
export const indexRows = `
purchase_order | order_date, order_no | total_amount
purchase_order | plant | total_amount
po_item | country, order_date, order_no, item_no | net_amount
po_item | order_date, order_no, item_no
po_item | plant | net_amount
po_item | material_group | net_amount
po_item | trigram description
invoice | invoice_date, invoice_no
invoice | status | net_amount, gross_amount
payment | payment_date, payment_no
payment | company_code | amount, discount_lost
supplier | trigram name
event | activity
`;
