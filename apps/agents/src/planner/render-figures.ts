/** Renders answers that show figures of load-data. */
import { type Answer, joinParagraphs, formatTable } from './answer.js';
import {
  formatExactFigureIfRounded,
  formatExactFigure,
  formatFigure,
  formatNumber,
  nameUnit,
} from './format-figure.js';
import type { JsonObject } from './json.js';
import type { Language } from './language.js';
import { phrases } from './phrases.js';
import type { LoadDataQuery, Refinement, Plan } from './plan.js';
import { formatCell, readFigure, type LoadDataRows } from './read-rows.js';
import type { Kpi } from './vocabulary.js';

type Figures = Extract<Plan, { readonly kind: 'figures' }>;
export type AnsweredQuery = {
  readonly query: LoadDataQuery;
  readonly loaded: LoadDataRows;
  /** What the only KPI, a quotient, is made of: told beside it, so that it can be checked. */
  readonly parts?: readonly Kpi[];
};

export const renderFigures = (plan: Figures, loaded: readonly AnsweredQuery[], language: Language): Answer => {
  const answered = plan.quotient ? loaded.map((each) => divide(plan, each)) : loaded;
  if (plan.isShare) return renderShare(answered, language);
  const sections = answered.map((each) =>
    each.query.groups.length === 0 ? renderSingle(plan, each, language) : renderTable(plan, each, language),
  );
  const difference = differenceOf(plan, answered, language);
  const [first] = answered;
  return {
    text: joinParagraphs(...sections, difference),
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

const renderSingle = (plan: Figures, { query, loaded, parts }: AnsweredQuery, language: Language): string => {
  const say = phrases[language];
  const row: JsonObject = loaded.rows[0] ?? {};
  if (query.kpis.every(({ id }) => readFigure(row, id) === null))
    return joinParagraphs(say.noRows, renderRefinement(query.refinement, language));
  const divided = parts?.map((part) => formatExactFigure(readFigure(row, part.id), part, language)).join(' / ');
  const lines = query.kpis.map((kpi) =>
    say.is(
      kpi.name,
      `${sentenceFigure(readFigure(row, kpi.id), kpi, language)}${divided === undefined ? '' : `: ${divided}`}`,
    ),
  );
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
    : `${formatNumber(value, language)}${kpi.unit === undefined ? '' : ` ${nameUnit(kpi.unit, language)}`}`;

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

const renderTable = (plan: Figures, { query, loaded, parts = [] }: AnsweredQuery, language: Language): string => {
  const { groups, kpis, refinement, args } = query;
  const say = phrases[language];
  const labels = loaded.rows.map((row) => groups.map((field) => formatCell(row, field, say)));
  const shown = [...kpis, ...parts];
  const heads = [...groups, ...shown].map(({ name }) => name);
  const cells = loaded.rows.map((row, place) => [
    ...(labels[place] ?? []),
    ...shown.map((kpi) => formatExactFigure(readFigure(row, kpi.id), kpi, language)),
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

/** The first figure of each row by the second, in the order that was asked for. */
const divide = ({ quotient }: Figures, { query, loaded }: AnsweredQuery): AnsweredQuery => {
  const [over, under] = query.kpis;
  if (!quotient || !over || !under) return { query, loaded };
  const rows = loaded.rows.map((row): JsonObject => {
    const [part, whole] = [readFigure(row, over.id), readFigure(row, under.id)];
    return { ...row, [quotient.kpi.id]: part === null || !whole ? null : Number((part / whole).toPrecision(15)) };
  });
  const { limit, ascending } = quotient;
  const sign = ascending === true ? 1 : -1;
  const ordered =
    ascending === undefined
      ? rows
      : rows.toSorted(
          (left, right) =>
            sign * ((readFigure(left, quotient.kpi.id) ?? 0) - (readFigure(right, quotient.kpi.id) ?? 0)),
        );
  return {
    query: { ...query, kpis: [quotient.kpi] },
    loaded: { ...loaded, rows: ordered.slice(0, limit) },
    parts: [over, under],
  };
};

/** Rows of the part stand beside the whole of their group. */
const renderShare = (answered: readonly AnsweredQuery[], language: Language): Answer => {
  const say = phrases[language];
  const [part, whole] = answered;
  const kpi = part?.query.kpis[0];
  if (!part || !whole || !kpi) return { text: say.nothingLoaded, data: { language } };
  const { groups } = part.query;
  const keyOf = (row: JsonObject): string => JSON.stringify(groups.map(({ id }) => row[id]));
  const isOfAll = groups.length > 0 && whole.query.groups.length === 0;
  const ofAll = whole.loaded.rows[0] ? readFigure(whole.loaded.rows[0], kpi.id) : null;
  const parts = new Map(part.loaded.rows.map((row) => [keyOf(row), readFigure(row, kpi.id) ?? 0]));
  const rows = (isOfAll ? part : whole).loaded.rows.map((row) => {
    const all = isOfAll ? ofAll : readFigure(row, kpi.id);
    const own = parts.get(keyOf(row)) ?? null;
    return { row, own, all, share: all && own !== null ? own / all : null };
  });
  const written = (value: number | null): string => formatExactFigure(value, { format: '.2%' }, language);
  const [only] = rows;
  const text =
    groups.length === 0
      ? `${kpi.name}: ${say.share(formatExactFigure(only?.own ?? null, kpi, language), formatExactFigure(only?.all ?? null, kpi, language), written(only?.share ?? null))}`
      : formatTable(
          [...groups.map(({ name }) => name), kpi.name, say.aggregate('sum', kpi.name), '%'],
          rows.map(({ row, own, all, share }) => [
            ...groups.map((field) => formatCell(row, field, say)),
            formatExactFigure(own, kpi, language),
            formatExactFigure(all, kpi, language),
            written(share),
          ]),
          (column) => column >= groups.length,
        );
  const isEmpty = rows.every(({ all }) => all === null);
  return {
    text: joinParagraphs(isEmpty ? say.noRows : text, renderRefinement(part.query.refinement, language)),
    data: {
      language,
      kpi: kpi.id,
      value: only?.share,
      rows: rows.map(({ row }) => row),
      filters: renderRefinementParts(part.query.refinement, language),
    },
  };
};

/** Of two periods, or of two values that are compared. */
const differenceOf = (plan: Figures, answered: readonly AnsweredQuery[], language: Language): string | undefined => {
  const say = phrases[language];
  const [left, right] = answered;
  const kpi = left?.query.kpis[0];
  if (!left || !right || answered.length !== 2 || !kpi || left.query.groups.length > 0) return undefined;
  if (right.query.kpis[0]?.id !== kpi.id) return undefined;
  const [one, other] = [left, right].map(({ loaded }) => (loaded.rows[0] ? readFigure(loaded.rows[0], kpi.id) : null));
  if (typeof one !== 'number' || typeof other !== 'number') return undefined;
  const difference = Number((one - other).toPrecision(15));
  const figure = formatExactFigure(difference, kpi, language).replace(/ %$/, ` ${say.points}`);
  const judged = plan.asksTrend && kpi.direction !== 'None' ? judge(difference, kpi, language) : undefined;
  return [say.difference(kpi.name, figure), judged].filter((part) => part !== undefined).join(' ');
};

/** The first figure against the second. */
const judge = (difference: number, { direction }: Kpi, language: Language): string => {
  const say = phrases[language];
  if (difference === 0) return say.unchanged;
  return difference > 0 === (direction === 'Up') ? say.better : say.worse;
};

export const renderRefinement = (refinement: Refinement, language: Language): string | undefined => {
  const parts = renderRefinementParts(refinement, language);
  return parts.length === 0 ? undefined : phrases[language].refinedTo(parts.join('; ').replace(/\.$/, ''));
};

export const renderRefinementParts = (
  { values, flags, filters, days, comparisons }: Refinement,
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
    ...flags.map(({ field, holds }) => `${field.name} (${field.recordName}): ${flagText(holds, language)}`),
    ...filters.map(({ name }) => name),
    ...(days ? [`${days.field.name} (${days.field.recordName}) ${when}`] : []),
    ...comparisons.map(({ of, comparison, value }) => {
      const shown = { ...of, direction: 'None' as const, records: [] };
      return `${of.name} ${comparison.comparator} ${formatFigureOf(value, shown, language)}`;
    }),
  ];
};

const flagText = (holds: Refinement['flags'][number]['holds'], language: Language): string => {
  const say = phrases[language];
  switch (holds) {
    case 'missing':
      return say.missing;
    case 'present':
      return say.present;
    default:
      return holds ? say.yes : say.no;
  }
};

const choiceRowsMax = 3;

/** Of one reading: its figure, or the first of its rows. */
export const summariseFigures = ({ query, loaded }: AnsweredQuery, language: Language): string => {
  const say = phrases[language];
  const { groups, kpis } = query;
  const lines = loaded.rows.slice(0, choiceRowsMax).map((row) => {
    const labels = groups.map((field) => formatCell(row, field, say)).join(' ');
    const figures = kpis.map((kpi) => formatExactFigure(readFigure(row, kpi.id), kpi, language)).join(', ');
    return `${labels} ${figures}`.trim();
  });
  return lines.length === 0 ? say.none : `${lines.join('; ')}${loaded.rows.length > choiceRowsMax ? '; …' : ''}`;
};
