/**
 * Sends the examples as the OpenAPI document describes them: parameters at their places, lists as it says, the body as JSON. What
 * is recorded has no secrets, long lists and texts are cut, and what differs between installations is compared by its form.
 */
import { randomUUID } from 'node:crypto';
import { examplePublicUrl, type OperationExample } from '@tessera/contracts';
import { itemsOf, memberOf, memberNamesOf, parseJson, textOf } from '../json.js';
import type { RunningProduct } from '../product.js';
import { pageHeaders, startMemberSession } from './member-session.js';

export type ExampleContext = {
  /** The latest answer of an operation. */
  readonly answer: (operation: string) => unknown;
  /** A header of it. */
  readonly header: (operation: string, name: string) => string;
  readonly uuid: () => string;
  /** That of the demo. */
  readonly key: string;
  /** With the key of the demo. */
  readonly get: (
    path: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly document: unknown; readonly headers: Headers }>;
};

export type ExampleRequest = {
  /** As a page of the platform sends it: with the cookie of a session in place of the key. */
  readonly asPage?: true;
  /** The same with the session of a member. */
  readonly asMember?: true;
  /** By their names on the wire. They go together: it is one request. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Sent one by one with what is required and the body: they go with no others, or have no value that holds in every installation. */
  readonly further?: Readonly<Record<string, string | ((context: ExampleContext) => string | Promise<string>)>>;
};

export type NamedRequest = readonly [operation: string, ExampleRequest | ((context: ExampleContext) => ExampleRequest)];

export type DescribedOperation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string;
  readonly parameters: readonly DescribedParameter[];
  readonly takesBody: boolean;
  /** Of its success. */
  readonly mediaTypes: readonly string[];
};

export type DescribedParameter = {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly isRepeated: boolean;
};

export const readDescribedOperations = (document: unknown): readonly DescribedOperation[] => {
  const paths = memberOf(document, 'paths');
  return memberNamesOf(paths).flatMap((path) =>
    memberNamesOf(memberOf(paths, path)).map((method) => {
      const operation = memberOf(paths, path, method);
      return {
        name: textOf(operation, 'operationId'),
        method: method.toUpperCase(),
        path,
        scope: textOf(operation, 'x-scope'),
        parameters: itemsOf(operation, 'parameters').map((each) => ({
          name: textOf(each, 'name'),
          in: textOf(each, 'in'),
          isRequired: memberOf(each, 'required') === true,
          isRepeated: memberOf(each, 'explode') === true,
        })),
        takesBody: memberOf(operation, 'requestBody') !== undefined,
        mediaTypes: memberNamesOf(memberOf(operation, 'responses', '200', 'content')),
      };
    }),
  );
};

/** The variable of `.tessera/env` with the key that may do it. */
export const keyVariableFor = ({ scope }: DescribedOperation): string => (scope === 'admin' ? 'ADMIN_KEY' : 'DEMO_KEY');

export type ExampleAnswer = {
  readonly status: number;
  readonly text: string;
  readonly document: unknown;
  readonly headers: Headers;
};

export const sendExample = async (
  product: RunningProduct,
  operation: DescribedOperation,
  { parameters = {}, body, asPage, asMember }: ExampleRequest,
): Promise<ExampleAnswer> => {
  const { path, query, headers } = placed(operation, parameters);
  const response = await fetch(`${product.gateways[0]}${path}${query && `?${query}`}`, {
    method: operation.method,
    headers: {
      ...(asMember
        ? { ...pageHeaders, cookie: await startMemberSession(product) }
        : asPage
          ? await keySessionHeaders(product, operation)
          : { AppKey: product.environment[keyVariableFor(operation)] ?? '' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, text, document: isJson ? parseJson(text) : text, headers: response.headers };
};

/** Who signs in has no cookie yet. */
const keySessionHeaders = async (
  { gateways, environment }: RunningProduct,
  { name }: DescribedOperation,
): Promise<Readonly<Record<string, string>>> => {
  if (name === 'gateway.sessions.start') return pageHeaders;
  const response = await fetch(`${gateways[0]}/session`, {
    method: 'POST',
    headers: { ...pageHeaders, 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey: environment['DEMO_KEY'] }),
  });
  return { ...pageHeaders, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
};

const placed = ({ path, parameters }: DescribedOperation, values: Readonly<Record<string, unknown>>) => {
  const given = parameters.filter(({ name }) => name in values);
  const at = (place: string) => given.filter((each) => each.in === place);
  const query = new URLSearchParams(
    at('query').flatMap(({ name, isRepeated }) => pairsOf(name, values[name], isRepeated)),
  );
  return {
    path: at('path').reduce(
      (filled, { name }) => filled.replace(`{${name}}`, encodeURIComponent(String(values[name]))),
      path,
    ),
    query: query.toString(),
    headers: Object.fromEntries(at('header').map(({ name }) => [name, String(values[name])])),
  };
};

/** An object stands in a query by its members, a list by its entries or with commas. */
const pairsOf = (name: string, value: unknown, isRepeated: boolean): [string, string][] => {
  if (Array.isArray(value)) return isRepeated ? value.map((each) => [name, String(each)]) : [[name, value.join(',')]];
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([member, each]) => [member, String(each)])
    : [[name, String(value)]];
};

/** A request whose answer is of another media type than the first that the document names. */
export const setMediaType = ({ parameters = {}, ...request }: ExampleRequest, mediaType: string): ExampleRequest => {
  const { $format: _, ...others } = parameters;
  return {
    ...request,
    parameters: {
      ...others,
      accept: mediaType,
      // Another request than the one before.
      ...('idempotency-key' in others && { 'idempotency-key': randomUUID() }),
    },
  };
};

const textMax = 1_000;
const eventsMax = 5;
const answerMax = 2_000;

const shortened = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);

/** Without secrets, at the address that the gateway puts its own in place of. */
export const sanitiseRecordedText = (product: RunningProduct, text: string): string =>
  text
    .replaceAll(product.gateways[0] ?? '', examplePublicUrl)
    .replaceAll(/tsk_[0-9A-Za-z]{12}_[0-9A-Za-z_]+/g, 'tsk_<id>_<secret>_<checksum>');

type CutLimits = {
  readonly entries: number;
  readonly text: number;
  /** Deeper lists are empty. */
  readonly listDepth: number;
  /** Deeper objects have as many members as lists have entries. */
  readonly objectDepth: number;
};

const cut = (value: unknown, limits: CutLimits, depth = 0): unknown => {
  if (typeof value === 'string') return shortened(value, limits.text);
  if (typeof value !== 'object' || value === null) return value;
  const inner = (each: unknown): unknown => cut(each, limits, depth + 1);
  if (Array.isArray(value)) return value.slice(0, depth > limits.listDepth ? 0 : limits.entries).map(inner);
  const members = Object.entries(value).map(([name, each]) => [name, inner(each)] as const);
  return Object.fromEntries(depth > limits.objectDepth ? members.slice(0, limits.entries) : members);
};

/** Each cuts more than the one before. */
const cuts: readonly CutLimits[] = [
  { entries: 2, text: 300, listDepth: 20, objectDepth: 20 },
  { entries: 1, text: 200, listDepth: 20, objectDepth: 20 },
  ...[6, 5, 4, 3, 2].map((listDepth) => ({ entries: 1, text: 200, listDepth, objectDepth: 20 })),
  ...[5, 4, 3, 2, 1, 0].map((objectDepth) => ({ entries: 1, text: 200, listDepth: 20, objectDepth })),
];

const eventEnd = '\n\n';
const isEvents = (text: string): boolean => text.startsWith('event: ');
const firstEvents = (text: string): string =>
  isEvents(text) ? text.split(eventEnd).slice(0, eventsMax).join(eventEnd) : text;

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** The largest cut that is small enough and still what the contract describes. */
export const shortenAnswer = (product: RunningProduct, answer: unknown, fits: (value: unknown) => boolean): unknown => {
  if (typeof answer === 'string') return shortened(sanitiseRecordedText(product, firstEvents(answer)), textMax);
  const whole = parseJson(sanitiseRecordedText(product, JSON.stringify(answer)));
  const fitting = cuts.map((limits) => cut(whole, limits)).filter(fits);
  return (
    fitting.find((value) => sizeOf(value) <= answerMax) ??
    fitting.toSorted((one, other) => sizeOf(one) - sizeOf(other))[0] ??
    whole
  );
};

/**
 * The form of what is recorded: the same in every installation. UUIDs of version 8 are made of keys and stay; parameters that hold in
 * one installation alone are compared by their names, and so are events.
 */
export const normaliseExample = (example: OperationExample | undefined): unknown => {
  if (example === undefined) return undefined;
  const answers = Object.entries(example.answers).map(([mediaType, answer]): [string, unknown] => [
    mediaType,
    typeof answer === 'string' && isEvents(answer) ? answer.match(/^event: .*$/gm) : answer,
  ]);
  const compared = { ...example, further: Object.keys(example.further), answers: Object.fromEntries(answers) };
  return parseJson(
    JSON.stringify(compared)
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<instant>')
      .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g, '<instant>')
      .replaceAll(/(\b(?:created|changed)On\\?":(?:\{\\?"127\\?":)?\\?")[\dT:.-]+/g, '$1<instant>')
      .replaceAll(/\basOf=[\dT:.-]+/g, 'asOf=<instant>')
      .replaceAll(/("(?:createdBy|changedBy|author)":)\[[^\]]*\]/g, '$1["<caller>"]')
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-79a-f][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>')
      .replaceAll(/\bkey-[0-9A-Za-z]{12}\.[0-9a-f]+/g, 'key-<id>')
      .replaceAll(/\bkey:[0-9A-Za-z]{12}\b/g, 'key:<id>')
      .replaceAll(/"(keyId|next)":"[0-9A-Za-z]{12}"/g, '"$1":"<id>"')
      .replaceAll(/("resetsAt":")[^"]+/g, '$1<instant>')
      .replaceAll(/("(?:salt|resultDigest)":")[0-9a-f]{32,64}"/g, '$1<digest>"')
      .replaceAll(/("value":")[\w-]{86}"/g, '$1<signature>"')
      .replaceAll(/("created":)\d{10}\b/g, '$10')
      .replaceAll(/("x-ratelimit-(?:remaining|reset)":")[^"]+/g, '$1')
      .replaceAll(
        /(\\?"(?:durationMs|uptimeSeconds|remaining|thisHour|last24Hours|requests|bytes)\\?":)[\d.]+/g,
        '$10',
      ),
  );
};
