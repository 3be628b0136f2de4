/** Which KPIs of a model Home shows, whether they meet their targets, and how they went over time. */
import type { AnswerFor } from '../../api/operations.js';

export type Kpi = AnswerFor<'listKpis'>['content'][number];
type ModelRecord = AnswerFor<'readRecord'>;
type Row = AnswerFor<'readModelQuery'>['content'][number];

const shownMax = 4;

/** Those with a target are what a team wants to reach: they come first, else the order of the model holds. */
export const chooseMainKpis = (kpis: readonly Kpi[]): readonly Kpi[] =>
  kpis
    .toSorted((left, right) => Number(targetOf(right) !== undefined) - Number(targetOf(left) !== undefined))
    .slice(0, shownMax);

export const targetOf = ({ target }: Pick<Kpi, 'target'>): number | undefined => {
  const value = target === undefined || target.trim() === '' ? Number.NaN : Number(target);
  return Number.isFinite(value) ? value : undefined;
};

/** Undefined where nothing says what would be good. */
export const meetsTarget = (kpi: Pick<Kpi, 'target' | 'direction'>, value: number | undefined): boolean | undefined => {
  const target = targetOf(kpi);
  if (target === undefined || value === undefined) return undefined;
  switch (kpi.direction) {
    case 'Up':
      return value >= target;
    case 'Down':
      return value <= target;
    case 'None':
      return undefined;
  }
};

const datedTypes: readonly string[] = ['date', 'datetime', 'timestamp'];

/** What the months of a record are told by: its first date. */
export const monthFieldOf = ({ id, fields }: Pick<ModelRecord, 'id' | 'fields'>): string | undefined => {
  const field = fields.find(({ type }) => datedTypes.includes(type));
  return field === undefined ? undefined : `${id}.${field.id}:month`;
};

export const monthsMax = 24;

export type Trend = {
  /** `2026-03-01` */
  readonly from: string;
  readonly to: string;
  /** One for each month from the first to the last; null is a gap. */
  readonly values: readonly (number | null)[];
};

/** Undefined when there are not two months. */
export const readTrend = (rows: readonly Row[], monthField: string, kpiId: string): Trend | undefined => {
  const byMonth = new Map(
    rows.flatMap((row): readonly (readonly [number, number | null])[] => {
      const [month, value] = [row[monthField], row[kpiId]];
      return typeof month === 'string' && /^\d{4}-\d{2}/.test(month)
        ? [[monthNumber(month), typeof value === 'number' ? value : null]]
        : [];
    }),
  );
  const months = [...byMonth.keys()];
  const [first, last] = [Math.min(...months), Math.max(...months)];
  if (months.length < 2 || last - first >= monthsLookedAtMax) return undefined;
  const values = Array.from({ length: last - first + 1 }, (_, at) => byMonth.get(first + at) ?? null);
  return { from: monthText(first), to: monthText(last), values };
};

/** A date that is far off would make a line of gaps. */
const monthsLookedAtMax = 120;

const monthNumber = (text: string): number => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1;
const monthText = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}-01`;

/** A figure of a row of an answer. */
export const figureOf = (row: Row | undefined, kpiId: string): number | undefined => {
  const value = row?.[kpiId];
  return typeof value === 'number' ? value : undefined;
};
