export * from './admin.js';
export * from './calls.js';
export * from './definitions.js';
export * from './events.js';
export * from './tools.js';
