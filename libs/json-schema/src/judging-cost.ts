/**
 * What it costs to judge a value by a schema that somebody wrote, told before it is judged: the schema's alternatives are
 * tried for each value, and whoever wants to hear of every fault is told of each of them.
 * Refuses: to judge.
 */
import { isSchemaObject, targetOf } from './check-schema.js';

type Schema = Readonly<Record<string, unknown>>;
/** Of one value, at a place that the schema speaks of: `here` of the schema itself, `below` of what is inside of it. */
type Tries = { readonly here: number; readonly below: number };
type Own = (schema: Schema) => number;

/** About a second. */
const triesMax = 1_000_000;
/** Some ten megabytes. */
const faultsMax = 100_000;
/** Names that are compared in the time of one try. */
const namesOfTry = 200;

/** Whether judging would hold everybody up. */
export const isTooCostly = (schema: Schema, value: unknown): boolean =>
  valuesIn(value) * knownPeak(triesOf, schema, ownTries) > triesMax;

/** Whether there might be more faults than memory should be spent on. */
export const mayHaveManyFaults = (schema: Schema, value: unknown): boolean =>
  valuesIn(value) * knownPeak(faultsOf, schema, ownFaults) > faultsMax;

const valuesIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  let values = 1;
  for (const member of Object.values(value)) values += valuesIn(member);
  return values;
};

const ownTries: Own = ({ enum: names }) => 1 + listOf(names).length / namesOfTry;
const ownFaults: Own = (schema) =>
  1 +
  Object.keys(schema).length +
  listOf(schema['required']).length +
  Object.values(membersOf(schema['dependentRequired'])).reduce<number>((sum, names) => sum + listOf(names).length, 0);

const triesOf = new WeakMap<Schema, number>();
const faultsOf = new WeakMap<Schema, number>();

const knownPeak = (peaks: WeakMap<Schema, number>, schema: Schema, own: Own): number => {
  const peak = peaks.get(schema) ?? peakOf(tries({ root: schema, own, known: new Map() }, schema));
  peaks.set(schema, peak);
  return peak;
};

type Walk = { readonly root: Schema; readonly own: Own; readonly known: Map<Schema, Tries> };

const tries = (walk: Walk, schema: unknown): Tries => {
  if (!isSchemaObject(schema)) return nothing;
  const known = walk.known.get(schema);
  if (known) return known;
  // What comes back here while it is being looked at is refused elsewhere.
  walk.known.set(schema, nothing);
  let here = walk.own(schema);
  let below = 0;
  for (const same of ofSameValue(walk.root, schema)) {
    const more = tries(walk, same);
    here += more.here;
    below += more.below;
  }
  below += ofOneMember(schema).reduce<number>((most, part) => Math.max(most, peakOf(tries(walk, part))), 0);
  below += ofAnyMember(schema).reduce<number>((sum, part) => sum + peakOf(tries(walk, part)), 0);
  const made = { here, below };
  walk.known.set(schema, made);
  return made;
};

const nothing: Tries = { here: 0, below: 0 };
const peakOf = ({ here, below }: Tries): number => Math.max(here, below);

/** What judges the same value as `schema` does. */
const ofSameValue = (root: Schema, schema: Schema): readonly unknown[] => {
  const reference = schema['$ref'];
  return [
    ...(typeof reference === 'string' ? [targetOf(root, reference)] : []),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name])),
    ...['not', 'if', 'then', 'else'].map((name) => schema[name]),
    ...Object.values(membersOf(schema['dependentSchemas'])),
  ];
};

/** Of these a member is judged by one. */
const ofOneMember = (schema: Schema): readonly unknown[] => [
  ...Object.values(membersOf(schema['properties'])),
  ...listOf(schema['prefixItems']),
  ...['items', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'].map((name) => schema[name]),
];

/** Of these each may judge a member, beside the one. */
const ofAnyMember = (schema: Schema): readonly unknown[] => [
  ...Object.values(membersOf(schema['patternProperties'])),
  ...['contains', 'propertyNames'].map((name) => schema[name]),
];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const membersOf = (value: unknown): Schema => (isSchemaObject(value) ? value : {});
