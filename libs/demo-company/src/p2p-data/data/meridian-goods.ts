/** What Meridian Coatings buys, where, and on which terms. */

/** code | name | company code | country | share of orders in percent | who posts goods receipts */
export const meridianPlants = `
1010 | Hamburg | 1000 | DE | 38 | Uwe Hansen
1020 | Ludwigshafen | 1000 | DE | 27 | Kevin Albrecht
2010 | Valencia | 2000 | ES | 20 | Rosa Molina
3010 | Rotterdam | 3000 | NL | 15 | Joris Smit
`;

/** key | purchasing organisation | share of suppliers in percent | buyers */
export const meridianCategories = `
resins | P100 | 18 | Marco Benedetti, Svenja Brandt, Miriam Vogt
pigments | P100 | 15 | Fatma Yilmaz, Tobias Kranz
solvents | P100 | 12 | Lotte Jansen, Henrik Sørensen
packaging | P200 | 20 | Diego Serrano, Lucía Navarro
indirect | P300 | 35 | Georg Wagner, Ingrid Thomsen
`;

/** group code | name | category, then its materials: number or nothing | description | unit | prices from | to | most at once */
export const meridianGoods = `
group | RES | Resins and binders | resins
R-1001 | Epoxidharz E-44, Fass 200 kg | KG | 2.85 | 4.10 | 8000
R-1002 | Acrylic dispersion AD 50, IBC | KG | 1.42 | 2.05 | 12000
R-1003 | Resina alquídica media en aceite | KG | 1.95 | 2.70 | 6000
R-1004 | Polyurethane hardener HX-75 | KG | 5.20 | 7.45 | 2400
group | ADD | Additives | resins
R-2001 | Entschäumer, silikonfrei | KG | 6.10 | 9.80 | 600
R-2002 | Wetting agent WA-12 | KG | 8.40 | 12.60 | 400
R-2003 | Verdickungsmittel "Typ K" | KG | 7.15 | 9.35 | 500
group | PIG | Pigments | pigments
P-1001 | Titandioxid, Rutil | KG | 2.60 | 3.55 | 15000
P-1002 | Iron oxide red, micronised | KG | 1.75 | 2.40 | 5000
P-1003 | Azul ultramar | KG | 3.90 | 5.30 | 1200
P-1004 | Ruß, hochfarbig | KG | 4.80 | 6.90 | 900
group | FIL | Fillers | pigments
P-2001 | Calciumcarbonat, 5 µm | KG | 0.18 | 0.31 | 24000
P-2002 | Talc, "Extra White" | KG | 0.42 | 0.66 | 9000
group | SOL | Solvents | solvents
S-1001 | Butylacetaat 98 % | L | 1.10 | 1.65 | 10000
S-1002 | Isopropanol, technisch | L | 0.95 | 1.40 | 8000
S-1003 | Disolvente nitro, bidón 200 l | L | 1.25 | 1.80 | 4000
S-1004 | White spirit, low aromatic | L | 0.88 | 1.22 | 9000
group | CAN | Cans and drums | packaging
V-1001 | Weißblechdose 2,5 l mit Deckel | PC | 0.92 | 1.35 | 20000
V-1002 | Cubo de plástico 15 l, tapa roja | PC | 2.10 | 2.95 | 6000
V-1003 | Steel drum 200 l, lined | PC | 31.00 | 44.00 | 400
group | LBL | Labels and cartons | packaging
V-2001 | Etiketten, vierfarbig, Rolle zu 2.000 | PC | 38.00 | 61.00 | 120
V-2002 | Karton für 6 Dosen | PC | 0.55 | 0.84 | 9000
V-2003 | Etiqueta de peligro GHS, 100 × 100 mm | PC | 0.06 | 0.11 | 25000
group | PAL | Pallets | packaging
V-3001 | Europalette, neu | PC | 11.20 | 16.40 | 600
V-3002 | Stretchfolie 23 µm | PC | 8.10 | 12.70 | 300
group | MRO | Maintenance and spare parts | indirect
M-1001 | Dichtungssatz für Rührwerk RW 3 | PC | 84.00 | 190.00 | 12
M-1002 | Bomba dosificadora, repuesto | PC | 310.00 | 940.00 | 4
M-1003 | Ball valve DN 50, stainless | PC | 62.00 | 118.00 | 20
 | Wartung der Abfüllanlage, Stunde | HUR | 78.00 | 112.00 | 40
group | LAB | Laboratory supplies | indirect
L-1001 | Glasplatten für Aufzüge, 100 Stück | PC | 41.00 | 66.00 | 30
L-1002 | Viscosity cups, calibrated | PC | 95.00 | 160.00 | 10
L-1003 | Guantes de nitrilo, caja de 100 | PC | 6.80 | 11.50 | 200
group | MKT | Marketing and trade fairs | indirect
 | Messestand, Auf- und Abbau | HUR | 55.00 | 85.00 | 160
 | Carta de colores, impresión | PC | 0.90 | 2.40 | 5000
 | Photo shoot, day | DAY | 850.00 | 1900.00 | 4
group | ITC | IT and telecommunication | indirect
I-1001 | Notebook 14", 32 GB | PC | 1090.00 | 1480.00 | 20
 | Consultoría de sistemas, hora | HUR | 88.00 | 145.00 | 120
I-1002 | Barcode-Scanner, ATEX | PC | 640.00 | 980.00 | 8
group | FAC | Facility services | indirect
 | Schoonmaak productiehal, maand | MON | 1900.00 | 4200.00 | 3
 | Winterdienst, Einsatz | PC | 140.00 | 260.00 | 12
F-1001 | Arbeitsschutzschuhe S3 | PC | 54.00 | 92.00 | 60
group | FRT | Freight and warehousing | indirect
 | Transporte ADR Valencia – Róterdam | PC | 1350.00 | 2150.00 | 6
 | Lagerung Gefahrstoffe, Palette und Monat | PC | 9.50 | 14.00 | 400
`;

/** The suppliers whose invoices are paid late most of the time: name | country | city | category */
export const meridianSlowlyPaidSuppliers = `
Färberei Müller & Söhne GmbH | DE | Köln | pigments
Harzwerke Oberlausitz AG | DE | Görlitz | resins
Envases del Turia, S.A. | ES | Valencia | packaging
Químicas Peñarroya, S.L. | ES | Cartagena | solvents
Van der Heijden "Verpakkingen" B.V. | NL | Breda | packaging
Oplosmiddelen Zuid-Holland B.V. | NL | Dordrecht | solvents
Établissements Lefèvre & Fils S.A.S. | FR | Rouen | pigments
Łódzkie Opakowania Sp. z o.o. | PL | Łódź | packaging
Imballaggi Fratelli D'Angelo S.r.l. | IT | Bergamo | packaging
Sørensen Kemi A/S | DK | Ålborg | resins
Tintas e Resinas São João, Lda. | PT | Aveiro | resins
Dvořák Pigmenty s.r.o. | CZ | Přerov | pigments
`;

/** code | discount in percent | days to earn it | days to pay | share of the other suppliers in percent */
export const paymentTermRows = `
Z030 | | | 30 | 40
Z045 | | | 45 | 20
Z060 | | | 60 | 12
D214 | 2 | 14 | 30 | 18
D210 | 2 | 10 | 45 | 10
D314 | 3 | 14 | 45 | 0
`;
