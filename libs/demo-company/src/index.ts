export { generateDemo, type GeneratedWorkspace } from './generate-demo.js';
export type { P2pSize } from './p2p-data/company.js';
export { writeP2pTables } from './p2p-data/write-p2p-tables.js';
export { erpHost, erpSecretName } from './p2p-tools.js';
