/** The area "supplier management" of the process house; house-source.ts says how it is written down. */
export const supplierRows = `
area suppliers | Supplier management | Lieferantenmanagement | Gestión de proveedores | Knowing the suppliers, their strengths and their risks. | Die Lieferanten kennen, mit Stärken und Risiken. | Conocer a los proveedores, sus fortalezas y riesgos.
group suppliers.onboarding | Onboarding | Aufnahme | Incorporación | From the first contact to the first order. | Vom ersten Kontakt zur ersten Bestellung. | Del primer contacto al primer pedido.
process suppliers.onboarding.qualify-supplier | Qualify supplier | Lieferanten zulassen | Homologar al proveedor | Quality, safety and solvency are proved before the first order. | Qualität, Sicherheit und Bonität sind vor der ersten Bestellung belegt. | Calidad, seguridad y solvencia se acreditan antes del primer pedido. | supplier-manager | supplier-portal,quality-system
request self-assessment: check self-assessment, check sanctions list
evaluate supplier: inspect sample, create scorecard
approve supplier: confirm supplier, block supplier, archive self-assessment
process suppliers.onboarding.create-record | Create supplier record | Lieferanten anlegen | Crear la ficha del proveedor | One record per supplier, checked by a second person. | Ein Stammsatz je Lieferant, von zweiter Hand geprüft. | Una ficha por proveedor, revisada por otra persona. | data-steward | master-data-hub
enter supplier record: check tax code, check payment terms, enter bank details
release supplier record: publish supplier record, forward supplier record
process suppliers.onboarding.change-bank-details | Change bank details | Bankverbindung ändern | Cambiar datos bancarios | Never without a call to a known number. | Nie ohne Rückruf an eine bekannte Nummer. | Nunca sin llamar a un número conocido. | data-steward | master-data-hub,approval-workflow
check bank details: confirm bank details, block payment
update bank details: approve bank details, confirm bank details
group suppliers.performance | Performance | Leistung | Rendimiento | What was promised against what was delivered. | Zugesagt gegen geliefert. | Lo prometido frente a lo entregado.
process suppliers.performance.rate-suppliers | Rate suppliers | Lieferanten bewerten | Evaluar proveedores | Twice a year, with the same scale for everyone. | Zweimal im Jahr, mit gleichem Maßstab. | Dos veces al año, con la misma escala. | supplier-manager | analytics,supplier-portal
collect scorecard: calculate deviation, evaluate delivery, evaluate complaint
publish scorecard: send scorecard, create action plan
process suppliers.performance.audit-supplier | Audit supplier | Lieferanten auditieren | Auditar al proveedor | On site every three years for critical raw materials. | Alle drei Jahre vor Ort bei kritischen Rohstoffen. | In situ cada tres años para materias primas críticas. | auditor | quality-system,document-archive
plan audit plan: send audit plan, confirm audit plan
create audit report: evaluate self-assessment, approve audit report
monitor action plan: close action plan, check action plan
process suppliers.performance.handle-complaints | Handle complaints | Reklamationen bearbeiten | Gestionar reclamaciones | An answer in two days, a cause in ten. | Antwort in zwei Tagen, Ursache in zehn. | Respuesta en dos días, causa en diez. | quality-inspector | quality-system,ticket-desk
enter complaint: block batch, send complaint, request test result
close complaint: check action plan, archive complaint
group suppliers.compliance | Compliance | Regelkonformität | Cumplimiento | Law, safety and conduct along the supply chain. | Recht, Sicherheit und Verhalten in der Lieferkette. | Ley, seguridad y conducta en la cadena de suministro.
process suppliers.compliance.screen-suppliers | Screen suppliers | Lieferanten überprüfen | Examinar proveedores | Every night against the lists in force. | Jede Nacht gegen die geltenden Listen. | Cada noche contra las listas vigentes. | compliance-officer | master-data-hub
update sanctions list: check supplier record, publish sanctions list
clarify deviation: block supplier, release supplier
process suppliers.compliance.collect-safety-data | Collect safety data | Sicherheitsdaten sammeln | Recopilar datos de seguridad | No substance enters a plant without a valid sheet. | Kein Stoff kommt ohne gültiges Blatt ins Werk. | Ninguna sustancia entra sin ficha vigente. | hazard-officer | safety-library
request safety data sheet: check safety data sheet, archive safety data sheet
publish safety data sheet: label tank, send safety data sheet
`;
