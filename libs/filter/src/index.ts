export * from './expression.js';
export * from './filter-fault.js';
export * from './limits.js';
export * from './content/parse-content-filter.js';
export * from './content/print-content-filter.js';
export * from './data/parse-data-filter.js';
export type { DataFilterOptions } from './data/parse-operand.js';
export * from './data/print-data-filter.js';
export { reservedWords } from './data/words.js';
