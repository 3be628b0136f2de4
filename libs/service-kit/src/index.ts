export {
  addressSetting,
  addressListSetting,
  textSetting,
  commonSettingsShape,
  databaseSettingsShape,
  eventSettingsShape,
  booleanSetting,
  readConfiguration,
  wholeNumberSetting,
  type Environment,
  type SettingsSchema,
} from './configuration.js';
export { Health, type Readiness } from './health.js';
export { jsonByNameSetting, settingDependencyOf } from './configuration.js';
export { createNestLogger, openLog, type Log } from './log.js';
export {
  findListenFault,
  answerLiveness,
  answerPublicMetrics,
  answerReadiness,
  type ManagementSources,
  type ManagementAnswer,
} from './management.js';
export { makeMetrics, type Metrics } from './metrics.js';
export { productVersion } from './product-version.js';
export { fillSecrets, createSecretMask, secretNamesIn, type SecretMask } from './named-secrets.js';
export { findHeaderFaults } from './outgoing-headers.js';
export {
  hostAddressSchema,
  hostNameSchema,
  secretNameSchema,
  secretValueSchema,
  teamListSchema,
} from './outgoing-settings.js';
export { EventPublishTrigger, EventsModule } from './events.module.js';
export { BatchedRows } from './batched-rows.js';
export { createTimeOrderedId, firstIdAt, instantOfId } from './time-ordered-id.js';
export { RecurringJobs, type JobOutcome } from './recurring-jobs.js';
export { runService } from './run-service.js';
export { ServiceModule } from './service.module.js';
export { startProcess, type ServiceProcess } from './service-process.js';
export type { DatabaseCheckResult, ServiceDatabase } from './start-checks.js';
export { SingleFlight } from './single-flight.js';
export { logToken, metricsToken, settingsToken, stopSignalToken } from './tokens.js';
