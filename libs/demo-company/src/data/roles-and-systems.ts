/** The roles of purchase to pay and the systems it works with. */

/** group: key | name in three languages. role: the same, then a description */
export const roleRows = `
group demand | Demand | Bedarf | Demanda
role requester | Requester | Anforderer | Solicitante | Asks for goods and services and names the cost centre.
role cost-centre-owner | Cost centre owner | Kostenstellenverantwortlicher | Responsable de centro de coste | Approves what is charged to the cost centre.
role production-planner | Production planner | Produktionsplaner | Planificador de producción | Turns the production plan into needs of raw material.
role plant-manager | Plant manager | Werkleiter | Director de planta | Answers for safety, stock and output of a plant.
group procurement | Procurement | Einkauf | Compras
role buyer | Buyer | Einkäufer | Comprador | Orders what was approved and follows it up.
role strategic-buyer | Strategic buyer | Strategischer Einkäufer | Comprador estratégico | Runs tenders and prepares decisions.
role category-manager | Category manager | Warengruppenmanager | Responsable de categoría | Owns the plan for a group of materials.
role contract-manager | Contract manager | Vertragsmanager | Gestor de contratos | Negotiates contracts and watches their ends.
role procurement-manager | Procurement manager | Einkaufsleiter | Director de compras | Answers for spend, savings and the rules of buying.
group supply | Suppliers | Lieferanten | Proveedores
role supplier-manager | Supplier manager | Lieferantenmanager | Gestor de proveedores | Qualifies, rates and develops suppliers.
role compliance-officer | Compliance officer | Compliance-Beauftragter | Responsable de cumplimiento | Watches law and conduct in the supply chain.
role hazard-officer | Dangerous goods officer | Gefahrgutbeauftragter | Consejero de mercancías peligrosas | Answers for papers, labels and training.
role auditor | Supplier auditor | Lieferantenauditor | Auditor de proveedores | Looks at suppliers on site and reports.
group logistics | Logistics and quality | Logistik und Qualität | Logística y calidad
role goods-receiver | Goods receiver | Wareneingangsmitarbeiter | Receptor de mercancía | Checks and posts what arrives.
role warehouse-lead | Warehouse lead | Lagerleiter | Jefe de almacén | Answers for tanks, racks and returns.
role logistics-planner | Logistics planner | Logistikplaner | Planificador logístico | Plans bays, trucks and freight.
role quality-inspector | Quality inspector | Qualitätsprüfer | Inspector de calidad | Tests batches and decides on their release.
group finance | Finance | Finanzen | Finanzas
role accounts-clerk | Accounts payable clerk | Kreditorenbuchhalter | Contable de proveedores | Captures, matches and posts invoices.
role accounts-lead | Accounts payable lead | Leiter Kreditoren | Jefe de cuentas a pagar | Clears blocked invoices and closes the period.
role treasurer | Treasurer | Treasurer | Tesorero | Pays, and keeps the banks in order.
role tax-specialist | Tax specialist | Steuerfachkraft | Especialista fiscal | Decides on tax codes and evidence.
group support | Support | Unterstützung | Soporte
role data-steward | Master data steward | Stammdatenpfleger | Gestor de datos maestros | Keeps one true record per supplier.
role system-owner | System owner | Systemverantwortlicher | Responsable de sistema | Answers for availability and access of a system.
role process-owner | Process owner | Prozessverantwortlicher | Responsable de proceso | Answers for the result of a process from end to end.
`;

/** group: key | name in three languages. application: the same, description, cloud or site, users. interface: from > to | description */
export const systemRows = `
group core | Core systems | Kernsysteme | Sistemas centrales
application erp | ERP core | ERP-Kern | Núcleo ERP | Orders, receipts, invoices and the ledger. | site | 1450
application planning | Planning board | Planungstafel | Panel de planificación | Production plan and needs of raw material. | site | 120
application warehouse-system | Warehouse system | Lagersystem | Sistema de almacén | Tanks, racks, bays and movements. | site | 260
application laboratory-system | Laboratory system | Laborsystem | Sistema de laboratorio | Samples, tests and release of batches. | site | 85
application master-data-hub | Master data hub | Stammdatenzentrale | Central de datos maestros | Suppliers and materials, one record each. | cloud | 40
group procurement-systems | Procurement systems | Einkaufssysteme | Sistemas de compras
application catalogue-shop | Catalogue shop | Katalogshop | Tienda de catálogo | Small items at agreed prices. | cloud | 900
application sourcing-portal | Sourcing portal | Ausschreibungsportal | Portal de licitaciones | Requests, bids and decisions. | cloud | 75
application supplier-portal | Supplier portal | Lieferantenportal | Portal de proveedores | Confirmations, notices and self-assessments. | cloud | 640
application contract-archive | Contract archive | Vertragsarchiv | Archivo de contratos | Signed contracts and their terms. | cloud | 110
application approval-workflow | Approval workflow | Freigabeablauf | Flujo de aprobación | Who approves what, with deputies. | cloud | 1300
group finance-systems | Finance systems | Finanzsysteme | Sistemas financieros
application invoice-capture | Invoice capture | Rechnungserfassung | Captura de facturas | Reads invoices, whatever their form. | cloud | 35
application payment-hub | Payment hub | Zahlungszentrale | Central de pagos | Proposals, signatures and files. | site | 18
application bank-gateway | Bank gateway | Bankzugang | Pasarela bancaria | Files to the banks, statements back. | cloud | 9
group support-systems | Support systems | Unterstützende Systeme | Sistemas de soporte
application data-warehouse | Data warehouse | Datenlager | Almacén de datos | Five years of purchasing, daily. | cloud | 60
application analytics | Analytics | Auswertungen | Analítica | Dashboards of spend, time and quality. | cloud | 420
application document-archive | Document archive | Dokumentenarchiv | Archivo documental | What has to be kept, unchanged. | site | 700
application quality-system | Quality system | Qualitätssystem | Sistema de calidad | Complaints, audits and actions. | cloud | 210
application safety-library | Safety library | Sicherheitsbibliothek | Biblioteca de seguridad | Safety data sheets of every substance. | cloud | 1450
application transport-board | Transport board | Transportbörse | Bolsa de transporte | Freight orders, rates and times. | cloud | 55
application ticket-desk | Ticket desk | Anfragenstelle | Mesa de consultas | Questions of suppliers and plants. | cloud | 300
group connections | Interfaces | Schnittstellen | Interfaces
interface planning > erp | Needs of raw material, hourly.
interface catalogue-shop > erp | Requisitions of small items, at once.
interface erp > supplier-portal | Orders out, confirmations back.
interface warehouse-system > erp | Goods movements, every minute.
interface laboratory-system > warehouse-system | Release of batches, at once.
interface invoice-capture > erp | Read invoices with their image.
interface erp > payment-hub | Approved payment proposals.
interface payment-hub > bank-gateway | Signed payment files.
interface master-data-hub > erp | Suppliers and materials, nightly and on change.
interface erp > data-warehouse | Documents of the day, nightly.
interface data-warehouse > analytics | Prepared figures, at six in the morning.
`;
