/**
 * What a knowledge model can be asked, and the words for it: from get-knowledge-model, or from the hits of search-data where
 * that tool is not offered.
 */
import { isObject, type JsonObject, filterObjects, getText, filterStrings } from './json.js';
import { nameStems } from './words.js';

export type NamedEntry = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The stems of each of its names. */
  readonly variants: readonly (readonly string[])[];
};
export type FigureFormat = { readonly unit?: string | undefined; readonly format?: string | undefined };
export type Field = NamedEntry &
  FigureFormat & { readonly record: string; readonly recordName: string; readonly type: string };
export type Kpi = NamedEntry &
  FigureFormat & {
    readonly direction: 'Up' | 'Down' | 'None';
    readonly target?: number | undefined;
    readonly records: readonly string[];
  };
export type RecordEntry = NamedEntry & { readonly identifier: readonly string[]; readonly fields: readonly Field[] };

export type Vocabulary = {
  readonly name: string;
  readonly records: readonly RecordEntry[];
  readonly fields: readonly Field[];
  readonly kpis: readonly Kpi[];
  readonly filters: readonly NamedEntry[];
};

const readNamedEntry = (entry: JsonObject, ownId = getText(entry, 'id')): NamedEntry => {
  const id = getText(entry, 'id');
  const texts = [getText(entry, 'name') || id, ...filterStrings(entry['synonyms']), ownId];
  const variants = texts.map(nameStems).filter((stems) => stems.length > 0);
  return { id, name: getText(entry, 'name') || id, description: getText(entry, 'description'), variants };
};

const shownOf = (entry: JsonObject): FigureFormat => ({
  unit: getText(entry, 'unit') || undefined,
  format: getText(entry, 'format') || undefined,
});

const fieldOf = (entry: JsonObject, record: NamedEntry): Field => ({
  ...readNamedEntry(entry, getText(entry, 'id').slice(record.id.length + 1)),
  ...shownOf(entry),
  record: record.id,
  recordName: record.name,
  type: getText(entry, 'type'),
});

const kpiOf = (entry: JsonObject): Kpi => {
  const direction = getText(entry, 'direction');
  const target = Number(getText(entry, 'target') || Number.NaN);
  return {
    ...readNamedEntry(entry),
    ...shownOf(entry),
    direction: direction === 'Up' || direction === 'Down' ? direction : 'None',
    target: Number.isFinite(target) ? target : undefined,
    records: filterStrings(entry['records']),
  };
};

const recordOf = (entry: JsonObject): RecordEntry => {
  const record = readNamedEntry(entry);
  const fields = filterObjects(entry['fields']).map((field) => fieldOf(field, record));
  return { ...record, identifier: filterStrings(entry['identifier']), fields };
};

/** Undefined when the value is no knowledge model, e.g. since it was cut. */
export const readVocabulary = (value: unknown): Vocabulary | undefined => {
  if (!isObject(value) || !Array.isArray(value['kpis']) || !Array.isArray(value['records'])) return undefined;
  const records = filterObjects(value['records']).map(recordOf);
  return {
    name: getText(value, 'name'),
    records,
    fields: records.flatMap(({ fields }) => fields),
    kpis: filterObjects(value['kpis']).map(kpiOf),
    filters: filterObjects(value['filters']).map((entry) => readNamedEntry(entry)),
  };
};

export type SearchHit = {
  readonly term: string;
  readonly id: string;
  readonly name: string;
  readonly recordName: string;
  readonly type: string;
  readonly kind: 'Attribute' | 'Kpi' | 'Filter' | 'Value';
};

/** `name` and what `term` found first are two names of one thing. */
export const buildVocabularyFromHits = (hits: readonly SearchHit[]): Vocabulary => {
  const first = hits.filter(
    (hit, place) => hit.kind !== 'Value' && hits.findIndex(({ term }) => term === hit.term) === place,
  );
  const entries = new Map<string, { hit: SearchHit; terms: string[] }>();
  for (const hit of [...first, ...hits.filter(({ kind }) => kind !== 'Value')]) {
    const entry = entries.get(hit.id) ?? { hit, terms: [] };
    if (first.includes(hit)) entry.terms.push(hit.term);
    entries.set(hit.id, entry);
  }
  const ofKind = (kind: SearchHit['kind']) => [...entries.values()].filter(({ hit }) => hit.kind === kind);
  const asJson = ({ hit, terms }: { readonly hit: SearchHit; readonly terms: readonly string[] }): JsonObject => ({
    ...{ id: hit.id, name: hit.name, type: hit.type, synonyms: terms },
  });
  const records = Map.groupBy(ofKind('Attribute'), ({ hit }) => hit.id.slice(0, hit.id.lastIndexOf('.')));
  const entriesOf = [...records].map(([id, fields]) => {
    const name = fields[0]?.hit.recordName ?? id;
    return recordOf({ id, name, fields: fields.map(asJson) });
  });
  return {
    name: '',
    records: entriesOf,
    fields: entriesOf.flatMap(({ fields }) => fields),
    kpis: ofKind('Kpi').map((entry) => kpiOf(asJson(entry))),
    filters: ofKind('Filter').map((entry) => readNamedEntry(asJson(entry))),
  };
};
