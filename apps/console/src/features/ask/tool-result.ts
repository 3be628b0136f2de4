/** What a tool answered, as tables where it has rows. It is foreign, may be cut anywhere, and is JSON or a text. */
import { isObject, parseJson, type JsonObject } from '../../api/json-values.js';

export type Cell = string | number | boolean | null;
export type ColumnKind = 'text' | 'number' | 'time' | 'boolean';
export type ResultColumn = {
  readonly id: string;
  readonly name: string;
  readonly kind: ColumnKind;
  readonly unit?: string;
  readonly format?: string;
};
export type ResultRow = Readonly<Record<string, Cell>>;
export type ResultRows = {
  /** The member that has the rows; empty where the result is about nothing else. */
  readonly title: string;
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
  /** All rows that match, where that is told. */
  readonly total?: number;
};

const parse = (text: string): unknown => parseJson(text)?.value;

/** The tables of a result; none for a text, or when it was cut. */
export const readResultRows = (result: string): readonly ResultRows[] => {
  const value = parse(result);
  if (!isObject(value)) return [];
  const loaded = readLoadedRows(value);
  if (loaded !== undefined) return [loaded];
  const found = readFoundRows(value['search_result']);
  if (found !== undefined) return [found];
  return Object.entries(value).flatMap(([title, member]) => {
    const rows = readRows(member);
    return rows.length === 0 ? [] : [{ title, columns: columnsOf(rows), rows }];
  });
};

/** The result of load-data. */
export const readLoadedRows = (value: JsonObject): ResultRows | undefined => {
  const frame = value['data_frame_content'];
  if (!isObject(frame) || !Array.isArray(frame['schema'])) return undefined;
  const { total } = value;
  return {
    ...{ title: '', columns: frame['schema'].filter(isObject).map(readColumn), rows: readRows(frame['data']) },
    ...(typeof total === 'number' && { total }),
  };
};

const textIn = (members: JsonObject, name: string): string | undefined => {
  const value = members[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const kindByType: Readonly<Record<string, ColumnKind>> = {
  ...{ INTEGER: 'number', FLOAT: 'number', BOOLEAN: 'boolean', DATE: 'time', DATETIME: 'time', TIMESTAMP: 'time' },
};

const readColumn = (column: JsonObject): ResultColumn => {
  const id = textIn(column, 'id') ?? '';
  return {
    ...{ id, name: textIn(column, 'displayName') ?? id, kind: kindByType[textIn(column, 'type') ?? ''] ?? 'text' },
    ...{ unit: textIn(column, 'unit'), format: textIn(column, 'format') },
  };
};

/** The result of search-data: JSON in JSON, each term with what was found for it. */
const readFoundRows = (text: unknown): ResultRows | undefined => {
  const found = typeof text === 'string' ? parse(text) : undefined;
  if (!isObject(found)) return undefined;
  const rows = Object.entries(found).flatMap(([term, hits]) => readRows(hits).map((hit) => ({ term, ...hit })));
  return { title: '', columns: columnsOf(rows), rows };
};

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Members that are lists or objects have no place in a cell. */
const readRows = (list: unknown): readonly ResultRow[] =>
  Array.isArray(list)
    ? list
        .filter(isObject)
        .map((row) =>
          Object.fromEntries(Object.entries(row).filter((entry): entry is [string, Cell] => isCell(entry[1]))),
        )
    : [];

const columnsMax = 12;

const columnsOf = (rows: readonly ResultRow[]): readonly ResultColumn[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, columnsMax).map((id) => {
    const isNumeric = rows.every((row) => row[id] === undefined || row[id] === null || typeof row[id] === 'number');
    return { id, name: id, kind: isNumeric ? 'number' : 'text' };
  });

/** Why a call could not be made, in the words that the model got. */
export const readToolError = (result: string): string => {
  const value = parse(result);
  return isObject(value) ? (textIn(value, 'message') ?? result) : result;
};

/** For people who want to see all of it: JSON with its lines, else as it is. */
export const prettyText = (result: string): string => {
  const value = parse(result);
  return value === undefined ? result : JSON.stringify(value, undefined, 2);
};
