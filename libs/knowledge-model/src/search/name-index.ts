/**
 * What a model has, as its caller sees it, and by which texts each is found: ids, names, synonyms, descriptions. Made
 * once for all callers who see the same of it: it takes a megabyte, and some tenths of a second, for a thousand fields.
 */
import type { FieldModel, FilterModel, KpiModel, RecordModel } from '../model/knowledge-model.js';
import type { CallerView } from '../query/caller-view.js';
import type { ResultColumn } from '../query/data-query.js';
import { wordsOf } from './fold-text.js';
import { TextIndex } from './text-index.js';

export type NamedEntry =
  | { readonly kind: 'record'; readonly record: RecordModel }
  | { readonly kind: 'field'; readonly record: number; readonly recordName: string; readonly column: ResultColumn }
  | { readonly kind: 'kpi'; readonly column: ResultColumn }
  | { readonly kind: 'filter'; readonly filter: FilterModel };

export type NameIndex = {
  /** A record before its fields. */
  readonly entries: readonly NamedEntry[];
  readonly names: TextIndex;
  /** Text of `names` -> entry. */
  readonly entryOfName: readonly number[];
  readonly descriptions: TextIndex;
  readonly entryOfDescription: readonly number[];
  /** Record -> the fields that tell which row it is. */
  readonly tellingFields: ReadonlyMap<number, readonly number[]>;
};

type IndexBuilder = {
  readonly entries: NamedEntry[];
  readonly names: TextIndex;
  readonly entryOfName: number[];
  readonly descriptions: TextIndex;
  readonly entryOfDescription: number[];
  readonly tellingFields: Map<number, readonly number[]>;
};

const indexByNames = new WeakMap<CallerView['names'], NameIndex>();

export const getNameIndex = (view: CallerView): NameIndex => {
  const known = indexByNames.get(view.names) ?? makeIndex(view);
  indexByNames.set(view.names, known);
  return known;
};

const makeIndex = ({ model, names }: CallerView): NameIndex => {
  const adding: IndexBuilder = {
    entries: [],
    names: new TextIndex(),
    entryOfName: [],
    descriptions: new TextIndex(),
    entryOfDescription: [],
    tellingFields: new Map(),
  };
  for (const record of model.records) addRecord(adding, record, names.fields.get(record.id));
  for (const kpi of model.kpis) {
    const column = names.kpis.get(kpi.id)?.column;
    if (column) addEntry(adding, { kind: 'kpi', column }, kpi);
  }
  for (const filter of model.filters) addEntry(adding, { kind: 'filter', filter }, filter);
  return adding;
};

type Texts = Pick<RecordModel | FieldModel | KpiModel | FilterModel, 'id' | 'name' | 'description' | 'synonyms'>;

const addEntry = (
  adding: IndexBuilder,
  entry: NamedEntry,
  { id, name, description, synonyms }: Texts,
  ...more: string[]
) => {
  const number = adding.entries.push(entry) - 1;
  for (const text of new Set([id, name, ...synonyms, ...more])) {
    adding.names.add(text);
    adding.entryOfName.push(number);
  }
  if (description !== '') {
    adding.descriptions.add(description);
    adding.entryOfDescription.push(number);
  }
  return number;
};

type NamedFields = CallerView['names']['fields'] extends ReadonlyMap<string, infer Fields> ? Fields : never;

const addRecord = (adding: IndexBuilder, record: RecordModel, fields: NamedFields | undefined): void => {
  const number = addEntry(adding, { kind: 'record', record }, record, record.shortDisplayName);
  const telling: { readonly field: number; readonly rank: number }[] = [];
  for (const field of record.fields) {
    const column = fields?.get(field.id)?.ofModel.column;
    if (!column) continue;
    const entry = { kind: 'field', record: number, recordName: record.name, column } as const;
    const added = addEntry(adding, entry, field, field.shortDisplayName);
    const rank = rankOf(record, field, column);
    if (rank !== undefined) telling.push({ field: added, rank });
  }
  const ranked = telling.sort((left, right) => left.rank - right.rank).slice(0, tellingMax);
  adding.tellingFields.set(
    number,
    ranked.map(({ field }) => field),
  );
};

const tellingMax = 4;
const nameWords: ReadonlySet<string> = new Set(
  ['name', 'title', 'label', 'description', 'text', 'bezeichnung', 'titel', 'beschreibung'].flatMap(wordsOf),
);

/** Names before what identifies; undefined for what tells of a row but not which it is. */
const rankOf = ({ identifier }: RecordModel, { id, name }: FieldModel, { type }: ResultColumn): number | undefined => {
  const words = [...wordsOf(id), ...wordsOf(name)];
  if (type === 'string' && words.some((word) => nameWords.has(word))) return 0;
  return identifier.includes(id) ? 1 : undefined;
};
