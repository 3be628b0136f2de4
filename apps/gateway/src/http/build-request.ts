/**
 * HTTP shape to operation request: path, query, headers and body are gathered on one object without a prototype, text is
 * coerced, and the contract parses it once, a large one in slices. Members that are nearly a known one are refused (a
 * misspelling must not be ignored silently); what is unknown and near nothing is ignored.
 */
import {
  hasMoreValuesThan,
  type HttpOperation,
  parseSliced,
  pathParameterNames,
  type RequestOf,
} from '@tessera/contracts';
import { fail, type Failure, type Fault, maxNameSuggestions, type Result, succeed } from '@tessera/failures';
import { runInSlices } from '@tessera/fair-queue';
import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import { z } from 'zod';
import {
  type KnownMembers,
  refuseContentParameter,
  refuseDataParameter,
  removeNullMembers,
} from './data-parameters.js';
import {
  failureFromFaults,
  faultsFromIssues,
  findNearestMemberName,
  type MemberLocation,
  createUnknownMemberFault,
} from './faults.js';
import { normaliseLiteral, createODataOptions, encodeTimeZonePlus } from './odata-options.js';
import { truncationFailureOf } from './read-body.js';

type HttpParts = {
  readonly params: Readonly<Record<string, string>>;
  /** As it was sent: path, `?`, query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** That of the caller. */
  readonly team: string;
};

type Input = Record<string, unknown>;
type Member = {
  readonly member: string;
  readonly coerce: (value: string | string[]) => unknown;
};

const queryPairsMax = 1000;
/** Each name that nobody knows costs a search for the nearest of all that are known. */
const unknownNamesMax = 100;
/** Parameter aliases of OData: query parameters whose names begin with `@`. */
const aliasesMember = 'aliases';
const literalTypes: ReadonlySet<string> = new Set(['integer', 'number', 'boolean']);

/** A request of fewer values is parsed at once: zod takes 2 ms for 600, and fifty requests may come in one turn of the event loop. */
const valuesAtOnce = 100;

/** Prepared once for each operation: answers how its requests are built. */
export const createRequestBuilder = <O extends HttpOperation>(
  operation: O,
): ((parts: HttpParts) => Result<RequestOf<O>> | Promise<Result<RequestOf<O>>>) => {
  const shape = shapeOf(operation);
  return (parts) => {
    const input: Input = { __proto__: null };
    for (const name of shape.path) input[name] = parts.params[name];
    const refused =
      readHeaders(shape, parts, input) ?? readQuery(shape, parts, input) ?? readBody(shape, parts.body, input);
    if (refused) return { ok: false, failure: refused };
    const answer = (data: unknown, issues?: Parameters<typeof faultsFromIssues>[0]): Result<RequestOf<O>> => {
      const failure = issues
        ? failureFromFaults(faultsFromIssues(issues, input, shape), shape.readsData)
        : truncationFailureOf(parts.body);
      return failure ? { ok: false, failure } : succeed(data as RequestOf<O>);
    };
    if (hasMoreValuesThan(input, valuesAtOnce))
      return runInSlices(parseSliced(operation.request, input), parts.team).then((parsed) =>
        parsed.success ? answer(parsed.data) : answer(undefined, parsed.issues),
      );
    const parsed = operation.request.safeParse(input);
    return answer(parsed.data, parsed.error?.issues);
  };
};

/** Where each member of the request travels. */
const shapeOf = ({ request, http }: HttpOperation) => {
  const schema = requestSchemaOf(request);
  const properties = schema.properties ?? {};
  const headerNames = http.headers ?? {};
  const path = pathParameterNames(http);
  const headers = Object.entries(headerNames).map(([member, name]) => ({ member, name: name.toLowerCase() }));
  const query = new Map<string, Member>();
  for (const [member, property] of Object.entries(properties)) {
    if (path.includes(member) || member in headerNames || member === http.body) continue;
    const coerce = coercionOf(property, schema.$defs);
    const isLiteral = http.isOData && literalTypes.has(property.type ?? '');
    query.set(member, { member, coerce: isLiteral ? (value) => coerce(normaliseLiteral(value)) : coerce });
  }
  const aliases = http.isOData && query.delete(aliasesMember) ? aliasesMember : undefined;
  const options = http.isOData ? createODataOptions([...query.keys()]) : undefined;
  const placeOf = (member: string): MemberLocation => {
    if (member === http.body) return { in: 'body', name: '' };
    const header = headers.find((entry) => entry.member === member);
    if (header) return { in: 'header', name: header.name };
    return { in: path.includes(member) ? 'path' : 'query', name: member };
  };
  const readsData = http.group === 'D' && !http.isOData;
  const bodyMembers =
    http.body === undefined ? undefined : knownMembersOf(properties[http.body] ?? {}, schema.$defs, readsData);
  const queryNames = options?.names ?? [...query.keys()];
  return {
    ...{ path, headers, query, queryNames, options, aliases, placeOf, body: http.body, bodyMembers },
    readsData,
    refuseParameter: refuseParameterOf(http),
    membersAt: (place: readonly PropertyKey[]) => memberNamesAt(schema, place),
  };
};
type Shape = ReturnType<typeof shapeOf>;

/** What is said of a name that the operation lacks and that asks for something. */
const refuseParameterOf = ({ group, isOData }: HttpOperation['http']) => {
  if (group === 'A') return refuseContentParameter;
  return group === 'D' && !isOData ? refuseDataParameter : undefined;
};

/** `withStrict`: also of objects whose schema itself refuses what is unknown. */
const knownMembersOf = (
  schema: JsonSchema,
  definitions: JsonSchema['$defs'],
  withStrict: boolean,
): KnownMembers | undefined => {
  const { properties, additionalProperties } = resolveSchema(schema, definitions);
  if (!properties || (additionalProperties !== undefined && !(withStrict && additionalProperties === false)))
    return undefined;
  const membersOf = (inner: JsonSchema) => knownMembersOf(inner, definitions, withStrict);
  return new Map(Object.entries(properties).map(([name, inner]) => [name, membersOf(inner)]));
};

const readHeaders = (shape: Shape, { headers }: HttpParts, input: Input): Failure | undefined => {
  for (const { member, name } of shape.headers) {
    const value = headers[name];
    if (value !== undefined) input[member] = value;
  }
  return undefined;
};

const readQuery = (shape: Shape, { url }: HttpParts, input: Input): Failure | undefined => {
  const start = url.indexOf('?');
  if (start < 0 || start === url.length - 1) return undefined;
  const text = url.slice(start + 1);
  if (!isUtf8(text)) return fail('GENERAL_PARAMETER_ILLEGAL', 'The query is not UTF-8 in percent-encoding.').failure;
  const written = parse(shape.options ? encodeTimeZonePlus(text) : text, '&', '=', { maxKeys: queryPairsMax + 1 });
  const pairs = shape.options?.renamed(written) ?? written;
  const faults: Fault[] = [];
  const aliases: Input = { __proto__: null };
  let [count, unknown] = [0, 0];
  for (const name in pairs) {
    const value = pairs[name];
    if (value === undefined) continue;
    count += typeof value === 'string' ? 1 : value.length;
    const known = shape.query.get(name);
    if (known) input[known.member] = known.coerce(value);
    else if (shape.aliases !== undefined && name.startsWith('@')) aliases[name] = value;
    else if (!readVersion(shape, name, value, input)) {
      if (++unknown > unknownNamesMax) return tooManyParameters(unknownNamesMax, ' that are not known');
      if (faults.length < maxNameSuggestions) faults.push(...unknownParameter(shape, name));
    }
  }
  if (count > queryPairsMax) return tooManyParameters(queryPairsMax);
  if (faults.length > 0) return failureFromFaults(faults);
  if (shape.aliases !== undefined && Object.keys(aliases).length > 0) input[shape.aliases] = { ...aliases };
  return shape.options?.unsupportedIn(pairs);
};

const tooManyParameters = (most: number, which = ''): Failure =>
  fail('GENERAL_PARAMETER_ILLEGAL', `The query has more than ${most} parameters${which}.`).failure;

const nonAsciiEscape = /%[89a-f]/i;
const unescapedPercent = /%(?![0-9a-f]{2})/gi;

/** Other bytes would become a text that nobody meant: a filter by it matches nothing. A percent sign by itself is one. */
const isUtf8 = (query: string): boolean => {
  if (!nonAsciiEscape.test(query)) return true;
  try {
    decodeURIComponent(query.replace(unescapedPercent, '%25'));
    return true;
  } catch {
    return false;
  }
};

/** `api-version` may stand in the query as well; a header and a query that differ are told apart by nobody. */
const readVersion = (shape: Shape, name: string, value: string | string[], input: Input): boolean => {
  if (name !== 'api-version') return false;
  const header = shape.headers.find((entry) => entry.name === name);
  if (!header) return false;
  const before = input[header.member];
  input[header.member] = before === undefined || before === value ? value : [before, value].flat();
  return true;
};

const unknownParameter = (shape: Shape, name: string): readonly Fault[] => {
  const refused = shape.refuseParameter?.(name, shape.queryNames);
  if (refused) return [refused];
  const known = shape.headers.some((entry) => entry.name === 'api-version')
    ? [...shape.queryNames, 'api-version']
    : shape.queryNames;
  return misspeltFault('query', name, known);
};

const misspeltFault = (
  place: 'query' | 'body',
  name: string,
  known: readonly string[],
  path = name,
): readonly Fault[] => {
  const suggestion = findNearestMemberName(name, known);
  return suggestion === undefined ? [] : [createUnknownMemberFault(place, path, suggestion)];
};

const readBody = (shape: Shape, body: unknown, input: Input): Failure | undefined => {
  if (shape.body === undefined || body === undefined) return undefined;
  input[shape.body] = shape.readsData ? removeNullMembers(body, shape.bodyMembers) : body;
  const faults = misspeltMembers(shape.bodyMembers, body, []);
  return faults.length > 0 ? failureFromFaults(faults) : undefined;
};

/** Unknown members of a body are passed over, unless they look like one that is known. */
const misspeltMembers = (
  known: KnownMembers | undefined,
  value: unknown,
  path: readonly string[],
): readonly Fault[] => {
  if (!known || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const names = [...known.keys()];
  const unknown: string[] = [];
  for (const name in value) {
    if (!known.has(name)) unknown.push(name);
    if (unknown.length === maxNameSuggestions) break;
  }
  const members = names.filter((name) => Object.hasOwn(value, name));
  return [
    ...unknown.flatMap((name) => misspeltFault('body', name, names, [...path, name].join('.'))),
    ...members.flatMap((name) => misspeltMembers(known.get(name), Reflect.get(value, name), [...path, name])),
  ];
};

type JsonSchema = {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: JsonSchema;
  /** A list whose values may hold commas: it is repeated, not split. */
  readonly explode?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
};

type Coerce = (value: string | readonly string[]) => unknown;

const numberPattern = /^-?\d{1,40}(\.\d{1,40})?$/;

/** JSON Schema of a request: what a caller may send. */
const requestSchemaOf = (request: z.ZodType): JsonSchema => {
  const schema: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(request, { io: 'input' })));
  return isSchema(schema) ? schema : {};
};

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const resolveSchema = (schema: JsonSchema, definitions: JsonSchema['$defs'] = {}): JsonSchema => {
  const name = schema.$ref?.split('/').pop();
  return name === undefined ? schema : resolveSchema(definitions[name] ?? {}, definitions);
};

/** The members that the object at a path of the request may have, as far as one schema says so. */
export const memberNamesAt = (schema: JsonSchema, path: readonly PropertyKey[]): readonly string[] => {
  const resolve = (at: JsonSchema): JsonSchema => resolveSchema(at, schema.$defs);
  const inside = path.reduce<JsonSchema>((at, step) => {
    const { properties = {}, items } = resolve(at);
    const name = String(step);
    return (typeof step === 'number' ? items : Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
  }, schema);
  return Object.keys(resolve(inside).properties ?? {});
};

const coercionOf = (schema: JsonSchema, definitions: JsonSchema['$defs']): Coerce => {
  const resolved = resolveSchema(schema, definitions);
  switch (resolved.type) {
    case 'integer':
    case 'number':
      return (value) => (typeof value === 'string' && numberPattern.test(value) ? Number(value) : value);
    case 'boolean':
      return (value) => (value === 'true' ? true : value === 'false' ? false : value);
    case 'array': {
      const item = coercionOf(resolved.items ?? {}, definitions);
      return resolved.explode ? (value) => [value].flat().map(item) : (value) => listOf(value).map(item);
    }
    default:
      return (value) => value;
  }
};

/** `a,b` and repeats are the same list; an empty text is the empty list. */
const listOf = (value: string | readonly string[]): readonly string[] =>
  (typeof value === 'string' ? [value] : value)
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
