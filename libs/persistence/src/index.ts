export * from './database-failure.js';
export * from './outbox.js';
export * from './pool.js';
export * from './tenant-query.js';
export * from './tenant-transaction.js';
export * from './gateway/api-key.js';
export * from './gateway/api-keys.repository.js';
export * from './gateway/rate-windows.repository.js';
