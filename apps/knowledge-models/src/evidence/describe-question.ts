/** A kept question, resolved in a view of its model: as data, in words, and where the rows behind its answer are. */
import type { ReplyOf } from '@tessera/contracts';
import { modelsPrefix, type readEvidence } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import { parseDataFilter, parseDataFilters, printDataExpression } from '@tessera/filter';
import {
  type CallerView,
  createFilterLookup,
  type DataQuery,
  type ParsedFilter,
  planQuery,
  type QueryPlan,
  type ResultColumn,
  resolveQuery,
  type RowSource,
} from '@tessera/knowledge-model';
import { parseInsightArguments } from '../tools/insights-reader.js';
import { type AskedQuestion, isInsightsQuestion } from './asked-question.js';

type Reply = ReplyOf<typeof readEvidence>;
type Question = Reply['statement']['question'];

export type ResolvedQuestion = {
  /** What is planned and compiled; of insights the KPI over all rows. */
  readonly query: DataQuery;
  readonly question: Question;
  readonly words: string;
};

/** Whether what the question compares with and searches for is told: these are values of rows that its reader may not see. */
type ToldValues = 'show' | 'hide';

/** Failures: those of the question itself, as when it names what the caller of the view does not see. */
export const resolveQuestion = (
  view: CallerView,
  asked: AskedQuestion,
  values: ToldValues = 'show',
): Result<ResolvedQuestion> => {
  if (!isInsightsQuestion(asked)) return describe(view, asked.query, { ...asked, values });
  const { kpi, field_ids: fieldIds } = asked.insights;
  const parsed = parseInsightArguments(view, asked.insights);
  if (!parsed.ok) return parsed;
  const { filterIds, parsedFilters = [] } = parsed.value;
  const beside = { filterExpressions: [], distinct: false, page: 0, pageSize: 1 };
  const described = describe(
    view,
    { fields: [], kpis: [kpi], filterIds, parsedFilters, ...beside },
    { rowsMax: 1, values },
  );
  if (!described.ok) return described;
  const { query, question, words } = described.value;
  const find = createFilterLookup(view.names, undefined);
  const fields = fieldIds.map((id) => find.get(id)?.column.name ?? id).join(', ');
  const rowsMax = asked.insights.limit;
  return succeed({
    query,
    question: { ...question, columns: [kpi, ...fieldIds], pageSize: rowsMax },
    words: `What drives it, by ${fields}: ${words}`,
  });
};

type Describing = {
  readonly order?: readonly number[] | undefined;
  readonly rowsMax: number;
  readonly values: ToldValues;
};

const describe = (
  view: CallerView,
  query: DataQuery,
  { order, rowsMax, values }: Describing,
): Result<ResolvedQuestion> => {
  const resolved = resolveQuery(view, query);
  if (!resolved.ok) return resolved;
  const columns = resolved.value.columns.map(({ column }) => column);
  const answered = order ? order.flatMap((place) => columns[place] ?? []) : columns;
  const { keyset, page } = query;
  const search = query.search && searchOf(query.search, values);
  const sort = resolved.value.sort.map(
    ({ column, descending }) => `${descending ? '-' : '+'}${columns[column]?.id ?? ''}`,
  );
  const question: Question = {
    ...(query.record !== undefined && { record: query.record }),
    columns: answered.map(({ id }) => id),
    filters: [...query.filterIds],
    conditions: conditionsOf(query).map((filter) => printDataExpression(filter.expression, { values })),
    groupConditions: (query.groupFilters ?? []).map(({ expression }) => printDataExpression(expression, { values })),
    sort,
    distinct: query.distinct,
    ...(search && { search }),
    page,
    ...(keyset && { skip: keyset.skip }),
    // That there was a page before tells that there were as many rows.
    ...(keyset?.after && values === 'show' && { continues: true }),
    pageSize: rowsMax,
  };
  return succeed({ query, question, words: wordsOf(view, query, answered, { ...question, values }) });
};

const searchOf = (
  { term, fields, precision }: NonNullable<DataQuery['search']>,
  values: ToldValues,
): NonNullable<Question['search']> => ({
  ...(values === 'show' && { term }),
  ...(fields && { fields: [...fields] }),
  precision,
});

/** Texts that were parsed when the question was asked parse again. */
const conditionsOf = ({
  filterExpressions,
  parsedFilters = [],
}: DataQuery): readonly Pick<ParsedFilter, 'expression' | 'record'>[] => {
  const parsed = parseDataFilters(filterExpressions);
  return [...(parsed.ok ? parsed.value : []), ...parsedFilters];
};

const wordsOf = (
  { names, model }: CallerView,
  query: DataQuery,
  columns: readonly ResultColumn[],
  { groupConditions, sort, pageSize, page, search, values }: Question & Pick<Describing, 'values'>,
): string => {
  const kpis = columns.filter(({ aggregation }) => aggregation).map(withUnit);
  const fields = columns.filter(({ aggregation }) => !aggregation).map(({ name }) => name);
  const subject = query.record === undefined ? '' : ` of ${model.recordById.get(query.record)?.name ?? query.record}`;
  const shown = kpis.length === 0 ? fields.join(', ') : kpis.join(', ');
  const by = kpis.length > 0 && fields.length > 0 ? ` by ${fields.join(', ')}` : '';
  const where = [
    ...query.filterIds.map((id) => model.filters.find((filter) => filter.id === id)?.name ?? id),
    ...conditionsOf(query).map(({ expression, record }) => {
      const find = createFilterLookup(names, record ?? query.record);
      return printDataExpression(expression, { values, fieldName: (name) => find.get(name)?.column.name ?? name });
    }),
    ...groupConditions,
    ...(search ? [`a text like "${search.term ?? '…'}"`] : []),
  ];
  const sorted = sort.map((item) => {
    const name = columns.find(({ id }) => id === item.slice(1))?.name ?? item.slice(1);
    return item.startsWith('-') ? `${name} (descending)` : name;
  });
  return [
    `${shown}${subject}${by}`,
    ...(where.length > 0 ? [`where ${where.join(' and ')}`] : []),
    ...(sorted.length > 0 ? [`sorted by ${sorted.join(', ')}`] : []),
    `rows ${page * pageSize + 1} to ${(page + 1) * pageSize}`,
  ].join(', ');
};

const withUnit = ({ name, unit }: ResultColumn): string => (unit === undefined ? name : `${name} (${unit})`);

/** Its readers are told that there are policies, not what these say. */
export const planWithoutPolicies = (
  view: CallerView,
  query: DataQuery,
  values: ToldValues = 'show',
): Result<QueryPlan> => {
  const resolved = resolveQuery({ ...view, policies: new Map() }, query);
  if (!resolved.ok) return resolved;
  const plan = planQuery(resolved.value);
  return plan.ok && values === 'hide' ? succeed(withoutConditions(plan.value)) : plan;
};

/** How a condition is planned depends on its values: a text that is no number makes it one that never holds. */
const withoutConditions = (plan: QueryPlan): QueryPlan => {
  if (plan.kind === 'rows') return { ...plan, source: withoutSourceConditions(plan.source) };
  const grains = plan.grains.map((grain) => ({ ...grain, source: withoutSourceConditions(grain.source) }));
  return { ...plan, conditions: [], grains };
};

const withoutSourceConditions = (source: RowSource): RowSource => ({
  ...source,
  conditions: [],
  semiJoins: source.semiJoins.map((semiJoin) => ({ ...semiJoin, conditions: [] })),
});

/**
 * Where the rows that are counted or aggregated are read: an address for each record of the grain. Empty when a condition of the
 * question cannot be said in an address.
 */
export const rowsAddressesOf = (
  view: CallerView,
  query: DataQuery,
  grain: readonly string[],
  { publicUrl, modelId }: { readonly publicUrl: string; readonly modelId: string },
): Reply['rows'] => {
  const { names } = view;
  const isOfRows = (id: string): boolean => (names.filters.get(id)?.groups ?? []).length === 0;
  const conditions = conditionsOf(query).flatMap(({ expression, record = query.record }) => {
    const named = printDataExpression(expression, {
      fieldName: (name) => (record === undefined || name.includes('.') ? name : `${record}.${name}`),
    });
    return [...names.kpis.keys()].some((kpi) => namesKpi(named, kpi)) ? [] : [named];
  });
  if (query.search || query.linkedFrom || !conditions.every((text) => parseDataFilter(text).ok)) return [];
  const parameters = new URLSearchParams();
  const filters = query.filterIds.filter(isOfRows);
  if (filters.length > 0) parameters.set('filters', filters.join(','));
  for (const condition of conditions) parameters.append('filterExpr', condition);
  const suffix = parameters.size > 0 ? `?${parameters.toString()}` : '';
  return grain.map((record) => ({
    record,
    href: `${publicUrl}${modelsPrefix}/${encodeURIComponent(modelId)}/records/${encodeURIComponent(record)}/query${suffix}`,
  }));
};

/** As a word outside of quotes. */
const namesKpi = (condition: string, kpi: string): boolean =>
  condition
    .replaceAll(/'(?:[^']|'')*'/g, '')
    .split(/[^\p{L}\p{M}\p{N}_.-]+/u)
    .includes(kpi);
