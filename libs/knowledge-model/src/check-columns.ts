/**
 * Compares the tables and columns that a model names with those that there are: missing ones with the nearest right name,
 * types that do not fit, columns that may be without a value where the model says that they may not.
 */
import type { KnowledgeModelDefinition, ValueType } from '@tessera/contracts/knowledge-models';
import { createFaultList, type Fault, type FaultList } from '@tessera/failures';
import type { KnowledgeModel, RecordModel } from './model/knowledge-model.js';
import { findDefinitionPath } from './model/place.js';

export type DatabaseColumn = {
  /** As PostgreSQL says it, without a length: `text`, `bigint`, `numeric`, `timestamp with time zone`. */
  readonly type: string;
  readonly nullable: boolean;
};

/** By the names of tables and columns. */
export type SchemaColumns = ReadonlyMap<string, ReadonlyMap<string, DatabaseColumn>>;

export const checkColumns = (
  definition: KnowledgeModelDefinition,
  { records, source }: KnowledgeModel,
  tables: SchemaColumns,
): readonly Fault[] => {
  const list = createFaultList('definition');
  for (const record of records) {
    const columns = tables.get(record.table);
    if (columns) checkRecord(definition, record, columns, list);
    else
      list.unknown(
        findDefinitionPath(definition, ['records', record.id, 'table']),
        `table of ${source.schema}`,
        record.table,
        tables.keys(),
      );
  }
  return list.faults;
};

const checkRecord = (
  definition: KnowledgeModelDefinition,
  record: RecordModel,
  columns: ReadonlyMap<string, DatabaseColumn>,
  list: FaultList,
): void => {
  for (const { id, origin } of record.fields) {
    if (origin.kind !== 'attribute') continue;
    const placeOf = (member: string) =>
      findDefinitionPath(definition, ['records', record.id, 'attributes', id, member]);
    const column = columns.get(origin.column);
    if (!column) {
      list.unknown(placeOf('column'), `column of ${record.table}`, origin.column, columns.keys());
      continue;
    }
    if (!typesFor[origin.type].includes(column.type))
      list.add(
        placeOf('type'),
        'type',
        `"${id}" is of type ${origin.type}, but the column ${origin.column} of type ${column.type}`,
      );
    if (!origin.nullable && column.nullable)
      list.add(
        placeOf('nullable'),
        'nullable',
        `"${id}" always has a value, but the column ${origin.column} may be without; ${remedyFor(record, id)}`,
      );
  }
};

const remedyFor = ({ identifier }: RecordModel, id: string): string =>
  identifier.includes(id)
    ? 'make it part of the primary key of its table, or `nullable: false` there'
    : 'leave `nullable: false` out here, or say it of the column';

/** What PostgreSQL calls the types that read as one of ours. Whole numbers are no `float`: their division would be another. */
const typesFor: Readonly<Record<ValueType, readonly string[]>> = {
  string: ['text', 'character varying', 'character'],
  integer: ['bigint', 'integer', 'smallint'],
  float: ['numeric', 'double precision', 'real'],
  boolean: ['boolean'],
  date: ['date'],
  time: ['time without time zone'],
  datetime: ['timestamp without time zone'],
  timestamp: ['timestamp with time zone'],
};
