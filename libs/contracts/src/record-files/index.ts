export * from './read-text.js';
export * from './split-records.js';
