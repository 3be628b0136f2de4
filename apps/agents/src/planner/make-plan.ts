/**
 * What was understood of a question -> what is asked of the tools, or why nothing is.
 * Refuses: figures without what a name in the question narrows them down to; a figure of everything would look like an answer.
 */
import { chooseFields, type Chooser, isMonth, tellingFields } from './choose-fields.js';
import type { Comparison } from './cues.js';
import type { Days } from './days.js';
import type { Json } from './json.js';
import { daysOfPeriod, type Period } from './periods.js';
import type { LoadQuestion, Narrowing, Plan, Refusal, Remarks } from './plan.js';
import type { Reading } from './reading.js';
import type { Field, Kpi, Vocabulary } from './vocabulary.js';

export type Known = {
  readonly vocabulary: Vocabulary;
  /** The newest day of the data; undefined before it was asked for. */
  readonly newest?: string | undefined;
  /** Fields that tools could not join. */
  readonly avoid: ReadonlySet<string>;
};

const refuse = (refusal: Refusal): Plan => ({ kind: 'refuse', refusal });

export const makePlan = (reading: Reading, known: Known): Plan => {
  const { wishes, kpis, unknown } = reading;
  const names = unknown.filter(({ isName }) => isName).map(({ text }) => text);
  if (wishes.has('explain') && kpis.length > 0) return { kind: 'explain', kpis };
  if (kpis.length === 0 && unknown.length > 0)
    return refuse({ why: 'unknown-names', words: unknown.map(({ text }) => text) });
  if (names.length > 0) return refuse({ why: 'unknown-names', words: names });
  const left = kpis.length === 0 ? [] : leftOut(reading);
  const remarks = {
    unknown: [...unknown.map(({ text }) => text), ...left],
    isByMonthInstead: wishes.has('by-other-time'),
  };
  if (kpis.length === 0) return planRows(reading, known, remarks);
  const waits = waitsFor(reading, known);
  if (waits) return waits;
  if (wishes.has('drivers')) return planDrivers(reading, known, remarks);
  return wishes.has('since-when') ? planSinceWhen(reading, known, remarks) : planFigures(reading, known, remarks);
};

/** Numbers that were named and are no KPI. */
const leftOut = ({ fields, comparisons }: Reading): readonly string[] =>
  fields.flatMap((options) => {
    const [first] = options;
    const isNumber = first !== undefined && (first.type === 'float' || first.unit !== undefined);
    const isCompared = comparisons.some(({ field }) => field?.some(({ id }) => id === first?.id));
    return isNumber && !isCompared ? [first.name] : [];
  });

/** What is counted back from the newest day needs it first. */
const waitsFor = (reading: Reading, { vocabulary, newest, avoid }: Known): Plan | undefined => {
  if (newest !== undefined || reading.periods.every(({ kind }) => kind === 'days')) return undefined;
  const field = dateNamed(reading) ?? chooseFields(vocabulary, reading.kpis, avoid).date();
  return field ? { kind: 'newest-day', field } : refuse({ why: 'no-period' });
};

const dateNamed = ({ fields, groups }: Reading): Field | undefined =>
  [...fields, ...groups.flatMap((group) => (group.kind === 'field' ? [group.options] : []))]
    .flat()
    .find((field) => ['date', 'datetime', 'timestamp'].includes(field.type) && !isMonth(field));

const planFigures = (reading: Reading, known: Known, remarks: Remarks): Plan => {
  const { groups, comparisons, ranking, wishes } = reading;
  const dated = reading.periods.length > 0 || groups.some(({ kind }) => kind === 'month') || remarks.isByMonthInstead;
  const homes = new Set(reading.kpis.map(({ records }) => records[0]));
  const sets = dated && homes.size > 1 ? reading.kpis.map((kpi) => [kpi]) : [reading.kpis];
  const periods = reading.periods.length > 0 ? reading.periods : [undefined];
  const questions = sets.flatMap((kpis) =>
    periods.map((period) => figuresOf(reading, known, kpis, { period, remarks })),
  );
  const missing = questions.find((question): question is Refusal => 'why' in question);
  if (missing) return refuse(missing);
  const asked = questions.filter((question): question is LoadQuestion => !('why' in question));
  const [comparison] = asked[0]?.groups.length === 0 ? comparisons.filter(({ field }) => !field) : [];
  const kpi = reading.kpis[0];
  if (comparison && !wishes.has('yes-or-no')) return refuse({ why: 'cannot-compare' });
  return {
    kind: 'figures',
    questions: asked,
    isRanked: ranking !== undefined && asked.some((question) => question.groups.length > 0),
    asksTarget: wishes.has('target'),
    remarks,
    threshold: comparison && kpi && { comparison, value: valueFor(comparison, kpi) },
  };
};

type Wanted = { readonly period?: Period | undefined; readonly remarks: Remarks };

const figuresOf = (
  reading: Reading,
  known: Known,
  kpis: readonly Kpi[],
  { period, remarks }: Wanted,
): LoadQuestion | Refusal => {
  const chooser = chooseFields(known.vocabulary, kpis, known.avoid);
  const columns = columnsOf(reading, chooser, remarks);
  if ('why' in columns) return columns;
  const narrowed = narrow(reading, known, chooser, { period, kpis });
  if ('why' in narrowed) return narrowed;
  const compared = narrowed.values
    .filter(({ values, isNegated }) => values.length > 1 && !isNegated)
    .map(({ field }) => field);
  const groups = unique([...columns.fields, ...compared]);
  const [first] = kpis;
  const shown =
    groups.length === 0
      ? { ...narrowed, comparisons: narrowed.comparisons.filter(({ of }) => 'record' in of) }
      : narrowed;
  const month = groups.find(isMonth);
  const { ranking } = reading;
  const isOrdered = month === undefined || ranking !== undefined;
  const args = {
    columns: [...groups, ...kpis].map(({ id }) => id),
    ...(groups.length > 0 &&
      isOrdered &&
      first && { order_by: first.id, ascending: isAscending(ranking?.by ?? 'most', first) }),
    ...(month && !isOrdered && { order_by: month.id, ascending: true }),
    ...(ranking && groups.length > 0 && { limit: ranking.limit ?? superlativeRows }),
    page_size: groups.length === 0 ? 1 : month ? rowsOfMonths : rowsMax,
    ...filtersOf(shown),
  };
  return { args, kpis, groups, narrowing: shown };
};

const rowsMax = 25;
const rowsOfMonths = 100;
/** "The highest" is shown with those that come next. */
const superlativeRows = 5;

const isAscending = (by: 'most' | 'least' | 'best' | 'worst', { direction }: Kpi): boolean => {
  switch (by) {
    case 'most':
      return false;
    case 'least':
      return true;
    case 'best':
      return direction === 'Down';
    case 'worst':
      return direction === 'Up';
  }
};

const columnsOf = (
  { groups }: Reading,
  chooser: Chooser,
  { isByMonthInstead }: Remarks,
): { readonly fields: readonly Field[] } | Refusal => {
  const wanted =
    isByMonthInstead && groups.every(({ kind }) => kind !== 'month') ? [...groups, { kind: 'month' as const }] : groups;
  const columns = wanted.map((group) => chooser.columns(group));
  if (columns.some((fields) => fields === undefined)) return { why: 'no-month' };
  const fields = unique(columns.flatMap((found) => found ?? []));
  return fields.some(({ type }) => type === 'float') ? { why: 'cannot-group' } : { fields };
};

const unique = (fields: readonly Field[]): readonly Field[] => [
  ...new Map(fields.map((field) => [field.id, field])).values(),
];

type Narrowed = { readonly period?: Period | undefined; readonly kpis: readonly Kpi[] };

const narrow = (reading: Reading, known: Known, chooser: Chooser, { period, kpis }: Narrowed): Narrowing | Refusal => {
  const date = dateNamed(reading) ?? chooser.date();
  if (period && !date) return { why: 'no-period' };
  const values = new Map<string, Narrowing['values'][number]>();
  for (const { options, isNegated } of reading.values) {
    const field = chooser.field(options.map((option) => option.field));
    if (!field) continue;
    const value = options.find((option) => option.field.id === field.id)?.value ?? '';
    const before = values.get(field.id)?.values ?? [];
    values.set(field.id, { field, values: [...new Set([...before, value])], isNegated });
  }
  const [kpi] = kpis;
  const comparisons = reading.comparisons.flatMap((comparison) => {
    const numeric = chooser.field(
      (comparison.field ?? []).filter(({ type }) => type === 'integer' || type === 'float'),
    );
    const of = numeric ?? kpi;
    return of ? [{ of, comparison, value: numeric ? comparison.value : valueFor(comparison, of) }] : [];
  });
  const days = period && date ? { field: date, days: daysOf(period, known) } : undefined;
  return { values: [...values.values()], filters: reading.filters, days, comparisons };
};

const daysOf = (period: Period, { newest = '' }: Known): Days => daysOfPeriod(period, newest);

/** Rates are parts of one. */
const valueFor = ({ value, unit }: Comparison, { format = '' }: { readonly format?: string | undefined }): number =>
  format.endsWith('%') && (unit === 'percent' || value > 1) ? Number((value / 100).toPrecision(12)) : value;

/** Members without a filter are left out. */
const filtersOf = ({ values, filters, days, comparisons }: Narrowing): Json => {
  const texts = values.map(({ field, values: each, isNegated }) => ({
    column_id: field.id,
    values: each,
    ...(isNegated && { negation: true }),
  }));
  const numbers = comparisons.map(({ of, comparison, value }) => ({
    column_id: of.id,
    value,
    comparator: comparison.comparator,
  }));
  const dates = days ? [{ column_id: days.field.id, ...startOf(days.days) }] : [];
  const applied = {
    ...(texts.length > 0 && { string_filters: texts }),
    ...(numbers.length > 0 && { numeric_filters: numbers }),
    ...(dates.length > 0 && { date_filters: dates }),
  };
  return {
    ...(Object.keys(applied).length > 0 && { applied_filters: applied }),
    ...(filters.length > 0 && { filters: filters.map(({ id }) => id) }),
  };
};

const startOf = ({ from, to }: Days): Json => ({
  ...(from !== undefined && { start_date: from }),
  ...(to !== undefined && { end_date: to }),
});

const planSinceWhen = (reading: Reading, known: Known, remarks: Remarks): Plan => {
  const chooser = chooseFields(known.vocabulary, reading.kpis, known.avoid);
  const [month] = chooser.columns({ kind: 'month' }) ?? [];
  if (!month) return refuse({ why: 'no-month' });
  const groups = [...reading.groups.filter(({ kind }) => kind !== 'month'), { kind: 'month' as const }];
  const asked = { ...reading, groups, ranking: undefined, kpis: reading.kpis.slice(0, 1) };
  const question = figuresOf(asked, known, asked.kpis, { period: reading.periods[0], remarks });
  if ('why' in question) return refuse(question);
  return {
    kind: 'since-when',
    question: { ...question, args: { ...question.args, page_size: rowsOfSeries } },
    month,
    remarks,
  };
};

const rowsOfSeries = 1_000;
const driversMax = 20;
const fieldsOfDrivers = 6;

const planDrivers = (reading: Reading, known: Known, remarks: Remarks): Plan => {
  const [kpi] = reading.kpis;
  if (!kpi) return refuse({ why: 'no-kpi' });
  const chooser = chooseFields(known.vocabulary, [kpi], known.avoid);
  const named = reading.groups
    .filter(({ kind }) => kind !== 'month')
    .flatMap((group) => chooser.columns(group)?.slice(-1) ?? []);
  const narrowing = narrow(reading, known, chooser, { period: reading.periods[0], kpis: [kpi] });
  if ('why' in narrowing) return refuse(narrowing);
  const rows = { ...narrowing, comparisons: narrowing.comparisons.filter(({ of }) => 'record' in of) };
  const fields = named.length > 0 ? named : telling(known.vocabulary, kpi, rows);
  if (fields.length === 0) return refuse({ why: 'cannot-group' });
  const args = { kpi: kpi.id, field_ids: fields.map(({ id }) => id), limit: driversMax, ...filtersOf(rows) };
  return { kind: 'drivers', kpi, args, narrowing: rows, remarks };
};

/** Numbers of documents, texts and what is the same everywhere drive nothing. */
const tellsNothing =
  /(?:_NO|_ID|NOTE|DESCRIPTION|NAME|EMAIL|CURRENCY|UNIT|_ACCOUNT|_OF|_ORG|CENTRE|CENTER|COUNTRY|CODE)$/i;

/** Fields with texts of the KPI's own record, then of the records that it may look into, each name once. */
const telling = ({ records }: Vocabulary, kpi: Kpi, { values }: Narrowing): readonly Field[] => {
  const own = records.filter(({ id }) => kpi.records.includes(id));
  const fixed = new Set(values.map(({ field }) => field.name));
  const names = records
    .filter(({ id }) => !kpi.records.includes(id))
    .flatMap((record) =>
      tellingFields(record).filter(
        ({ type, variants }) => type === 'string' && variants.some((stems) => stems.join(' ') === 'name'),
      ),
    );
  const candidates = [...own, ...records.slice(0, 1)].flatMap(({ fields, identifier }) =>
    fields.filter(
      ({ id, type, name }) =>
        type === 'string' && !identifier.includes(id) && !tellsNothing.test(id) && !fixed.has(name),
    ),
  );
  return [...new Map(candidates.toReversed().map((field) => [field.name, field])).values()]
    .toReversed()
    .slice(0, fieldsOfDrivers);
};

/** Without a KPI: how many rows there are, or the rows themselves. */
const planRows = (reading: Reading, known: Known, remarks: Remarks): Plan => {
  const { vocabulary } = known;
  const records = [
    ...reading.records,
    ...reading.groups.flatMap((group) => (group.kind === 'record' ? [group.record] : [])),
  ];
  const fields = [
    ...reading.fields,
    ...reading.groups.flatMap((group) => (group.kind === 'field' ? [group.options] : [])),
  ];
  const says =
    reading.values.length + reading.filters.length + reading.comparisons.length + fields.length + records.length;
  if (says === 0) return refuse({ why: 'not-understood' });
  const ofValue = reading.values.flatMap(({ options }) => options.map(({ field }) => field.record));
  const home = records[0] ?? vocabulary.records.find(({ id }) => id === (fields[0]?.[0]?.record ?? ofValue[0]));
  if (!home || reading.wishes.has('average') || reading.ranking || reading.wishes.has('by-month'))
    return refuse({ why: 'no-kpi' });
  const waits = waitsFor({ ...reading, kpis: [rowsAsKpi(home.id)] }, known);
  if (waits) return waits;
  const chooser = chooseFields(vocabulary, [rowsAsKpi(home.id)], known.avoid);
  const narrowing = narrow(reading, known, chooser, { period: reading.periods[0], kpis: [] });
  if ('why' in narrowing) return refuse(narrowing);
  if (fields.some((options) => options.every(({ type }) => type === 'boolean'))) return refuse({ why: 'cannot-flag' });
  const isCount = reading.wishes.has('count');
  const narrows =
    reading.values.length + reading.filters.length + narrowing.comparisons.length + reading.periods.length > 0;
  if (!isCount && !narrows && records.length === 0) return refuse({ why: 'no-kpi' });
  const asked = isCount ? [] : fields.flatMap((options) => chooser.field(options) ?? []);
  const groups = unique([...tellingFields(home), ...asked]);
  if (groups.length === 0) return refuse({ why: 'no-kpi' });
  const args = { columns: groups.map(({ id }) => id), page_size: isCount ? 1 : listedRows, ...filtersOf(narrowing) };
  const question = { args, kpis: [], groups, narrowing };
  return { kind: isCount ? 'count-rows' : 'rows', question, name: home.name, remarks };
};

const listedRows = 10;
/** Rows are chosen for as a KPI over them is. */
const rowsAsKpi = (record: string): Kpi => ({
  ...{ id: '', name: '', description: '', variants: [], direction: 'None', records: [record] },
});
