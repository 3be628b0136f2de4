/**
 * Compares the tables and columns that a model names with those that there are: missing ones with the nearest right name,
 * types that do not fit, columns that may be without a value where the model says that they may not.
 */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createFaultList, type Fault, type FaultList } from '@tessera/failures';
import { fieldTypeOf } from './model/database-types.js';
import type { KnowledgeModel, RecordModel } from './model/knowledge-model.js';
import { findDefinitionPath } from './model/place.js';

export type DatabaseColumn = {
  /** As PostgreSQL says it, without a length: `text`, `bigint`, `timestamp with time zone`; of a domain what it is made of. */
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
    const field = fieldTypeOf(column.type);
    if (field !== origin.type)
      list.add(
        placeOf('type'),
        'type',
        `"${id}" is of type ${origin.type}, but the column ${origin.column} of type ${column.type}, which is read as ${field}`,
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
