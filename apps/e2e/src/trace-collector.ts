/** A collector of OpenTelemetry traces: spans with their parents, from OTLP/HTTP in JSON. */
import { createServer } from 'node:http';
import { itemsOf, memberOf, parseJson, textOf } from './json.js';

type CollectedSpan = {
  readonly service: string;
  readonly traceId: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, unknown>>;
};

export type TraceCollector = {
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** As they came. */
  readonly bodies: readonly string[];
  readonly stop: () => Promise<void>;
};

/** Of the protocol. */
const kinds: Readonly<Record<number, string>> = { 1: 'internal', 2: 'server', 3: 'client' };

const attributesOf = (from: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    itemsOf(from, 'attributes').map((each) => [
      textOf(each, 'key'),
      memberOf(each, 'value', 'stringValue') ?? memberOf(each, 'value', 'intValue'),
    ]),
  );

const spansIn = (document: unknown): readonly CollectedSpan[] =>
  itemsOf(document, 'resourceSpans').flatMap((ofResource) => {
    const service = String(attributesOf(memberOf(ofResource, 'resource'))['service.name']).replace('tessera-', '');
    return itemsOf(ofResource, 'scopeSpans')
      .flatMap((ofScope) => itemsOf(ofScope, 'spans'))
      .map((span) => ({
        ...{ service, traceId: textOf(span, 'traceId'), id: textOf(span, 'spanId') },
        ...{ parent: textOf(span, 'parentSpanId'), name: textOf(span, 'name') },
        kind: kinds[Number(memberOf(span, 'kind'))] ?? '',
        attributes: attributesOf(span),
      }));
  });

export const startTraceCollector = async (): Promise<TraceCollector> => {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.once('end', () => {
      bodies.push(body);
      spans.push(...spansIn(parseJson(body)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const stop = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { endpoint: `http://127.0.0.1:${port}`, spans, bodies, stop };
};

/** A span and those above it, the lowest first, each as `service kind name`. */
export const spanAncestry = (span: CollectedSpan, all: readonly CollectedSpan[]): readonly string[] => {
  const above = all.find(({ id, traceId }) => id === span.parent && traceId === span.traceId);
  return [`${span.service} ${span.kind} ${span.name}`, ...(above ? spanAncestry(above, all) : [])];
};
