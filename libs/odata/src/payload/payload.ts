/** What every answer with entries is written from, and what a format makes of it: rows, and what stands around them. */
import type { EntityModel, EntityProperty, EntityType, NavigationProperty } from '../model/entity-model.js';
import type { Representation } from '../query/choose-representation.js';

/** A text as PostgreSQL sends it for each column; null where there is no value. */
export type Row = readonly (string | null)[];

export type PayloadSubject = {
  /** The absolute address of the service, with a slash at its end. */
  readonly root: string;
  readonly model: EntityModel;
  readonly type: EntityType;
  readonly shown: readonly EntityProperty[];
  /** Whether `$select` chose them. */
  readonly isSelected: boolean;
  /** The related entries that stand in each. */
  readonly expanded: readonly ExpandedSubject[];
  /** Where the value of a field stands in a row, by the id of the field: what is shown, and what addresses need. */
  readonly places: ReadonlyMap<string, number>;
  readonly representation: Representation;
  /** Whether one entry is answered, and not a page of them. */
  readonly isOne: boolean;
};

export type ExpandedSubject = Pick<PayloadSubject, 'type' | 'shown' | 'isSelected' | 'places'> & {
  /** Of the navigation property. */
  readonly name: string;
  /** The place in a row of what is null exactly where there is no related entry. */
  readonly presence: number;
};

/** A related entry as an entry of its own. */
export const relatedSubject = (
  subject: PayloadSubject,
  { type, shown, isSelected, places }: ExpandedSubject,
): PayloadSubject => ({ ...subject, type, shown, isSelected, places, expanded: [], isOne: false });

export const isPresent = (row: Row, { presence }: ExpandedSubject): boolean => (row[presence] ?? null) !== null;

export type Payload = {
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
export const contextOf = ({ root, type, expanded, isOne, ...own }: PayloadSubject): string => {
  const items = [...selectedNames(own), ...expanded.map((each) => `${each.name}(${selectedNames(each).join(',')})`)];
  const selected = items.length > 0 ? `(${items.join(',')})` : '';
  return `${root}$metadata#${type.setName}${selected}${isOne ? '/$entity' : ''}`;
};

const selectedNames = ({ shown, isSelected }: Pick<PayloadSubject, 'shown' | 'isSelected'>): readonly string[] =>
  isSelected ? shown.map(({ name }) => name) : [];

/** What the bytes of a row depend on beside the row. */
export const rowKey = (subject: PayloadSubject): string => {
  const { root, model, representation, isOne, expanded } = subject;
  const related = expanded.map((each) => [each.name, each.presence, entryKey(model, each)]);
  return JSON.stringify([
    representation.format,
    representation.version,
    isOne,
    root,
    entryKey(model, subject),
    related,
  ]);
};

const entryKey = (model: EntityModel, { type, shown }: Pick<PayloadSubject, 'type' | 'shown'>) => [
  type.name,
  shown.map(valueKey),
  type.key.map(valueKey),
  type.navigation.map((navigation) => linkKey(model, type, navigation)),
];

export const valueKey = ({ name, type, edmType, exact }: EntityProperty) => [name, type, edmType, exact];

/** Where a link leads is decided at its other end as well, and by values that may not be shown. */
const linkKey = (
  { typeByRecord }: EntityModel,
  { record: from, propertyByName }: EntityType,
  { name, record, isCollection, keys }: NavigationProperty,
) => {
  const other = typeByRecord.get(record);
  const back = other?.navigation.find((navigation) => navigation.record === from)?.name;
  const pairs = keys.map(({ property, referenced }) => {
    const own = propertyByName.get(property);
    return [own && valueKey(own), referenced];
  });
  return [name, record, isCollection, pairs, other?.key.map(valueKey), back];
};
