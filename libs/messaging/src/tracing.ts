/**
 * Spans around calls and the W3C trace context on the wire, by the OpenTelemetry API alone.
 * Refuses: exporters and sampling (service-kit starts the SDK and says so by `activateTracing`).
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';

let active = false;

/** Called once by whoever registered a tracer provider; without it no span is made and the context passes through. */
export const activateTracing = (): void => {
  active = true;
};

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** True for a version 00 traceparent; anything else must not be passed on. */
export const isTraceparent = (text: string): boolean => pattern.test(text);

const contextOf = (traceparent: string | undefined): Context => {
  const parts = traceparent === undefined ? null : pattern.exec(traceparent);
  const [, traceId, spanId, flags] = parts ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true });
};

const traceparentOf = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
};

export type OperationSpan = {
  /** What the next hop gets as its parent. */
  readonly traceparent: string | undefined;
  /** `failed` marks the span as an error. */
  end(outcome: string, failed: boolean): void;
};

const kinds = { client: SpanKind.CLIENT, server: SpanKind.SERVER, internal: SpanKind.INTERNAL } as const;

/** A span that is the child of `traceparent`; when tracing is off it costs nothing and passes the context through. */
export const startOperationSpan = (
  name: string,
  side: keyof typeof kinds,
  traceparent: string | undefined,
): OperationSpan => {
  if (!active) return { traceparent, end: () => {} };
  const span = trace.getTracer('tessera').startSpan(name, { kind: kinds[side] }, contextOf(traceparent));
  return {
    traceparent: traceparentOf(span),
    end: (outcome, failed) => {
      span.setAttribute('tessera.outcome', outcome);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
};
