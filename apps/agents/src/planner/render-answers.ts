/** Renders all other answers: drivers, since when, rows, meanings, help, and why there is no answer. */
import { type Answer, joinParagraphs, formatTable } from './answer.js';
import { formatExactFigure, formatFigure, formatNumber } from './format-figure.js';
import { isObject, type JsonObject, filterObjects, getText } from './json.js';
import { detectLanguage, type Language } from './language.js';
import { phrases } from './phrases.js';
import type { FiguresPlan, LoadDataQuery, Plan, Refusal } from './plan.js';
import { formatCell, readFigure, type LoadDataRows } from './read-rows.js';
import type { LimitCrossingReport } from './since-when.js';
import { formatReading } from './readings.js';
import type { KnownTools } from './recognise-tools.js';
import { maxQuestionCharacters } from './question-limits.js';
import type { Field, Kpi, Vocabulary } from './vocabulary.js';
import { wordsOf } from './words.js';
import { type AnsweredQuery, renderRefinementParts, renderRefinement, summariseFigures } from './render-figures.js';

export const createPlainAnswer = (text: string, language: Language, more: JsonObject = {}): Answer => ({
  text,
  data: { language, ...more },
});

type PlanOf<Kind extends Plan['kind']> = Extract<Plan, { readonly kind: Kind }>;

export const renderRows = (plan: PlanOf<'rows'>, loaded: LoadDataRows, language: Language): Answer => {
  const say = phrases[language];
  const { groups, refinement } = plan.query;
  const total = formatNumber(loaded.total, language);
  const rows = loaded.rows.map((row) =>
    groups.map((field) => {
      const value = field.type === 'float' ? readFigure(row, field.id) : null;
      return value === null ? formatCell(row, field, say) : formatExactFigure(value, field, language);
    }),
  );
  const heads = groups.map(({ name }) => name);
  const isFigure = (column: number): boolean => ['float', 'integer'].includes(groups[column]?.type ?? '');
  const table = loaded.rows.length === 0 ? say.noRows : formatTable(heads, rows, isFigure);
  const isShort = loaded.rows.length < loaded.total;
  const text = joinParagraphs(
    table,
    isShort ? say.shows(loaded.rows.length, total) : say.count(total),
    renderRefinement(refinement, language),
  );
  return createPlainAnswer(text, language, {
    rows: loaded.rows,
    filters: renderRefinementParts(refinement, language),
  });
};

/** `values`: the one in the middle, or the two. */
export const renderMedian = (
  { field, query }: PlanOf<'median'>,
  values: readonly number[],
  language: Language,
): Answer => {
  const say = phrases[language];
  const value = values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;
  const format = (each: number | null): string =>
    formatExactFigure(each, field.unit === undefined ? { format: ',.2f' } : field, language);
  const [one, other] = values.map(format);
  const isBetween = one !== undefined && other !== undefined && one !== other;
  const figure = `**${format(value)}**${isBetween ? ` (${say.between(one, other)})` : ''}`;
  const text = joinParagraphs(
    value === null ? say.noRows : say.is(say.aggregate('median', field.name), figure),
    renderRefinement(query.refinement, language),
  );
  return createPlainAnswer(text, language, {
    value,
    unit: field.unit,
    filters: renderRefinementParts(query.refinement, language),
  });
};

type AnsweredReading = {
  readonly field: Field;
  readonly plan: FiguresPlan | PlanOf<'rows'>;
  readonly answered: readonly AnsweredQuery[];
};

/** Each reading with what comes of it, one line each, and the question which one is meant. */
export const renderChoices = (readings: readonly AnsweredReading[], language: Language): Answer => {
  const choices = readings.map(({ field }, place) => `${place + 1}. ${formatReading(field)}`);
  const lines = readings.map(({ answered, plan }, place) => {
    const figures = answered.map((each) =>
      plan.kind === 'rows' ? formatNumber(each.loaded.total, language) : summariseFigures(each, language),
    );
    return `${choices[place]}: ${figures.join(' / ')}`;
  });
  return {
    ...createPlainAnswer(joinParagraphs(lines.join('\n'), phrases[language].whichOne), language),
    choices,
  };
};

/** Of the months with a change: the KPI from then on, and before. */
export type KpiBeforeAndAfter = { readonly before: number | null; readonly after: number | null };

export const renderLimitCrossings = (
  plan: PlanOf<'since-when'>,
  { limit, changes }: LimitCrossingReport,
  sides: readonly KpiBeforeAndAfter[],
  language: Language,
): Answer => {
  const say = phrases[language];
  const [kpi] = plan.query.kpis;
  if (!kpi) return createPlainAnswer(say.noKpi, language);
  const lines = changes.map(({ label, since, isFromBegin }, place) => {
    const after = formatExactFigure(sides[place]?.after ?? null, kpi, language);
    const before = formatExactFigure(sides[place]?.before ?? null, kpi, language);
    return isFromBegin ? say.sinceBegin(label, since, after) : say.since(label, since, before, after);
  });
  const text = joinParagraphs(
    `${kpi.name}: ${lines.length === 0 ? say.sinceNone(kpi.name) : lines.join('\n')}`,
    say.sinceRule(formatExactFigure(limit, kpi, language)),
    renderRefinement(plan.query.refinement, language),
  );
  const rows = changes.map((change, place) => ({ ...change, ...sides[place] }));
  return createPlainAnswer(text, language, { kpi: kpi.id, unit: kpi.unit, rows });
};

const driversShown = 8;

export const renderDrivers = (plan: PlanOf<'drivers'>, value: unknown, language: Language): Answer => {
  const say = phrases[language];
  const { kpi } = plan;
  if (!isObject(value)) return createPlainAnswer(say.nothingLoaded, language);
  const isSum = value['contribution_is'] === 'part of the sum';
  const found = filterObjects(value['insights']).map((insight) => ({
    insight,
    weight: readFigure(insight, 'contribution') ?? 0,
  }));
  // What makes it worse drives it; of what has no direction, whatever moves it.
  const sign = isSum || kpi.direction === 'None' ? 0 : kpi.direction === 'Down' ? 1 : -1;
  const overall = readFigure(value, 'overall_value');
  // Of a sum what has more than its share; a half of the rows has a half of everything.
  const beyond = ({ insight, weight }: (typeof found)[number]): number =>
    weight - (readFigure(insight, 'share_of_rows') ?? 0) * (overall ?? 0);
  const ordered = isSum ? found.toSorted((left, right) => beyond(right) - beyond(left)) : found;
  const worse = ordered.filter(({ weight }) => sign === 0 || weight * sign > 0).slice(0, driversShown);
  const rows = worse.map(({ insight }) => [
    getText(insight, 'field_display_name'),
    formatCell(insight, { id: 'value', type: 'string' }, say),
    formatExactFigure(readFigure(insight, 'kpi_value'), kpi, language),
    formatExactFigure(readFigure(insight, 'share_of_rows'), { format: '.1%' }, language),
    formatExactFigure(readFigure(insight, 'contribution'), kpi, language),
  ]);
  const text = joinParagraphs(
    say.drivers(kpi.name, `**${formatFigure(overall, kpi, language)}**`, isSum),
    rows.length === 0 ? say.noRows : formatTable(say.driverColumns, rows, (column) => column > 1),
    renderRefinement(plan.refinement, language),
  );
  const filters = renderRefinementParts(plan.refinement, language);
  return createPlainAnswer(text, language, {
    kpi: kpi.id,
    unit: kpi.unit,
    value: overall,
    rows: worse.map(({ insight }) => insight),
    filters,
  });
};

export const renderKpiDescriptions = (kpis: readonly Kpi[], language: Language): Answer => {
  const say = phrases[language];
  const lines = kpis.map(({ name, description }) =>
    description === '' ? say.noMeaning(name) : say.meaning(name, description),
  );
  return createPlainAnswer(lines.join('\n'), language, { kpi: kpis.map(({ id }) => id).join(', ') });
};

const namesShown = 30;
const fieldsShown = 15;

export const renderHelp = (vocabulary: Vocabulary | undefined, tools: KnownTools, language: Language): Answer => {
  const say = phrases[language];
  return createPlainAnswer(joinParagraphs(say.iAm, scopeText(vocabulary, tools, language)), language);
};

/** What can be asked, by names. */
const scopeText = (vocabulary: Vocabulary | undefined, tools: KnownTools, language: Language): string => {
  const say = phrases[language];
  const procedures = tools.content === undefined ? undefined : say.iFindProcedures;
  if (!vocabulary || vocabulary.kpis.length === 0) return joinParagraphs(procedures);
  const { kpis, fields, filters, name } = vocabulary;
  const texts = fields.filter(({ type, id }) => type === 'string' && !/_NO$|_ID$/i.test(id));
  const counted = [...Map.groupBy(texts, (field) => field.name)].toSorted(
    ([, left], [, right]) => right.length - left.length,
  );
  const names = counted.map(([each]) => each).slice(0, fieldsShown);
  const first = kpis[0]?.name ?? '';
  return joinParagraphs(
    `${say.iAnswer(name)} ${kpis
      .slice(0, namesShown)
      .map((kpi) => kpi.name)
      .join(', ')}.`,
    names.length === 0 ? undefined : say.iAnswerFields(names.join(', ')),
    filters.length === 0 ? undefined : say.iAnswerFilters(filters.map((each) => each.name).join(', ')),
    procedures,
    say.examples.replaceAll('{kpi}', first).replaceAll('{field}', names[0] ?? ''),
  );
};

export const renderQuestionTooLong = (question: string): Answer => {
  const language = detectLanguage(question.slice(0, maxQuestionCharacters));
  return createPlainAnswer(phrases[language].tooLong(formatNumber(maxQuestionCharacters, language)), language);
};

type RefusalContext = {
  readonly vocabulary?: Vocabulary | undefined;
  readonly tools: KnownTools;
  readonly question?: string;
};

/** One line: the reason, and what comes nearest to the question of what can be told. */
export const renderRefusal = (
  refusal: Refusal,
  { vocabulary, question = '' }: RefusalContext,
  language: Language,
): Answer => {
  const reason = reasonOf(refusal, language);
  const isOfQuestion = !['no-tool', 'tool-failed', 'search-incomplete', 'cannot-act'].includes(refusal.why);
  const nearest = vocabulary && isOfQuestion ? nearestNames(vocabulary, question) : [];
  const text = [reason, ...(nearest.length > 0 ? [phrases[language].nearest(nearest.join(', '))] : [])].join(' ');
  return createPlainAnswer(text, language);
};

const nearestMax = 3;

/** KPIs that share the most words with the question, else the first of the model. */
const nearestNames = ({ kpis }: Vocabulary, question: string): readonly string[] => {
  const stems = new Set(wordsOf(question).map(({ stem }) => stem));
  const rated = kpis.map((kpi) => ({
    kpi,
    shared: Math.max(
      0,
      ...kpi.variants.map((variant) => variant.filter((stem) => stems.has(stem)).length / variant.length),
    ),
  }));
  return rated
    .toSorted((left, right) => right.shared - left.shared)
    .slice(0, nearestMax)
    .map(({ kpi }) => kpi.name);
};

const reasonOf = (refusal: Refusal, language: Language): string => {
  const say = phrases[language];
  switch (refusal.why) {
    case 'not-understood':
      return say.notUnderstood;
    case 'no-kpi':
      return say.noKpi;
    case 'unknown-names':
      return say.unknownNames(refusal.words.map((word) => `"${word}"`).join(', '));
    case 'no-month':
      return say.noMonth;
    case 'no-period':
      return say.noPeriod;
    case 'cannot-group':
      return say.cannotGroup;
    case 'cannot-compare':
      return say.cannotCompare;
    case 'cannot-share':
      return say.cannotShare;
    case 'cannot-average':
      return say.cannotAverage;
    case 'cannot-act':
      return say.cannotAct;
    case 'cannot-forecast':
      return say.cannotForecast;
    case 'search-incomplete':
      return say.searchIncomplete;
    case 'not-of-rows':
      return say.notOfRows(refusal.what?.name ?? '', refusal.home);
    case 'no-size':
      return say.noSize(refusal.home);
    case 'no-tool':
      return say.noTool(refusal.tool);
    case 'tool-failed':
      return refusal.message === '' ? say.nothingLoaded : say.toolFailed(refusal.message);
  }
};

/** The question of one side of a change. */
export const buildPeriodArgs = (
  { args, kpis, groups }: LoadDataQuery,
  month: { readonly id: string },
  label: string,
  days: JsonObject,
): JsonObject => {
  const [group] = groups.filter(({ id }) => id !== month.id);
  const applied = isObject(args['applied_filters']) ? args['applied_filters'] : {};
  const texts = filterObjects(applied['string_filters']);
  const own = group ? [...texts, { column_id: group.id, values: [label], case_sensitive: true }] : texts;
  const dates = [...filterObjects(applied['date_filters']), { column_id: month.id, ...days }];
  return {
    columns: kpis.map(({ id }) => id),
    page_size: 1,
    applied_filters: { ...applied, ...(own.length > 0 && { string_filters: own }), date_filters: dates },
    ...(args['filters'] !== undefined && { filters: args['filters'] }),
  };
};
