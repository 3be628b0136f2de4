/** Validates a value against a schema; faults have a path and a sentence that names what was expected. */
import { findNearestName, type Fault } from '@tessera/failures';
import type { z } from 'zod';

export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** The value as the schema reads it, or every fault of its shape; `origin` is what the faults are `in`. */
export const parseWith = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  origin: string,
): ParseResult<z.output<Schema>> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, faults: parsed.error.issues.flatMap((issue) => issueFaults(schema, issue, { value, origin })) };
};

type Input = { readonly value: unknown; readonly origin: string };

const issueFaults = (schema: z.ZodType, issue: z.core.$ZodIssue, { value, origin }: Input): readonly Fault[] => {
  const path = issue.path.map(String);
  const closed = allowedValuesOf(issue);
  if (closed)
    return [
      {
        in: origin,
        path: path.join('.'),
        rule: 'invalid_value',
        ...describeNotAllowed(closed, valueAt(value, issue.path)),
      },
    ];
  if (issue.code !== 'unrecognized_keys')
    return [{ in: origin, path: path.join('.'), message: sentenceOfIssue(issue), rule: issue.code }];
  const known = membersAt(schema, issue.path, value);
  return issue.keys.map((key) => {
    const suggestion = findNearestName(key, known.keys());
    return {
      in: origin,
      path: [...path, key].join('.'),
      message: `unknown member "${key}"${hintOfUnknown(key, suggestion, known)}`,
      rule: issue.code,
      ...(suggestion !== undefined && { suggestion }),
    };
  });
};

/** A member that stands one level too high is told where it belongs; of others the names that are known there. */
const hintOfUnknown = (key: string, suggestion: string | undefined, known: Members): string => {
  const outer = [...known].find(([, shapes]) => shapes.some(({ properties = {} }) => Object.hasOwn(properties, key)));
  const meant = suggestion ?? (outer && `${outer[0]}.${key}`);
  if (meant !== undefined) return `; did you mean "${meant}"?`;
  return known.size === 0 ? '' : `; expected ${[...known.keys()].join(', ')}`;
};

/** What a value may be; a member that tells shapes apart may be what one of them has. */
const allowedValuesOf = (issue: z.core.$ZodIssue): readonly string[] | undefined => {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return issue.code === 'invalid_union' && 'options' in issue ? issue.options?.map(String) : undefined;
};

/** What a value of a closed list may be, and which of it was meant. */
const describeNotAllowed = (
  names: readonly string[],
  value: unknown,
): Pick<Fault, 'message'> & Partial<Pick<Fault, 'suggestion'>> => {
  const expected = `expected ${names.length === 1 ? '' : 'one of '}${names.join(', ')}`;
  if (value === undefined) return { message: `is missing; ${expected}` };
  if (typeof value !== 'string') return { message: expected };
  const suggestion = findNearestName(value, names);
  const message = `${expected}, not "${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
  return suggestion === undefined ? { message } : { message: `${message}; did you mean "${suggestion}"?`, suggestion };
};

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (within, key) => (typeof within === 'object' && within !== null ? Reflect.get(within, key) : undefined),
    value,
  );

const sentenceOfIssue = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return `is missing; expected ${issue.expected}`;
  const format = issue.code === 'invalid_format' ? describeExpectedFormat(issue) : undefined;
  if (format !== undefined) return `expected ${format}`;
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  return issue.message.replace(/^Invalid input: /, '').replace(/^Too (big|small): /, '');
};

/** What a text must look like, in words; undefined when the schema has words of its own. */
export const describeExpectedFormat = ({ format, message }: z.core.$ZodIssueInvalidStringFormat): string | undefined =>
  message.startsWith('Invalid ') ? formatWords[format] : undefined;

const formatWords: Readonly<Record<string, string>> = {
  guid: 'a UUID',
  uuid: 'a UUID',
  datetime: 'a date-time such as 2026-05-07T08:30:00Z',
  url: 'an address such as https://example.com/page',
};

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Names with what the value of each may be. */
type Members = ReadonlyMap<string, readonly JsonSchema[]>;

/** The names of the members that the object at the path of the value may have. */
export const memberNamesAt = (schema: z.ZodType, path: readonly PropertyKey[], value: unknown): readonly string[] => [
  ...membersAt(schema, path, value).keys(),
];

const membersAt = (schema: z.ZodType, path: readonly PropertyKey[], value: unknown): Members => {
  const root = jsonSchemaOf(schema);
  let shapes = shapesOf(root, root, value);
  for (const [depth, step] of path.entries()) {
    const inner = valueAt(value, path.slice(0, depth + 1));
    shapes = shapes.flatMap((shape) => shapesOf(root, partAt(shape, step), inner));
  }
  const members = shapes.flatMap(({ properties = {} }) => Object.entries(properties));
  return new Map(members.map(([name, member]) => [name, shapesOf(root, member, undefined)]));
};

const jsonSchemaOf = (schema: z.ZodType): JsonSchema => {
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const made = schema.toJSONSchema({ io: 'input' });
  jsonSchemas.set(schema, made);
  return made;
};

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>();

type SchemaPart = JsonSchema['additionalProperties'] | JsonSchema['items'];

/** A schema and all that it consists of; of alternatives those that the value does not exclude by a constant member. */
const shapesOf = (root: JsonSchema, schema: SchemaPart, value: unknown): readonly JsonSchema[] => {
  if (typeof schema !== 'object' || Array.isArray(schema)) return [];
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
  const target = $ref === undefined ? [] : [root.$defs?.[$ref.replace('#/$defs/', '')] ?? root];
  const alternatives = [...anyOf, ...oneOf].map((one) => shapesOf(root, one, value));
  return [
    schema,
    ...[...target, ...allOf].flatMap((one) => shapesOf(root, one, value)),
    ...alternatives.filter((shapes) => shapes.every((shape) => mayBe(shape, value))).flat(),
  ];
};

const mayBe = ({ properties = {} }: JsonSchema, value: unknown): boolean =>
  Object.entries(properties).every(([name, member]) => {
    const given = valueAt(value, [name]);
    return given === undefined || typeof member !== 'object' || member.const === undefined || member.const === given;
  });

const partAt = (
  { items, prefixItems, properties = {}, additionalProperties }: JsonSchema,
  step: PropertyKey,
): SchemaPart => {
  if (typeof step === 'number') return prefixItems?.[step] ?? items;
  const name = String(step);
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
};
