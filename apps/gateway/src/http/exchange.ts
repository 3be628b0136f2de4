/**
 * One request at the edge and what is known about it so far; it hangs on the Fastify request.
 * Refuses: to read the request. The hooks fill it, the senders read it.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { CallFrame, HttpOperation } from '@tessera/contracts';
import type { OperationSpan } from '@tessera/messaging';
import { settingsToken } from '@tessera/service-kit';
import type { Verified } from '../auth/verified.js';
import type { GatewayConfiguration } from '../configuration.js';

/** What all requests of this process share. */
@Injectable()
export class EdgeState {
  /** Scheme, host and port of this gateway as callers see it. */
  publicUrl: string;
  /** Whether X-Forwarded-Host and -Proto of trusted proxies replace it. */
  readonly forwardedCounts: boolean;
  /** Set when the process stops: every answer asks the client to connect anew, elsewhere. */
  draining = false;
  /** Value of the header Vary. */
  readonly vary: string;

  constructor(@Inject(settingsToken) { PUBLIC_URL, GATEWAY_PORT, TRUST_PROXY, APP_KEY_HEADERS }: GatewayConfiguration) {
    this.publicUrl = PUBLIC_URL ?? `http://localhost:${GATEWAY_PORT}`;
    this.forwardedCounts = PUBLIC_URL === undefined && TRUST_PROXY !== undefined;
    this.vary = ['Authorization', ...APP_KEY_HEADERS].join(', ');
  }
}

/** The rate limit as the headers tell it. */
export type LimitState = { readonly limit: number; readonly remaining: number; readonly reset: string };

export class Exchange {
  readonly startedAtMs = Date.now();
  /** What the route serves; without it the route is public or unknown. */
  operation: HttpOperation | undefined;
  /** Set when the caller is known, with the frame. */
  verified: Verified | undefined;
  frame: CallFrame | undefined;
  limit: LimitState | undefined;
  /** As it was sent. */
  contentType: string | undefined;
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
