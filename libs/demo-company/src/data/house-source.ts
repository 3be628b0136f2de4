/**
 * The area "source to contract" of the process house, and how a house is written down: area | group: id | name in three
 * languages | description in three languages process: the same, then the role that executes it and the systems that it
 * uses below a process: an activity, a colon, its tasks; each a verb and a noun of words.ts
 */
export const sourceRows = `
area source | Source to contract | Von der Ausschreibung zum Vertrag | De la licitación al contrato | Everything that leads to an agreed price and a signed contract. | Alles, was zu vereinbartem Preis und unterschriebenem Vertrag führt. | Todo lo que conduce a un precio acordado y un contrato firmado.
group source.category-management | Category management | Warengruppenmanagement | Gestión de categorías | Resins, pigments, solvents and packaging, each with a plan. | Harze, Pigmente, Lösemittel und Verpackung, je mit einem Plan. | Resinas, pigmentos, disolventes y envases, cada uno con su plan.
process source.category-management.analyse-spend | Analyse spend | Ausgaben analysieren | Analizar el gasto | Shows by material group where the money goes. | Zeigt je Warengruppe, wohin das Geld fließt. | Muestra por grupo de materiales adónde va el dinero. | category-manager | data-warehouse,analytics
collect spend report: assign cost centre, correct deviation
publish spend report: calculate savings, send spend report
process source.category-management.define-strategy | Define category strategy | Warengruppenstrategie festlegen | Definir la estrategia de categoría | Sets targets and levers for the next three years. | Legt Ziele und Hebel für drei Jahre fest. | Fija objetivos y palancas para tres años. | category-manager | sourcing-portal,document-archive
evaluate supplier: collect scorecard, check contract, evaluate price list
create category strategy: plan savings, approve category strategy
process source.category-management.track-savings | Track savings | Einsparungen verfolgen | Seguir los ahorros | Proves each saving in the ledger, not on slides. | Weist jede Einsparung im Hauptbuch nach. | Demuestra cada ahorro en la contabilidad. | procurement-manager | analytics
calculate savings: check price list, confirm savings
publish savings: forward deviation, confirm savings
group source.tendering | Tendering | Ausschreibung | Licitación | From the request to the decision, with equal chances for all bidders. | Von der Anfrage zur Entscheidung, mit gleichen Chancen für alle Bieter. | De la petición a la decisión, con igualdad de oportunidades.
process source.tendering.request-quotations | Request quotations | Angebote einholen | Solicitar ofertas | At least three bidders above 25,000 EUR. | Mindestens drei Bieter ab 25.000 EUR. | Al menos tres licitadores a partir de 25.000 EUR. | strategic-buyer | sourcing-portal
create request for quotation: check specification, select supplier
send request for quotation: confirm bid, forward specification
collect bid: check bid, archive bid
process source.tendering.compare-bids | Compare bids | Angebote vergleichen | Comparar ofertas | Total cost with freight, duty and payment terms. | Gesamtkosten mit Fracht, Zoll und Zahlungsbedingungen. | Coste total con flete, aduana y condiciones de pago. | strategic-buyer | sourcing-portal,analytics
create bid comparison: check payment terms, calculate transport
evaluate bid: request sample, inspect sample, check specification
process source.tendering.award-business | Award business | Auftrag vergeben | Adjudicar el negocio | The decision is made by two people and is written down. | Zwei Personen entscheiden, schriftlich. | Deciden dos personas y queda por escrito. | procurement-manager | sourcing-portal,approval-workflow
approve award decision: check bid comparison, confirm budget
publish award decision: send award decision, archive bid comparison
group source.contracts | Contracts | Verträge | Contratos | Framework agreements, prices and their renewal. | Rahmenverträge, Preise und ihre Verlängerung. | Contratos marco, precios y su renovación.
process source.contracts.negotiate-contract | Negotiate contract | Vertrag verhandeln | Negociar el contrato | Targets first, then price, liability and volume. | Erst Ziele, dann Preis, Haftung und Menge. | Primero objetivos; luego precio, responsabilidad y volumen. | contract-manager | contract-archive,document-archive
plan contract: check specification, check payment terms, collect quotation
negotiate price list: negotiate payment terms, confirm delivery schedule
approve contract: check approval limit, archive contract
process source.contracts.maintain-prices | Maintain price lists | Preislisten pflegen | Mantener las listas de precios | Raw material prices follow their index every quarter. | Rohstoffpreise folgen vierteljährlich ihrem Index. | Los precios siguen su índice cada trimestre. | buyer | erp,contract-archive
update price list: check contract, enter price list
approve price list: release price list, publish price list
process source.contracts.renew-contract | Renew contract | Vertrag verlängern | Renovar el contrato | Ninety days before the end the decision is taken. | Neunzig Tage vor Ablauf wird entschieden. | Noventa días antes del vencimiento se decide. | contract-manager | contract-archive
monitor contract: evaluate supplier, check savings
update contract: negotiate contract, send contract
`;
