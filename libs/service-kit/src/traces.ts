/**
 * OpenTelemetry traces, sent to a collector in batches from a bounded queue. The SDK is loaded only when an endpoint is
 * configured. An unavailable collector costs spans and one log line, no request. No library is instrumented: operations and
 * statements make spans.
 */
import { trace } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { toLoggableReason } from '@tessera/failures';
import { activateTracing } from '@tessera/messaging';
import type { Log } from './log.js';
import { productVersion } from './product-version.js';

export type Traces = { readonly stop: () => Promise<void> };

export type TracesOptions = {
  readonly service: string;
  /** The collector's address without the path of the signal. */
  readonly endpoint: string;
  /** Of the traces that nobody asked for, the share that is sent, from 0 to 1. */
  readonly sampledShare: number;
  readonly log: Pick<Log, 'warn' | 'info'>;
};

/** What waits when the collector is slow or away; what comes then is dropped. */
const waitingSpansMax = 4_096;
const exportTimeoutMs = 5_000;
/** What the last spans may take of the time that a stop has. */
const lastExportMs = 1_000;

export const startTraces = async ({ service, endpoint, sampledShare, log }: TracesOptions): Promise<Traces> => {
  const [
    { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider },
    { OTLPTraceExporter },
    { defaultResource, resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const sender = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const identity = { 'service.name': `tessera-${service}`, 'service.version': productVersion };
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(identity)),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: withOutageLog(sender, log),
        maxQueueSize: waitingSpansMax,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  activateTracing();
  const late = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, lastExportMs).unref());
  return { stop: () => Promise.race([provider.shutdown().catch(() => {}), late()]) };
};

/** `ExportResultCode.SUCCESS` of a package that would be needed for this alone. */
const exportSucceeded = 0;

/** The beginning and the end of an outage of the collector, a line each. */
export const withOutageLog = (exporter: SpanExporter, log: TracesOptions['log']): SpanExporter => {
  let isAway = false;
  return {
    export: (spans, told) =>
      exporter.export(spans, (result) => {
        const failed = Number(result.code) !== exportSucceeded;
        if (failed && !isAway)
          log.warn({ reason: toLoggableReason(result.error) }, 'traces cannot be sent; they are dropped');
        if (!failed && isAway) log.info({}, 'traces are sent again');
        isAway = failed;
        told(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
};
