/** Result of load-data -> rows. Never throws: anything else has no rows. */
import { grainOfColumn } from './choose-fields.js';
import { isObject, type JsonObject, filterObjects } from './json.js';
import type { Field } from './vocabulary.js';

export type LoadDataRows = { readonly rows: readonly JsonObject[]; readonly total: number };

export const readLoadDataRows = (value: unknown): LoadDataRows | undefined => {
  const frame = isObject(value) ? value['data_frame_content'] : undefined;
  if (!isObject(value) || !isObject(frame) || !Array.isArray(frame['data'])) return undefined;
  const rows = filterObjects(frame['data']);
  const total = value['total'];
  return { rows, total: typeof total === 'number' ? total : rows.length };
};

/** A figure; numbers may be written as texts. */
export const readFigure = (row: JsonObject, id: string): number | null => {
  const value = row[id];
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};

export const formatCell = (
  row: JsonObject,
  { id, type }: Pick<Field, 'id' | 'type'>,
  say: { readonly yes: string; readonly no: string; readonly none: string },
): string => {
  const value = row[id];
  if (value === null || value === undefined || value === '') return say.none;
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  const grain = grainOfColumn({ id });
  if (grain !== undefined) return formatPeriod(text, grain);
  return type === 'date' && /month|monat/i.test(id) ? text.slice(0, 7) : text;
};

/** By its first day: `2026`, `2026-Q1`, `2026-03`; weeks and days by that day itself. */
const formatPeriod = (day: string, grain: string): string => {
  switch (grain) {
    case 'year':
      return day.slice(0, 4);
    case 'quarter':
      return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
    case 'month':
      return day.slice(0, 7);
    default:
      return day.slice(0, 10);
  }
};
