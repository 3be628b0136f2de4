/**
 * The words that names of activities and tasks are made of, in English, German and Spanish. A noun is given as the
 * object of a sentence, with its article; `{o}` in a sentence is that object.
 */

/** key | English | German | Spanish */
export const nounRows = `
action plan | the action plan | den Maßnahmenplan | el plan de acción
approval limit | the approval limit | die Freigabegrenze | el límite de aprobación
audit plan | the audit plan | den Auditplan | el plan de auditoría
audit report | the audit report | den Auditbericht | el informe de auditoría
award decision | the award decision | die Vergabeentscheidung | la decisión de adjudicación
balance confirmation | the balance confirmation | die Saldenbestätigung | la confirmación de saldo
bank details | the bank details | die Bankverbindung | los datos bancarios
bank file | the bank file | die Bankdatei | el fichero bancario
batch | the batch | die Charge | el lote
bid | the bid | das Gebot | la oferta recibida
bid comparison | the bid comparison | den Angebotsvergleich | el comparativo de ofertas
blocked invoice | the blocked invoice | die gesperrte Rechnung | la factura bloqueada
budget | the budget | das Budget | el presupuesto
cash discount | the cash discount | das Skonto | el descuento por pronto pago
catalogue item | the catalogue item | den Katalogartikel | el artículo de catálogo
category strategy | the category strategy | die Warengruppenstrategie | la estrategia de categoría
complaint | the complaint | die Reklamation | la reclamación
contract | the contract | den Vertrag | el contrato
cost centre | the cost centre | die Kostenstelle | el centro de coste
credit note | the credit note | die Gutschrift | la nota de crédito
delivery | the delivery | die Lieferung | la entrega
delivery note | the delivery note | den Lieferschein | el albarán
delivery schedule | the delivery schedule | den Lieferplan | el plan de entregas
deviation | the deviation | die Abweichung | la desviación
dunning letter | the dunning letter | die Mahnung | la carta de reclamación
forecast | the forecast | die Bedarfsprognose | la previsión
freight invoice | the freight invoice | die Frachtrechnung | la factura de transporte
goods receipt | the goods receipt | den Wareneingang | la entrada de mercancía
hazardous goods papers | the hazardous goods papers | die Gefahrgutpapiere | los documentos de mercancías peligrosas
invoice | the invoice | die Rechnung | la factura
open items | the open items | die offenen Posten | las partidas abiertas
order | the order | die Bestellung | el pedido
order confirmation | the order confirmation | die Auftragsbestätigung | la confirmación del pedido
payment | the payment | die Zahlung | el pago
payment proposal | the payment proposal | den Zahlungsvorschlag | la propuesta de pago
payment terms | the payment terms | die Zahlungsbedingungen | las condiciones de pago
price list | the price list | die Preisliste | la lista de precios
accrual | the accrual | die Rückstellung | la provisión
quotation | the quotation | das Angebot | la cotización
raw material list | the raw material list | die Rohstoffliste | la lista de materias primas
remittance advice | the remittance advice | das Zahlungsavis | el aviso de pago
request for quotation | the request for quotation | die Anfrage | la petición de oferta
requisition | the requisition | die Bedarfsanforderung | la solicitud de compra
return slip | the return slip | den Rücklieferschein | el albarán de devolución
safety data sheet | the safety data sheet | das Sicherheitsdatenblatt | la ficha de seguridad
sample | the sample | die Probe | la muestra
sanctions list | the sanctions list | die Sanktionsliste | la lista de sanciones
savings | the savings | die Einsparungen | los ahorros
scorecard | the scorecard | die Bewertungskarte | la ficha de puntuación
self-assessment | the self-assessment | die Selbstauskunft | la autoevaluación
specification | the specification | die Spezifikation | la especificación
spend report | the spend report | den Ausgabenbericht | el informe de gasto
stock level | the stock level | den Bestand | el nivel de existencias
supplier | the supplier | den Lieferanten | al proveedor
supplier record | the supplier record | den Lieferantenstammsatz | la ficha del proveedor
tank | the tank | den Tank | el depósito
tax code | the tax code | das Steuerkennzeichen | el código de impuesto
test result | the test result | das Prüfergebnis | el resultado del ensayo
transport | the transport | den Transport | el transporte
unloading bay | the unloading bay | die Entladestelle | el muelle de descarga
`;

/** key | English | German | Spanish | what is done, in the same order */
export const verbRows = `
check | Check | prüfen | Comprobar | Compare {o} with the documents at hand and note what differs. | {o} mit den Unterlagen vergleichen und Unterschiede festhalten. | Comparar {o} con la documentación y anotar las diferencias.
enter | Enter | erfassen | Registrar | Enter {o} with all mandatory fields and attach the document. | {o} mit allen Pflichtfeldern erfassen und den Beleg anhängen. | Registrar {o} con todos los campos obligatorios y adjuntar el documento.
create | Create | anlegen | Crear | Create {o} from the template of the material group. | {o} nach der Vorlage der Warengruppe anlegen. | Crear {o} con la plantilla del grupo de materiales.
approve | Approve | freigeben | Aprobar | Approve {o} within the limits of the signature rule. | {o} im Rahmen der Unterschriftenregel freigeben. | Aprobar {o} dentro de los límites de firma.
send | Send | versenden | Enviar | Send {o} to the partner and keep the receipt. | {o} an den Partner versenden und den Nachweis ablegen. | Enviar {o} al socio y guardar el justificante.
confirm | Confirm | bestätigen | Confirmar | Confirm {o} in writing within one working day. | {o} innerhalb eines Arbeitstages schriftlich bestätigen. | Confirmar {o} por escrito en un día laborable.
request | Request | anfordern | Solicitar | Request {o} and set a date for the answer. | {o} anfordern und einen Termin für die Antwort setzen. | Solicitar {o} y fijar una fecha de respuesta.
assign | Assign | zuordnen | Asignar | Assign {o} to the plant and the material group it belongs to. | {o} dem Werk und der Warengruppe zuordnen. | Asignar {o} a la planta y al grupo de materiales.
clarify | Clarify | klären | Aclarar | Clarify {o} with the plant and write the outcome down. | {o} mit dem Werk klären und das Ergebnis festhalten. | Aclarar {o} con la planta y anotar el resultado.
correct | Correct | korrigieren | Corregir | Correct {o} and give the reason for the change. | {o} korrigieren und den Grund der Änderung angeben. | Corregir {o} e indicar el motivo del cambio.
archive | Archive | archivieren | Archivar | Archive {o} for ten years, protected against change. | {o} zehn Jahre unveränderbar archivieren. | Archivar {o} durante diez años sin posibilidad de cambio.
update | Update | aktualisieren | Actualizar | Bring {o} up to date and tell those who rely on it. | {o} aktualisieren und die Betroffenen unterrichten. | Actualizar {o} e informar a quienes dependen de ello.
plan | Plan | planen | Planificar | Plan {o} for the coming four weeks. | {o} für die nächsten vier Wochen planen. | Planificar {o} para las próximas cuatro semanas.
negotiate | Negotiate | verhandeln | Negociar | Negotiate {o} along the agreed targets. | {o} entlang der vereinbarten Ziele verhandeln. | Negociar {o} según los objetivos acordados.
evaluate | Evaluate | bewerten | Evaluar | Evaluate {o} by price, quality, delivery and risk. | {o} nach Preis, Qualität, Termin und Risiko bewerten. | Evaluar {o} por precio, calidad, plazo y riesgo.
select | Select | auswählen | Seleccionar | Select {o} that fits the need best and say why. | {o} nach bester Eignung auswählen und begründen. | Seleccionar {o} que mejor se ajuste y justificarlo.
inspect | Inspect | untersuchen | Inspeccionar | Inspect {o} by the test plan of the raw material. | {o} nach dem Prüfplan des Rohstoffs untersuchen. | Inspeccionar {o} según el plan de ensayo de la materia prima.
post | Post | buchen | Contabilizar | Post {o} in the period to which it belongs. | {o} in der richtigen Periode buchen. | Contabilizar {o} en el periodo que corresponde.
label | Label | kennzeichnen | Etiquetar | Label {o} with material, quantity and hazard class. | {o} mit Material, Menge und Gefahrenklasse kennzeichnen. | Etiquetar {o} con material, cantidad y clase de peligro.
release | Release | freischalten | Liberar | Release {o} once all checks are passed. | {o} nach bestandenen Prüfungen freischalten. | Liberar {o} una vez superadas las comprobaciones.
block | Block | sperren | Bloquear | Block {o} until the open question is answered. | {o} sperren, bis die offene Frage beantwortet ist. | Bloquear {o} hasta resolver la cuestión pendiente.
calculate | Calculate | berechnen | Calcular | Calculate {o} from the posted figures. | {o} aus den gebuchten Werten berechnen. | Calcular {o} a partir de las cifras contabilizadas.
match | Match | abgleichen | Conciliar | Match {o} with order and receipt, line by line. | {o} zeilenweise mit Bestellung und Wareneingang abgleichen. | Conciliar {o} con pedido y entrada, línea por línea.
forward | Forward | weiterleiten | Reenviar | Forward {o} to whoever has to decide. | {o} an die entscheidende Stelle weiterleiten. | Reenviar {o} a quien deba decidir.
collect | Collect | sammeln | Recopilar | Collect {o} from all plants by the fifth working day. | {o} bis zum fünften Arbeitstag aus allen Werken sammeln. | Recopilar {o} de todas las plantas antes del quinto día laborable.
publish | Publish | veröffentlichen | Publicar | Publish {o} where everybody concerned finds it. | {o} für alle Beteiligten auffindbar veröffentlichen. | Publicar {o} donde lo encuentren los interesados.
monitor | Monitor | überwachen | Supervisar | Watch {o} daily and react when a limit is passed. | {o} täglich überwachen und bei Grenzwerten eingreifen. | Supervisar {o} a diario y actuar si se supera un límite.
close | Close | abschließen | Cerrar | Close {o} when nothing is left to do. | {o} abschließen, wenn nichts mehr offen ist. | Cerrar {o} cuando no quede nada pendiente.
`;
