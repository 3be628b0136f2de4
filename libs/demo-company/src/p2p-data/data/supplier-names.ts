/** Parts of suppliers' names, by country, and the texts that stand beside orders. */

/** country | dialling code | families | trades | legal forms | cities */
export const supplierNameRows = `
DE | 49 | Bäcker, Groß, Jäger, Köhler, Schäfer, Weiß, Vogel, Brückner | Chemie, Handel, Technik, Farbstoffe, Industriebedarf | GmbH, GmbH & Co. KG, AG, e. K. | Nürnberg, Düsseldorf, Lübeck, Gießen, Leipzig
ES | 34 | Ibáñez, Muñoz, Peña, Núñez, Garrido, Cortés, Yáñez | Químicas, Suministros, Embalajes, Servicios | S.A., S.L. | Castellón, Gijón, A Coruña, Málaga, Alcalá de Henares
NL | 31 | De Wit, Van den Berg, Ten Hove, Kuijpers, 't Hooft | Chemie, Verpakkingen, Logistiek, Techniek | B.V., N.V. | Delft, 's-Hertogenbosch, Venlo, Zwijndrecht
FR | 33 | Dupré, Châtelain, Lefranc, Noël, Hébert | Chimie, Emballages, Fournitures, Transports | S.A.S., S.A.R.L. | Béthune, Orléans, Besançon, Nîmes
PL | 48 | Wójcik, Zieliński, Gołąb, Żak, Śliwa | Opakowania, Chemia, Serwis | Sp. z o.o., S.A. | Poznań, Gdańsk, Wrocław, Toruń
IT | 39 | Esposito, Rossi, Dell'Acqua, Niccolò, Ferrù | Chimica, Imballaggi, Forniture | S.r.l., S.p.A. | Forlì, Cantù, Torino, Verona
PT | 351 | Conceição, Magalhães, Brandão, Simões | Químicos, Embalagens, Serviços | Lda., S.A. | Setúbal, Guimarães, Braga
DK | 45 | Bjørn, Kjær, Nørgaard, Østergård | Kemi, Emballage, Teknik | A/S, ApS | Århus, Køge, Odense
CZ | 420 | Růžička, Němec, Říha, Šťastný | Chemie, Obaly, Servis | s.r.o., a.s. | Plzeň, Ústí nad Labem, Brno
TR | 90 | Öztürk, Yıldız, Çelik, Şahin | Kimya, Ambalaj | A.Ş., Ltd. Şti. | İzmir, Gebze, Bursa
`;

export const shortNotes = `
Bitte Avis 24 Stunden vorher.
Deliver to gate 3, ask for the shift lead.
Entregar solo por la mañana, de 7:00 a 11:30.
Teillieferung erlaubt; "Charge" auf dem Lieferschein angeben.
Prices as agreed on the phone, see contract.
Graag leveren met laadklep.
Rücksprache mit dem Labor, bevor abgefüllt wird.
Urgente: parada de línea.
`;

export const longNoteParagraphs = `
Die Lieferung erfolgt frei Haus, entladen durch den Empfänger. Gefahrgut ist nach ADR zu kennzeichnen; das Sicherheitsdatenblatt in der Sprache des Werks liegt jeder Lieferung bei, auch wenn es sich seit der letzten nicht geändert hat.
The supplier confirms quantity, price and date within two working days. Without a confirmation the order counts as accepted as it stands; a change of price after that needs a new approval by the cost centre, and the invoice waits for it.
El proveedor garantiza que el lote entregado corresponde al certificado de análisis. Las desviaciones de color superiores a ΔE 0,5 se rechazan, y los gastos de devolución corren a cargo del proveedor.
Rechnungen gehen ausschließlich an die Kreditorenbuchhaltung, je Bestellung eine, mit Bestellnummer und Position. Eine Rechnung ohne diese Angaben gilt als nicht zugegangen: die Frist für Skonto beginnt erst mit der berichtigten.
Pallets and intermediate bulk containers are exchanged one for one. What cannot be exchanged is noted on the delivery note – "open: 3 pallets" – and settled at the end of the quarter; small differences (< 5 pieces) are not followed up.
`;
