/**
 * An operation: the wire declared once, as data. HTTP routes, NATS subjects, validation and OpenAPI derive from it.
 * Requests hold JSON types only and are idempotent: what was parsed parses again.
 */
import type { FailureCode } from '@tessera/failures';
import { z } from 'zod';

export const scopes = [
  'content:read',
  'content:write',
  'tools:execute',
  'agents:converse',
  'agents:execute',
  'knowledge-models:read',
  'admin',
] as const;
export type Scope = (typeof scopes)[number];

/** The services that own operations; `gateway` serves its own in process. */
export type Owner = 'gateway' | 'content-repo' | 'tool-gateway' | 'agents' | 'knowledge-models';

/** Which shape a failure takes at the edge: OperationResult (A), 422 list or Problem (B), Problem (C), errorDTO (D), Problem (admin). */
export type Group = 'A' | 'B' | 'C' | 'D' | 'admin';

export type HttpBinding = {
  readonly group: Group;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** A template with its members in braces: `/admin/keys/{keyId}`. */
  readonly path: string;
  /** The request member that is the body; all members that are neither path, header nor body are the query. */
  readonly body?: string;
  /** Request member -> header name. `api-version` is accepted as a query parameter as well. */
  readonly headers?: Readonly<Record<string, string>>;
  /** System query options: with `$` or without it, in any case; one that is not among the members is 501. */
  readonly isOData?: true;
  /** The body member is the text that was sent, of whatever type; text that is no UTF-8 becomes U+FFFD alone. */
  readonly isTextBody?: true;
  /** A turn of a conversation: it has a time of its own at the edge, since people wait longer for it. */
  readonly isTurn?: true;
  /** An endpoint of the Model Context Protocol: `Origin` is checked, 401 names its metadata, other methods are 405. */
  readonly isMcp?: true;
};

/** A reply that its owner renders: bytes of one of these media types, documented by `schema`, never parsed on the way. */
export type Rendered<Schema extends z.ZodType = z.ZodType> = {
  readonly kind: 'rendered';
  readonly mediaTypes: readonly string[];
  readonly schema: Schema;
};

export const rendered = <Schema extends z.ZodType>(
  schema: Schema,
  mediaTypes: readonly string[] = ['application/json; charset=utf-8'],
): Rendered<Schema> => ({ kind: 'rendered', mediaTypes, schema });

export type Operation<
  Req extends z.ZodObject = z.ZodObject,
  Rep extends z.ZodType | Rendered = z.ZodType | Rendered,
> = {
  readonly owner: Owner;
  /** Unique, dotted, e.g. `content.facets.list`; also the operationId. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly scope: Scope;
  /**
   * Whether the messaging client may send it again when the service that took it died before it answered: a `read` yes, a
   * `write` only with an Idempotency-Key, and what is `announced` until its handler has announced that its effect begins.
   */
  readonly effect: 'read' | 'write' | 'announced';
  readonly timeoutMs: number;
  readonly request: Req;
  readonly reply: Rep;
  /** The failures beside those that every operation has (401, 403, 429, 500, 503 and 400 for its parameters). */
  readonly failures: readonly FailureCode[];
  /** Without one only other services can call it. */
  readonly http?: HttpBinding;
};

/** An operation that the gateway has a route for. */
export type HttpOperation<
  Req extends z.ZodObject = z.ZodObject,
  Rep extends z.ZodType | Rendered = z.ZodType | Rendered,
> = Operation<Req, Rep> & { readonly http: HttpBinding };

/** Declares an operation; types are inferred, nothing happens. */
export const operation = <Req extends z.ZodObject, Rep extends z.ZodType | Rendered>(
  declaration: HttpOperation<Req, Rep>,
): HttpOperation<Req, Rep> => declaration;

/** Declares an operation between services. */
export const internalOperation = <Req extends z.ZodObject, Rep extends z.ZodType | Rendered>(
  declaration: Omit<Operation<Req, Rep>, 'http'>,
): Operation<Req, Rep> => declaration;

/** The schema of a reply that is a value, and what fits it. */
export type ValueSchema = z.ZodType;
export type ValueOf<Schema extends ValueSchema> = z.output<Schema>;

export type RequestOf<O extends Operation> = z.output<O['request']>;
/** The value a handler answers: the schema's type, or a byte reply where the owner renders. */
export type ReplyOf<O extends Operation> = O['reply'] extends z.ZodType ? z.output<O['reply']> : ByteReply;

/** Bytes ready to be sent: whole, or in pieces that are produced as they are read. Header names are lower case. */
export type ByteReply = {
  /**
   * 200 when absent. 304: what the caller has is still right; the body is empty and the ETag is among the headers. Others
   * are for protocols that say their failures themselves.
   */
  readonly status?: number;
  /** Empty when there is no body. */
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
};

/** The NATS subject of an operation, inside the permissions of its owner. */
export const subjectOf = (declared: Pick<Operation, 'owner' | 'name'>): string =>
  `op.${declared.owner}.${declared.name}`;

const pathMember = /\{(\w+)\}/g;

/** The members that stand in the path. */
export const pathParameterNames = ({ path }: Pick<HttpBinding, 'path'>): readonly string[] =>
  [...path.matchAll(pathMember)].map(([, member = '']) => member);

/** The path with a text in the place of each member. */
export const fillPath = ({ path }: Pick<HttpBinding, 'path'>, textOf: (member: string) => string): string =>
  path.replaceAll(pathMember, (_, member: string) => textOf(member));

/**
 * The key under which a writing POST may be sent again: every such operation adds `...idempotent` to its request and
 * `idempotencyHeaders` to its HTTP binding. The key is no part of what is asked for.
 */
export const idempotencyHeader = 'idempotency-key';
/** On an answer that was kept: nothing was done again. */
export const replayedHeader = 'idempotency-replayed';

const idempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/, 'expected 1 to 255 printable ASCII characters')
  .describe(
    'Makes it safe to send the request again: for 24 hours the same key and request get the same answer, and nothing is done twice; another request under the same key gets 422. Random text that nobody can guess, e.g. a UUID, new for each request.',
  );

/** The member of a request. */
export const idempotent = { idempotencyKey: idempotencyKey.optional() };
/** Where it travels. */
export const idempotencyHeaders = { idempotencyKey: idempotencyHeader } as const;

/** Whether calls of the operation may carry a key. */
export const takesIdempotencyKey = ({ http }: Pick<HttpOperation, 'http'>): boolean =>
  Object.values(http.headers ?? {}).includes(idempotencyHeader);
