export * from './caller.js';
export * from './event.js';
export * from './header-value.js';
export * from './idempotency.js';
export * from './media-range.js';
export * from './operation.js';
export * from './parse-with.js';
export * from './content-repo/definitions.js';
