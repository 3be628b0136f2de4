/**
 * One request at the edge and what is known about it so far; it hangs on the Fastify request.
 * Refuses: to read the request. The hooks fill it, the senders read it.
 */
import type { CallFrame, HttpOperation } from '@tessera/contracts';
import type { OperationSpan } from '@tessera/messaging';

/** What all requests of this process share. */
export type EdgeState = {
  /** Scheme, host and port of this gateway as callers see it. */
  publicUrl: string;
  /** Whether X-Forwarded-Host and -Proto of trusted proxies replace it. */
  readonly forwardedCounts: boolean;
  /** Set when the process stops: every answer asks the client to connect anew, elsewhere. */
  draining: boolean;
  /** Value of the header Vary. */
  readonly vary: string;
};

/** The rate limit as the headers tell it. */
export type LimitState = { readonly limit: number; readonly remaining: number; readonly reset: string };

export class Exchange {
  readonly startedAtMs = Date.now();
  /** What the route serves; without it the route is public or unknown. */
  operation: HttpOperation | undefined;
  /** Set when the caller is known. */
  frame: CallFrame | undefined;
  limit: LimitState | undefined;
  /** Of the body, when it was read. */
  bodyBytes = 0;
  /** Set when the answer is decided: `ok`, the code of the failure, or `interrupted`; for the log and the metrics. */
  outcome = '';

  constructor(
    readonly edge: EdgeState,
    readonly requestId: string,
    readonly traceparent: string,
    readonly span: OperationSpan,
    /** Path as it was asked for, without the query. */
    readonly path: string,
  ) {}
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange;
  }
  interface FastifyContextConfig {
    operation?: HttpOperation;
  }
}
