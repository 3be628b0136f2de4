export * from './expression/formula.js';
export * from './expression/formula-fault.js';
export * from './expression/formula-limits.js';
export * from './expression/parse-formula.js';
export * from './expression/print-formula.js';
