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
export type OwningService = 'gateway' | 'content-repo' | 'tool-gateway' | 'agents' | 'knowledge-models';

/** Which shape a failure takes at the edge: OperationResult (A), 422 list or Problem (B), Problem (C), errorDTO (D), Problem (admin). */
export type OperationGroup = 'A' | 'B' | 'C' | 'D' | 'admin';

export type HttpBinding = {
  readonly group: OperationGroup;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** A template with its members in braces: `/admin/keys/{keyId}`. */
  readonly path: string;
  /** The request member that is the body; all members that are neither path, header nor body are the query. */
  readonly body?: string;
  /** Bodies of up to BODY_MAX_BYTES, since content, rows, definitions, histories or arguments come in them; all others have 256 KiB. */
  readonly hasLargeBody?: true;
  /** Request member -> header name. `api-version` is accepted as a query parameter as well. */
  readonly headers?: Readonly<Record<string, string>>;
  /** System query options: with `$` or without it, in any case; one that is not among the members is 501. */
  readonly isOData?: true;
  /** The body member is the text that was sent, of whatever type; text that is no UTF-8 becomes U+FFFD alone. */
  readonly isTextBody?: true;
  /** A turn of a conversation: it has a time of its own at the edge, since people wait longer for it. */
  readonly isTurn?: true;
  /** Speaks the chat completions protocol: a failure is an error object of it, whole and among its events. */
  readonly isCompletion?: true;
  /** An endpoint of the Model Context Protocol: `Origin` is checked, 401 names its metadata, other methods are 405. */
  readonly isMcp?: true;
  /** Needs no credential: it gives one, to pages of the platform alone. */
  readonly isSignIn?: true;
};

/** A reply that its owner renders: bytes of one of these media types, documented by `schema`, never parsed on the way. */
export type RenderedReply<Schema extends z.ZodType = z.ZodType> = {
  readonly kind: 'rendered';
  readonly mediaTypes: readonly string[];
  readonly schema: Schema;
};

export const renderedReply = <Schema extends z.ZodType>(
  schema: Schema,
  mediaTypes: readonly string[] = ['application/json; charset=utf-8'],
): RenderedReply<Schema> => ({ kind: 'rendered', mediaTypes, schema });

export type Operation<
  Req extends z.ZodObject = z.ZodObject,
  Rep extends z.ZodType | RenderedReply = z.ZodType | RenderedReply,
> = {
  readonly owner: OwningService;
  /** Unique, dotted, e.g. `content.facets.list`; also the operationId. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /** `none`: a credential is enough. */
  readonly scope: Scope | 'none';
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
  Rep extends z.ZodType | RenderedReply = z.ZodType | RenderedReply,
> = Operation<Req, Rep> & { readonly http: HttpBinding };

/** Declares an operation; types are inferred, nothing happens. */
export const operation = <Req extends z.ZodObject, Rep extends z.ZodType | RenderedReply>(
  declaration: HttpOperation<Req, Rep>,
): HttpOperation<Req, Rep> => declaration;

/** Declares an operation between services. */
export const internalOperation = <Req extends z.ZodObject, Rep extends z.ZodType | RenderedReply>(
  declaration: Omit<Operation<Req, Rep>, 'http'>,
): Operation<Req, Rep> => declaration;

/** Whether a caller with these scopes may call the operation. */
export const canCall = (
  { scopes: held }: { readonly scopes: readonly Scope[] },
  { scope }: Pick<Operation, 'scope'>,
): boolean => scope === 'none' || held.includes(scope);

/** The schema of a reply that is a value, and what fits it. */
export type ValueSchema = z.ZodType;
export type ValueOf<Schema extends ValueSchema> = z.output<Schema>;

export type RequestOf<O extends Operation> = z.output<O['request']>;
/** The value a handler answers: the schema's type, or a byte reply where the owner renders. */
export type ReplyOf<O extends Operation> = O['reply'] extends z.ZodType ? z.output<O['reply']> : ByteReply;

/** What a caller sends: a member with a default may be left out. */
export type InputOf<O extends Operation> = z.input<O['request']>;
/** The JSON of an answer, whoever renders it. */
export type AnswerOf<O extends Operation> =
  O['reply'] extends RenderedReply<infer Schema>
    ? z.output<Schema>
    : O['reply'] extends z.ZodType
      ? z.output<O['reply']>
      : never;

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
export const operationSubjectOf = (declared: Pick<Operation, 'owner' | 'name'>): string =>
  `op.${declared.owner}.${declared.name}`;

const pathMember = /\{(\w+)\}/g;

/** The members that stand in the path. */
export const pathParameterNames = ({ path }: Pick<HttpBinding, 'path'>): readonly string[] =>
  [...path.matchAll(pathMember)].map(([, member = '']) => member);

/** The path with a text in the place of each member. */
export const fillPath = ({ path }: Pick<HttpBinding, 'path'>, textOf: (member: string) => string): string =>
  path.replaceAll(pathMember, (_, member: string) => textOf(member));

const ifNoneMatch = z
  .string()
  .max(8000)
  .optional()
  .describe('ETags of answers that the caller has; when the answer would be one of them, 304 comes in its place.');
/** A read whose answer carries an ETag adds this to its request and `conditionalHeaders` to its HTTP binding. */
export const conditionalParameters = { ifNoneMatch };
export const conditionalHeaders = { ifNoneMatch: 'if-none-match' } as const;

/**
 * Among the headers of an answer of a service: for how many milliseconds from its request on the same request, of a caller
 * who sees the same, has the same answer. The gateway keeps it to itself.
 */
export const freshForHeader = 'tessera-fresh-for';

/**
 * The key under which a writing POST may be sent again: every such operation adds `...idempotent` to its request and
 * `idempotencyHeaders` to its HTTP binding. The key is no part of what is asked for.
 */
export const idempotencyHeader = 'idempotency-key';
/** On an answer that was kept: nothing was done again. */
export const idempotencyReplayedHeader = 'idempotency-replayed';

const idempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/, 'expected 1 to 255 printable ASCII characters')
  .describe(
    'Makes it safe to send the request again: for 24 hours the same key and request get the same answer, and nothing is done twice; another request under the same key gets 422. Random text that nobody can guess, e.g. a UUID, new for each request.',
  );

/** The member of a request. */
export const idempotencyParameter = { idempotencyKey: idempotencyKey.optional() };
/** Where it travels. */
export const idempotencyHeaders = { idempotencyKey: idempotencyHeader } as const;

/** The member of a request that is a condition on what it changes. */
export const ifMatchParameter = {
  ifMatch: z
    .string()
    .max(10_000)
    .regex(/^\s*\*\s*$|"[^"]*"/, 'expected an ETag as it was answered, with its quotes, or *')
    .optional()
    .meta({ examples: ['"6d1a9f0c"'] })
    .describe('The ETag that what is changed must still have, or `*`: it has to be there.'),
};
/** Where it travels. */
export const ifMatchHeaders = { ifMatch: 'if-match' } as const;

/** The members of a PUT that are conditions: on what it changes, or on its not being there yet. */
export const putConditionParameters = {
  ...ifMatchParameter,
  ifNoneMatch: z
    .literal('*')
    .optional()
    .meta({ examples: ['*'] })
    .describe('`*`: it must not be there yet.'),
};
/** Where they travel. */
export const putConditionHeaders = { ...ifMatchHeaders, ...conditionalHeaders } as const;

/** Whether calls of the operation may carry a key. */
export const acceptsIdempotencyKey = ({ http }: Pick<HttpOperation, 'http'>): boolean =>
  Object.values(http.headers ?? {}).includes(idempotencyHeader);

/** Parameters and members of such names are ignored where they are not known; every other unknown name is refused. */
export const isIgnoredName = (name: string): boolean => name.startsWith('_') || name.startsWith('utm_');
