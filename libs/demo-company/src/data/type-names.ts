/** What facets, types and relations of the demo are called in three languages. */

/** key | English | German | Spanish */
export const facetRows = `
processes | Processes | Prozesse | Procesos
organization | Organization | Organisation | Organización
roles | Roles | Rollen | Roles
risks | Risks and controls | Risiken und Kontrollen | Riesgos y controles
it | IT systems | IT-Systeme | Sistemas de TI
knowledge | Knowledge | Wissen | Conocimiento
kpi | Key figures | Kennzahlen | Indicadores
users | Users | Benutzer | Usuarios
`;

/** key | facet | English | German | Spanish | types that may stand under it | versioned or structure or symbol */
export const typeRows = `
processArea | processes | Process area | Prozessbereich | Área de procesos | processArea,processGroup,process | structure
processGroup | processes | Process group | Prozessgruppe | Grupo de procesos | process | structure
process | processes | Process | Prozess | Proceso | activity | versioned
activity | processes | Activity | Aktivität | Actividad | task | versioned
task | processes | Task | Aufgabe | Tarea | | versioned
startEvent | processes | Start event | Startereignis | Evento de inicio | | symbol
endEvent | processes | End event | Endereignis | Evento de fin | | symbol
activitySymbol | processes | Activity in a diagram | Aktivität im Diagramm | Actividad en un diagrama | | symbol
decision | processes | Decision | Entscheidung | Decisión | | symbol
lane | processes | Lane | Bahn | Carril | | symbol
applicationSymbol | processes | Application in a diagram | Anwendung im Diagramm | Aplicación en un diagrama | | symbol
orgUnit | organization | Organizational unit | Organisationseinheit | Unidad organizativa | orgUnit | structure
location | organization | Location | Standort | Ubicación | | structure
organizationChart | organization | Organization chart | Organigramm | Organigrama | | versioned
unitSymbol | organization | Unit in a chart | Einheit im Organigramm | Unidad en un organigrama | | symbol
roleGroup | roles | Role group | Rollengruppe | Grupo de roles | role | structure
role | roles | Role | Rolle | Rol | | versioned
riskCategory | risks | Risk category | Risikokategorie | Categoría de riesgo | risk | structure
risk | risks | Risk | Risiko | Riesgo | control | versioned
control | risks | Control | Kontrolle | Control | | versioned
applicationGroup | it | Application group | Anwendungsgruppe | Grupo de aplicaciones | application,interface | structure
application | it | Application | Anwendung | Aplicación | | versioned
interface | it | Interface | Schnittstelle | Interfaz | | structure
folder | knowledge | Folder | Ordner | Carpeta | folder,document | structure
document | knowledge | Document | Dokument | Documento | | versioned
kpiGroup | kpi | Group of key figures | Kennzahlengruppe | Grupo de indicadores | kpi | structure
kpi | kpi | Key figure | Kennzahl | Indicador | | versioned
userGroup | users | User group | Benutzergruppe | Grupo de usuarios | user | structure
user | users | User | Benutzer | Usuario | | structure
`;

/** key | English | German | Spanish | from types | to types | one or many; no type means every type */
export const relationRows = `
owner | Owner | Verantwortlich | Responsable | | user | one
qualityManager | Quality manager | Qualitätsmanager | Gestor de calidad | | user | one
reviewer | Reviewer | Prüfer | Revisor | | user | one
secondaryAuthors | Further authors | Weitere Autoren | Otros autores | | user | many
relBy | Released by | Freigegeben durch | Publicado por | | user | one
executes | Executes | Führt aus | Ejecuta | role | process,activity,task | many
uses | Uses | Nutzt | Utiliza | process,activity,task | application | many
describedBy | Described by | Beschrieben in | Descrito en | process,activity,task | document | many
threatens | Threatens | Bedroht | Amenaza | risk | process | many
mitigates | Mitigates | Mindert | Mitiga | control | risk | many
measures | Measures | Misst | Mide | kpi | process | many
measuredBy | Measured by | Gemessen an | Medido por | process | kpi | many
describes | Describes | Beschreibt | Describe | document | process,activity | many
sends | Sends | Sendet | Envía | interface | application | one
receives | Receives | Empfängt | Recibe | interface | application | one
head | Head | Leitung | Dirección | orgUnit | user | one
locatedAt | Located at | Standort | Ubicado en | orgUnit | location | one
memberOf | Member of | Mitglied von | Miembro de | user | orgUnit | many
fills | Fills the role | Hat die Rolle | Desempeña el rol | user | role | many
represents | Represents | Stellt dar | Representa | activitySymbol,lane,applicationSymbol,unitSymbol | activity,role,application,orgUnit | one
`;

/** facet | key | English | German | Spanish | tree or flat | types */
export const viewRows = `
processes | landscape | Process landscape | Prozesslandkarte | Mapa de procesos | tree | processArea,processGroup,process
processes | landscape | Processes as a list | Prozesse als Liste | Procesos en lista | flat | process
processes | released-list | Processes and activities | Prozesse und Aktivitäten | Procesos y actividades | flat | process,activity
processes | tasks | Tasks | Aufgaben | Tareas | flat | task
organization | units | Units | Einheiten | Unidades | tree | orgUnit
organization | locations | Locations | Standorte | Ubicaciones | flat | location
roles | role-list | Roles as a list | Rollen als Liste | Roles en lista | flat | role
risks | controls | Controls | Kontrollen | Controles | flat | control
it | applications | Applications | Anwendungen | Aplicaciones | flat | application
knowledge | documents | Documents | Dokumente | Documentos | flat | document
kpi | figures | Key figures | Kennzahlen | Indicadores | flat | kpi
users | people | People | Personen | Personas | flat | user
`;

/** types | attribute | kind, then localised or mandatory */
export const attributeRows = `
process,activity,task,organizationChart,role,risk,control,application,document,kpi | purp | string localised
process,activity,task,organizationChart,role,risk,control,application,document,kpi | validFrom | date-time
process,activity,task,organizationChart,role,risk,control,application,document,kpi | validUntil | date-time
process,activity,task,organizationChart,role,risk,control,application,document,kpi | reasonForRevision | string localised
process,activity,task,organizationChart,role,risk,control,application,document,kpi | relOn | date-time
process | critical | boolean
process | casesPerYear | number
process,document,application | links | link
process,document | files | file
activity,task | automated | boolean
activity,task | minutes | number
startEvent,endEvent,activitySymbol,decision,lane,applicationSymbol,unitSymbol | x | number
startEvent,endEvent,activitySymbol,decision,lane,applicationSymbol,unitSymbol | y | number
startEvent,endEvent,activitySymbol,decision,lane,applicationSymbol,unitSymbol | width | number
startEvent,endEvent,activitySymbol,decision,lane,applicationSymbol,unitSymbol | height | number
location | country | string
location | employees | number
location | plant | boolean
role | headcount | number
risk | likelihood | number
risk | impact | number
control | frequency | string
control | preventive | boolean
application | cloud | boolean
application | userCount | number
document | kind | string
document | pages | number
kpi | unit | string
kpi | target | number
kpi | direction | string
kpi | actual | number
kpi | figure | string
user | firstName | string
user | lastName | string
user | email | string
user | active | boolean
user | employedSince | date-time
`;
