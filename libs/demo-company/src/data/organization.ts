/** The organisation and the people of Meridian Coatings, and the sites that the large demo adds. */

/** location: key | name | country | employees | plant or office. unit: key | parent | name in three languages | location */
export const organizationRows = `
unit meridian | | Meridian Coatings | Meridian Coatings | Meridian Coatings | hamburg
unit board | meridian | Management board | Geschäftsführung | Dirección general | hamburg
unit procurement | meridian | Procurement | Einkauf | Compras | hamburg
unit raw-materials | procurement | Raw materials | Rohstoffe | Materias primas | hamburg
unit resins | raw-materials | Resins and binders | Harze und Bindemittel | Resinas y ligantes | hamburg
unit pigments | raw-materials | Pigments and fillers | Pigmente und Füllstoffe | Pigmentos y cargas | ludwigshafen
unit solvents | raw-materials | Solvents | Lösemittel | Disolventes | rotterdam
unit packaging | procurement | Packaging | Verpackung | Envases | valencia
unit indirect | procurement | Indirect purchasing | Indirekter Einkauf | Compras indirectas | hamburg
unit supplier-quality | procurement | Supplier quality | Lieferantenqualität | Calidad de proveedores | ludwigshafen
unit finance | meridian | Finance | Finanzen | Finanzas | hamburg
unit accounts-payable | finance | Accounts payable | Kreditorenbuchhaltung | Cuentas a pagar | porto
unit treasury | finance | Treasury | Treasury | Tesorería | hamburg
unit tax | finance | Tax | Steuern | Impuestos | hamburg
unit controlling | finance | Controlling | Controlling | Control de gestión | hamburg
unit operations | meridian | Operations | Betrieb | Operaciones | hamburg
unit plant-hamburg | operations | Plant Hamburg | Werk Hamburg | Planta de Hamburgo | hamburg
unit plant-ludwigshafen | operations | Plant Ludwigshafen | Werk Ludwigshafen | Planta de Ludwigshafen | ludwigshafen
unit plant-valencia | operations | Plant Valencia | Werk Valencia | Planta de Valencia | valencia
unit plant-rotterdam | operations | Plant Rotterdam | Werk Rotterdam | Planta de Róterdam | rotterdam
unit planning | operations | Production planning | Produktionsplanung | Planificación de producción | hamburg
unit logistics | operations | Logistics | Logistik | Logística | rotterdam
unit laboratory | operations | Central laboratory | Zentrallabor | Laboratorio central | ludwigshafen
unit safety | operations | Safety and environment | Sicherheit und Umwelt | Seguridad y medio ambiente | ludwigshafen
unit technology | meridian | Information technology | Informationstechnik | Tecnologías de la información | hamburg
unit applications | technology | Applications | Anwendungen | Aplicaciones | hamburg
unit data | technology | Data and analytics | Daten und Auswertungen | Datos y analítica | porto
unit compliance | board | Compliance and audit | Compliance und Revision | Cumplimiento y auditoría | hamburg
location hamburg | Hamburg | DE | 620 | plant
location ludwigshafen | Ludwigshafen | DE | 410 | plant
location valencia | Valencia | ES | 280 | plant
location rotterdam | Rotterdam | NL | 190 | plant
location porto | Porto | PT | 95 | office
`;

/** first name | last name | unit | role */
export const peopleRows = `
Anna | Berger | procurement | procurement-manager
Jonas | Petersen | board | process-owner
Lucía | Navarro | packaging | category-manager
Miriam | Vogt | resins | category-manager
Henrik | Sørensen | solvents | strategic-buyer
Carla | Ferreira | accounts-payable | accounts-lead
Tobias | Kranz | pigments | strategic-buyer
Elena | Ruiz | plant-valencia | plant-manager
Pieter | de Vries | plant-rotterdam | plant-manager
Sabine | Hartmann | plant-hamburg | plant-manager
Oskar | Lindner | plant-ludwigshafen | plant-manager
Inês | Carvalho | accounts-payable | accounts-clerk
Rui | Almeida | accounts-payable | accounts-clerk
Beatriz | Moura | accounts-payable | accounts-clerk
Nuno | Teixeira | accounts-payable | accounts-clerk
Ralf | Sommer | treasury | treasurer
Claudia | Neumann | tax | tax-specialist
Stefan | Arnold | controlling | cost-centre-owner
Judith | Kaiser | controlling | cost-centre-owner
Marco | Benedetti | resins | buyer
Svenja | Brandt | resins | buyer
Diego | Serrano | packaging | buyer
Lotte | Jansen | solvents | buyer
Fatma | Yilmaz | pigments | buyer
Georg | Wagner | indirect | buyer
Alicia | Torres | indirect | requester
Malte | Schröder | plant-hamburg | requester
Noor | van Dijk | plant-rotterdam | requester
Pablo | Giménez | plant-valencia | requester
Katrin | Seidel | plant-ludwigshafen | requester
Björn | Matthiesen | planning | production-planner
Eva | Lorenz | planning | production-planner
Daan | Bakker | logistics | logistics-planner
Sofie | Claes | logistics | logistics-planner
Uwe | Hansen | plant-hamburg | warehouse-lead
Rosa | Molina | plant-valencia | goods-receiver
Kevin | Albrecht | plant-ludwigshafen | goods-receiver
Joris | Smit | plant-rotterdam | goods-receiver
Dörte | Wilms | laboratory | quality-inspector
Andrej | Novak | laboratory | quality-inspector
Silvia | Conti | supplier-quality | supplier-manager
Frank | Oberländer | supplier-quality | auditor
Greta | Lindqvist | safety | hazard-officer
Tom | Ritter | compliance | compliance-officer
Paula | Esteban | resins | contract-manager
Leon | Fuchs | applications | system-owner
Mira | Kowalski | applications | system-owner
Vasco | Pinto | data | data-steward
Helene | Busch | data | data-steward
Ingrid | Thomsen | procurement | buyer
`;

/** The sites that repeat the process house in the large demo. */
export const siteNames = `
Aarhus, Antwerp, Bari, Bergen, Bilbao, Bordeaux, Bremen, Brno, Cork, Ghent, Graz, Gothenburg, Katowice, Leipzig, Linz, Lyon, Malmö,
Marseille, Mulhouse, Oulu, Padua, Plovdiv, Poznań, Rouen, Seville, Split, Tampere, Tarragona, Trieste, Turin, Varna, Vigo, Zaragoza,
Zwolle, Aberdeen, Basel, Constanța, Debrecen, Kaunas, Maribor
`;
