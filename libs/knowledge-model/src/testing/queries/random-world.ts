/** A random model with everything that questions depend on, rows of its tables, and their SQL. */
import type { KnowledgeModelDefinition, PolicyDefinition, RecordDefinition } from '@tessera/contracts/knowledge-models';
import { quoteIdentifier } from '@tessera/sql';
import type { QueryCaller } from '../../query/data-query.js';
import type { RandomChoices } from './choices.js';
import { isSingleRowPath, findJoinSteps } from './evaluate-join-paths.js';
import { type ConditionOptions, createRandomFilter } from './random-conditions.js';
import {
  type AggregatableFields,
  createRandomDerivedFields,
  createRandomKpi,
  type SampleField,
  type SampleKpi,
} from './random-formulas.js';
import {
  createRandomModelShape,
  platformSqlTypes,
  relationshipOfLink,
  type SampleRecord,
  type SampleModelShape,
} from './random-model.js';
import { columnsOfTable, createRandomTables, parseTextTables, type TextTables } from './random-rows.js';
import type { SampleWorld } from './sample-world.js';

export type RandomWorld = {
  readonly world: SampleWorld;
  readonly fields: readonly SampleField[];
  readonly kpis: readonly SampleKpi[];
  /** What its filters may ask. */
  readonly options: ConditionOptions;
  /** Statements that make the tables, with their rows, in a schema that is there. */
  readonly sqlIn: (schema: string) => string;
};

export const sampleCallers: readonly QueryCaller[] = [
  { scopes: ['audit'], attributes: {} },
  { scopes: [], attributes: { tags: ['a', 'b', "it's"], numbers: [1, 2, 3], one: 'a', none: [], odd: { a: 1 } } },
  { scopes: [], attributes: { tags: 'a', numbers: 2, one: ['A'], none: [], odd: [null] } },
  { scopes: ['read'], attributes: {} },
];

/** `isOwn`: over tables as the platform makes them, never over those of another database. */
export const createRandomWorld = (
  choices: RandomChoices,
  { isOwn = false }: { readonly isOwn?: boolean } = {},
): RandomWorld => {
  const shape = createRandomModelShape(choices, isOwn ? platformSqlTypes : undefined);
  const derived = shape.records.map((record) => createRandomDerivedFields(choices, record, idsBeside(record)));
  const records = shape.records.map((record, at) => recordDefinition(choices, record, derived[at] ?? []));
  const fields = [...shape.records.flatMap(attributeFields), ...derived.flat()];
  const isExternal = choices.chance(25) && !isOwn;
  const options: ConditionOptions = { areTextsUnordered: isExternal };
  const bare = { ...definitionOf(records, isExternal), relationships: shape.links.map(relationshipOfLink) };
  const kpis = randomKpis(choices, { definition: bare, tables: new Map() }, fields);
  const definition: KnowledgeModelDefinition = {
    ...bare,
    kpis: kpis.map((kpi) => kpi.definition),
    filters: randomFilters(choices, fields, kpis, options),
    policies: randomPolicies(choices, shape, fields, { options, world: { definition: bare, tables: new Map() } }),
  };
  const tables = createRandomTables(choices, shape);
  const world: SampleWorld = { definition, tables: parseTextTables(shape, tables) };
  const collation = isExternal ? '"unicode"' : 'pg_c_utf8';
  return { world, fields, kpis, options, sqlIn: (schema) => sqlOf({ schema, collation }, shape, tables) };
};

const definitionOf = (records: readonly RecordDefinition[], isExternal: boolean): KnowledgeModelDefinition => ({
  kind: 'KnowledgeModel',
  id: 'random',
  source: { schema: 'random', ...(isExternal && { database: 'elsewhere' }) },
  records: [...records],
});

const attributeFields = (record: SampleRecord): readonly SampleField[] =>
  record.attributes.map(({ id, type }) => ({ record: record.id, id, type }));

/** Ids of formulas, which no attribute has. */
const idsBeside = ({ attributes }: SampleRecord): (() => string) => {
  let count = 0;
  return () => {
    do count++;
    while (attributes.some(({ id }) => id === `D${count}`));
    return `D${count}`;
  };
};

const recordDefinition = (
  choices: RandomChoices,
  { id, table, identifier, attributes }: SampleRecord,
  derived: readonly (SampleField & { readonly expression: string })[],
): RecordDefinition => ({
  id,
  table,
  identifier: identifier.map((one) => one.id),
  attributes: attributes.map((one) => ({
    id: one.id,
    column: one.column,
    type: one.type,
    nullable: one.nullable,
    ...(choices.chance(10) && { exact: true }),
    ...(choices.chance(2) && { filterable: false }),
    ...(choices.chance(2) && { sortable: false }),
  })),
  augmentedAttributes: derived
    .filter(({ type }) => type !== 'boolean')
    .map((one) => ({ id: one.id, type: one.type, expression: one.expression })),
  flags: derived.filter(({ type }) => type === 'boolean').map((one) => ({ id: one.id, expression: one.expression })),
});

const randomKpis = (
  choices: RandomChoices,
  world: SampleWorld,
  fields: readonly SampleField[],
): readonly SampleKpi[] => {
  const ids = (world.definition.records ?? []).map(({ id }) => id);
  const grains: readonly AggregatableFields[] = ids.map((grain) => ({
    own: fields.filter(({ record }) => record === grain),
    others: fields.filter(({ record }) => record !== grain && isSingleRowPath(findJoinSteps(world, grain, record))),
  }));
  const kpis: SampleKpi[] = [];
  for (let left = 1 + choices.below(5); left > 0; left--)
    kpis.push(createRandomKpi(choices, choices.chance(15) ? `sum-${left}` : `K${left}`, grains, kpis));
  return kpis;
};

const operandsOf = (fields: readonly SampleField[]) =>
  fields.map(({ record, id, type }) => ({ name: `${record}.${id}`, type }));

const randomFilters = (
  choices: RandomChoices,
  fields: readonly SampleField[],
  kpis: readonly SampleKpi[],
  options: ConditionOptions,
) => {
  const ofKpis = kpis.map(({ definition, type }) => ({ name: definition.id, type }));
  return Array.from({ length: choices.below(4) }, (_, at) => {
    const record = choices.oneOf(fields).record;
    const near = choices.chance(60) ? fields.filter((field) => field.record === record) : fields;
    const rows = createRandomFilter(choices, operandsOf(near), options);
    const groups = choices.chance(25) ? createRandomFilter(choices, ofKpis, options) : undefined;
    return { id: `FILTER${at}`, expression: groups === undefined ? rows : `(${rows}) and (${groups})` };
  });
};

/** Where records lead to others, most read these; none that is read hides anything, and none is read in a circle. */
const randomPolicies = (
  choices: RandomChoices,
  { records }: SampleModelShape,
  fields: readonly SampleField[],
  { options, world }: { readonly options: ConditionOptions; readonly world: SampleWorld },
): PolicyDefinition[] => {
  const reads = new Map<string, ReadonlySet<string>>();
  const isReading = (from: string, to: string): boolean =>
    from === to || [...(reads.get(from) ?? [])].some((next) => isReading(next, to));
  const stepsTo = (from: string, to: string) => {
    const steps = findJoinSteps(world, from, to);
    return from !== to && isSingleRowPath(steps) ? (steps ?? []) : [];
  };
  const policies = Array.from({ length: choices.oneOf([0, 1, 2, 0, 1, 0]) }, (): PolicyDefinition => {
    const leading = records.filter(({ id }) => records.some((other) => stepsTo(id, other.id).length > 0));
    const { id, identifier } = choices.oneOf(leading.length > 0 && choices.chance(60) ? leading : records);
    const own = fields.filter(({ record }) => record === id);
    const hidden = own.filter((field) => !identifier.some((one) => one.id === field.id)).slice(0, 1);
    const unless = choices.chance(70) && { unless: { scope: 'audit' } };
    if (choices.chance(15) && hidden.length > 0)
      return { record: id, hide: hidden.map((field) => field.id), ...unless };
    const parents = records.filter((parent) => {
      const steps = stepsTo(id, parent.id);
      return steps.length > 0 && !steps.some(({ to }) => isReading(to, id));
    });
    const parent = parents.length > 0 && choices.chance(90) ? choices.oneOf(parents).id : undefined;
    const beside = fields.filter(({ record }) => record === parent);
    if (parent !== undefined)
      reads.set(id, new Set([...(reads.get(id) ?? []), ...stepsTo(id, parent).map(({ to }) => to)]));
    const named = choices.chance(60) && beside.length > 0 ? beside : [...own, ...beside];
    const filter = () => createRandomFilter(choices, operandsOf(named), { ...options, withCaller: true });
    return {
      record: id,
      rows: parent !== undefined && choices.chance(75) ? `(${filter()}) or (${filter()})` : filter(),
      ...unless,
    };
  });
  const read = new Set([...reads.values()].flatMap((records) => [...records]));
  return policies.filter(({ record, hide }) => hide === undefined || !read.has(record));
};

const sqlOf = (
  { schema, collation }: { readonly schema: string; readonly collation: string },
  { records }: SampleModelShape,
  tables: TextTables,
): string =>
  [...tables]
    .map(([table, rows]) => {
      const columns = columnsOfTable(records, table);
      const place = `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
      const declared = columns.map(
        ({ column, sqlType, nullable }) =>
          `${quoteIdentifier(column)} ${sqlType}${sqlType === 'text' ? ` collate ${collation}` : ''}${nullable ? '' : ' not null'}`,
      );
      const literal = (text: string | null): string => (text === null ? 'null' : `'${text.replaceAll("'", "''")}'`);
      const values = rows.map((row) => `(${columns.map(({ column }) => literal(row.get(column) ?? null)).join(', ')})`);
      const insert = values.length === 0 ? '' : `insert into ${place} values ${values.join(', ')};`;
      return `create table ${place} (${declared.join(', ')}); ${insert}`;
    })
    .join('\n');
