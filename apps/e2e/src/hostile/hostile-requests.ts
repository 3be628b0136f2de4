/**
 * Hostile requests from the gateway's OpenAPI document: a valid request of each operation with one hostile part: a
 * path, query or header parameter, a member of the body, or the whole body.
 */
import { memberOf, memberNamesOf, textOf } from '../json.js';
import { hostileBodies } from './hostile-bodies.js';
import { hostileHeaderTexts, hostileJsonTexts, largeJsonTexts, hostileUrlTexts } from './hostile-values.js';

export type HostileRequest = {
  /** What is hostile where; enough to find it again. */
  readonly name: string;
  readonly operation: string;
  readonly method: string;
  /** As it is sent; may be no URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: () => Buffer;
};

export type ValidRequest = {
  readonly path: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

type Parameter = { readonly name: string; readonly in: string };
type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly hasBody: boolean;
  readonly members: readonly string[];
};

/** Stands in a right body where the hostile text goes. */
const mark = '@@hostile@@';

export const buildHostileRequests = (
  document: unknown,
  rightOf: (operation: string) => ValidRequest,
): readonly HostileRequest[] =>
  operationsOf(document).flatMap((operation) => {
    const right = rightOf(operation.id);
    return [...inParameters(operation, right), ...inBodies(operation, right)];
  });

const operationsOf = (document: unknown): readonly Operation[] =>
  memberNamesOf(memberOf(document, 'paths')).flatMap((path) =>
    memberNamesOf(memberOf(document, 'paths', path)).map((method) => {
      const operation = memberOf(document, 'paths', path, method);
      const body = memberOf(operation, 'requestBody', 'content', 'application/json', 'schema');
      return {
        id: textOf(operation, 'operationId'),
        method: method.toUpperCase(),
        path,
        parameters: parametersOf(operation),
        hasBody: body !== undefined,
        members: memberNamesOf(memberOf(resolved(document, body), 'properties')),
      };
    }),
  );

const parametersOf = (operation: unknown): readonly Parameter[] => {
  const parameters = memberOf(operation, 'parameters');
  return Array.isArray(parameters)
    ? parameters.map((parameter) => ({ name: textOf(parameter, 'name'), in: textOf(parameter, 'in') }))
    : [];
};

const resolved = (document: unknown, schema: unknown): unknown => {
  const reference = textOf(schema, '$ref');
  return reference === '' ? schema : memberOf(document, ...reference.split('/').slice(1));
};

type RequestParts = {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The right request, with one parameter as it is given here. */
const sentOf = ({ path, hasBody }: Operation, right: ValidRequest, hostile?: Parameter, text = ''): RequestParts => {
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    hostile?.in === 'path' && hostile.name === name ? text : encodeURIComponent(right.path[name] ?? 'x'),
  );
  const query = Object.entries({ ...right.query }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (hostile?.in === 'query') query.push(`${hostile.name}=${text}`);
  return {
    target: query.length > 0 ? `${target}?${query.join('&')}` : target,
    headers: {
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...(hostile?.in === 'header' && { [hostile.name]: text }),
    },
    ...(hasBody && right.body !== undefined && { body: JSON.stringify(right.body) }),
  };
};

const inParameters = (operation: Operation, right: ValidRequest): readonly HostileRequest[] =>
  [...operation.parameters, { name: 'Accept', in: 'header' }, { name: 'utm_x', in: 'query' }].flatMap((parameter) =>
    textsFor(parameter).map((text, index) => {
      const { target, headers, body } = sentOf(operation, right, parameter, text);
      return {
        name: `${operation.id}: ${parameter.in} ${parameter.name}, value ${index}`,
        operation: operation.id,
        method: operation.method,
        ...{ target, headers },
        ...(body !== undefined && { body: () => Buffer.from(body) }),
      };
    }),
  );

const textsFor = ({ in: place, name }: Parameter): readonly string[] => {
  if (place === 'header') return hostileHeaderTexts;
  // A long list, a repeated parameter, and an unknown parameter.
  return place === 'query'
    ? [...hostileUrlTexts, ','.repeat(2_000), `1&${name}=2`, `1&${name}[]=2&${name}[a]=3`, `1${'&utm_x=1'.repeat(900)}`]
    : hostileUrlTexts;
};

const inBodies = (operation: Operation, right: ValidRequest): readonly HostileRequest[] => {
  if (!operation.hasBody) return [];
  const sent = sentOf(operation, right);
  const make = (name: string, body: () => Buffer, headers: Readonly<Record<string, string>> = {}): HostileRequest => ({
    name: `${operation.id}: ${name}`,
    operation: operation.id,
    method: operation.method,
    target: sent.target,
    headers: { ...sent.headers, ...headers },
    body,
  });
  const members = placesIn(right.body, operation.members).flatMap(({ place, body }) => {
    const text = (hostile: string) => () => Buffer.from(body.replace(`"${mark}"`, () => hostile));
    return [
      ...hostileJsonTexts.map((hostile, index) => make(`body ${place}, value ${index}`, text(hostile))),
      ...Object.entries(largeJsonTexts).map(([name, hostile]) =>
        make(`body ${place}, 1 MiB of ${name}`, () => text(hostile())()),
      ),
    ];
  });
  const wholes = hostileBodies.map(({ name, bytes, headers }) =>
    make(`a body that is ${name}`, () => bytes(sent.body ?? '{}'), headers),
  );
  return [...members, ...wholes];
};

type Place = { readonly place: string; readonly body: string };

/** Each member of the valid body in turn, an unknown member in each object, and the other members of the schema. */
const placesIn = (body: unknown, known: readonly string[]): readonly Place[] => {
  const paths = pathsIn(body ?? {});
  const further = known.filter((name) => memberOf(body, name) === undefined).map((name) => [name]);
  return [...paths, ...further].map((path) => ({
    place: path.join('.'),
    body: JSON.stringify(insertMark(body ?? {}, path)),
  }));
};

const pathsIn = (value: unknown): readonly (readonly string[])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const names = memberNamesOf(value);
  const inside = names.flatMap((name) => pathsIn(memberOf(value, name)).map((path) => [name, ...path]));
  return [...names.map((name) => [name]), ...inside, ...(Array.isArray(value) ? [] : [['unknownMember']])];
};

const insertMark = (value: unknown, [name = '', ...rest]: readonly string[]): unknown => {
  const inner = rest.length === 0 ? mark : insertMark(memberOf(value, name), rest);
  return Array.isArray(value)
    ? value.map((entry: unknown, index) => (String(index) === name ? inner : entry))
    : { ...(value as object), [name]: inner };
};
