export {
  address,
  addresses,
  anyText,
  commonSettings,
  databaseSettings,
  eventSettings,
  booleanText,
  readConfiguration,
  wholeNumber,
  type Environment,
  type SettingsSchema,
} from './configuration.js';
export { Health, type Readiness } from './health.js';
export { jsonByName } from './configuration.js';
export { nestLogger, openLog, type Log } from './log.js';
export {
  listenFault,
  liveAnswer,
  publicMetricsAnswer,
  readyAnswer,
  type ManagementSources,
  type ManagementAnswer,
} from './management.js';
export { makeMetrics, type Metrics } from './metrics.js';
export { productVersion } from './product-version.js';
export { fillSecrets, secretMask, secretNamesIn, type SecretMask } from './named-secrets.js';
export { headerFaults } from './outgoing-headers.js';
export { hostAddress, hostName, secretName, secretValue, teamList } from './outgoing-settings.js';
export { EventPublishing, EventsModule } from './events.module.js';
export { RecurringJobs, type JobOutcome } from './recurring-jobs.js';
export { runService } from './run-service.js';
export { ServiceModule } from './service.module.js';
export { startProcess, type ServiceProcess } from './service-process.js';
export type { DatabaseExamination, ServiceDatabase } from './start-checks.js';
export { SingleFlight } from './single-flight.js';
export { logToken, metricsToken, settingsToken, stoppingToken } from './tokens.js';
