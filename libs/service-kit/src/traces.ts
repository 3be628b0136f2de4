/**
 * OpenTelemetry traces, sent to a collector. The SDK is loaded only when an endpoint is configured.
 * Refuses: to instrument libraries; spans are made where operations are called and served.
 */
import { trace } from '@opentelemetry/api';
import { activateTracing } from '@tessera/messaging';

export type Traces = { readonly stop: () => Promise<void> };

/** Starts sending; `endpoint` is the collector's address without the path of the signal. */
export const startTraces = async (service: string, endpoint: string): Promise<Traces> => {
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { defaultResource, resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5000 });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': `tessera-${service}` })),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);
  activateTracing();
  return { stop: () => provider.shutdown().catch(() => {}) };
};
