export * from './content-invariants.js';
export * from './eventually.js';
export * from './fixed-clock.js';
export * from './full-hour.js';
export * from './jumping-clock.js';
export * from './test-database.js';
export * from './test-nats.js';
export * from './test-run.js';
