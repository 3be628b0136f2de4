/**
 * HTTP shape to operation request: path, query, headers and body are gathered on one object without a prototype, text is
 * coerced, and the contract parses it, a large one in slices. An unknown name is refused wherever it stands: a caller may rely
 * on what is ignored.
 */
import {
  hasMoreValuesThan,
  type HttpOperation,
  memberNamesAt,
  parseSliced,
  pathParameterNames,
  type RequestOf,
  type SlicedParseResult,
} from '@tessera/contracts';
import { urlLengthKeyword } from '@tessera/contracts/knowledge-models';
import { fail, type Failure, type Fault, type Result, succeed } from '@tessera/failures';
import { runInSlices, runUnsliced, type SlicedWork } from '@tessera/fair-queue';
import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import { z } from 'zod';
import {
  createUnknownMemberFaults,
  failureFromFaults,
  faultsFromIssues,
  type MemberLocation,
  createUnexpectedBodyFaults,
} from './faults.js';
import { type IneffectiveRules, removeIneffectiveMembers } from './ineffective-members.js';
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
  /** Names that are ignored where nobody knows them. */
  readonly isIgnored: (name: string) => boolean;
  /** A part of a batch, whose URL came in a body. */
  readonly isPart?: boolean;
};

type Input = Record<string, unknown>;
type Member = {
  readonly member: string;
  /** Characters in the URL of a request that is no part of a batch. */
  readonly urlLengthMax?: number | undefined;
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
    readHeaders(shape, parts, input);
    const refused = readQuery(shape, parts, input) ?? readBody(shape, parts, input);
    if (refused) return { ok: false, failure: refused };
    const answer = (parsed: Parsed): Result<RequestOf<O>> => {
      if (!parsed.success) {
        const faults = faultsFromIssues(parsed.issues, input, shape);
        return { ok: false, failure: failureFromFaults(faults, shape.readsData) };
      }
      const failure = truncationFailureOf(parts.body);
      return failure ? { ok: false, failure } : succeed(parsed.data as RequestOf<O>);
    };
    const parsing = parseWithoutIneffective(operation.request, input, {
      body: shape.body,
      nullsAreAbsent: shape.nullsAreAbsent,
      isIgnored: parts.isIgnored,
    });
    return hasMoreValuesThan(input, valuesAtOnce)
      ? runInSlices(parsing, parts.team).then(answer)
      : answer(runUnsliced(parsing));
  };
};

type Parsed = SlicedParseResult<unknown>;

/** A body with so many members without effect, in so many places, is told of the rest. */
const roundsMax = 10;

/** Members of the body that have no effect are taken out where they keep it from fitting. */
function* parseWithoutIneffective(schema: z.ZodObject, input: Input, rules: IneffectiveRules): SlicedWork<Parsed> {
  let parsed: Parsed = yield* parseSliced(schema, input);
  for (let round = 0; !parsed.success && round < roundsMax; round++) {
    if (!removeIneffectiveMembers(parsed.issues, input, rules)) break;
    parsed = yield* parseSliced(schema, input);
  }
  return parsed;
}

/** Where each member of the request travels. */
const shapeOf = ({ request, http }: HttpOperation) => {
  const schema = requestSchemaOf(request);
  const headerNames = http.headers ?? {};
  const path = pathParameterNames(http);
  const headers = Object.entries(headerNames).map(([member, name]) => ({ member, name: name.toLowerCase() }));
  const query = new Map<string, Member>();
  for (const [member, property] of Object.entries(schema.properties ?? {})) {
    if (path.includes(member) || member in headerNames || member === http.body) continue;
    const coerce = coercionOf(property, schema.$defs);
    const isLiteral = http.isOData && literalTypes.has(property.type ?? '');
    query.set(member, {
      member,
      coerce: isLiteral ? (value) => coerce(normaliseLiteral(value)) : coerce,
      urlLengthMax: property[urlLengthKeyword],
    });
  }
  const aliases = http.isOData && query.delete(aliasesMember) ? aliasesMember : undefined;
  const options = http.isOData ? createODataOptions([...query.keys()]) : undefined;
  const hasVersion = headers.some(({ name }) => name === versionParameter);
  const placeOf = (member: string): MemberLocation => {
    if (member === http.body) return { in: 'body', name: '' };
    const header = headers.find((entry) => entry.member === member);
    if (header) return { in: 'header', name: header.name };
    return { in: path.includes(member) ? 'path' : 'query', name: member };
  };
  return {
    ...{ path, headers, query, options, aliases, placeOf, body: http.body },
    queryNames: [...(options?.names ?? query.keys()), ...(hasVersion ? [versionParameter] : [])],
    readsData: http.group === 'D' && !http.isOData,
    // In content null removes a value, and in definitions it is a value that somebody forgot.
    nullsAreAbsent: http.group !== 'A' && http.group !== 'admin',
    membersAt: (place: readonly PropertyKey[], input: object) => memberNamesAt(request, place, input),
  };
};
type Shape = ReturnType<typeof shapeOf>;

const readHeaders = (shape: Shape, { headers }: HttpParts, input: Input): void => {
  for (const { member, name } of shape.headers) {
    const value = headers[name];
    if (value !== undefined) input[member] = value;
  }
};

const readQuery = (shape: Shape, { url, isIgnored, isPart }: HttpParts, input: Input): Failure | undefined => {
  const start = url.indexOf('?');
  if (start < 0 || start === url.length - 1) return undefined;
  const text = url.slice(start + 1);
  if (!isUtf8(text)) return fail('GENERAL_PARAMETER_ILLEGAL', 'The query is not UTF-8 in percent-encoding.').failure;
  const written = parse(shape.options ? encodeTimeZonePlus(text) : text, '&', '=', { maxKeys: queryPairsMax + 1 });
  const pairs = shape.options?.renamed(written) ?? written;
  const unknown: string[] = [];
  const aliases: Input = { __proto__: null };
  let count = 0;
  for (const name in pairs) {
    const value = pairs[name];
    if (value === undefined) continue;
    count += typeof value === 'string' ? 1 : value.length;
    const known = shape.query.get(name);
    if (known && !isPart && value.length > (known.urlLengthMax ?? value.length))
      return failureFromFaults([tooLongFault(known)]);
    if (known) input[known.member] = known.coerce(value);
    else if (shape.aliases !== undefined && name.startsWith('@')) aliases[name] = value;
    else if (!readVersion(shape, name, value, input) && !isIgnored(name) && !shape.options?.isUnsupported(name))
      unknown.push(name);
  }
  if (unknown.length > unknownNamesMax) return tooManyParameters(unknownNamesMax, ' that are not known');
  if (count > queryPairsMax) return tooManyParameters(queryPairsMax);
  if (unknown.length > 0) return failureFromFaults(createUnknownMemberFaults('query', [], unknown, shape.queryNames));
  if (shape.aliases !== undefined && Object.keys(aliases).length > 0) input[shape.aliases] = { ...aliases };
  return shape.options?.unsupportedIn(pairs);
};

const tooLongFault = ({ member, urlLengthMax }: Member): Fault => ({
  in: 'query',
  path: member,
  message: `expected at most ${urlLengthMax} characters; a part of a batch takes more.`,
  rule: 'too_big',
});

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

const versionParameter = 'api-version';

/** `api-version` may stand in the query as well; a header and a query that differ are told apart by nobody. */
const readVersion = (shape: Shape, name: string, value: string | string[], input: Input): boolean => {
  if (name !== versionParameter) return false;
  const header = shape.headers.find((entry) => entry.name === name);
  if (!header) return false;
  const before = input[header.member];
  input[header.member] = before === undefined || before === value ? value : [before, value].flat();
  return true;
};

const readBody = (shape: Shape, { body, isIgnored }: HttpParts, input: Input): Failure | undefined => {
  if (body === undefined) return undefined;
  if (shape.body !== undefined) input[shape.body] = body;
  else if (typeof body === 'object' && body !== null) {
    const faults = createUnexpectedBodyFaults(
      Object.keys(body).filter((name) => !isIgnored(name)),
      shape.queryNames,
    );
    if (faults.length > 0) return failureFromFaults(faults);
  }
  return undefined;
};

type JsonSchema = {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: JsonSchema;
  /** A list whose values may hold commas: it is repeated, not split. */
  readonly explode?: boolean;
  readonly [urlLengthKeyword]?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
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
