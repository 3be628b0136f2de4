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
  return issue.keys.map((key) => {
    const suggestion = findNearestName(key, memberNames(schema));
    return {
      in: origin,
      path: [...path, key].join('.'),
      message: `unknown member "${key}"${suggestion ? `; did you mean "${suggestion}"?` : ''}`,
      rule: issue.code,
      ...(suggestion !== undefined && { suggestion }),
    };
  });
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

/** Every member name that occurs anywhere in the schema; enough to recognise a misspelling. */
const memberNames = (schema: z.ZodType): ReadonlySet<string> => {
  const known = memberNamesOf.get(schema);
  if (known) return known;
  const names = new Set<string>();
  collectNames(schema.toJSONSchema({ io: 'input' }), names);
  memberNamesOf.set(schema, names);
  return names;
};

const memberNamesOf = new WeakMap<z.ZodType, ReadonlySet<string>>();

const collectNames = (node: unknown, names: Set<string>): void => {
  if (typeof node !== 'object' || node === null) return;
  const members: readonly (readonly [string, unknown])[] = Object.entries(node);
  for (const [member, value] of members) {
    if (member === 'properties' && typeof value === 'object' && value !== null)
      for (const name of Object.keys(value)) names.add(name);
    collectNames(value, names);
  }
};
