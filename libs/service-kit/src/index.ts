export {
  address,
  addresses,
  anyText,
  commonSchema,
  commonSettings,
  ConfigurationError,
  databaseSettings,
  eventSettings,
  flag,
  readConfiguration,
  wholeNumber,
  type CommonConfiguration,
  type Environment,
  type SettingsSchema,
} from './configuration.js';
export { Health, type HealthCheck, type Readiness } from './health.js';
export { jsonByName } from './json-setting.js';
export { keepWorking, type RepeatedWork, type WorkTurn } from './keep-working.js';
export { nestLogger, openLog, type Log } from './log.js';
export {
  listenFault,
  liveAnswer,
  publicMetricsAnswer,
  readyAnswer,
  startManagementServer,
  type Managed,
  type ManagementAnswer,
} from './management.js';
export { makeMetrics, type Metrics } from './metrics.js';
export { registerPoolMetrics } from './process-metrics.js';
export { productVersion } from './product-version.js';
export { fillSecrets, secretMask, secretNamesIn, type SecretMask } from './named-secrets.js';
export { headerFaults } from './outgoing-headers.js';
export { hostAddress, hostName, secretName, secretValue, teamList } from './outgoing-settings.js';
export { EventPublishing, publishEvents } from './publish-events.js';
export { redact } from './redact.js';
export { runService, type ServiceDeclaration } from './run-service.js';
export { startProcess, type ProcessOptions, type ServiceProcess, type StopPhase } from './service-process.js';
export type { ExaminedDatabase, ServiceDatabase } from './start-checks.js';
export { SingleFlight } from './single-flight.js';
