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
  /** Its names, in the order of `variants`. */
  readonly texts: readonly string[];
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
export type RecordEntry = NamedEntry & {
  readonly identifier: readonly string[];
  readonly fields: readonly Field[];
  /** Records that have one row for each row of this one. */
  readonly leadsTo: readonly string[];
};

export type Vocabulary = {
  readonly name: string;
  readonly records: readonly RecordEntry[];
  readonly fields: readonly Field[];
  readonly kpis: readonly Kpi[];
  readonly filters: readonly NamedEntry[];
};

const readNamedEntry = (entry: JsonObject, ownId = getText(entry, 'id')): NamedEntry => {
  const id = getText(entry, 'id');
  const texts = [getText(entry, 'name') || id, ...filterStrings(entry['synonyms']), ownId].filter(
    (text) => nameStems(text).length > 0,
  );
  const variants = texts.map(nameStems);
  return { id, name: getText(entry, 'name') || id, description: getText(entry, 'description'), variants, texts };
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
  return {
    ...record,
    identifier: filterStrings(entry['identifier']),
    fields,
    leadsTo: filterStrings(entry['leadsTo']),
  };
};

/** "Orders" are purchase orders where no other record is called by that word alone or at its end. */
const withHeadNouns = (records: readonly RecordEntry[]): readonly RecordEntry[] => {
  const owners = new Map<string, Set<string>>();
  for (const { id, texts } of records)
    for (const text of texts.slice(0, -1)) {
      const head = nameStems(text).at(-1) ?? '';
      owners.set(head, (owners.get(head) ?? new Set()).add(id));
    }
  const said = new Set(records.flatMap(({ variants }) => variants.map((stems) => stems.join(' '))));
  return records.map((record) => {
    const stems = nameStems(record.name);
    const [head = ''] = stems.slice(-1);
    const isOwn = owners.get(head)?.size === 1 && !head.startsWith('~');
    // "Order items" are purchase order items.
    const ends = stems.slice(1).map((_, at) => stems.slice(at + 1));
    const added = ends.filter((end) => !said.has(end.join(' ')) && (end.length > 1 || isOwn));
    return {
      ...record,
      variants: [...added, ...record.variants],
      texts: [...added.map(() => record.name), ...record.texts],
    };
  });
};

/** Undefined when the value is no knowledge model, e.g. since it was cut. */
export const readVocabulary = (value: unknown): Vocabulary | undefined => {
  if (!isObject(value) || !Array.isArray(value['kpis']) || !Array.isArray(value['records'])) return undefined;
  const records = withHeadNouns(filterObjects(value['records']).map(recordOf));
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
    // Which record leads where is not told; the one who answers knows.
    return recordOf({
      id,
      name,
      fields: fields.map(asJson),
      leadsTo: [...records.keys()].filter((other) => other !== id),
    });
  });
  return {
    name: '',
    records: entriesOf,
    fields: entriesOf.flatMap(({ fields }) => fields),
    kpis: ofKind('Kpi').map((entry) => kpiOf(asJson(entry))),
    filters: ofKind('Filter').map((entry) => readNamedEntry(asJson(entry))),
  };
};
