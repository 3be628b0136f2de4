export * from './expression.js';
export * from './filter-fault.js';
export * from './limits.js';
export * from './content/parse-content-filter.js';
export * from './content/print-content-filter.js';
