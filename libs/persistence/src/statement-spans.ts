/**
 * A span for each statement of a traced request, below the span of its operation, with the statement's kind, name or table,
 * pool and outcome. For rows that come in batches it ends with the first batch.
 * Never records texts or values of statements.
 */
import { AsyncResource } from 'node:async_hooks';
import { SpanKind, SpanStatusCode, trace, TraceFlags, type Span } from '@opentelemetry/api';
import pg from 'pg';

/** Connections of the pool make a span of each statement, whichever way it is sent. */
export const traceStatements = (pool: pg.Pool): void => {
  // Who waits for a connection is called by who gives one back, which would be in that one's request.
  pool.connect = new Proxy(pool.connect, {
    apply: (connect, self, args: unknown[]): unknown => {
      const [callback] = args;
      return Reflect.apply(connect, self, isCallback(callback) && isTraced() ? [AsyncResource.bind(callback)] : args);
    },
  });
  pool.on('connect', (client) => {
    client.query = new Proxy(client.query, {
      apply: (query, self, args: unknown[]): unknown => {
        const send = (): unknown => Reflect.apply(query, self, args);
        return isTraced() ? inSpan(startSpan(args[0], pool.options.application_name ?? ''), args, send) : send();
      },
    });
  });
};

const isTraced = (): boolean => {
  const flags = trace.getActiveSpan()?.spanContext().traceFlags ?? TraceFlags.NONE;
  return (flags & TraceFlags.SAMPLED) !== 0;
};

type Callback = (...args: unknown[]) => unknown;
const isCallback = (value: unknown): value is Callback => typeof value === 'function';

/** Statements of other classes than pg's own have their callback beside what they send. */
const isSubmittable = (value: unknown): value is { callback: Callback } =>
  typeof value === 'object' && value !== null && 'submit' in value && 'callback' in value && isCallback(value.callback);

/** `args` are the arguments of `query`; its callback, wherever it is, ends the span first. */
const inSpan = (span: Span, args: unknown[], send: () => unknown): unknown => {
  const end = endOnce(span);
  const endingSpan =
    (callback: Callback): Callback =>
    (error, ...more) => {
      end(error);
      return callback(error, ...more);
    };
  const [statement] = args;
  const last = args.at(-1);
  if (isSubmittable(statement)) statement.callback = endingSpan(statement.callback);
  else if (isCallback(last)) args.splice(-1, 1, endingSpan(last));
  const answer = send();
  if (!(answer instanceof Promise)) return answer;
  // As one chain, since stacks of errors do not go on where two wait for the same promise.
  return answer.then(
    (value: unknown) => {
      end(undefined);
      return value;
    },
    (error: unknown) => {
      end(error);
      throw error;
    },
  );
};

/** Once, since pg calls some callbacks more often. */
const endOnce = (span: Span): ((error: unknown) => void) => {
  let isOver = false;
  return (error) => {
    if (isOver) return;
    isOver = true;
    if (error instanceof Error) {
      const state = error instanceof pg.DatabaseError ? error.code : undefined;
      if (state !== undefined) span.setAttribute('db.response.status_code', state);
      span.setAttribute('error.type', state ?? error.name).setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };
};

const startSpan = (statement: unknown, pool: string): Span => {
  const { operation, summary } = summaryOf(statement);
  return trace.getTracer('tessera').startSpan(summary, {
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
      'tessera.pool': pool,
    },
  });
};

/** Tables of ours stand without quotes, those of teams in them. */
const targetPattern = /\b(?:from|into|update|copy)\s+([a-z_]+\.[a-z_]+)/;

/** The statement's name where it has one, else its first word and the first table of ours that it names. */
const summaryOf = (statement: unknown): { readonly operation: string; readonly summary: string } => {
  const text = typeof statement === 'string' ? statement : memberOf(statement, 'text');
  const operation = (/^[\s(]*([a-z]+)/i.exec(text)?.[1] ?? 'statement').toUpperCase();
  const name = memberOf(statement, 'statementName') || memberOf(statement, 'name');
  if (name !== '') return { operation, summary: name };
  const target = targetPattern.exec(text)?.[1];
  return { operation, summary: target === undefined ? operation : `${operation} ${target}` };
};

const memberOf = (value: unknown, member: string): string => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;
  return typeof found === 'string' ? found : '';
};
