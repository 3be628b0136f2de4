/**
 * What every answer with entries is written from, and what a format makes of it: rows, and what stands around them.
 * Refuses: to know where rows come from; each is given as the texts of its columns.
 */
import type { EntityModel, EntityProperty, EntityType } from '../model/entity-model.js';
import type { Representation } from '../question/representation.js';

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
  /** Where the value of a field stands in a row, by the id of the field: what is shown, and what addresses need. */
  readonly places: ReadonlyMap<string, number>;
  readonly representation: Representation;
  /** Whether one entry is answered, and not a page of them. */
  readonly isOne: boolean;
};

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

/** The address of the context: `#SET`, with what was selected, of one entry. */
export const contextOf = ({ root, type, shown, isSelected, isOne }: PayloadSubject): string => {
  const selected = isSelected ? `(${shown.map(({ name }) => name).join(',')})` : '';
  return `${root}$metadata#${type.setName}${selected}${isOne ? '/$entity' : ''}`;
};

/** What the bytes of a row depend on beside the row. */
export const rowKey = ({ root, type, shown, representation, isOne }: PayloadSubject): string =>
  JSON.stringify([
    representation.format,
    representation.version,
    isOne,
    root,
    type.name,
    shown.map(({ name, type: valueType, edmType, exact }) => [name, valueType, edmType, exact]),
    type.key.map(({ name, edmType }) => [name, edmType]),
    type.navigation.map(({ name, record, isCollection }) => [name, record, isCollection]),
  ]);
