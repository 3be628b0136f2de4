/**
 * Which type of field a column of PostgreSQL has, and how its values are read. docs/databases.md has the same table. A type that
 * is not here is read as text: everything that PostgreSQL stores has one.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import type { SqlStoredType, SqlTypeName } from '@tessera/sql';

type DatabaseType = Pick<SqlStoredType, 'equality' | 'hasOwnOperators' | 'isOrderedAsText' | 'shownBy'> & {
  readonly field: ValueType;
  /** The type that its values are cast to; absent where fields have it as it is. */
  readonly readAs?: 'text' | 'numeric' | 'int8';
};

const asText = { field: 'string', readAs: 'text' } as const;
const exactText = { ...asText, equality: 'exact' } as const;
const orderedText = { ...exactText, isOrderedAsText: true } as const;
const addressText = { ...exactText, shownBy: 'abbrev' } as const;
const foundText = { ...asText, equality: 'index' } as const;

/** Types by the names that PostgreSQL shows, without lengths. */
export const databaseTypes: ReadonlyMap<string, DatabaseType> = new Map<string, DatabaseType>([
  ['text', { field: 'string' }],
  ['character varying', { field: 'string' }],
  ['bigint', { field: 'integer' }],
  ['integer', { field: 'integer' }],
  ['smallint', { field: 'integer' }],
  ['oid', { field: 'integer', readAs: 'int8' }],
  ['numeric', { field: 'float' }],
  ['double precision', { field: 'float' }],
  ['real', { field: 'float' }],
  ['money', { field: 'float', readAs: 'numeric' }],
  ['boolean', { field: 'boolean' }],
  ['date', { field: 'date' }],
  ['time without time zone', { field: 'time' }],
  ['timestamp without time zone', { field: 'datetime' }],
  ['timestamp with time zone', { field: 'timestamp' }],
  ['uuid', orderedText],
  ['macaddr', orderedText],
  ['macaddr8', orderedText],
  ['bit', orderedText],
  ['bit varying', orderedText],
  ['inet', addressText],
  ['cidr', exactText],
  ['character', exactText],
  ['pg_lsn', exactText],
  ['enumeration', exactText],
  ['bytea', { ...foundText, isOrderedAsText: true }],
  ['time with time zone', foundText],
  ['citext', { ...foundText, hasOwnOperators: true }],
]);

/** The type of a column as PostgreSQL tells it; for a domain the type that it is made of. */
export type ColumnType = SqlTypeName & {
  /** As it is shown, without a length. */
  readonly shown: string;
  readonly isEnumeration: boolean;
  readonly isDomain: boolean;
  /** True when texts can be made values of it: its name may be used, and PostgreSQL tells which texts fit. */
  readonly isNameable: boolean;
};

const databaseTypeOf = ({ schema, name, shown, isEnumeration }: ColumnType): DatabaseType => {
  const known = schema === 'pg_catalog' ? shown : name === 'citext' ? name : '';
  return databaseTypes.get(isEnumeration ? 'enumeration' : known) ?? asText;
};

/** `shown`: the type of a column as PostgreSQL shows it, without a length. */
export const fieldTypeOf = (shown: string): ValueType => (databaseTypes.get(shown) ?? asText).field;

/** How the values of a column become those of a field, where they are not already. */
export type ColumnReading =
  /** `isDomain`: the column is of a domain made of the type, for which operators do not always take it. */
  | { readonly kind: 'text'; readonly type: SqlStoredType; readonly isDomain?: boolean }
  | { readonly kind: 'cast'; readonly type: SqlTypeName };

export const columnReadingOf = (type: ColumnType): ColumnReading | undefined => {
  const { schema, name, isDomain, isNameable } = type;
  const { field: _, readAs, equality, ...more } = databaseTypeOf(type);
  if (readAs === 'text')
    return {
      kind: 'text',
      type: { schema, name, ...more, ...(equality && isNameable && { equality }) },
      ...(isDomain && isNameable && { isDomain }),
    };
  if (readAs) return { kind: 'cast', type: { schema: 'pg_catalog', name: readAs } };
  // Functions that look at the type of a value shall not find the domain.
  return isDomain ? { kind: 'cast', type: { schema, name } } : undefined;
};

/** How the columns of another database that a model reads are read. */
export type DatabaseReading = {
  /** Readings by the names of tables and columns, without columns that fields have as they are. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, ColumnReading>>;
  /** True when texts can be compared by how alike they are. */
  readonly hasTrigrams: boolean;
};
