/**
 * Spans around calls and the W3C trace context on the wire, by the OpenTelemetry API alone; service-kit starts the SDK. The
 * span of the running request is the active one, so libraries below make theirs as its children.
 */
import {
  type Attributes,
  context,
  type Context,
  type ContextManager,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorage } from 'node:async_hooks';

let isTracingActive = false;

/** Called once by whoever registered a tracer provider; without it no span is made and the context passes through. */
export const activateTracing = (): void => {
  isTracingActive = true;
  context.setGlobalContextManager(requestContexts);
};

const traceparentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** True for a version 00 traceparent; anything else must not be passed on. */
export const isTraceparent = (text: string): boolean => traceparentPattern.test(text);

/** As log lines carry them. */
export type TraceIds = { readonly traceId: string; readonly spanId: string };

export const traceIdsOf = (traceparent: string): TraceIds => ({
  traceId: traceparent.slice(3, 35),
  spanId: traceparent.slice(36, 52),
});

const contextOf = (traceparent: string | undefined): Context => {
  const parts = traceparent === undefined ? null : traceparentPattern.exec(traceparent);
  const [, traceId, spanId, flags] = parts ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true });
};

/** What is active is the request's; nobody else sets it. */
const requestContexts: ContextManager = {
  active: () => contextOf(getCurrentRequestScope()?.traceparent),
  with: (_context, work, self, ...given) => work.call(self, ...given),
  bind: (_context, target) => target,
  enable: () => requestContexts,
  disable: () => requestContexts,
};

const traceparentOf = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
};

export type OperationSpan = {
  /** What the next hop gets as its parent. */
  readonly traceparent: string | undefined;
  /** Whether anything that is said of it is kept. */
  readonly isRecording: boolean;
  /** `failed` marks the span as an error; `known` is what was not known at its beginning. */
  end(outcome: string, failed: boolean, known?: { readonly name: string; readonly attributes: Attributes }): void;
};

const spanKinds = { client: SpanKind.CLIENT, server: SpanKind.SERVER, internal: SpanKind.INTERNAL } as const;

/** A span that is the child of `traceparent`; when tracing is off it costs nothing and passes the context through. */
export const startOperationSpan = (
  name: string,
  side: keyof typeof spanKinds,
  traceparent: string | undefined,
  attributes?: Attributes,
): OperationSpan => {
  if (!isTracingActive) return { traceparent, isRecording: false, end: () => {} };
  const options = { kind: spanKinds[side], ...(attributes && { attributes }) };
  const span = trace.getTracer('tessera').startSpan(name, options, contextOf(traceparent));
  return {
    traceparent: traceparentOf(span),
    isRecording: span.isRecording(),
    end: (outcome, failed, known) => {
      if (known) span.updateName(known.name).setAttributes(known.attributes);
      span.setAttribute('tessera.outcome', outcome);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', outcome);
      span.end();
    },
  };
};

/** Of a call over NATS, by the conventions for remote procedures. */
export const createCallAttributes = (operation: string): Attributes => ({
  'rpc.system.name': 'nats',
  'rpc.method': operation,
});

export type RequestScope = {
  readonly requestId: string;
  readonly team?: string;
  /** The span that spans of now are children of. */
  readonly traceparent?: string | undefined;
};

const requestStorage = new AsyncLocalStorage<RequestScope>();

/** Runs `work` so that its log lines and its statements belong to the request, across awaits. */
export const runInRequestScope = <T>(scope: RequestScope, work: () => T): T => requestStorage.run(scope, work);

export const getCurrentRequestScope = (): RequestScope | undefined => requestStorage.getStore();
