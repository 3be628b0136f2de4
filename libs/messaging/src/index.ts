export { connectNats, NatsLink, type LinkEvents, type NatsOptions } from './nats-link.js';
export { OperationClient, type ClientOptions } from './operation-client.js';
export { ReplyInterrupted } from './incoming-reply.js';
export { NatsOperations, type ServerOptions } from './nats-operations.js';
export { Serves, type OperationContext, type OperationHandler } from './serves.js';
export { silentLog, type MessagingLog } from './messaging-log.js';
export { silentObserver, type OperationObserver, type Outcome } from './operation-observer.js';
export { currentRequest, runInRequest, type RequestScope } from './request-scope.js';
export { activateTracing } from './tracing.js';
