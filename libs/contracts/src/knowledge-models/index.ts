export * from './definitions.js';
export * from './table-definition.js';
