/** Renders all other answers: drivers, since when, rows, meanings, help, and why there is no answer. */
import { type Answer, joinText, tableText } from './answer.js';
import { formatExact, formatFigure, formatNumber } from './format-figure.js';
import { isObject, type Json, objectsIn, textIn } from './json.js';
import { languageOf, type Language } from './language.js';
import { phrases } from './phrases.js';
import type { LoadQuery, Plan, Refusal } from './plan.js';
import { cellOf, figureIn, type Rows } from './read-rows.js';
import type { Changes } from './since-when.js';
import type { KnownTools } from './recognise-tools.js';
import { questionCharactersMax } from './question-limits.js';
import type { Kpi, Vocabulary } from './vocabulary.js';
import { refinementParts, refinementText, remarksText } from './render-figures.js';

export const plain = (text: string, language: Language, more: Json = {}): Answer => ({
  text,
  data: { language, ...more },
});

type PlanOf<Kind extends Plan['kind']> = Extract<Plan, { readonly kind: Kind }>;

export const renderRows = (plan: PlanOf<'rows' | 'count-rows'>, loaded: Rows, language: Language): Answer => {
  const say = phrases[language];
  const { groups, refinement } = plan.query;
  const total = formatNumber(loaded.total, language);
  const rows = loaded.rows.map((row) =>
    groups.map((field) => {
      const value = field.type === 'float' ? figureIn(row, field.id) : null;
      return value === null ? cellOf(row, field, say) : formatExact(value, field, language);
    }),
  );
  const heads = groups.map(({ name }) => name);
  const isFigure = (column: number): boolean => ['float', 'integer'].includes(groups[column]?.type ?? '');
  const table = loaded.rows.length === 0 ? say.noRows : tableText(heads, rows, isFigure);
  const isShort = loaded.rows.length < loaded.total;
  const text = joinText(
    plan.kind === 'count-rows' ? say.rows(`**${total}**`, plan.name) : table,
    plan.kind === 'rows' && isShort ? say.shows(loaded.rows.length, total) : undefined,
    refinementText(refinement, language),
    remarksText(plan.remarks, language),
  );
  const value = plan.kind === 'count-rows' ? loaded.total : undefined;
  return plain(text, language, {
    value,
    rows: plan.kind === 'rows' ? loaded.rows : undefined,
    filters: refinementParts(refinement, language),
  });
};

/** Of the months with a change: the KPI from then on, and before. */
export type Sides = { readonly before: number | null; readonly after: number | null };

export const renderSinceWhen = (
  plan: PlanOf<'since-when'>,
  { limit, changes }: Changes,
  sides: readonly Sides[],
  language: Language,
): Answer => {
  const say = phrases[language];
  const [kpi] = plan.query.kpis;
  if (!kpi) return plain(say.noKpi, language);
  const lines = changes.map(({ label, since, isFromBegin }, place) => {
    const after = formatExact(sides[place]?.after ?? null, kpi, language);
    const before = formatExact(sides[place]?.before ?? null, kpi, language);
    return isFromBegin ? say.sinceBegin(label, since, after) : say.since(label, since, before, after);
  });
  const text = joinText(
    `${kpi.name}: ${lines.length === 0 ? say.sinceNone(kpi.name) : lines.join('\n')}`,
    say.sinceRule(formatExact(limit, kpi, language)),
    refinementText(plan.query.refinement, language),
    remarksText(plan.remarks, language),
  );
  const rows = changes.map((change, place) => ({ ...change, ...sides[place] }));
  return plain(text, language, { kpi: kpi.id, unit: kpi.unit, rows });
};

const driversShown = 8;

export const renderDrivers = (plan: PlanOf<'drivers'>, value: unknown, language: Language): Answer => {
  const say = phrases[language];
  const { kpi } = plan;
  if (!isObject(value)) return plain(say.nothingLoaded, language);
  const isSum = value['contribution_is'] === 'part of the sum';
  const found = objectsIn(value['insights']).map((insight) => ({
    insight,
    weight: figureIn(insight, 'contribution') ?? 0,
  }));
  // What makes it worse drives it; of what has no direction, whatever moves it.
  const sign = isSum || kpi.direction === 'None' ? 0 : kpi.direction === 'Down' ? 1 : -1;
  const overall = figureIn(value, 'overall_value');
  // Of a sum what has more than its share; a half of the rows has a half of everything.
  const beyond = ({ insight, weight }: (typeof found)[number]): number =>
    weight - (figureIn(insight, 'share_of_rows') ?? 0) * (overall ?? 0);
  const ordered = isSum ? found.toSorted((left, right) => beyond(right) - beyond(left)) : found;
  const worse = ordered.filter(({ weight }) => sign === 0 || weight * sign > 0).slice(0, driversShown);
  const rows = worse.map(({ insight }) => [
    textIn(insight, 'field_display_name'),
    cellOf(insight, { id: 'value', type: 'string' }, say),
    formatExact(figureIn(insight, 'kpi_value'), kpi, language),
    formatExact(figureIn(insight, 'share_of_rows'), { format: '.1%' }, language),
    formatExact(figureIn(insight, 'contribution'), kpi, language),
  ]);
  const text = joinText(
    say.drivers(kpi.name, `**${formatFigure(overall, kpi, language)}**`, isSum),
    rows.length === 0 ? say.noRows : tableText(say.driverColumns, rows, (column) => column > 1),
    refinementText(plan.refinement, language),
    remarksText(plan.remarks, language),
  );
  const filters = refinementParts(plan.refinement, language);
  return plain(text, language, {
    kpi: kpi.id,
    unit: kpi.unit,
    value: overall,
    rows: worse.map(({ insight }) => insight),
    filters,
  });
};

export const renderMeanings = (kpis: readonly Kpi[], language: Language): Answer => {
  const say = phrases[language];
  const lines = kpis.map(({ name, description }) =>
    description === '' ? say.noMeaning(name) : say.meaning(name, description),
  );
  return plain(lines.join('\n'), language, { kpi: kpis.map(({ id }) => id).join(', ') });
};

const namesShown = 30;
const fieldsShown = 15;

export const renderHelp = (vocabulary: Vocabulary | undefined, tools: KnownTools, language: Language): Answer => {
  const say = phrases[language];
  return plain(joinText(say.iAm, scopeText(vocabulary, tools, language)), language);
};

/** What can be asked, by names. */
const scopeText = (vocabulary: Vocabulary | undefined, tools: KnownTools, language: Language): string => {
  const say = phrases[language];
  const procedures = tools.content === undefined ? undefined : say.iFindProcedures;
  if (!vocabulary || vocabulary.kpis.length === 0) return joinText(procedures);
  const { kpis, fields, filters, name } = vocabulary;
  const texts = fields.filter(({ type, id }) => type === 'string' && !/_NO$|_ID$/i.test(id));
  const counted = [...Map.groupBy(texts, (field) => field.name)].toSorted(
    ([, left], [, right]) => right.length - left.length,
  );
  const names = counted.map(([each]) => each).slice(0, fieldsShown);
  const first = kpis[0]?.name ?? '';
  return joinText(
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

export const renderTooLong = (question: string): Answer => {
  const language = languageOf(question.slice(0, questionCharactersMax));
  return plain(phrases[language].tooLong(formatNumber(questionCharactersMax, language)), language);
};

export const renderRefusal = (
  refusal: Refusal,
  { vocabulary, tools }: { readonly vocabulary?: Vocabulary | undefined; readonly tools: KnownTools },
  language: Language,
): Answer => {
  const say = phrases[language];
  const scope = (): string => joinText(say.iAm, scopeText(vocabulary, tools, language));
  switch (refusal.why) {
    case 'not-understood':
      return plain(joinText(say.notUnderstood, scope()), language);
    case 'no-kpi':
      return plain(joinText(say.noKpi, scope()), language);
    case 'unknown-names':
      return plain(joinText(say.unknownNames(refusal.words.map((word) => `"${word}"`).join(', ')), scope()), language);
    case 'no-month':
      return plain(say.noMonth, language);
    case 'no-period':
      return plain(say.noPeriod, language);
    case 'cannot-group':
      return plain(say.cannotGroup, language);
    case 'cannot-compare':
      return plain(joinText(say.cannotCompare, scope()), language);
    case 'cannot-flag':
      return plain(joinText(say.cannotFlag, scope()), language);
    case 'cannot-average':
      return plain(joinText(say.cannotAverage, scope()), language);
    case 'cannot-act':
      return plain(joinText(say.cannotAct, scope()), language);
    case 'cannot-forecast':
      return plain(joinText(say.cannotForecast, scope()), language);
    case 'no-tool':
      return plain(say.noTool(refusal.tool), language);
    case 'tool-failed':
      return plain(refusal.message === '' ? say.nothingLoaded : say.toolFailed(refusal.message), language);
  }
};

/** The question of one side of a change. */
export const sideArgs = (
  { args, kpis, groups }: LoadQuery,
  month: { readonly id: string },
  label: string,
  days: Json,
): Json => {
  const [group] = groups.filter(({ id }) => id !== month.id);
  const applied = isObject(args['applied_filters']) ? args['applied_filters'] : {};
  const texts = objectsIn(applied['string_filters']);
  const own = group ? [...texts, { column_id: group.id, values: [label], case_sensitive: true }] : texts;
  const dates = [...objectsIn(applied['date_filters']), { column_id: month.id, ...days }];
  return {
    columns: kpis.map(({ id }) => id),
    page_size: 1,
    applied_filters: { ...applied, ...(own.length > 0 && { string_filters: own }), date_filters: dates },
    ...(args['filters'] !== undefined && { filters: args['filters'] }),
  };
};
