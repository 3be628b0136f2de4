/**
 * The gateway's client: turns an operation of the contracts into an HTTP request and checks the reply against the
 * contract. Repeats what may be repeated while the gateway is busy. Failures of the gateway and the network are
 * returned, not thrown.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  fillPath,
  pathParameterNames,
  idempotencyHeader,
  acceptsIdempotencyKey,
  type HttpOperation,
  type RenderedReply,
} from '@tessera/contracts';
import { cancelImport, commitImport, stageElements } from '@tessera/contracts/content-repo';
import { revokeKey, writeTeam } from '@tessera/contracts/gateway';
import { cancelLoad, commitLoad, stageRows } from '@tessera/contracts/knowledge-models';
import type { z } from 'zod';
import type { Configuration, KeySetting, Setting } from '../configuration.js';
import { parseJsonWithDigitStrings } from '../terminal/exact-json.js';
import { readProblem } from './read-problem.js';
import type { Problem, RequestFailure } from './request-failure.js';

export type GatewayResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: RequestFailure };

type Body = { readonly json: string };

const attemptsMax = 6;
const waitedMsMax = 5_000;
/** More than the gateway itself takes before it answers that something is late. */
const patienceMs = 5_000;

/** What does no harm when it is sent twice, beside everything that only reads; other POSTs carry an Idempotency-Key. */
const repeatableOperations: ReadonlySet<string> = new Set([
  writeTeam.name,
  stageElements.name,
  commitImport.name,
  cancelImport.name,
  stageRows.name,
  commitLoad.name,
  cancelLoad.name,
  revokeKey.name,
]);

export class Gateway {
  #wasReached = false;

  constructor(
    private readonly url: Setting,
    private readonly key: Setting,
    private readonly stopping: AbortSignal,
  ) {}

  /** `body` is sent in place of the request's own when it is there as text already. */
  async call<Req extends z.ZodObject, Rep extends z.ZodType>(
    operation: HttpOperation<Req, Rep>,
    request: z.output<Req>,
    body?: Body,
  ): Promise<GatewayResult<z.output<Rep>>> {
    const sent = await this.#sendPatiently(operation, request, body, async (response) => ({
      response,
      value: operation.reply.safeParse(await response.json()),
    }));
    if (!sent.ok) return sent;
    const { response, value } = sent.value;
    return value.success ? { ok: true, value: value.data } : this.#notUnderstood(operation, response);
  }

  /** The answer of an operation whose owner renders JSON, also as the text that came. */
  async callRendered<Req extends z.ZodObject, Schema extends z.ZodType>(
    operation: HttpOperation<Req, RenderedReply<Schema>>,
    request: z.output<Req>,
  ): Promise<GatewayResult<{ readonly value: z.output<Schema>; readonly text: string }>> {
    const sent = await this.#sendPatiently(operation, request, undefined, async (response) => {
      const text = await response.text();
      return { response, text, value: operation.reply.schema.safeParse(parseJsonWithDigitStrings(text)) };
    });
    if (!sent.ok) return sent;
    const { response, text, value } = sent.value;
    return value.success ? { ok: true, value: { value: value.data, text } } : this.#notUnderstood(operation, response);
  }

  /** The answer's bytes as they come. Throws when they break off. */
  async stream<Req extends z.ZodObject>(
    operation: HttpOperation<Req>,
    request: z.output<Req>,
  ): Promise<GatewayResult<AsyncIterable<Uint8Array>>> {
    const sent = await this.#sendPatiently(operation, request, undefined, (response) => Promise.resolve(response));
    if (!sent.ok) return sent;
    return sent.value.body ? { ok: true, value: sent.value.body } : this.#notUnderstood(operation, sent.value);
  }

  /** The refusal behind an error that was thrown while bytes came. */
  refusalOf(error: unknown): RequestFailure {
    return this.#refusalOf(error);
  }

  /** A Problem that came inside of an answer, as the refusal that it is. */
  refusalFor(problem: Problem): RequestFailure {
    return { kind: 'refused', problem, key: this.key };
  }

  /** `read` takes of an answer what is needed; when it breaks off meanwhile, that is a refusal as well. */
  async #sendPatiently<T>(
    operation: HttpOperation,
    request: object,
    body: Body | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<GatewayResult<T>> {
    // The same for every attempt: what an attempt has done although its answer was lost is not done again.
    const key =
      acceptsIdempotencyKey(operation) && !repeatableOperations.has(operation.name) ? randomUUID() : undefined;
    for (let attempt = 1; ; attempt++) {
      const sent = await this.#send(operation, request, { body, key }, read);
      const repeats = this.#wasReached && (operation.effect === 'read' || repeatableOperations.has(operation.name));
      const waitMs = sent.ok || attempt === attemptsMax ? undefined : waitOf(sent.refusal, attempt, repeats);
      if (waitMs === undefined) return sent;
      await sleep(waitMs, undefined, { signal: this.stopping }).catch(() => undefined);
    }
  }

  async #send<T>(
    operation: HttpOperation,
    request: object,
    { body, key }: { readonly body: Body | undefined; readonly key: string | undefined },
    read: (response: Response) => Promise<T>,
  ): Promise<GatewayResult<T>> {
    const { path, query, headers, json } = requestParts(operation, request);
    const text = body?.json ?? json;
    try {
      const response = await fetch(`${this.url.value.replace(/\/+$/, '')}${path}${query}`, {
        method: operation.http.method.toUpperCase(),
        headers: {
          Authorization: `Bearer ${this.key.value}`,
          ...(text !== undefined && { 'Content-Type': 'application/json' }),
          ...(key !== undefined && { [idempotencyHeader]: key }),
          ...headers,
        },
        ...(text !== undefined && { body: text }),
        redirect: 'error',
        signal: AbortSignal.any([this.stopping, AbortSignal.timeout(operation.timeoutMs + patienceMs)]),
      });
      this.#wasReached = true;
      if (response.ok) return { ok: true, value: await read(response) };
      return { ok: false, refusal: { kind: 'refused', problem: await readProblem(response), key: this.key } };
    } catch (error) {
      return { ok: false, refusal: this.#refusalOf(error) };
    }
  }

  #refusalOf(error: unknown): RequestFailure {
    if (this.stopping.aborted) return { kind: 'interrupted' };
    return { kind: 'away', gatewayUrl: this.url, cause: causeOf(error) };
  }

  #notUnderstood(
    operation: HttpOperation,
    response: Response,
  ): { readonly ok: false; readonly refusal: RequestFailure } {
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const problem = {
      status: response.status,
      title: 'Answer not understood',
      detail: `What answered ${operation.name} is not what this version of the command expects; is it a Tessera gateway of the same version?`,
      faults: [],
      ...(requestId !== undefined && { requestId }),
    };
    return { ok: false, refusal: { kind: 'refused', problem, key: this.key } };
  }
}

/** The gateway that the configuration names, or what is missing; the first of the keys that is set. */
export const openGateway = (
  configuration: Configuration,
  stopping: AbortSignal,
  keys: readonly KeySetting[] = ['ADMIN_KEY'],
): GatewayResult<Gateway> => {
  const { gatewayUrl, environmentFile } = configuration;
  const settings = { API_KEY: configuration.apiKey, ADMIN_KEY: configuration.adminKey };
  const key = keys.map((name) => settings[name]).find((setting) => setting !== undefined);
  const unset = (setting: 'GATEWAY_URL' | KeySetting): GatewayResult<Gateway> => ({
    ok: false,
    refusal: { kind: 'unset', setting, environmentFile },
  });
  if (!gatewayUrl) return unset('GATEWAY_URL');
  if (!key) return unset(keys[0] ?? 'ADMIN_KEY');
  if (!/^https?:\/\//.test(gatewayUrl.value) || !URL.canParse(gatewayUrl.value))
    return { ok: false, refusal: { kind: 'away', gatewayUrl, cause: 'it is no http address' } };
  return { ok: true, value: new Gateway(gatewayUrl, key, stopping) };
};

const requestParts = ({ http }: HttpOperation, request: object) => {
  const rest = new Map<string, unknown>(Object.entries(request));
  const path = fillPath(http, (member) => encodeURIComponent(String(rest.get(member))));
  for (const member of pathParameterNames(http)) rest.delete(member);
  const body = http.body === undefined ? undefined : rest.get(http.body);
  if (http.body !== undefined) rest.delete(http.body);
  const headers: Record<string, string> = {};
  for (const [member, name] of Object.entries(http.headers ?? {})) {
    const value = rest.get(member);
    if (typeof value === 'string') headers[name] = value;
    rest.delete(member);
  }
  const query = new URLSearchParams();
  for (const [name, value] of rest)
    if (['string', 'number', 'boolean'].includes(typeof value)) query.set(name, String(value));
  return {
    path,
    query: query.size > 0 ? `?${query.toString()}` : '',
    headers,
    json: body === undefined ? undefined : JSON.stringify(body),
  };
};

/** How long to wait before the request is sent again; undefined when that makes no sense. */
const waitOf = (refusal: RequestFailure, attempt: number, repeats: boolean): number | undefined => {
  if (refusal.kind === 'away' && repeats) return 200 * attempt;
  if (refusal.kind !== 'refused' || (refusal.problem.status !== 503 && refusal.problem.status !== 429))
    return undefined;
  const retryAfterMs = (refusal.problem.retryAfterSeconds ?? 0) * 1_000;
  return retryAfterMs > waitedMsMax ? undefined : Math.max(retryAfterMs, 200 * attempt);
};

const causeOf = (error: unknown): string => {
  if (memberOf(error, 'name') === 'TimeoutError') return 'it did not answer in time';
  const code = memberOf(memberOf(error, 'cause'), 'code');
  return typeof code === 'string'
    ? (knownCauses[code] ?? `the connection failed (${code})`)
    : 'the connection broke off';
};

const knownCauses: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
};

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
