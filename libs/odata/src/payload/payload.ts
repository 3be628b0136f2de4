/** What every answer with entries is written from, and what a format makes of it: rows, and what stands around them. */
import type { EntityProperty, EntityType } from '../model/entity-model.js';
import type { Representation } from '../query/choose-representation.js';

/** A text as PostgreSQL sends it for each column; null where there is no value. */
export type Row = readonly (string | null)[];

export type PayloadLayout = {
  /** The absolute address of the service, with a slash at its end. */
  readonly root: string;
  readonly type: EntityType;
  readonly shown: readonly EntityProperty[];
  /** Whether `$select` chose them. */
  readonly isSelected: boolean;
  /** The related entries that stand in each, from its own row. */
  readonly expanded: readonly ExpandedEntryLayout[];
  /** Those that were read by statements of their own. */
  readonly linked: readonly NavigationEntriesLayout[];
  /** Where the value of a field stands in a row, by the id of the field: what is shown, and what addresses need. */
  readonly places: ReadonlyMap<string, number>;
  readonly representation: Representation;
  /** Whether one entry is answered, and not a page of them. */
  readonly isOne: boolean;
};

export type ExpandedEntryLayout = Pick<PayloadLayout, 'type' | 'shown' | 'isSelected' | 'places'> & {
  /** Of the navigation property. */
  readonly name: string;
  /** The place in a row of what is null exactly where there is no related entry. */
  readonly presence: number;
};

/** What a navigation property leads to, read for all rows at once. */
export type NavigationEntriesLayout = Pick<
  PayloadLayout,
  'type' | 'shown' | 'isSelected' | 'places' | 'expanded' | 'linked'
> & {
  /** Of the navigation property. */
  readonly name: string;
  readonly isCollection: boolean;
  readonly isCounted: boolean;
  readonly entriesOf: (row: Row) => NavigationEntries;
};

export type NavigationEntries = {
  readonly rows: readonly Row[];
  /** Digits: all that there are. */
  readonly count: string;
  /** What leads to those behind `rows`, when there are any; `address`: of the navigation property of the entry. */
  readonly nextLink?: (address: string) => string;
};

/** A related entry as an entry of its own. */
export const toRelatedLayout = (
  subject: PayloadLayout,
  related: ExpandedEntryLayout | NavigationEntriesLayout,
): PayloadLayout => {
  const { type, shown, isSelected, places } = related;
  const { expanded, linked } = 'linked' in related ? related : { expanded: [], linked: [] };
  return { ...subject, type, shown, isSelected, places, expanded, linked, isOne: false };
};

export const hasRelatedEntry = (row: Row, { presence }: ExpandedEntryLayout): boolean =>
  (row[presence] ?? null) !== null;

export type PayloadSerializer = {
  /** The same for payloads that write the same of the same rows. */
  readonly key: string;
  readonly writer: () => (row: Row) => string;
  /** Stands between two rows. */
  readonly separator: string;
  /** What stands before the rows; `count`: digits, when it was asked for. */
  readonly head: (count?: string) => string;
  /** What stands behind them. */
  readonly tail: (nextLink?: string) => string;
};

/** The address of the context: `#SET`, with what was selected and expanded, of one entry. */
export const contextUrlOf = ({ root, type, isOne, ...own }: PayloadLayout): string => {
  const items = shownNames(own);
  const selected = items.length > 0 ? `(${items.join(',')})` : '';
  return `${root}$metadata#${type.setName}${selected}${isOne ? '/$entity' : ''}`;
};

type ShownNames = Pick<ExpandedEntryLayout, 'shown' | 'isSelected'> &
  Partial<Pick<PayloadLayout, 'expanded' | 'linked'>>;

const shownNames = ({ shown, isSelected, expanded = [], linked = [] }: ShownNames): readonly string[] => [
  ...(isSelected ? shown.map(({ name }) => name) : []),
  ...[...expanded, ...linked].map((each) => `${each.name}(${shownNames(each).join(',')})`),
];

/** What the bytes of a row depend on beside the row and what is linked to it. */
export const rowFormatKey = (subject: PayloadLayout): string => {
  const { root, representation, isOne, expanded } = subject;
  const related = expanded.map((each) => [each.name, each.presence, entryKey(each)]);
  return JSON.stringify([representation.format, representation.version, isOne, root, entryKey(subject), related]);
};

const entryKey = ({ type, shown }: Pick<PayloadLayout, 'type' | 'shown'>) => [
  type.name,
  shown.map(valueFormatKey),
  type.key.map(valueFormatKey),
  type.navigation.map(({ name }) => name),
];

export const valueFormatKey = ({ name, type, edmType, exact }: EntityProperty) => [name, type, edmType, exact];
