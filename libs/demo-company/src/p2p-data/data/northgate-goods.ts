/**
 * What Northgate buys for its cold stores: other plants, groups and suppliers than those of Meridian Coatings, under
 * some of the same codes.
 */

/** As those of Meridian Coatings. */
export const northgatePlants = `
1010 | Tromsø | 1000 | NO | 60 | Lina Hail
1020 | Kiruna | 1000 | SE | 40 | Edda Storm
`;

export const northgateCategories = `
growers | P100 | 60 | Edda Storm
cooling | P300 | 40 | Kurt Frost
`;

export const northgateGoods = `
group | BER | Berries | growers
B-1 | Blåbär, frysta, pall | PC | 410.00 | 620.00 | 20
B-2 | Tyttebær, kasse | PC | 18.50 | 27.00 | 300
group | FIS | Fish | growers
B-3 | Torsk, filet, 10 kg | PC | 88.00 | 131.00 | 120
group | MRO | Cooling units | cooling
C-1 | Verdichter, überholt | PC | 2100.00 | 3900.00 | 2
 | Wartung Kühlzelle, Stunde | HUR | 92.00 | 120.00 | 30
group | DRY | Dry ice | cooling
C-2 | Trockeneis, Block | KG | 1.10 | 1.60 | 1500
`;

export const northgateLateSuppliers = `
Nordlys Bær AS | NO | Alta | growers
Fjällfisk Ekonomisk Förening | SE | Luleå | growers
Kältetechnik Polarkreis KG | DE | Kiel | cooling
`;

export const northgateSupplierNames = `
NO | 47 | Bakke, Hågensen, Løvås, Strøm | Frukt, Fisk, Kjøling | AS, ANS | Bodø, Hammerfest, Narvik
SE | 46 | Åkerlund, Sjöberg, Hägg, Lundström | Bär, Kyla, Lager | AB, HB | Gällivare, Umeå, Piteå
`;
