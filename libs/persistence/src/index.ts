export { acquireConnectionFairly } from './acquire-fairly.js';
export { readClockDifference, type ClockDifference } from './clock-difference.js';
export * from './database-failure.js';
export { copyAsTeam, type CsvPieces, type TeamCopyStatement } from './copy-statement.js';
export type { DatabaseServiceName } from './database-services.js';
export { ownerRoles } from './owner-roles.js';
export * from './outbox.js';
export * from './idempotency.js';
export * from './pool.js';
export * from './rate-windows.js';
export { openServiceDatabase, type DatabaseCheck, type ServiceDatabase } from './service-database.js';
export { readSchemaState, type SchemaState } from './schema-state.js';
export {
  readTeamRowsInBatches,
  readAsTenant,
  RowsTooLargeError,
  type NamedStatement,
  type TeamRows,
  type TeamStatement,
  type TextRow,
} from './tenant-statement.js';
export * from './tenant-transaction.js';
export * from './versioned-definitions.js';
export * from './gateway/api-key.js';
