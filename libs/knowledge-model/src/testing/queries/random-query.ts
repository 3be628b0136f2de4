/**
 * Random questions to a random model: at the level of a record and of the model, now and then one that has to be refused.
 */
import type { DataQuery, QueryCaller } from '../../query/data-query.js';
import type { RandomChoices } from './choices.js';
import { findJoinSteps } from './evaluate-join-paths.js';
import {
  type ConditionOptions,
  type FilterOperand,
  printFilterName,
  createRandomCondition,
  createRandomFilter,
} from './random-conditions.js';
import type { SampleField } from './random-formulas.js';
import { createRandomComputedFilter } from './random-values.js';
import { sampleCallers, type RandomWorld } from './random-world.js';

export type RandomQuery = { readonly query: DataQuery; readonly caller: QueryCaller };

export const createRandomQuery = (choices: RandomChoices, random: RandomWorld): RandomQuery => {
  const query = choices.chance(40) ? createRandomRecordQuery(choices, random) : modelQuery(choices, random);
  const isPaged = choices.chance(25);
  const [page, pageSize] = isPaged ? [choices.oneOf([0, 1, 0, 2]), 1 + choices.below(4)] : [0, 1_000];
  return { query: { ...query, page, pageSize }, caller: choices.oneOf(sampleCallers) };
};

type Question = Omit<DataQuery, 'page' | 'pageSize'>;

export const createRandomRecordQuery = (choices: RandomChoices, random: RandomWorld): Question => {
  const record = choices.oneOf(random.world.definition.records ?? []).id;
  const own = random.fields.filter((field) => field.record === record);
  const near = nearFields(choices, random, record);
  const fields = choices.chance(15) ? 'all' : atLeastOne(choices, own).map(({ id }) => id);
  const asked = fields === 'all' ? own.map(({ id }) => id) : fields;
  const operands = near.map(({ record: of, id, type }) => ({ name: printFilterName(choices, record, of, id), type }));
  return {
    record,
    fields,
    kpis: [],
    filterIds: randomFilterIds(choices, random),
    filterExpressions: randomFilters(choices, random, operands),
    ...randomComputed(choices, random, operands),
    ...randomSort(choices, asked),
    distinct: choices.chance(25),
    ...randomSearch(choices, own, own, ({ id }) => id),
  };
};

const modelQuery = (choices: RandomChoices, random: RandomWorld): Question => {
  const start = choices.oneOf(random.world.definition.records ?? []).id;
  const near = nearFields(choices, random, start);
  const kpis = choices.chance(65) ? choices.some(random.kpis, 3) : [];
  const fields = kpis.length === 0 ? atLeastOne(choices, near) : choices.some(near, 3);
  const names = fields.map(fullName);
  const operands = near.map((field) => ({ name: fullName(field), type: field.type }));
  const sortable = kpis.filter(({ isExact }) => isExact).map(({ definition }) => definition.id);
  const ids = kpis.map(({ definition }) => definition.id);
  return {
    fields: choices.chance(5) ? [...names, ...names] : names,
    kpis: ids,
    filterIds: randomFilterIds(choices, random),
    filterExpressions: [
      ...randomFilters(choices, random, operands),
      ...(choices.chance(22) ? [groupFilter(choices, random, fields)] : []),
    ],
    ...randomComputed(choices, random, operands),
    ...randomSort(choices, [...names, ...sortable]),
    distinct: choices.chance(15),
    ...randomSearch(choices, fields, near, fullName),
  };
};

/** One text may hold several. */
const randomFilters = (
  choices: RandomChoices,
  { options }: RandomWorld,
  operands: readonly FilterOperand[],
): readonly string[] => {
  if (choices.chance(16)) return twoOfOneRecord(choices, options, operands);
  const texts = Array.from({ length: choices.oneOf([0, 1, 0, 0, 1, 0, 2]) }, () =>
    createRandomFilter(choices, operands, options),
  );
  return texts.length > 1 && choices.chance(50) ? [texts.join(', ')] : texts;
};

const randomComputed = (
  choices: RandomChoices,
  { options }: RandomWorld,
  operands: readonly FilterOperand[],
): Pick<DataQuery, 'parsedFilters'> =>
  choices.chance(25) ? { parsedFilters: [createRandomComputedFilter(choices, operands, options)] } : {};

/** Both have to hold for the same related row. */
const twoOfOneRecord = (
  choices: RandomChoices,
  options: ConditionOptions,
  operands: readonly FilterOperand[],
): readonly string[] => {
  const related = operands.filter(({ name }) => name.includes('.'));
  const [record] = choices.oneOf([...related, ...operands]).name.split('.');
  const own = related.filter(({ name }) => name.startsWith(`${record}.`));
  const condition = (): string =>
    createRandomCondition(choices, choices.oneOf(own.length > 0 ? own : operands), options);
  return [condition(), condition()];
};

const fullName = ({ record, id }: SampleField): string => `${record}.${id}`;

const atLeastOne = (choices: RandomChoices, fields: readonly SampleField[]): readonly SampleField[] => {
  const some = choices.some(fields, 4);
  return some.length > 0 ? some : fields.slice(0, 1);
};

/** Most questions are about records that belong together. */
const nearFields = (choices: RandomChoices, { world, fields }: RandomWorld, record: string): readonly SampleField[] => {
  const all = choices.chance(3);
  const own = choices.chance(25);
  return fields.filter(
    (field) => all || field.record === record || (!own && findJoinSteps(world, record, field.record) !== undefined),
  );
};

/** What names a KPI may name fields that are asked for. */
const groupFilter = (
  choices: RandomChoices,
  { kpis, options }: RandomWorld,
  fields: readonly SampleField[],
): string => {
  const { definition, type } = choices.oneOf(kpis);
  const own = [{ name: definition.id, type }];
  const more = choices.chance(65) ? fields.map((field) => ({ name: fullName(field), type: field.type })) : [];
  const first = createRandomFilter(choices, own, options);
  if (more.length === 0) return first;
  const second = choices.chance(50)
    ? createRandomCondition(choices, choices.oneOf(more), options)
    : createRandomFilter(choices, [...own, ...more], options);
  return `(${first}) or (${second})`;
};

const randomFilterIds = (choices: RandomChoices, { world: { definition } }: RandomWorld): readonly string[] =>
  choices.chance(25) ? choices.some(definition.filters ?? [], 2).map(({ id }) => id) : [];

const randomSort = (choices: RandomChoices, names: readonly string[]): { readonly sort?: string } => {
  const items = choices.some([...new Set(names)], 3).map((name) => `${choices.oneOf(['', '-', '+', ' '])}${name}`);
  return items.length === 0 || choices.chance(30) ? {} : { sort: items.join(',') };
};

const terms = ['a', 'É', '%', '_', '\\', "'", '💥', 'B', 'lar', '-'];

const randomSearch = (
  choices: RandomChoices,
  asked: readonly SampleField[],
  near: readonly SampleField[],
  nameOf: (field: SampleField) => string,
): Pick<DataQuery, 'search'> => {
  const [searchable, standard] = [near, asked].map((fields) => fields.filter(({ type }) => type === 'string'));
  if (!choices.chance(12) || !searchable?.length) return {};
  const isNamed = choices.chance(40) || standard?.length === 0;
  const fields = isNamed ? atLeastOne(choices, searchable).map(nameOf) : undefined;
  return {
    search: {
      term: choices.oneOf(terms),
      precision: choices.oneOf([100, 100, 100, 100, 0]),
      ...(fields && { fields }),
    },
  };
};
