/**
 * What it costs to judge a value by a schema that somebody wrote, told before it is judged: the schema's alternatives
 * are tried for each value, and whoever wants to hear of every fault is told of each of them.
 */
import { isSchemaObject, resolveReference } from './check-schema.js';

type Schema = Readonly<Record<string, unknown>>;
/** Of one value, at a place that the schema speaks of: `here` of the schema itself, `below` of what is inside of it. */
type AttemptCount = { readonly here: number; readonly below: number };
type Counts = {
  readonly own: (schema: Schema) => number;
  /** Beside its own, for whatever else judges the same value. */
  readonly ofAlternative: number;
};

/** What tells how costly a value may be: some 0.2 microseconds each. */
const triesMaxOfResults = 400_000;
/** Some ten megabytes. */
const faultsMax = 100_000;
/** Without an alternative a value is judged in a fifth of the time of one. */
const plainTries = 0.2;
/** Scalar names that are compared in the time of one try, and tries in which one list or object is compared with another. */
const namesOfTry = 20;
const triesOfComparison = 5;

/** Whether judging would hold everybody up; a value may be judged twice, the second time for what is wrong. */
export const isTooCostlyToValidate = (schema: Schema, value: unknown, triesMax = triesMaxOfResults): boolean => {
  const values = valuesIn(value);
  const pairs = comparesItems(schema) ? (values * values) / 2 : 0;
  return values * knownPeak(triesOf, schema, tryCounts) + pairs * triesOfComparison > triesMax;
};

/** Whether there might be more faults than memory should be spent on. */
export const mayHaveManyFaults = (schema: Schema, value: unknown): boolean =>
  valuesIn(value) * knownPeak(faultsOf, schema, faultCounts) > faultsMax;

const valuesIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  let values = 1;
  for (const member of Object.values(value)) values += valuesIn(member);
  return values;
};

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

const tryCounts: Counts = {
  own: ({ enum: names }) =>
    listOf(names).reduce<number>(
      (sum, name) => sum + (isScalar(name) ? 1 / namesOfTry : triesOfComparison),
      plainTries,
    ),
  ofAlternative: 1 - plainTries,
};
const faultCounts: Counts = {
  own: (schema) =>
    1 +
    Object.keys(schema).length +
    listOf(schema['required']).length +
    Object.values(membersOf(schema['dependentRequired'])).reduce<number>((sum, names) => sum + listOf(names).length, 0),
  ofAlternative: 0,
};

const triesOf = new WeakMap<Schema, number>();
const faultsOf = new WeakMap<Schema, number>();

const knownPeak = (peaks: WeakMap<Schema, number>, schema: Schema, counts: Counts): number => {
  const peak = peaks.get(schema) ?? maxAttempts(countAttempts({ root: schema, counts, known: new Map() }, schema));
  peaks.set(schema, peak);
  return peak;
};

const comparesItemsBySchema = new WeakMap<Schema, boolean>();

/** Whether items that may be lists or objects have to differ from each other. */
const comparesItems = (schema: Schema): boolean => {
  const known = comparesItemsBySchema.get(schema) ?? anyPart(schema, comparesOwnItems);
  comparesItemsBySchema.set(schema, known);
  return known;
};

const anyPart = (part: unknown, is: (schema: Schema) => boolean): boolean =>
  Array.isArray(part)
    ? part.some((each) => anyPart(each, is))
    : isSchemaObject(part) && (is(part) || Object.values(part).some((each) => anyPart(each, is)));

const comparesOwnItems = ({ uniqueItems, items }: Schema): boolean => {
  if (uniqueItems !== true) return false;
  const types = [isSchemaObject(items) ? items['type'] : undefined].flat();
  return types.some((type) => type === undefined || type === 'object' || type === 'array');
};

type Walk = { readonly root: Schema; readonly counts: Counts; readonly known: Map<Schema, AttemptCount> };

const countAttempts = (walk: Walk, schema: unknown): AttemptCount => {
  if (!isSchemaObject(schema)) return noAttempts;
  const known = walk.known.get(schema);
  if (known) return known;
  // What comes back here while it is being looked at is refused elsewhere.
  walk.known.set(schema, noAttempts);
  let here = walk.counts.own(schema);
  let below = 0;
  for (const same of schemasOfSameValue(walk.root, schema).filter(isSchemaObject)) {
    const more = countAttempts(walk, same);
    here += more.here + walk.counts.ofAlternative;
    below += more.below;
  }
  below += schemasOfOneMember(schema).reduce<number>(
    (most, part) => Math.max(most, maxAttempts(countAttempts(walk, part))),
    0,
  );
  below += schemasOfAnyMember(schema).reduce<number>((sum, part) => sum + maxAttempts(countAttempts(walk, part)), 0);
  const made = { here, below };
  walk.known.set(schema, made);
  return made;
};

const noAttempts: AttemptCount = { here: 0, below: 0 };
const maxAttempts = ({ here, below }: AttemptCount): number => Math.max(here, below);

/** What judges the same value as `schema` does. */
const schemasOfSameValue = (root: Schema, schema: Schema): readonly unknown[] => {
  const reference = schema['$ref'];
  return [
    ...(typeof reference === 'string' ? [resolveReference(root, reference)] : []),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name])),
    ...['not', 'if', 'then', 'else'].map((name) => schema[name]),
    ...Object.values(membersOf(schema['dependentSchemas'])),
  ];
};

/** Of these a member is judged by one. */
const schemasOfOneMember = (schema: Schema): readonly unknown[] => [
  ...Object.values(membersOf(schema['properties'])),
  ...listOf(schema['prefixItems']),
  ...['items', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'].map((name) => schema[name]),
];

/** Of these each may judge a member, beside the one. */
const schemasOfAnyMember = (schema: Schema): readonly unknown[] => [
  ...Object.values(membersOf(schema['patternProperties'])),
  ...['contains', 'propertyNames'].map((name) => schema[name]),
];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const membersOf = (value: unknown): Schema => (isSchemaObject(value) ? value : {});
