export { EventPublisher, type EventSource, type PublisherOptions } from './event-publisher.js';
export { MessagingModule } from './messaging.module.js';
export { natsFault, type NatsFault } from './nats-fault.js';
export { connectNats, NatsLink, type LinkEvents, type NatsOptions } from './nats-link.js';
export { OperationClient, type ClientOptions } from './operation-client.js';
export { membersMax, parseJsonSliced } from './parse-json-sliced.js';
export { jsonReply, jsonText, jsonType } from './json-reply.js';
export { ReplyInterrupted } from './incoming-reply.js';
export { askOperation, readReply } from './read-reply.js';
export { refusedSubjects } from './refused-subjects.js';
export { NatsOperations, type ServerOptions } from './nats-operations.js';
export { EffectRefused } from './announcements.js';
export { Serves, type AnnouncingContext, type OperationContext, type OperationHandler } from './serves.js';
export { silentLog, type MessagingLog } from './messaging-log.js';
export { silentObserver, type OperationObserver, type Outcome } from './operation-observer.js';
export { currentRequest, runInRequest, type RequestScope } from './request-scope.js';
export {
  activateTracing,
  isTraceparent,
  startOperationSpan,
  traceIdsOf,
  type OperationSpan,
  type TraceIds,
} from './tracing.js';
export { windowBytes } from './stream-limits.js';
