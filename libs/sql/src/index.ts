export * from './like-pattern.js';
export * from './print-postgres.js';
export * from './quote-identifier.js';
export * from './sql-expression.js';
export * from './sql-query.js';
