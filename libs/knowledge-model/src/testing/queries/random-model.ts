/**
 * Random knowledge models: records with plain and composite identifiers over tables of their own or shared ones, and
 * relationships of every cardinality in chains, stars, diamonds, pairs and rings, or none.
 */
import type { Cardinality, RelationshipDefinition, ValueType } from '@tessera/contracts/knowledge-models';
import type { RandomChoices } from './choices.js';
import { type RandomNames, createRandomNames } from './random-names.js';

/** Of the types that differ in what questions do with them. */
export type SampleType = ValueType & ('integer' | 'float' | 'string' | 'boolean' | 'date');

export type SampleAttribute = {
  readonly id: string;
  readonly column: string;
  readonly type: SampleType;
  readonly sqlType: string;
  readonly nullable: boolean;
  /** Whether rows differ in it by itself; identifiers of several attributes differ together. */
  readonly isUnique: boolean;
  /** Whether it was made to hold the key of another record. */
  readonly isForeign: boolean;
};

export type SampleRecord = {
  readonly id: string;
  readonly table: string;
  readonly identifier: readonly SampleAttribute[];
  /** With those of the identifier. */
  readonly attributes: SampleAttribute[];
};

/** Attributes of `child` that hold the values of attributes of `parent`. */
export type SampleLink = {
  readonly child: SampleRecord;
  readonly parent: SampleRecord;
  readonly pairs: readonly (readonly [SampleAttribute, SampleAttribute])[];
  readonly cardinality: 'many-to-one' | 'one-to-one' | 'many-to-many';
  readonly isReversed: boolean;
  /** Whether the attributes of `child` were made for it, so that its keys are their values. */
  readonly hasOwnKeys: boolean;
};

export type SampleModelShape = { readonly records: readonly SampleRecord[]; readonly links: readonly SampleLink[] };

type NameGenerators = { readonly field: () => string; readonly column: () => string };
type ModelBuilder = {
  readonly choices: RandomChoices;
  readonly sqlTypes: SampleSqlTypes;
  readonly names: RandomNames;
  /** Of records with a table of their own. */
  readonly naming: Map<SampleRecord, NameGenerators>;
};

type SampleSqlTypes = Readonly<Record<SampleType, readonly string[]>>;

/** Those of any database, and those that tables of the platform have. */
const anySqlTypes: SampleSqlTypes = {
  integer: ['bigint', 'integer'],
  float: ['numeric', 'double precision'],
  string: ['text'],
  boolean: ['boolean'],
  date: ['date'],
};
export const platformSqlTypes: SampleSqlTypes = { ...anySqlTypes, integer: ['bigint'], float: ['numeric'] };
const types: readonly SampleType[] = ['integer', 'string', 'float', 'boolean', 'date'];

export const createRandomModelShape = (
  choices: RandomChoices,
  sqlTypes: SampleSqlTypes = anySqlTypes,
): SampleModelShape => {
  const building: ModelBuilder = { choices, sqlTypes, names: createRandomNames(choices), naming: new Map() };
  const records: SampleRecord[] = [];
  const links: SampleLink[] = [];
  for (let left = choices.oneOf([1, 2, 3, 4, 5, 2, 3, 4]); left > 0; left--) {
    const shared = records.length > 0 && choices.chance(12) ? choices.oneOf(records) : undefined;
    const record = shared ? sameTable(building, shared) : randomRecord(building);
    if (records.length > 0 && !choices.chance(7)) links.push(...randomLinks(building, record, choices.oneOf(records)));
    records.push(record);
  }
  for (let more = choices.below(3); more > 0 && records.length > 1; more--)
    links.push(...randomLinks(building, choices.oneOf(records), choices.oneOf(records)));
  return { records, links: links.filter((link, at) => links.findIndex((other) => isSameLink(link, other)) === at) };
};

/** There is one relationship of the same attributes at the most. */
const isSameLink = (left: SampleLink, right: SampleLink): boolean => attributesOf(left) === attributesOf(right);

const attributesOf = ({ child, parent, pairs }: SampleLink): string => {
  const forth = pairs.map(([left, right]) => [child.id, left.id, parent.id, right.id]);
  const back = pairs.map(([left, right]) => [parent.id, right.id, child.id, left.id]);
  return [JSON.stringify(forth), JSON.stringify(back)].sort().join(' ');
};

const addAttribute = (
  { choices, naming, sqlTypes }: ModelBuilder,
  record: SampleRecord,
  type: SampleType,
  more: { readonly nullable: boolean; readonly isUnique?: boolean; readonly isForeign?: boolean },
): SampleAttribute => {
  const { field, column } = naming.get(record) ?? { field: () => 'F', column: () => 'c' };
  const made = {
    isUnique: false,
    isForeign: false,
    ...more,
    type,
    id: field(),
    column: column(),
    sqlType: choices.oneOf(sqlTypes[type]),
  };
  record.attributes.push(made);
  return made;
};

const randomRecord = (building: ModelBuilder): SampleRecord => {
  const { choices, names, naming } = building;
  const identifier: SampleAttribute[] = [];
  const record: SampleRecord = { id: names.record(), table: names.table(), identifier, attributes: [] };
  naming.set(record, { field: names.fields(), column: names.columns() });
  const isComposite = choices.chance(30);
  for (let left = isComposite ? 2 : 1; left > 0; left--) {
    const type = choices.chance(30) ? 'string' : 'integer';
    identifier.push(addAttribute(building, record, type, { nullable: false, isUnique: !isComposite }));
  }
  if (choices.chance(20)) addAttribute(building, record, 'integer', { nullable: true, isUnique: true });
  for (let left = 1 + choices.below(4); left > 0; left--)
    addAttribute(building, record, choices.oneOf(types), { nullable: !choices.chance(30) });
  return record;
};

/** Another record over the same table, with ids of its own. */
const sameTable = ({ names }: ModelBuilder, { table, identifier, attributes }: SampleRecord): SampleRecord => {
  const field = names.fields();
  const renamed = new Map(attributes.map((one) => [one, { ...one, id: field() }]));
  return {
    id: names.record(),
    table,
    identifier: identifier.flatMap((one) => renamed.get(one) ?? []),
    attributes: [...renamed.values()],
  };
};

/** None when no attributes can be compared. */
const randomLinks = (building: ModelBuilder, child: SampleRecord, parent: SampleRecord): readonly SampleLink[] => {
  const { choices, naming } = building;
  const link = { child, parent, isReversed: choices.chance(50) };
  const kind = choices.below(10);
  const unique = parent.attributes.filter(({ isUnique }) => isUnique);
  const keys = unique.length > 0 && choices.chance(40) ? [choices.oneOf(unique)] : parent.identifier;
  // Who has no table of its own gets no columns; it relates by those that it has.
  if (kind >= 8 || !naming.has(child)) {
    const isToOne = kind === 8 && keys.length === 1;
    const pairs = comparableAttributes(child, isToOne ? keys : parent.attributes);
    const cardinality = isToOne ? 'many-to-one' : 'many-to-many';
    return pairs.length === 0 ? [] : [{ ...link, pairs: [choices.oneOf(pairs)], cardinality, hasOwnKeys: false }];
  }
  const cardinality = kind >= 6 ? 'one-to-one' : 'many-to-one';
  const nullable = cardinality === 'one-to-one' || choices.chance(70);
  const pairs = keys.map(
    (key) => [addAttribute(building, child, key.type, { nullable, isForeign: true }), key] as const,
  );
  return [{ ...link, pairs, cardinality, hasOwnKeys: true }];
};

const comparableAttributes = (
  { attributes }: SampleRecord,
  others: readonly SampleAttribute[],
): readonly (readonly [SampleAttribute, SampleAttribute])[] =>
  attributes.flatMap((one) =>
    others.filter(({ type }) => type === one.type && type !== 'float').map((other) => [one, other] as const),
  );

const reversed: Readonly<Record<SampleLink['cardinality'], Cardinality>> = {
  'many-to-one': 'one-to-many',
  'one-to-one': 'one-to-one',
  'many-to-many': 'many-to-many',
};

export const relationshipOfLink = ({
  child,
  parent,
  pairs,
  cardinality,
  isReversed,
}: SampleLink): RelationshipDefinition => ({
  from: isReversed ? parent.id : child.id,
  to: isReversed ? child.id : parent.id,
  on: Object.fromEntries(pairs.map(([left, right]) => (isReversed ? [right.id, left.id] : [left.id, right.id]))),
  cardinality: isReversed ? reversed[cardinality] : cardinality,
});
