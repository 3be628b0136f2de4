/** Risks with their controls, knowledge documents and key figures of purchase to pay. */

/**
 * category: key | name in three languages.
 * risk: the same, description, likelihood and impact (1 to 5), the process it threatens.
 * control, below its risk: key | name in three languages | description | how often | preventive or detective
 */
export const riskRows = `
category fraud | Fraud and error | Betrug und Irrtum | Fraude y error
risk duplicate-payment | Invoice is paid twice | Rechnung wird doppelt bezahlt | Factura pagada dos veces | The same invoice arrives by mail and by portal. | 3 | 4 | p2p.payment.prepare-run
control duplicate-search | Search for duplicates | Dublettensuche | Búsqueda de duplicados | Number, amount and supplier are compared with two years. | daily | preventive
control double-payment-report | Double payment report | Doppelzahlungsbericht | Informe de pagos dobles | Paid pairs are looked at every week. | weekly | detective
risk false-bank-details | False bank details | Falsche Bankverbindung | Datos bancarios falsos | A forged letter changes the account of a supplier. | 2 | 5 | suppliers.onboarding.change-bank-details
control call-back | Call back | Rückruf | Llamada de verificación | A known number is called before the change. | each time | preventive
control second-person | Second person approves | Vier-Augen-Freigabe | Aprobación de otra persona | Whoever enters a change cannot approve it. | each time | preventive
risk split-orders | Orders are split below the limit | Bestellungen werden gestückelt | Pedidos fraccionados | Two small orders need no second approval. | 3 | 3 | p2p.demand.approve-requisition
control split-report | Report of split orders | Bericht über Stückelung | Informe de fraccionamiento | Orders to one supplier within five days are added up. | monthly | detective
risk invented-supplier | Invented supplier | Erfundener Lieferant | Proveedor ficticio | A record exists without a company behind it. | 1 | 5 | suppliers.onboarding.create-record
control register-check | Check of the company register | Registerprüfung | Consulta del registro mercantil | The register and the tax number are checked. | each time | preventive
category buying | Buying outside the rules | Einkauf an den Regeln vorbei | Compras fuera de norma
risk no-requisition | Order without requisition | Bestellung ohne Anforderung | Pedido sin solicitud | Nobody has approved the need. | 4 | 3 | p2p.order-to-receipt.create-order
control requisition-mandatory | Requisition is mandatory | Anforderung ist Pflicht | Solicitud obligatoria | The system refuses orders without one above 500 EUR. | each time | preventive
control maverick-review | Review of maverick orders | Durchsicht wilder Bestellungen | Revisión de pedidos irregulares | Each plant explains its exceptions. | monthly | detective
risk expired-contract | Order on an expired contract | Bestellung auf abgelaufenen Vertrag | Pedido con contrato vencido | Prices are no longer agreed. | 3 | 3 | source.contracts.renew-contract
control end-notice | Notice before the end | Hinweis vor Ablauf | Aviso de vencimiento | Ninety, sixty and thirty days before. | daily | preventive
risk one-bidder | Only one bidder | Nur ein Bieter | Un solo licitador | A decision without a comparison. | 3 | 2 | source.tendering.request-quotations
control bidder-count | Count of bidders | Bieterzahl | Número de licitadores | Fewer than three need a reason. | each time | preventive
risk wrong-price | Wrong price in the order | Falscher Preis in der Bestellung | Precio erróneo en el pedido | The price list was not brought up to date. | 3 | 3 | source.contracts.maintain-prices
control price-comparison | Comparison with the price list | Abgleich mit der Preisliste | Comparación con la lista de precios | Deviations above two percent are held. | each time | preventive
category supply-chain | Supply | Versorgung | Suministro
risk single-source | Only one source | Einzige Bezugsquelle | Fuente única | One resin comes from one plant of one supplier. | 3 | 5 | source.category-management.define-strategy
control second-source | Second source | Zweite Quelle | Segunda fuente | Critical materials have two qualified suppliers. | yearly | preventive
risk late-delivery | Late delivery | Verspätete Lieferung | Entrega tardía | A reactor stands still for want of solvent. | 4 | 4 | p2p.order-to-receipt.confirm-order
control delivery-monitor | Delivery monitor | Liefermonitor | Monitor de entregas | Unconfirmed orders are called after three days. | daily | detective
control safety-stock | Safety stock | Sicherheitsbestand | Existencias de seguridad | Ten days of every critical material. | weekly | preventive
risk late-receipt | Late posting of receipts | Verspätete Wareneingangsbuchung | Registro tardío de entradas | Invoices wait for goods that are there. | 4 | 3 | p2p.order-to-receipt.receive-goods
control receipt-lag | Watch of the posting lag | Überwachung des Buchungsverzugs | Control del retraso | Plants with more than two days are called. | weekly | detective
category safety | Safety and quality | Sicherheit und Qualität | Seguridad y calidad
risk wrong-tank | Unloaded into the wrong tank | Falscher Tank befüllt | Descarga en depósito equivocado | Two materials react with each other. | 2 | 5 | p2p.order-to-receipt.receive-goods
control tank-release | Release of the tank | Tankfreigabe | Liberación del depósito | Papers, sample and valve are checked by two people. | each time | preventive
risk untested-batch | Batch used before its test | Charge vor Prüfung verwendet | Lote usado sin ensayo | Paint out of a bad batch has to be called back. | 2 | 4 | p2p.order-to-receipt.inspect-goods
control batch-block | Block until release | Sperre bis zur Freigabe | Bloqueo hasta liberación | The warehouse system gives no blocked batch out. | each time | preventive
risk missing-sheet | Missing safety data sheet | Fehlendes Sicherheitsdatenblatt | Falta la ficha de seguridad | A substance is handled without knowledge of it. | 2 | 4 | suppliers.compliance.collect-safety-data
control sheet-gate | No sheet, no order | Ohne Blatt keine Bestellung | Sin ficha no hay pedido | Materials without a valid sheet cannot be ordered. | each time | preventive
category money | Money and law | Geld und Recht | Dinero y ley
risk lost-discount | Lost cash discount | Verlorenes Skonto | Descuento perdido | The invoice is posted after the discount date. | 4 | 2 | p2p.payment.use-discounts
control discount-queue | Discount queue | Skonto-Warteschlange | Cola de descuentos | Invoices with a discount are worked on first. | daily | preventive
risk late-payment | Late payment | Verspätete Zahlung | Pago tardío | Interest, and a supplier who delivers others first. | 4 | 3 | p2p.payment.execute-payments
control due-date-list | List of due dates | Fälligkeitsliste | Lista de vencimientos | What is due in five days and still blocked. | daily | detective
risk wrong-tax | Wrong tax code | Falsches Steuerkennzeichen | Código de impuesto erróneo | Input tax is refused in an audit. | 3 | 3 | p2p.invoice-receipt
control tax-rules | Rules for tax codes | Regeln für Steuerkennzeichen | Reglas de impuestos | The code follows from country, goods and place. | each time | preventive
risk sanctioned-supplier | Sanctioned supplier | Sanktionierter Lieferant | Proveedor sancionado | A payment breaks the law. | 1 | 5 | suppliers.compliance.screen-suppliers
control list-screening | Screening against lists | Listenabgleich | Cotejo con listas | All records against all lists. | nightly | preventive
risk missing-accrual | Missing accrual | Fehlende Rückstellung | Provisión ausente | Cost appears in the wrong month. | 3 | 3 | p2p.closing.accrue-receipts
control accrual-list | List of open receipts | Liste offener Wareneingänge | Lista de entradas abiertas | Receipts without invoice, older than a month. | monthly | detective
`;

/** folder: key | name in three languages. document: the same, description, kind, pages, the process it describes */
export const documentRows = `
folder policies | Policies | Richtlinien | Políticas
document purchasing-policy | Purchasing policy | Einkaufsrichtlinie | Política de compras | Who may buy what, and how. | policy | 24 | p2p.order-to-receipt.create-order
document signature-rule | Signature rule | Unterschriftenregel | Norma de firmas | Limits of approval by role. | policy | 9 | p2p.demand.approve-requisition
document supplier-code | Code of conduct for suppliers | Verhaltenskodex für Lieferanten | Código de conducta para proveedores | What every supplier signs. | policy | 12 | suppliers.onboarding.qualify-supplier
document payment-policy | Payment policy | Zahlungsrichtlinie | Política de pagos | Runs, signatures and exceptions. | policy | 11 | p2p.payment.execute-payments
document gift-rule | Rule on gifts | Geschenkeregel | Norma de obsequios | What may be accepted: nearly nothing. | policy | 4 | source.tendering.award-business
folder instructions | Work instructions | Arbeitsanweisungen | Instrucciones de trabajo
document order-instruction | How to create an order | So wird bestellt | Cómo crear un pedido | Screens, fields and common mistakes. | instruction | 16 | p2p.order-to-receipt.create-order
document match-instruction | How to match an invoice | So wird abgeglichen | Cómo conciliar una factura | Tolerances and what to do beyond them. | instruction | 18 | p2p.invoice-verification
document blocked-instruction | How to clear a blocked invoice | Gesperrte Rechnungen klären | Cómo resolver una factura bloqueada | Reasons of blocking and whom to ask. | instruction | 7 | p2p.blocked-invoices
document unloading-instruction | Unloading of tank trucks | Entladen von Tankwagen | Descarga de cisternas | Earthing, sampling, valves, emergency. | instruction | 22 | p2p.order-to-receipt.receive-goods
document sampling-instruction | Sampling of raw materials | Probenahme von Rohstoffen | Muestreo de materias primas | Amount, vessel, label, retention. | instruction | 13 | p2p.order-to-receipt.inspect-goods
document return-instruction | Returning goods | Rücksenden von Ware | Devolución de mercancía | Packing, papers, pick-up. | instruction | 6 | p2p.order-to-receipt.return-goods
document accrual-instruction | Accruing receipts | Abgrenzen von Wareneingängen | Provisión de entradas | Month end, day by day. | instruction | 8 | p2p.closing.accrue-receipts
document bank-change-instruction | Changing bank details | Ändern der Bankverbindung | Cambio de datos bancarios | The call, the form, the second person. | instruction | 5 | suppliers.onboarding.change-bank-details
folder forms | Forms and templates | Formulare und Vorlagen | Formularios y plantillas
document tender-template | Template for a request | Vorlage für eine Anfrage | Plantilla de petición | Specification, volumes, terms, dates. | template | 6 | source.tendering.request-quotations
document comparison-template | Template for comparing bids | Vorlage für den Angebotsvergleich | Plantilla de comparativo | Total cost per tonne delivered. | template | 3 | source.tendering.compare-bids
document frame-contract | Framework agreement | Rahmenvertrag | Contrato marco | Our text, in three languages. | template | 28 | source.contracts.negotiate-contract
document self-assessment-form | Self-assessment of suppliers | Selbstauskunft für Lieferanten | Autoevaluación de proveedores | Ninety questions, thirty of them must be yes. | form | 10 | suppliers.onboarding.qualify-supplier
document audit-checklist | Checklist for audits | Auditcheckliste | Lista de auditoría | Quality, safety, environment, people. | form | 14 | suppliers.performance.audit-supplier
document complaint-form | Complaint form | Reklamationsformular | Formulario de reclamación | Batch, finding, photograph, demand. | form | 2 | suppliers.performance.handle-complaints
document savings-form | Proof of savings | Einsparungsnachweis | Justificante de ahorro | Before, after, and who confirms it. | form | 2 | source.category-management.track-savings
folder trainings | Trainings | Schulungen | Formación
document new-requester | Training: asking for goods | Schulung: Bedarf anfordern | Formación: solicitar compras | Thirty minutes for everybody. | training | 20 | p2p.demand.raise-requisition
document new-clerk | Training: verifying invoices | Schulung: Rechnungen prüfen | Formación: verificar facturas | Two days with exercises. | training | 64 | p2p.invoice-verification
document dangerous-goods | Training: dangerous goods | Schulung: Gefahrgut | Formación: mercancías peligrosas | Every year, with a test. | training | 48 | p2p.order-to-receipt.schedule-delivery
`;

/** group: key | name in three languages. kpi: the same, description, unit, target, direction, the process it measures, the KPI of the knowledge model that tells it */
export const kpiTreeRows = `
group spend | Spend and savings | Ausgaben und Einsparungen | Gasto y ahorro
kpi open-order-value | Open order value | Offener Bestellwert | Valor de pedidos abiertos | Net value of items that are not yet delivered. | EUR | 4000000 | down | p2p.order-to-receipt.create-order | OPEN_PO_VALUE
kpi savings-rate | Savings rate | Einsparquote | Tasa de ahorro | Confirmed savings against spend. | % | 3.5 | up | source.category-management.track-savings
kpi contract-share | Share under contract | Anteil unter Vertrag | Proporción bajo contrato | Spend with a valid contract behind it. | % | 85 | up | source.contracts.negotiate-contract
kpi bidders-per-tender | Bidders per tender | Bieter je Ausschreibung | Licitadores por licitación | Valid bids on average. | bids | 3 | up | source.tendering.request-quotations
group rules | Following the rules | Regeltreue | Cumplimiento de normas
kpi maverick-rate | Bought without requisition | Einkauf ohne Anforderung | Compras sin solicitud | Items that nobody had asked for. | % | 5 | down | p2p.demand.raise-requisition | MAVERICK_RATE
kpi first-time-match | Matched at first sight | Auf Anhieb abgeglichen | Conciliadas a la primera | Invoices posted without a touch. | % | 80 | up | p2p.invoice-verification
kpi blocked-days | Days blocked | Tage gesperrt | Días bloqueada | Time from block to release. | days | 5 | down | p2p.blocked-invoices
kpi duplicate-value | Value of duplicate invoices | Wert doppelter Rechnungen | Valor de facturas duplicadas | Found before or after payment. | EUR | 0 | down | p2p.invoice-verification | DUPLICATE_INVOICE_VALUE
group time | Time | Zeit | Tiempo
kpi cycle-time | Cycle time | Durchlaufzeit | Tiempo de ciclo | From requisition to payment. | days | 30 | down | p2p.payment.execute-payments
kpi approval-time | Time to approve | Freigabedauer | Tiempo de aprobación | From request to decision. | hours | 24 | down | p2p.demand.approve-requisition
kpi confirmation-rate | Confirmed within three days | Binnen drei Tagen bestätigt | Confirmado en tres días | Orders with an answer of the supplier. | % | 95 | up | p2p.order-to-receipt.confirm-order
kpi receipt-delay | Posting lag of receipts | Buchungsverzug im Wareneingang | Retraso de registro | From arrival to posting. | days | 1 | down | p2p.order-to-receipt.receive-goods
group payment-figures | Payment | Zahlung | Pago
kpi on-time-payment | Paid on time | Pünktlich bezahlt | Pagado a tiempo | Payments on or before the due date. | % | 95 | up | p2p.payment.prepare-run | ON_TIME_PAYMENT_RATE
kpi discount-lost | Discount lost | Entgangenes Skonto | Descuento perdido | What earlier posting would have saved. | EUR | 20000 | down | p2p.payment.use-discounts | LOST_DISCOUNT
kpi dunning-letters | Dunning letters | Mahnungen | Cartas de reclamación | Letters received in a month. | letters | 10 | down | p2p.payment.answer-dunning
group supplier-figures | Suppliers | Lieferanten | Proveedores
kpi on-time-delivery | Delivered on time | Pünktlich geliefert | Entregado a tiempo | Items on the confirmed day. | % | 94 | up | suppliers.performance.rate-suppliers
kpi complaint-rate | Complaints per thousand batches | Reklamationen je tausend Chargen | Reclamaciones por mil lotes | Accepted by the supplier. | ppk | 4 | down | suppliers.performance.handle-complaints
kpi audited-share | Critical suppliers audited | Auditierte kritische Lieferanten | Proveedores críticos auditados | Within the last three years. | % | 100 | up | suppliers.performance.audit-supplier
`;
