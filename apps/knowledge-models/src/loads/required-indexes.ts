/**
 * Which indexes a table needs: that of its key, those that its definition names, and those that the questions of the
 * knowledge models which read it ask for. One that begins like another is not made twice. A model may be ahead of its table:
 * columns that the table does not have are left out.
 */
import { createHash } from 'node:crypto';
import type { TableDefinition } from '@tessera/contracts/knowledge-models';
import { toLoadColumns } from './load-columns.js';

export type RequiredIndex = {
  readonly kind: 'ordered' | 'trigram';
  readonly columns: readonly { readonly id: string; readonly isNullFirst: boolean }[];
  readonly include: readonly string[];
  readonly isUnique: boolean;
};

/** What the published models of a team do with one table, in columns of it. */
export type TableUsage = {
  /** Columns that identify and order rows. */
  readonly identifiers: readonly (readonly string[])[];
  /** Rows are found by these, in any order. */
  readonly relationships: readonly (readonly string[])[];
  /** Rows are looked up by policies of other records: what these compare, then the key. */
  readonly policies: readonly (readonly string[])[];
  /** Columns that a search looks at, in one index as many as it can have: a search of some of them reads nothing of the others. */
  readonly searches: readonly string[];
  /** A sort begins with the first and ends with the identifier. */
  readonly sorts: readonly (readonly string[])[];
  /** Read as columns that may be without a value: a sort puts those rows first, whether there are any or not. */
  readonly nullable: ReadonlySet<string>;
};

export const determineRequiredIndexes = (definition: TableDefinition, usage: TableUsage): readonly RequiredIndex[] => {
  const columns = toLoadColumns(definition);
  const ids = new Set(columns.map(({ id }) => id));
  const nullable = new Set(columns.filter((column) => column.nullable).map(({ id }) => id));
  const found: RequiredIndex[] = [];
  const add = (names: readonly string[], more: Partial<RequiredIndex> = {}): void => {
    const index = { kind: 'ordered', include: [], isUnique: false, ...more } as const;
    if ([...names, ...index.include].some((name) => !ids.has(name))) return;
    const isNullFirst = (id: string): boolean =>
      index.kind === 'ordered' && (nullable.has(id) || usage.nullable.has(id));
    found.push({ ...index, columns: names.map((id) => ({ id, isNullFirst: !index.isUnique && isNullFirst(id) })) });
  };
  if (definition.primaryKey) add(definition.primaryKey, { isUnique: true });
  for (const { columns: names, include = [], kind = 'ordered' } of definition.indexes ?? [])
    add(names, { include, kind });
  const searched = new Set(usage.searches);
  const isIndexed = (name: string): boolean =>
    found.some(({ kind, columns: names }) => kind === 'trigram' && names.some(({ id }) => id === name));
  const trigrams = columns.flatMap(({ id, type }) =>
    type === 'string' && searched.has(id) && !isIndexed(id) ? [id] : [],
  );
  for (let at = 0; at < trigrams.length; at += indexColumnsMax)
    add(trigrams.slice(at, at + indexColumnsMax), { kind: 'trigram' });
  for (const identifier of usage.identifiers)
    if (!found.some((index) => beginsWith(index, identifier))) add(identifier);
  for (const sort of usage.sorts) if (!found.some((index) => beginsWith(index, sort))) add(sort);
  for (const lookup of usage.policies) if (!found.some((index) => beginsWith(index, lookup))) add(lookup);
  for (const side of usage.relationships) if (!found.some((index) => beginsWithAll(index, side))) add(side);
  return found;
};

/** Of PostgreSQL. */
const indexColumnsMax = 32;

const beginsWith = ({ kind, columns }: RequiredIndex, names: readonly string[]): boolean =>
  kind === 'ordered' && names.every((name, place) => columns[place]?.id === name);

const beginsWithAll = ({ kind, columns }: RequiredIndex, names: readonly string[]): boolean =>
  kind === 'ordered' &&
  columns.slice(0, names.length).every(({ id }) => names.includes(id)) &&
  columns.length >= names.length;

const nameCharactersMax = 36;
const digestCharacters = 12;

/** The same for the same index of every generation; the readable part is for who reads a plan. */
export const requiredIndexName = (table: string, index: RequiredIndex): string => {
  const readable = [table, ...index.columns.map(({ id }) => id)].join('_').slice(0, nameCharactersMax);
  const digest = createHash('sha256')
    .update(JSON.stringify([table, index]))
    .digest('hex')
    .slice(0, digestCharacters);
  return `${readable}~${digest}`;
};
