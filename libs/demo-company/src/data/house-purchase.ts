/** The area "purchase to pay" of the process house; house-source.ts says how it is written down. */
export const purchaseRows = `
area p2p | Purchase to pay | Vom Bedarf bis zur Zahlung | De la compra al pago | From the need of a plant to the paid invoice. | Vom Bedarf eines Werkes bis zur bezahlten Rechnung. | De la necesidad de una planta a la factura pagada.
group p2p.demand | Demand and requisition | Bedarf und Anforderung | Demanda y solicitud | What is needed, when, and who pays for it. | Was gebraucht wird, wann, und wer es bezahlt. | Qué se necesita, cuándo y quién lo paga.
process p2p.demand.plan-raw-materials | Plan raw materials | Rohstoffe planen | Planificar materias primas | Turns the production plan into dated needs. | Macht aus dem Produktionsplan terminierte Bedarfe. | Convierte el plan de producción en necesidades con fecha. | production-planner | planning,erp
collect forecast: check stock level, check raw material list
plan delivery schedule: update stock level, forward deviation
process p2p.demand.raise-requisition | Raise requisition | Bedarf anfordern | Crear solicitud de compra | Anyone may ask, nobody may order without asking. | Jeder darf anfordern, niemand ohne Anforderung bestellen. | Cualquiera puede solicitar; nadie pide sin solicitud. | requester | erp,catalogue-shop
create requisition: assign cost centre, check stock level
send requisition: check budget, assign cost centre
process p2p.demand.approve-requisition | Approve requisition | Bedarfsanforderung freigeben | Aprobar la solicitud | One approval up to 5,000 EUR, two above it. | Eine Freigabe bis 5.000 EUR, darüber zwei. | Una aprobación hasta 5.000 EUR; dos por encima. | cost-centre-owner | approval-workflow
check requisition: check budget, check approval limit
approve requisition: forward requisition, clarify deviation
process p2p.demand.order-from-catalogue | Order from catalogue | Aus dem Katalog bestellen | Pedir por catálogo | Small items at agreed prices, without a buyer. | Kleinteile zu vereinbarten Preisen, ohne Einkäufer. | Artículos menores a precios acordados, sin comprador. | requester | catalogue-shop
select catalogue item: check price list, assign cost centre
update catalogue item: publish catalogue item, check catalogue item
group p2p.order-to-receipt | Order to receipt | Von der Bestellung zum Wareneingang | Del pedido a la recepción | The order goes out, the goods come in. | Die Bestellung geht hinaus, die Ware kommt herein. | Sale el pedido, entra la mercancía.
process p2p.order-to-receipt.create-order | Create purchase order | Bestellung anlegen | Crear pedido de compra | Turns an approved requisition into an order to a qualified supplier. | Macht aus einer freigegebenen Anforderung eine Bestellung bei einem zugelassenen Lieferanten. | Convierte una solicitud aprobada en un pedido a un proveedor homologado. | buyer | erp,contract-archive
check requisition: check budget, check specification, clarify deviation
select supplier: check contract, request quotation, check price list
create order: enter order, assign tax code, assign cost centre
approve order: check approval limit, send order, archive order
process p2p.order-to-receipt.confirm-order | Confirm order | Bestellung bestätigen lassen | Confirmar el pedido | No confirmation after three days means a call. | Ohne Bestätigung nach drei Tagen wird angerufen. | Sin confirmación en tres días, se llama. | buyer | supplier-portal,erp
request order confirmation: monitor open items, forward order
check order confirmation: clarify deviation, update order
process p2p.order-to-receipt.schedule-delivery | Schedule delivery | Lieferung einplanen | Programar la entrega | Tank trucks need a bay, a time and papers. | Tankwagen brauchen Entladestelle, Uhrzeit und Papiere. | Las cisternas necesitan muelle, hora y documentos. | logistics-planner | planning,warehouse-system
plan delivery: plan unloading bay, confirm transport, confirm delivery schedule
check hazardous goods papers: request safety data sheet, confirm hazardous goods papers
process p2p.order-to-receipt.receive-goods | Receive goods | Ware annehmen | Recibir la mercancía | Quantity and packaging are checked at the gate. | Menge und Verpackung werden am Tor geprüft. | Cantidad y embalaje se revisan en la entrada. | goods-receiver | warehouse-system,erp
check delivery: check delivery note, check hazardous goods papers, assign unloading bay
post goods receipt: enter delivery note, label batch, update stock level
release tank: assign tank, inspect tank, label tank
process p2p.order-to-receipt.inspect-goods | Inspect goods | Ware prüfen | Inspeccionar la mercancía | The laboratory decides on each batch within four hours. | Das Labor entscheidet binnen vier Stunden über jede Charge. | El laboratorio decide sobre cada lote en cuatro horas. | quality-inspector | laboratory-system
inspect batch: request sample, inspect sample, label sample
evaluate test result: enter test result, check specification
release batch: block batch, label batch, post batch
process p2p.order-to-receipt.return-goods | Return goods | Ware zurücksenden | Devolver la mercancía | What does not meet the specification goes back. | Was der Spezifikation nicht entspricht, geht zurück. | Lo que no cumple la especificación se devuelve. | warehouse-lead | warehouse-system,erp
create return slip: block batch, enter complaint
send return slip: plan transport, request credit note
group p2p.invoice-to-pay | Invoice to posting | Von der Rechnung zur Buchung | De la factura al asiento | Every invoice is matched, explained or sent back. | Jede Rechnung wird abgeglichen, geklärt oder zurückgesandt. | Cada factura se concilia, se aclara o se devuelve.
process p2p.invoice-receipt | Receive invoices | Rechnungen entgegennehmen | Recibir facturas | By portal, by mail, on paper: one queue. | Portal, E-Mail, Papier: eine Warteschlange. | Portal, correo o papel: una sola cola. | accounts-clerk | invoice-capture,document-archive
enter invoice: check tax code, assign cost centre, match order
archive invoice: forward invoice, send invoice
process p2p.invoice-verification | Verify invoices | Rechnungen prüfen | Verificar facturas | Three-way match of order, receipt and invoice. | Abgleich von Bestellung, Wareneingang und Rechnung. | Conciliación de pedido, entrada y factura. | accounts-clerk | erp,invoice-capture,approval-workflow
check invoice: check tax code, check payment terms, check bank details
match invoice: check order, check goods receipt, check price list
clarify deviation: forward deviation, correct invoice
post invoice: approve invoice, block invoice
process p2p.blocked-invoices | Resolve blocked invoices | Gesperrte Rechnungen klären | Resolver facturas bloqueadas | Nothing stays blocked for more than ten days. | Nichts bleibt länger als zehn Tage gesperrt. | Nada queda bloqueado más de diez días. | accounts-lead | erp,approval-workflow
monitor blocked invoice: clarify deviation, request credit note
release blocked invoice: approve deviation, correct goods receipt
process p2p.credit-notes | Process credit notes | Gutschriften bearbeiten | Tramitar notas de crédito | Credits are offset before the next payment. | Gutschriften werden vor der nächsten Zahlung verrechnet. | Los abonos se compensan antes del próximo pago. | accounts-clerk | erp,invoice-capture
check credit note: check complaint, check goods receipt
post credit note: update open items, archive credit note
process p2p.freight-invoices | Check freight invoices | Frachtrechnungen prüfen | Revisar facturas de transporte | Rates, weights and waiting times against the contract. | Raten, Gewichte und Standzeiten gegen den Vertrag. | Tarifas, pesos y esperas frente al contrato. | logistics-planner | erp,transport-board
match freight invoice: check transport, check contract
approve freight invoice: correct deviation, post freight invoice
group p2p.payment | Payment | Zahlung | Pago | Paid once, on time, to the right account. | Einmal, pünktlich und auf das richtige Konto gezahlt. | Pagado una vez, a tiempo y a la cuenta correcta.
process p2p.payment.prepare-run | Prepare payment run | Zahlungslauf vorbereiten | Preparar la ejecución de pagos | Twice a week, by due date and discount. | Zweimal je Woche, nach Fälligkeit und Skonto. | Dos veces por semana, por vencimiento y descuento. | accounts-lead | erp,payment-hub
create payment proposal: check open items, check blocked invoice, calculate cash discount
approve payment proposal: check approval limit, correct payment proposal
process p2p.payment.execute-payments | Execute payments | Zahlungen ausführen | Ejecutar pagos | Two signatures, one file, no manual transfer. | Zwei Unterschriften, eine Datei, keine Handüberweisung. | Dos firmas, un fichero, ninguna transferencia manual. | treasurer | payment-hub,bank-gateway
create bank file: check bank details, approve bank file, check payment proposal
send bank file: confirm payment, send remittance advice
process p2p.payment.use-discounts | Use cash discounts | Skonto nutzen | Aprovechar descuentos | What saves two percent is paid first. | Was zwei Prozent spart, wird zuerst bezahlt. | Lo que ahorra un dos por ciento se paga primero. | accounts-lead | erp,analytics
calculate cash discount: check payment terms, monitor cash discount
release payment: approve payment, calculate savings
process p2p.payment.answer-dunning | Answer dunning letters | Mahnungen beantworten | Responder reclamaciones de pago | Each letter is answered within two days. | Jede Mahnung wird binnen zwei Tagen beantwortet. | Cada carta se responde en dos días. | accounts-clerk | erp,ticket-desk
check dunning letter: check payment, clarify open items, forward dunning letter
close dunning letter: send remittance advice, archive dunning letter
group p2p.closing | Period end | Periodenabschluss | Cierre del periodo | The ledger tells what was received and not yet invoiced. | Das Hauptbuch zeigt, was geliefert und nicht berechnet ist. | La contabilidad muestra lo recibido y no facturado.
process p2p.closing.accrue-receipts | Accrue receipts | Wareneingänge abgrenzen | Provisionar entradas | Receipts without an invoice become an accrual. | Wareneingänge ohne Rechnung werden zurückgestellt. | Las entradas sin factura se provisionan. | accounts-lead | erp
calculate accrual: check goods receipt, correct accrual
post accrual: approve accrual, close accrual
process p2p.closing.reconcile-accounts | Reconcile supplier accounts | Lieferantenkonten abstimmen | Conciliar cuentas de proveedores | The fifty largest balances are confirmed in writing. | Die fünfzig größten Salden werden schriftlich bestätigt. | Los cincuenta saldos mayores se confirman por escrito. | accounts-lead | erp,data-warehouse
request balance confirmation: check open items, send balance confirmation
match balance confirmation: clarify deviation, close open items
`;
