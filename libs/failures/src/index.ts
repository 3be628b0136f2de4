export * from './catalogue.js';
export * from './certificate-fault.js';
export * from './fault-list.js';
export * from './nearest.js';
export * from './result.js';
export * from './loggable-error.js';
export { describeFaultCount, maxFaults } from './limit-faults.js';
export * from './renderings.js';
