export * from './catalogue.js';
export * from './certificate-fault.js';
export * from './fault-list.js';
export * from './nearest.js';
export * from './result.js';
export * from './told-error.js';
export { countedFaults, faultsMax } from './told-faults.js';
export * from './renderings.js';
