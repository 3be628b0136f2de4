/** How a result is shown: rows as tables, texts as texts, the rest as names and values; what goes deeper as JSON. */
import { isList, isObject, isScalar, parseJson, printJson, type JsonObject } from '../../api/json-values.js';

export type Scalar = string | number | boolean | null;
export type ResultCell = Scalar | undefined;
export type ResultRow = { readonly id: string; readonly cells: Readonly<Record<string, ResultCell>> };
export type ResultColumn = {
  readonly id: string;
  readonly title: string;
  readonly isNumeric: boolean;
  /** As tools over a knowledge model state it: `EUR`. */
  readonly unit?: string;
  /** The same, of the kind `,.2f` or `.1%`. */
  readonly format?: string;
};

/** The title is where in the result it was found; empty for the whole. */
export type ResultPart =
  | { readonly kind: 'text'; readonly title: string; readonly text: string }
  | {
      readonly kind: 'facts';
      readonly title: string;
      readonly facts: readonly (readonly [name: string, value: Scalar])[];
    }
  | {
      readonly kind: 'table';
      readonly title: string;
      readonly columns: readonly ResultColumn[];
      readonly rows: readonly ResultRow[];
    }
  | { readonly kind: 'none'; readonly title: string }
  | { readonly kind: 'json'; readonly title: string; readonly text: string };

const levelsMax = 4;
const columnsMax = 100;

export const readResult = (result: unknown): readonly ResultPart[] => partsOf(result, []);

const partsOf = (value: unknown, path: readonly string[]): readonly ResultPart[] => {
  const title = path.join(' › ');
  if (typeof value === 'string') {
    const inner = containerIn(value);
    return inner === undefined ? [{ kind: 'text', title, text: value }] : partsOf(inner, path);
  }
  if (isScalar(value)) return [{ kind: 'text', title, text: String(value) }];
  const frame = frameOf(value, title);
  if (frame !== undefined) return [frame];
  if (isList(value)) return [listPart(value, title)];
  if (!isObject(value)) return [];
  return path.length >= levelsMax ? [{ kind: 'json', title, text: printJson(value) }] : objectParts(value, path);
};

/** Some tools answer JSON inside of a text. */
const containerIn = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const parsed = parseJson(text);
  return parsed !== undefined && !isScalar(parsed.value) ? parsed.value : undefined;
};

const objectParts = (object: JsonObject, path: readonly string[]): readonly ResultPart[] => {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return [{ kind: 'none', title: path.join(' › ') }];
  const facts = entries.flatMap(([name, value]) =>
    isScalar(value) && !(typeof value === 'string' && containerIn(value) !== undefined) ? [[name, value] as const] : [],
  );
  const named = new Set(facts.map(([name]) => name));
  return [
    ...(facts.length > 0 ? [{ kind: 'facts', title: path.join(' › '), facts } as const] : []),
    ...entries.filter(([name]) => !named.has(name)).flatMap(([name, value]) => partsOf(value, [...path, name])),
  ];
};

const listPart = (list: readonly unknown[], title: string): ResultPart => {
  if (list.length === 0) return { kind: 'none', title };
  if (list.every(isObject)) return tableOf(list, title);
  if (list.every(isScalar)) return { kind: 'text', title, text: list.map(String).join('\n') };
  return { kind: 'json', title, text: printJson(list) };
};

const tableOf = (list: readonly JsonObject[], title: string): ResultPart => {
  const names = [...new Set(list.flatMap((row) => Object.keys(row)))].slice(0, columnsMax);
  const columns = names.map((id) => ({ id, title: id, isNumeric: isNumeric(list, id) }));
  return { kind: 'table', title, columns, rows: list.map(toRow) };
};

const isNumeric = (list: readonly JsonObject[], name: string): boolean => {
  const values = list.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === 'number');
};

const toRow = (row: JsonObject, at: number): ResultRow => ({
  id: String(at),
  cells: Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toCell(value)])),
});

const toCell = (value: unknown): ResultCell => (value === undefined || isScalar(value) ? value : JSON.stringify(value));

/** Rows of a knowledge model: `{data, schema}`, in which the columns have names, units and formats. */
const frameOf = (value: unknown, title: string): ResultPart | undefined => {
  if (!isObject(value)) return undefined;
  const { data, schema } = value;
  if (!isList(data) || !data.every(isObject) || !isList(schema) || !schema.every(isObject)) return undefined;
  const columns = schema.map(({ id, displayName, type, unit, format }): ResultColumn => ({
    id: String(id),
    title: typeof displayName === 'string' && displayName !== '' ? displayName : String(id),
    isNumeric: type === 'FLOAT' || type === 'INTEGER',
    ...(typeof unit === 'string' && unit !== '' && { unit }),
    ...(typeof format === 'string' && format !== '' && { format }),
  }));
  return data.length === 0 ? { kind: 'none', title } : { kind: 'table', title, columns, rows: data.map(toRow) };
};

/** `.1%` -> a share with one digit, `,.2f` -> two digits; any other format leaves a number as it is. */
export const readFormat = (format: string | undefined): { readonly isShare: boolean; readonly digits?: number } => {
  const [, digits, sign] = /^,?(?:\.(\d{1,2}))?([f%])?$/.exec(format ?? '') ?? [];
  return { isShare: sign === '%', ...(digits !== undefined && { digits: Number(digits) }) };
};
