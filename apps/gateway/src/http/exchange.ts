/** One request at the edge and what is known about it so far, as `request.exchange` of Fastify. */
import { Inject, Injectable } from '@nestjs/common';
import { isIgnoredName, type CallFrame, type HttpOperation } from '@tessera/contracts';
import { isTraceparent, type OperationSpan } from '@tessera/messaging';
import { settingsToken } from '@tessera/service-kit';
import type { FastifyRequest } from 'fastify';
import { randomBytes, randomUUID } from 'node:crypto';
import type { VerifiedCredential } from '../auth/verification.js';
import type { GatewayConfiguration } from '../configuration.js';
import { ServedPaths } from './served-paths.js';

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
  /** True for a parameter or member that is ignored where it is not known. */
  readonly isIgnoredParameter: (name: string) => boolean;
  readonly servedPaths = new ServedPaths();

  constructor(@Inject(settingsToken) configuration: GatewayConfiguration) {
    const {
      PUBLIC_URL,
      GATEWAY_PORT,
      TRUST_PROXY,
      APP_KEY_HEADERS,
      CORS_ORIGINS = [],
      IGNORED_PARAMETERS,
    } = configuration;
    this.publicUrl = PUBLIC_URL ?? `http://localhost:${GATEWAY_PORT}`;
    this.forwardedCounts = PUBLIC_URL === undefined && TRUST_PROXY !== undefined;
    this.vary = ['Authorization', ...APP_KEY_HEADERS, 'Cookie', ...(CORS_ORIGINS.length > 0 ? ['Origin'] : [])].join(
      ', ',
    );
    const ignored = new Set(IGNORED_PARAMETERS);
    this.isIgnoredParameter = (name) => isIgnoredName(name) || ignored.has(name);
  }
}

/** The rate limit as the headers tell it. */
type LimitState = { readonly limit: number; readonly remaining: number; readonly reset: string };

export class HttpExchange {
  readonly startedAtMs = Date.now();
  /** What the route serves; without it the route is public or unknown. */
  operation: HttpOperation | undefined;
  /** Set when the caller is known, with the frame. */
  verified: VerifiedCredential | undefined;
  frame: CallFrame | undefined;
  limit: LimitState | undefined;
  /** The origin of the page that asks, when the operator allows it. */
  allowedOrigin: string | undefined;
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
    exchange: HttpExchange;
  }
  interface FastifyContextConfig {
    operation?: HttpOperation;
  }
}

/** The characters of a host name or an IP address, with a port. */
const hostShape = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,253})|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Scheme, host and port that callers use: the configured ones, else those that a trusted proxy forwards. Never the header Host of
 * a caller, which could put any address into our answers.
 */
export const publicUrlOf = (request: FastifyRequest): string => {
  const { edge } = request.exchange;
  if (!edge.forwardedCounts || request.headers['x-forwarded-host'] === undefined) return edge.publicUrl;
  // Fastify answers the forwarded host only when the peer is a trusted proxy.
  const { host, protocol } = request;
  if (host === request.headers.host || !hostShape.test(host)) return edge.publicUrl;
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`;
};

const acceptedId = /^[A-Za-z0-9._-]{1,128}$/;

export const acceptOrCreateRequestId = (received: string | string[] | undefined): string =>
  typeof received === 'string' && acceptedId.test(received) ? received : randomUUID();

export const acceptTraceparent = (received: string | string[] | undefined): string | undefined =>
  typeof received === 'string' && isTraceparent(received) ? received : undefined;

// Random bytes are bought in bulk; one system call for 128 traces.
const traceBytes = 24;
let randomHex = '';
let usedHexLength = 0;

/** Of a trace that nobody collects: it holds log lines together. */
export const createTraceparent = (): string => {
  if (usedHexLength >= randomHex.length) {
    randomHex = randomBytes(traceBytes * 128).toString('hex');
    usedHexLength = 0;
  }
  const made = `00-${randomHex.slice(usedHexLength, usedHexLength + 32)}-${randomHex.slice(usedHexLength + 32, usedHexLength + 48)}-00`;
  usedHexLength += traceBytes * 2;
  return made;
};
