/**
 * What a contract's parse found, as faults of the HTTP request: where, which member, what was expected, what was meant. No
 * more are made than are told.
 */
import { describeExpectedFormat } from '@tessera/contracts';
import {
  describeFaultCount,
  fail,
  maxFaults,
  maxNameSuggestions,
  findNearestName,
  type Failure,
  type Fault,
} from '@tessera/failures';
import type { z } from 'zod';

/** Where a member of the request came from. */
export type MemberLocation = { readonly in: 'path' | 'query' | 'header' | 'body'; readonly name: string };

export type Issue = z.core.$ZodIssue;

/** What a request may look like. */
type RequestShape = {
  readonly placeOf: (member: string) => MemberLocation;
  /** The names of the members that the object at a path of the input may have. */
  readonly membersAt: (path: readonly PropertyKey[], input: object) => readonly string[];
};

export const faultsFromIssues = (
  issues: readonly Issue[],
  input: object,
  { placeOf, membersAt }: RequestShape,
): readonly Fault[] => {
  const faults: Fault[] = [];
  for (const issue of issues.slice(0, maxFaults + 1).flatMap(narrowUnion)) {
    if (faults.length > maxFaults) break;
    const [member = '', ...rest] = issue.path.map(String);
    const place = placeOf(member);
    const inside = place.in === 'body' ? rest : [place.name, ...rest];
    if (issue.code === 'unrecognized_keys') {
      const names = issue.keys.slice(0, maxFaults + 1 - faults.length);
      faults.push(...createUnknownMemberFaults(place.in, inside, names, membersAt(issue.path, input)));
    } else
      faults.push({
        ...{ in: place.in, path: inside.join('.'), rule: issue.code },
        ...describeIssue(issue, valueAt(input, issue.path), place),
      });
  }
  return faults;
};

const guessedNameLengthMin = { min: 3, max: 64 };

const findNearestMemberName = (name: string, known: readonly string[]): string | undefined =>
  name.length < guessedNameLengthMin.min || name.length > guessedNameLengthMin.max
    ? undefined
    : findNearestName(name, known);

/** Names by which other interfaces ask for what this one has by others, in lower case and without signs. */
const rightNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'top limit take size perpage': ['$pageSize', 'pageSize', 'pagination'],
    'skip offset start': ['$page', 'page', 'pageNumber', 'pagination'],
    'page pagesize pagenumber': ['pagination'],
    'filter where having daterange': ['$filter', 'filterExpr', 'filters'],
    'modifiedsince filterexpr': ['$filter', 'filters'],
    'order orderby sortby': ['sort', '$orderby'],
    'select columns groupby dimensions': ['$select', 'fields'],
    'metrics measures apply': ['kpis'],
    distinct: ['options'],
    expand: ['$expandRelated', '$expand'],
    format: ['$format'],
    'search searchterm': ['searchTerm', 'search', '$search'],
  }).flatMap(([names, meant]) => names.split(' ').map((name) => [name, meant] as const)),
);

const findMeantName = (name: string, known: readonly string[]): string | undefined =>
  rightNames.get(name.toLowerCase().replaceAll(/[^a-z]/g, ''))?.find((meant) => known.includes(meant)) ??
  findNearestMemberName(name, known);

/** Names that are told as what would be right. */
const knownNamesMax = 40;

/** One for each name that the object at the path of a part of the request does not have. */
export const createUnknownMemberFaults = (
  place: MemberLocation['in'],
  path: readonly string[],
  names: readonly string[],
  known: readonly string[],
): readonly Fault[] =>
  names.map((name, index) => {
    const suggestion = index < maxNameSuggestions ? findMeantName(name, known) : undefined;
    return {
      in: place,
      path: [...path, name].join('.'),
      message: suggestion === undefined ? 'is not known here.' : `is not known; did you mean "${suggestion}"?`,
      rule: 'additionalProperties',
      ...(suggestion !== undefined && { suggestion }),
      ...(index < maxNameSuggestions && { values: known.slice(0, knownNamesMax) }),
    };
  });

/** Members of a body that the request does not take; `parameters`: of its query. */
export const createUnexpectedBodyFaults = (names: readonly string[], parameters: readonly string[]): readonly Fault[] =>
  names.map((name) => ({
    in: 'body',
    path: name,
    message: parameters.includes(name)
      ? 'is a parameter of the query; the request takes no body.'
      : 'is not known here; the request takes no body.',
    rule: 'additionalProperties',
  }));

/** One failure for all faults; its code says what kind of request it was; `readsData`: also whether only types are wrong. */
export const failureFromFaults = (faults: readonly Fault[], readsData = false): Failure => {
  const are = (rule: string): boolean => faults.every((fault) => fault.rule === rule);
  const code = faults.some((fault) => fault.in === 'body')
    ? 'GENERAL_CONSTRAINT_VIOLATION'
    : are('required')
      ? 'GENERAL_PARAMETER_MISSING'
      : readsData && are('invalid_type')
        ? 'GENERAL_PARAMETER_MISSMATCH'
        : 'GENERAL_PARAMETER_ILLEGAL';
  const detail = faults.length === 1 ? 'The request has a fault.' : `The request has ${describeFaultCount(faults)}.`;
  // Of more than are told the bound itself says that there are more.
  return fail(code, faults.length > maxFaults ? '' : detail, { faults }).failure;
};

/** Of a value that may be of several shapes: the faults of the shape that fits furthest into it, when there is one. */
const narrowUnion = (issue: Issue): readonly Issue[] => {
  if (issue.code !== 'invalid_union') return [issue];
  const shapes = issue.errors.map((errors) =>
    errors.flatMap((error) => narrowUnion({ ...error, path: [...issue.path, ...error.path] })),
  );
  const depthOf = (errors: readonly Issue[]): number =>
    errors.reduce((deepest, { path }) => Math.max(deepest, path.length), 0);
  const [nearest] = shapes.toSorted((one, other) => depthOf(other) - depthOf(one));
  return nearest && depthOf(nearest) > issue.path.length ? nearest : [issue];
};

type Explanation = Pick<Fault, 'message'> & Partial<Pick<Fault, 'rule' | 'suggestion' | 'values'>>;

/** A sentence of the schema itself, where it has one for what zod words in its own way. */
const ownWords = (issue: Issue): string | undefined =>
  (issue.code === 'invalid_type' || issue.code === 'too_small') && !/^(?:Invalid|Too small)\b/.test(issue.message)
    ? `${schemaMessage(issue)}.`
    : undefined;

const describeIssue = (issue: Issue, value: unknown, place: MemberLocation): Explanation => {
  const own = ownWords(issue);
  if (own !== undefined) return { message: own, ...(value === undefined && { rule: 'required' }) };
  if (value === undefined) return { message: `is missing; ${describeExpected(issue, place)}.`, rule: 'required' };
  if (Array.isArray(value) && place.in !== 'body' && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return { message: `is given more than once; ${describeExpected(issue, place)}.`, rule: 'repeated' };
  const suggestion =
    issue.code === 'invalid_value' && typeof value === 'string'
      ? findNearestName(value, issue.values.map(String))
      : undefined;
  const received = issue.code === 'invalid_value' && typeof value === 'string' ? `, not "${excerpt(value)}"` : '';
  const meant = suggestion === undefined ? '.' : `; did you mean "${suggestion}"?`;
  return {
    message: `${describeExpected(issue, place)}${received}${meant}`,
    ...(suggestion !== undefined && { suggestion }),
    ...(issue.code === 'invalid_value' && { values: issue.values.map(String).slice(0, knownNamesMax) }),
  };
};

const describeExpected = (issue: Issue, place: MemberLocation): string => {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${describeType(issue.expected, place)}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `expected ${String(issue.values[0])}`
        : `expected one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `expected at least ${describeAmount(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `expected at most ${describeAmount(issue.maximum, issue.origin)}`;
    case 'invalid_format':
      return describeExpectedFormat(issue) === undefined
        ? schemaMessage(issue)
        : `expected ${describeExpectedFormat(issue)}`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is no name for a member';
    case 'custom':
    case 'invalid_union':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return schemaMessage(issue);
  }
};

const schemaMessage = ({ message }: Issue): string => message.replace(/\.$/, '').replace(/^Invalid input: /, '');

/** A URL has only text, so "expected number" reads as what the text must look like. */
const describeType = (expected: string, place: MemberLocation): string => {
  if (expected === 'int') return 'a whole number';
  if (expected === 'number') return 'a number';
  if (expected === 'boolean') return 'true or false';
  if (expected === 'string') return place.in === 'body' ? 'a text' : 'one text';
  if (expected === 'array') return 'a list';
  if (expected === 'object' || expected === 'record') return 'an object';
  return expected;
};

const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

const describeAmount = (bound: number | bigint, origin: string): string => {
  const isOne = Number(bound) === 1;
  if (origin === 'string') return isOne ? '1 character' : `${bound} characters`;
  if (origin === 'array') return isOne ? '1 entry' : `${bound} entries`;
  return String(bound);
};

export const valueAt = (input: object, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
