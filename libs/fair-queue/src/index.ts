export * from './event-loop-turn.js';
export * from './keyed-queue.js';
