/** Renders answers that show figures of load-data. */
import { type Answer, joinParagraphs, formatTable } from './answer.js';
import { formatExactFigureIfRounded, formatExactFigure, formatFigure, formatNumber } from './format-figure.js';
import type { JsonObject } from './json.js';
import type { Language } from './language.js';
import { phrases } from './phrases.js';
import type { LoadDataQuery, Refinement, Plan, Remarks } from './plan.js';
import { formatCell, readFigure, type LoadDataRows } from './read-rows.js';
import type { Kpi } from './vocabulary.js';

type Figures = Extract<Plan, { readonly kind: 'figures' }>;
type AnsweredQuery = { readonly query: LoadDataQuery; readonly loaded: LoadDataRows };

export const renderFigures = (plan: Figures, answered: readonly AnsweredQuery[], language: Language): Answer => {
  const sections = answered.map((each) =>
    each.query.groups.length === 0 ? renderSingle(plan, each, language) : renderTable(plan, each, language),
  );
  const difference = differenceOf(answered, language);
  const [first] = answered;
  return {
    text: joinParagraphs(...sections, difference, renderRemarks(plan.remarks, language)),
    data: {
      language,
      kpi: first?.query.kpis.map(({ id }) => id).join(', '),
      unit: first?.query.kpis.map(unitOf).find((unit) => unit !== undefined),
      value:
        first && first.query.kpis[0] && first.loaded.rows[0]
          ? readFigure(first.loaded.rows[0], first.query.kpis[0].id)
          : undefined,
      rows: answered.flatMap(({ loaded }) => loaded.rows),
      filters: first ? renderRefinementParts(first.query.refinement, language) : [],
    },
  };
};

const unitOf = ({ unit, format = '' }: Kpi): string | undefined => unit ?? (format.endsWith('%') ? '%' : undefined);

const sentenceFigure = (value: number | null, kpi: Kpi, language: Language): string => {
  const exact = formatExactFigureIfRounded(value, kpi, language);
  return `**${formatFigure(value, kpi, language)}**${exact === undefined ? '' : ` (${phrases[language].exactly(exact)})`}`;
};

const renderSingle = (plan: Figures, { query, loaded }: AnsweredQuery, language: Language): string => {
  const say = phrases[language];
  const row: JsonObject = loaded.rows[0] ?? {};
  if (query.kpis.every(({ id }) => readFigure(row, id) === null))
    return joinParagraphs(say.noRows, renderRefinement(query.refinement, language));
  const lines = query.kpis.map((kpi) => say.is(kpi.name, sentenceFigure(readFigure(row, kpi.id), kpi, language)));
  const [kpi] = query.kpis;
  const value = kpi ? readFigure(row, kpi.id) : null;
  const { threshold } = plan;
  const limit =
    threshold && kpi ? `${threshold.comparison.comparator} ${formatFigureOf(threshold.value, kpi, language)}` : '';
  return joinParagraphs(
    lines.join('\n'),
    threshold && value !== null
      ? say.threshold(satisfies(value, threshold.comparison.comparator, threshold.value), limit)
      : undefined,
    plan.asksTarget
      ? query.kpis.map((each) => targetText(each, readFigure(row, each.id), language)).join(' ')
      : undefined,
    renderRefinement(query.refinement, language),
  );
};

/** Limits and targets are written as they were said, without digits that mean nothing. */
const formatFigureOf = (value: number, kpi: Kpi, language: Language): string =>
  (kpi.format ?? '').endsWith('%')
    ? `${formatNumber(Number((value * 100).toPrecision(12)), language)} %`
    : `${formatNumber(value, language)}${kpi.unit === undefined ? '' : ` ${kpi.unit}`}`;

const satisfies = (value: number, comparator: string, limit: number): boolean => {
  if (comparator === '>') return value > limit;
  if (comparator === '>=') return value >= limit;
  return comparator === '<' ? value < limit : value <= limit;
};

const isMet = ({ direction, target = 0 }: Kpi, value: number): boolean =>
  direction === 'Down' ? value <= target : value >= target;

const targetText = (kpi: Kpi, value: number | null, language: Language): string => {
  const say = phrases[language];
  if (kpi.target === undefined || value === null) return say.noTarget(kpi.name);
  return say.target(kpi.name, formatFigureOf(kpi.target, kpi, language), isMet(kpi, value));
};

const renderTable = (plan: Figures, { query, loaded }: AnsweredQuery, language: Language): string => {
  const { groups, kpis, refinement, args } = query;
  const say = phrases[language];
  const labels = loaded.rows.map((row) => groups.map((field) => formatCell(row, field, say)));
  const heads = [...groups, ...kpis].map(({ name }) => name);
  const cells = loaded.rows.map((row, place) => [
    ...(labels[place] ?? []),
    ...kpis.map((kpi) => formatExactFigure(readFigure(row, kpi.id), kpi, language)),
  ]);
  const [kpi] = kpis;
  const first = loaded.rows[0];
  const rank = say.rank[args['ascending'] === true ? 'least' : 'most'];
  const headline =
    plan.isRanked && kpi && first
      ? say.first(
          (labels[0] ?? []).join(', '),
          kpi.name,
          sentenceFigure(readFigure(first, kpi.id), kpi, language),
          rank,
        )
      : undefined;
  const isShort = loaded.rows.length < loaded.total;
  return joinParagraphs(
    headline,
    say.by(kpis.map(({ name }) => name).join(', '), groups.map(({ name }) => name).join(', ')),
    cells.length === 0 ? say.noRows : formatTable(heads, cells, (column) => column >= groups.length),
    isShort
      ? say.shows(loaded.rows.length, formatNumber(loaded.total, language))
      : refinement.comparisons.length > 0
        ? say.count(formatNumber(loaded.total, language))
        : undefined,
    plan.asksTarget && kpi ? missedText(kpi, loaded, labels, language) : undefined,
    renderRefinement(refinement, language),
  );
};

const missedText = (
  kpi: Kpi,
  { rows }: LoadDataRows,
  labels: readonly (readonly string[])[],
  language: Language,
): string => {
  const say = phrases[language];
  const { target } = kpi;
  if (target === undefined) return say.noTarget(kpi.name);
  const missed = rows.flatMap((row, place) => {
    const value = readFigure(row, kpi.id);
    return value !== null && !isMet(kpi, value) ? [(labels[place] ?? []).join(', ')] : [];
  });
  return `${formatFigureOf(target, kpi, language)}: ${missed.length === 0 ? say.missedByNone : say.missedBy(missed.join('; '))}`;
};

/** Of two periods, or of two values that are compared. */
const differenceOf = (answered: readonly AnsweredQuery[], language: Language): string | undefined => {
  const [left, right] = answered;
  const kpi = left?.query.kpis[0];
  if (!left || !right || answered.length !== 2 || !kpi || left.query.groups.length > 0) return undefined;
  if (right.query.kpis[0]?.id !== kpi.id) return undefined;
  const [one, other] = [left, right].map(({ loaded }) => (loaded.rows[0] ? readFigure(loaded.rows[0], kpi.id) : null));
  if (typeof one !== 'number' || typeof other !== 'number') return undefined;
  const figure = formatExactFigure(Number((one - other).toPrecision(15)), kpi, language);
  return phrases[language].difference(kpi.name, figure.replace(/ %$/, ` ${phrases[language].points}`));
};

export const renderRemarks = ({ unknown, isByMonthInstead }: Remarks, language: Language): string | undefined => {
  const say = phrases[language];
  const words = unknown.length > 0 ? say.leftOut(unknown.map((word) => `"${word}"`).join(', ')) : undefined;
  return joinParagraphs(isByMonthInstead ? say.byMonth : undefined, words) || undefined;
};

export const renderRefinement = (refinement: Refinement, language: Language): string | undefined => {
  const parts = renderRefinementParts(refinement, language);
  return parts.length === 0 ? undefined : phrases[language].refinedTo(parts.join('; ').replace(/\.$/, ''));
};

export const renderRefinementParts = (
  { values, filters, days, comparisons }: Refinement,
  language: Language,
): readonly string[] => {
  const say = phrases[language];
  const { from, to } = days?.days ?? {};
  const when = from === undefined ? say.to(to ?? '') : to === undefined ? say.from(from) : say.during(from, to);
  return [
    ...values.map(({ field, values: each, isNegated }) => {
      const texts = each.join(', ');
      return `${field.name} (${field.recordName}): ${isNegated ? say.not(texts) : texts}`;
    }),
    ...filters.map(({ name }) => name),
    ...(days ? [`${days.field.name} (${days.field.recordName}) ${when}`] : []),
    ...comparisons.map(({ of, comparison, value }) => {
      const shown = { ...of, direction: 'None' as const, records: [] };
      return `${of.name} ${comparison.comparator} ${formatFigureOf(value, shown, language)}`;
    }),
  ];
};
