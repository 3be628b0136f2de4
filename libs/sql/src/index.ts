export * from './print-postgres.js';
export * from './sql-tree.js';
export * from './stored-text.js';
