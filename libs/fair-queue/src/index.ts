export * from './event-loop-turns.js';
export * from './keyed-queue.js';
