/**
 * Compares the tables and columns that a model names with those that there are, or will be after an apply: missing ones with the
 * nearest right name, types that do not fit, columns that may be without a value where the model says that they may not.
 */
import {
  type KnowledgeModelDefinition,
  type TableDefinition,
  tableName,
  type ValueType,
} from '@tessera/contracts/knowledge-models';
import { createFaultList, type Fault, type FaultList, findNearestName } from '@tessera/failures';
import { mayBeNull } from './diff/breaking-changes.js';
import { fieldTypeOf } from './model/database-types.js';
import type { FieldOrigin, KnowledgeModel, RecordModel } from './model/knowledge-model.js';
import { findDefinitionPath } from './model/place.js';

export type DatabaseColumn = {
  /** As PostgreSQL says it, without a length: `text`, `bigint`, `timestamp with time zone`; of a domain what it is made of. */
  readonly type: string;
  readonly nullable: boolean;
};

export type TableColumns = ReadonlyMap<string, DatabaseColumn>;

/** Columns by the names of tables and columns. */
export type SchemaColumns = ReadonlyMap<string, TableColumns>;

/** One of `defined` and `inPlace` at least. A model has to fit both: it is asked before the next load and after it. */
export type ReadableTable = {
  /** The columns of its definition, which the next load brings. */
  readonly defined?: TableColumns | undefined;
  /** The columns that are read until then. */
  readonly inPlace?: TableColumns | undefined;
  /** New names of columns by the old ones. */
  readonly renamed?: ReadonlyMap<string, string>;
};

export type ReadableSchema = {
  readonly tables: ReadonlyMap<string, ReadableTable>;
  /** More names of tables, for hints. */
  readonly names?: readonly string[];
  /** Schemas that have tables, for hints where this one has none. */
  readonly schemas?: Iterable<string>;
  /** True when a table that is not here is nowhere. */
  readonly isWhole: boolean;
};

export const columnsOfTable = (table: TableDefinition): TableColumns =>
  new Map(
    table.columns.map((column) => [column.id, { type: createdTypes[column.type], nullable: mayBeNull(table, column) }]),
  );

/** As its definition says it. */
export const definedTable = (table: TableDefinition): ReadableTable => ({
  defined: columnsOfTable(table),
  renamed: new Map(table.columns.flatMap(({ id, formerly }) => (formerly === undefined ? [] : [[formerly, id]]))),
});

export const checkColumns = (
  definition: KnowledgeModelDefinition,
  { records, source }: KnowledgeModel,
  { tables, names = [...tables.keys()], schemas = [], isWhole }: ReadableSchema,
): readonly Fault[] => {
  const list = createFaultList('definition');
  if (isWhole && names.length === 0 && findNearestName(source.schema, schemas) !== undefined)
    list.unknown(findDefinitionPath(definition, ['source', 'schema']), 'schema', source.schema, schemas);
  else
    for (const record of records) {
      const table = tables.get(record.table);
      const path = findDefinitionPath(definition, ['records', record.id, 'table']);
      const plain = source.database === undefined ? tableName.safeParse(record.table) : undefined;
      if (table) checkRecord(definition, record, table, list);
      else if (isWhole) list.unknown(path, `table of ${source.schema}`, record.table, names);
      else if (plain?.success === false) list.add(path, 'name', plain.error.issues[0]?.message ?? '');
    }
  return list.faults;
};

const checkRecord = (
  definition: KnowledgeModelDefinition,
  record: RecordModel,
  { defined, inPlace, renamed }: ReadableTable,
  list: FaultList,
): void => {
  for (const { id, origin } of record.fields) {
    if (origin.kind !== 'attribute') continue;
    const add = (fault: ColumnFault | undefined): void => {
      if (!fault) return;
      const path = findDefinitionPath(definition, ['records', record.id, 'attributes', id, fault.member]);
      if ('known' in fault) list.unknown(path, `column of ${record.table}`, origin.column, fault.known);
      else list.add(path, fault.rule, `"${id}" ${fault.message}`, fault.suggestion);
    };
    const attribute = { ...origin, isKey: record.identifier.includes(id), renamed: renamed?.get(origin.column) };
    const fault = defined && findColumnFault(attribute, defined);
    add(fault ?? (inPlace && findColumnFault(attribute, inPlace, defined)));
  }
};

type Attribute = Extract<FieldOrigin, { kind: 'attribute' }> & {
  readonly isKey: boolean;
  readonly renamed: string | undefined;
};

type ColumnFault =
  | { readonly member: 'column'; readonly known: Iterable<string> }
  | {
      readonly member: 'column' | 'type' | 'nullable';
      readonly rule: string;
      readonly message: string;
      readonly suggestion?: string | undefined;
    };

/** `next`: the columns that the next load brings, where `columns` are those that are read until then. */
const findColumnFault = (
  { column: name, type, nullable, isKey, renamed }: Attribute,
  columns: TableColumns,
  next?: TableColumns,
): ColumnFault | undefined => {
  const column = columns.get(name);
  if (!column && renamed !== undefined)
    return {
      member: 'column',
      rule: 'renamed',
      message: `reads ${name}, which has another name now`,
      suggestion: renamed,
    };
  if (!column) return { member: 'column', known: columns.keys() };
  const field = fieldTypeOf(column.type);
  if (field !== type) {
    const message = `is of type ${type}, but the column ${name} of type ${column.type}`;
    if (next) return { member: 'type', rule: 'type', message: `${message} until the next load; ${retypeRemedy}` };
    return { member: 'type', rule: 'type', message: `${message}, which is read as ${field}` };
  }
  if (nullable || !column.nullable) return undefined;
  const remedy = next ? loadRemedy : isKey ? keyRemedy : nullableRemedy;
  const until = next ? ' until the next load' : '';
  const message = `always has a value, but the column ${name} may be without${until}; ${remedy}`;
  return { member: 'nullable', rule: 'nullable', message };
};

const retypeRemedy = 'give the column of the new type another name, load it, and then let the model read that one';
const loadRemedy = 'leave `nullable: false` out here, load the table, and then say it';
const keyRemedy = 'make it part of the primary key of its table, or `nullable: false` there';
const nullableRemedy = 'leave `nullable: false` out here, or say it of the column';

/** The types that the platform makes, as PostgreSQL calls them. */
export const createdTypes: Readonly<Record<ValueType, string>> = {
  string: 'text',
  integer: 'bigint',
  float: 'numeric',
  boolean: 'boolean',
  date: 'date',
  time: 'time without time zone',
  datetime: 'timestamp without time zone',
  timestamp: 'timestamp with time zone',
};
