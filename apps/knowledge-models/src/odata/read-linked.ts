/**
 * Entries that others are expanded in: one statement reads the entries, and one each navigation property of several entries for all
 * of them at once. What they bring is bounded; each entry has an equal share of it, and a link to the rest.
 */
import { type Result, succeed } from '@tessera/failures';
import { type CompiledQuery, type DataQuery, type LinkValues, bindLinkParameters } from '@tessera/knowledge-model';
import {
  type EntryQuery,
  type NavigationEntries,
  type LinkedExpansion,
  type NavigationEntriesLayout,
  formatNextLink,
  type PayloadLayout,
  type Representation,
  type Row,
  sealToken,
} from '@tessera/odata';
import type { OpenedModel, PreparedQuery } from '../queries/query-preparer.js';
import type { QueryRunner } from '../queries/query-runner.js';
import { expandedLayoutsOf, addRequiredFields } from './compile-entries.js';

/** Entries, and what is read for them. */
export type PreparedEntries = {
  readonly question: EntryQuery;
  readonly prepared: PreparedQuery<CompiledQuery>;
  readonly linked: readonly PreparedExpansion[];
};

type PreparedExpansion = { readonly expansion: LinkedExpansion; readonly entries: PreparedEntries };

/** All statements, so that no row is read for a question with a fault. */
export const prepareLinkedEntries = (
  opened: OpenedModel,
  question: EntryQuery,
  representation: Representation,
): Result<PreparedEntries> => {
  const needed = addRequiredFields(question, representation);
  const keys = question.type.key.map(({ id }) => id);
  const query: DataQuery = {
    ...needed,
    fields: needed.fields === 'all' ? 'all' : [...new Set([...needed.fields, ...keys])],
    links: question.linked.map(({ navigation }) => navigation.record),
  };
  const prepared = opened.prepare(({ compile }) => compile(query));
  if (!prepared.ok) return prepared;
  const linked: PreparedExpansion[] = [];
  for (const expansion of question.linked) {
    const { query: related } = expansion.entries;
    const linkedFrom = { kind: 'shares', record: question.type.record, skip: related.keyset?.skip ?? 0 } as const;
    const shared = { ...expansion.entries, query: { ...related, linkedFrom } };
    const entries = prepareLinkedEntries(opened, shared, representation);
    if (!entries.ok) return entries;
    linked.push({ expansion, entries: entries.value });
  }
  return succeed({ question, prepared: prepared.value, linked });
};

export type LinkedReadContext = {
  readonly runner: QueryRunner;
  /** That each expansion may bring at most. */
  readonly valuesMax: number;
  /** The absolute address of the service, with a slash at its end. */
  readonly root: string;
  readonly $format?: string | undefined;
  /** Of the token that leads on at a path, and the secret of tokens. */
  readonly bindPath: (path: string) => string;
  readonly tokenKey: Uint8Array;
  readonly signal: AbortSignal;
};

type ShownEntries = Pick<PayloadLayout, 'type' | 'shown' | 'isSelected' | 'places' | 'expanded' | 'linked'>;

/** What of the entries is shown, with all that is expanded in these rows. Rejects with the error of pg. */
export const readLinkedEntries = async (
  reading: LinkedReadContext,
  { question, prepared: { compiled }, linked }: PreparedEntries,
  rows: readonly Row[],
): Promise<ShownEntries> => {
  const { type, shown, isSelected } = question;
  const subjects: NavigationEntriesLayout[] = [];
  for (const [index, { expansion, entries }] of linked.entries()) {
    const linkIn = linkReader(compiled.links[index]?.columns ?? []);
    subjects.push(await readExpansion(reading, expansion, entries, linkIn, rows));
  }
  const places = new Map(compiled.columns.map(({ id }, place) => [id, place]));
  return { type, shown, isSelected, places, expanded: expandedLayoutsOf(question, compiled), linked: subjects };
};

/** Of all expansions of a request together: what is held and written of them at once is kept from others. */
const relatedValuesMax = 50_000;

/** Each expansion has the same part, wherever it stands. */
export const maxValuesPerExpansion = (entries: PreparedEntries): number =>
  Math.floor(relatedValuesMax / Math.max(1, countExpansions(entries)));

const countExpansions = ({ linked }: PreparedEntries): number =>
  linked.reduce((count, { entries }) => count + 1 + countExpansions(entries), 0);

const readExpansion = async (
  reading: LinkedReadContext,
  expansion: LinkedExpansion,
  entries: PreparedEntries,
  linkIn: LinkReader,
  rows: readonly Row[],
): Promise<NavigationEntriesLayout> => {
  const { navigation, entries: asked } = expansion;
  const { compiled, prepareStatement } = entries.prepared;
  const links = new Map<string, LinkValues>();
  for (const row of rows) {
    const link = linkIn(row);
    if (link) links.set(JSON.stringify(link), link);
  }
  const skip = asked.query.keyset?.skip ?? 0;
  const evenShare = Math.floor(reading.valuesMax / Math.max(1, compiled.columns.length) / Math.max(1, links.size));
  const size = Math.min(asked.pageSize, Math.max(1, evenShare));
  const share = { skip, size };
  const found =
    links.size === 0
      ? []
      : await reading.runner.texts(
          prepareStatement(bindLinkParameters(compiled.rows, [...links.values()], share)),
          reading.signal,
        );
  const { byLink, shown } = distributeRows(compiled, found, share);
  const numbers = new Map([...links.keys()].map((key, index) => [key, String(index + 1)]));
  const nextLink = nextLinkFor(reading, expansion, size);
  const written = new Map<string, NavigationEntries>();
  for (const [number, { rows: own, count }] of byLink) {
    const last = own.at(-1);
    const values = compiled.order.map(({ column }) => last?.[column] ?? null);
    const hasMore = last !== undefined && Number(count) > skip + size;
    const next = hasMore ? nextLink(values) : undefined;
    written.set(number, { rows: own, count, ...(next && { nextLink: next }) });
  }
  return {
    ...(await readLinkedEntries(reading, entries, shown)),
    ...{ name: navigation.name, isCollection: navigation.isCollection, isCounted: asked.isCounted },
    entriesOf: (row) => {
      const link = linkIn(row);
      return (link && written.get(numbers.get(JSON.stringify(link)) ?? '')) ?? noEntries;
    },
  };
};

const noEntries: NavigationEntries = { rows: [], count: '0' };

type LinkReader = (row: Row) => LinkValues | undefined;

/** Undefined: a value is null, which leads nowhere. */
const linkReader =
  (columns: readonly number[]): LinkReader =>
  (row) => {
    const values = columns.flatMap((place) => row[place] ?? []);
    return values.length === columns.length ? values : undefined;
  };

type Share = { readonly rows: Row[]; readonly count: string };

/** By the number of the link. A first row that only tells how many there are is not shown. */
const distributeRows = (
  { share }: CompiledQuery,
  found: readonly Row[],
  { skip, size }: { readonly skip: number; readonly size: number },
) => {
  const byLink = new Map<string, Share>();
  const shown: Row[] = [];
  if (!share) return { byLink, shown };
  for (const row of found) {
    const [link, count] = [row[share.link] ?? '', row[share.count] ?? '0'];
    const number = Number(row[share.number]);
    const own = byLink.get(link) ?? { rows: [], count };
    byLink.set(link, own);
    if (number <= skip || number > skip + size) continue;
    own.rows.push(row);
    shown.push(row);
  }
  return { byLink, shown };
};

/** Undefined when `$top` ends with what is shown. */
const nextLinkFor = (
  { root, $format, bindPath, tokenKey }: LinkedReadContext,
  { entries, request }: LinkedExpansion,
  size: number,
): ((last: Row) => NavigationEntries['nextLink']) => {
  const { $top } = request;
  if ($top !== undefined && $top <= size) return () => undefined;
  const topLeft = $top === undefined ? undefined : $top - size;
  return (last) => (address) => {
    const path = address.slice(root.length);
    const token = sealToken(tokenKey, entries.bindToken(bindPath(decodeURIComponent(path))), last);
    return formatNextLink({ root, setName: path }, { ...request, $format }, token, topLeft);
  };
};
