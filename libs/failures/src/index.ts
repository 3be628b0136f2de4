export * from './catalogue.js';
export * from './fault-list.js';
export * from './nearest.js';
export * from './result.js';
export * from './renderings.js';
