/**
 * Responses kept under the Idempotency-Key of their request, for 24 hours by the database's clock, per tenant and route. A
 * response is stored in the transaction of its effect. Failures are not kept, since they had no effect, nor bodies above 16 MiB.
 * Needs READ COMMITTED: above it, a transaction does not see the response of a call that ended after it began.
 */
import { createHash } from 'node:crypto';
import { idempotencyReplayedHeader, type ByteReply, type Operation } from '@tessera/contracts';
import { fail, succeed, type Result } from '@tessera/failures';
import type pg from 'pg';
import { idempotencyRetentionHours } from './common-tables.js';
import { unsealBody, sealBody } from './sealed-body.js';

export type IdempotentCall = {
  readonly schema: 'agents' | 'content_repo' | 'gateway' | 'knowledge_models' | 'tool_gateway';
  readonly tenant: string;
  /** The name of the operation. */
  readonly route: string;
  readonly key: string;
  /** The parsed request without the key. */
  readonly request: unknown;
  /** Whether the answer holds a secret: its body is then kept encrypted under the key. */
  readonly secret?: boolean;
};

export type StoredAnswer = {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type KeptRow = {
  readonly is_free: boolean;
  /** Null when nothing is kept. */
  readonly is_same: boolean | null;
  readonly content_type: string;
  readonly headers: Record<string, string>;
  readonly body: string;
};

export const maxStoredBodyBytes = 16 * 1024 * 1024;

/** Answers that are too old and go with each one that comes. */
const expiredPerInsert = 10;

const mismatchFailure = fail(
  'GENERAL_IDEMPOTENCY_MISMATCH',
  `The Idempotency-Key was used for another request in the last ${idempotencyRetentionHours} hours.`,
);
const tooLargeFailure = fail(
  'GENERAL_BODY_TOOLARGE',
  'The answer would be too large to be kept under the Idempotency-Key; nothing was done. Ask for less at once.',
);
const runningFailure = fail('GENERAL_IDEMPOTENCY_RUNNING', 'A call with this Idempotency-Key is at work.', {
  retryAfterSeconds: 1,
});

/**
 * The first statement in the transaction of the effect; what it locks is held until that ends. `undefined`: do the work.
 * An answer: it was done. GENERAL_IDEMPOTENCY_MISMATCH or GENERAL_IDEMPOTENCY_RUNNING: leave the transaction.
 */
export const findStoredAnswer = async (
  client: pg.ClientBase,
  call: IdempotentCall,
): Promise<Result<StoredAnswer | undefined>> => {
  const { rows } = await client.query<KeptRow>({
    name: `find_kept_answer_${call.schema}`,
    text: `select is_free, is_same, content_type, headers, body from ${call.schema}.find_kept_answer($1, $2, $3, $4)`,
    values: [call.tenant, call.route, sha256(call.key), requestDigestOf(call)],
  });
  const [row] = rows;
  if (!row) throw new Error('find_kept_answer came back without its row.');
  if (!row.is_free) return runningFailure;
  if (row.is_same === null) return succeed(undefined);
  if (!row.is_same) return mismatchFailure;
  const body = call.secret ? unsealBody(call.key, contextOf(call), row.body) : row.body;
  return succeed({ contentType: row.content_type, headers: row.headers, body });
};

/** The last statement before the commit. Throws when `findStoredAnswer` was left out and the key has an answer already. */
export const storeAnswer = async (client: pg.ClientBase, call: IdempotentCall, answer: StoredAnswer): Promise<void> => {
  const { contentType, headers, body } = answer;
  if (Buffer.byteLength(body) > maxStoredBodyBytes)
    throw new Error(`The answer of ${call.route} is too large to be kept under an Idempotency-Key.`);
  const { rowCount } = await client.query({
    name: `keep_answer_${call.schema}`,
    text: keepAnswerSql(call.schema),
    values: [
      call.tenant,
      call.route,
      sha256(call.key),
      requestDigestOf(call),
      contentType,
      JSON.stringify(headers),
      call.secret ? sealBody(call.key, contextOf(call), body) : body,
    ],
  });
  if (rowCount !== 1) throw new Error(`${call.route} was done twice under one Idempotency-Key.`);
};

/** What is too old goes with what comes; rows that somebody else holds are left to the next. */
const keepAnswerSql = (schema: IdempotentCall['schema']): string => `
  with forgotten as (
    delete from ${schema}.idempotency where tenant = $1 and (route, key_digest) in (
      select route, key_digest from ${schema}.idempotency
      where tenant = $1 and created_at <= now() - make_interval(hours => ${idempotencyRetentionHours})
        and (route, key_digest) <> ($2, $3)
      order by created_at limit ${expiredPerInsert} for update skip locked)
  )
  insert into ${schema}.idempotency as kept
    (tenant, route, key_digest, request_digest, content_type, headers, body)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (tenant, route, key_digest) do update set request_digest = excluded.request_digest,
    created_at = excluded.created_at, content_type = excluded.content_type, headers = excluded.headers,
    body = excluded.body
  where kept.created_at <= now() - make_interval(hours => ${idempotencyRetentionHours})`;

/**
 * The answer of a call, made at most once: `work` runs when the call has no key or nothing is kept under it, and what it
 * answers is kept. Inside the transaction of the effect; a failure must roll that back.
 */
export const runIdempotently = async (
  client: pg.ClientBase,
  call: IdempotentCall | undefined,
  work: () => Promise<Result<ByteReply>>,
): Promise<Result<ByteReply>> => {
  if (!call) return work();
  const found = await findStoredAnswer(client, call);
  if (!found.ok) return found;
  if (found.value) return succeed(replayOf(found.value));
  const done = await work();
  if (!done.ok) return done;
  const answer = keptAnswerOf(done.value);
  if (Buffer.byteLength(answer.body) > maxStoredBodyBytes) return tooLargeFailure;
  await storeAnswer(client, call, answer);
  return done;
};

/** The call behind a request that has a key; `undefined` for one that has none. `secret`: see `IdempotentCall`. */
export const createIdempotentCall = (
  { schema, tenant, secret = false }: Pick<IdempotentCall, 'schema' | 'tenant' | 'secret'>,
  operation: Pick<Operation, 'name'>,
  { idempotencyKey, ...request }: { readonly idempotencyKey?: string | undefined },
): IdempotentCall | undefined =>
  idempotencyKey === undefined
    ? undefined
    : { schema, tenant, route: operation.name, key: idempotencyKey, request, secret };

/** The same bytes, and a header that says so. */
const replayOf = ({ contentType, headers, body }: StoredAnswer): ByteReply => ({
  contentType,
  headers: { ...headers, [idempotencyReplayedHeader]: 'true' },
  body: Buffer.from(body),
});

const keptAnswerOf = ({ contentType, headers = {}, body }: ByteReply): StoredAnswer => {
  if (!(body instanceof Uint8Array)) throw new Error('An answer in pieces cannot be kept.');
  return { contentType, headers, body: Buffer.from(body).toString() };
};

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const contextOf = ({ tenant, route }: IdempotentCall): string => JSON.stringify([tenant, route]);

/** Made once for each call; a request may be large. */
const requestDigests = new WeakMap<IdempotentCall, Buffer>();

const requestDigestOf = (call: IdempotentCall): Buffer => {
  const known = requestDigests.get(call);
  if (known) return known;
  const digest = sha256(JSON.stringify([call.request], sortedMembers));
  requestDigests.set(call, digest);
  return digest;
};

const sortedMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;
