/** A question as the operations take it, and where in it the faults are that they find. */
import type { InputFor } from '../../api/operations.js';
import { periodCondition, previousPeriod } from './period.js';
import { fieldWithoutGrain, type Question } from './question.js';
import type { Schema } from './schema.js';

export type DataInput = InputFor<'readModelData'>;

export const pageSize = 50;
/** All groups of the period before, as far as one answer holds them. */
export const previousRowsMax = 5_000;
/** 100: the text contains the term; less: it comes near it. */
const precisions = { exact: 100, similar: 50 } as const;

/** All that narrows rows down; the period stands behind the conditions, so that these keep their places. */
export const expressionsOf = ({ conditions, period }: Question): readonly string[] => [
  ...conditions,
  ...(period === undefined || periodCondition(period) === '' ? [] : [periodCondition(period)]),
];

const searchTextMax = 4_000;

/**
 * The texts of all records that the question is about, so that its totals and the rows behind it are searched as it is itself. Of
 * very many the server chooses.
 */
export const searchedFields = ({ fields, kpis }: Question, schema: Schema): string => {
  const ofFields = fields.flatMap((field) => schema.fieldByPath.get(fieldWithoutGrain(field))?.record ?? []);
  const records = new Set([...ofFields, ...kpis.flatMap((id) => schema.kpiById.get(id)?.records ?? [])]);
  const texts = schema.fields.filter(
    ({ type, filterable, record }) => type === 'string' && filterable && records.has(record),
  );
  const list = texts.map(({ path }) => path).join(',');
  return list.length > searchTextMax ? '' : list;
};

const narrowing = (question: Question, schema: Schema) => {
  const searched = searchedFields(question, schema);
  const expressions = expressionsOf(question);
  const { filters, search, isExactSearch } = question;
  return {
    ...(filters.length > 0 && { filters: [...filters] }),
    ...(expressions.length > 0 && { filterExpr: [...expressions] }),
    ...(search !== '' && {
      searchTerm: search,
      searchPrecision: isExactSearch ? precisions.exact : precisions.similar,
      ...(searched !== '' && { searchField: searched }),
    }),
  };
};

const columns = ({ fields, kpis }: Question) => ({
  ...(fields.length > 0 && { fields: [...fields] }),
  ...(kpis.length > 0 && { kpis: [...kpis] }),
});

/** A page of rows. Nobody counts them all: that costs as much as the rows, and is asked for by itself. */
export const pageInput = (modelId: string, question: Question, schema: Schema): DataInput => ({
  km_id: modelId,
  ...columns(question),
  ...narrowing(question, schema),
  ...(question.sort !== '' && { sort: question.sort }),
  ...{ page: question.page, pageSize, options: ['nototal'] },
});

/** Charts are of all groups, whichever page of them the table shows. */
export const chartRowsMax = 1_000;

export const chartInput = (modelId: string, question: Question, schema: Schema): DataInput => ({
  ...pageInput(modelId, { ...question, page: 0 }, schema),
  pageSize: chartRowsMax,
});

/** The KPIs over all rows: one row. */
export const totalsInput = (modelId: string, question: Question, schema: Schema): DataInput => ({
  km_id: modelId,
  kpis: [...question.kpis],
  ...narrowing(question, schema),
  options: ['nototal'],
});

/** How many rows there are on all pages: the answer's `total`. */
export const countInput = (modelId: string, question: Question, schema: Schema): DataInput => ({
  km_id: modelId,
  ...columns(question),
  ...narrowing(question, schema),
  ...{ page: 0, pageSize: 1 },
});

/** The same question of the period before; undefined when there is none to compare with. */
export const questionBefore = (question: Question): Question | undefined => {
  const period = question.period === undefined ? undefined : previousPeriod(question.period);
  return period === undefined || question.kpis.length === 0 ? undefined : { ...question, period, sort: '', page: 0 };
};

export const previousInput = (modelId: string, before: Question, schema: Schema): DataInput => ({
  ...pageInput(modelId, before, schema),
  pageSize: previousRowsMax,
});

/** All rows as CSV, for `readModelQuery`. */
export const csvInput = (modelId: string, question: Question, schema: Schema): InputFor<'readModelQuery'> => ({
  km_id: modelId,
  ...columns(question),
  ...narrowing(question, schema),
  ...(question.sort !== '' && { sort: question.sort }),
  $format: 'csv',
});

type Projection = InputFor<'explainQuery'>['explain']['query']['projection'];

/** The question as a body. */
export const projectionOf = (question: Question, schema: Schema): Projection => {
  const searched = searchedFields(question, schema);
  const { fields, kpis, filters, search, isExactSearch, sort, page } = question;
  const expressions = expressionsOf(question);
  return {
    ...(fields.length > 0 && { fields: fields.join(',') }),
    ...(kpis.length > 0 && { kpis: [...kpis] }),
    filters: { kmFilterNames: [...filters], filterExpr: [...expressions] },
    ...(search !== '' && {
      search: {
        ...{ term: search, precision: isExactSearch ? precisions.exact : precisions.similar },
        ...(searched !== '' && { field: searched }),
      },
    }),
    ...(sort !== '' && { sort }),
    pagination: { pageNumber: page, pageSize },
  };
};
