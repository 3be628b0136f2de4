/** What the published knowledge models of a team do with a table of theirs. */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createFaultList } from '@tessera/failures';
import { resolveInheritance, normaliseModel, type KnowledgeModel, type RecordModel } from '@tessera/knowledge-model';
import type { TableUsage } from './required-indexes.js';

type Definitions = ReadonlyMap<string, KnowledgeModelDefinition>;

export const collectTableUsage = (definitions: Definitions, schema: string, table: string): TableUsage => {
  const parts = [...definitions.values()].flatMap((definition) => {
    const whole = resolveInheritance(definition, definitions, createFaultList('definition'));
    return whole?.source?.schema === schema && whole.source.database === undefined ? usagesIn(whole, table) : [];
  });
  return {
    identifiers: parts.flatMap(({ identifiers }) => identifiers),
    relationships: parts.flatMap(({ relationships }) => relationships),
    searches: parts.flatMap(({ searches }) => searches),
    sorts: parts.flatMap(({ sorts }) => sorts),
    nullable: new Set(parts.flatMap(({ nullable }) => [...nullable])),
  };
};

const usagesIn = (whole: KnowledgeModelDefinition, table: string): readonly TableUsage[] => {
  const model = normaliseModel(whole);
  return model.records.filter((record) => record.table === table).map((record) => usageOf(whole, model, record));
};

/** Empty when one of the fields is no column. */
const columnsOf = ({ fieldById }: RecordModel, fields: readonly string[]): readonly string[] => {
  const columns = fields.flatMap((field) => {
    const origin = fieldById.get(field)?.origin;
    return origin?.kind === 'attribute' ? [origin.column] : [];
  });
  return columns.length === fields.length ? [...new Set(columns)] : [];
};

const usageOf = (whole: KnowledgeModelDefinition, model: KnowledgeModel, record: RecordModel): TableUsage => {
  const identifier = columnsOf(record, record.identifier);
  const sides = model.relationships.flatMap(({ from, to, on }) => [
    ...(from === record.id ? [on.map((pair) => pair.from)] : []),
    ...(to === record.id ? [on.map((pair) => pair.to)] : []),
  ]);
  const attributes = whole.records?.find(({ id }) => id === record.id)?.attributes ?? [];
  const sortable = attributes.flatMap((attribute) => (attribute.sortable ? [attribute.id] : []));
  return {
    identifiers: [identifier].filter(isUsed),
    relationships: sides.map((side) => columnsOf(record, side)).filter(isUsed),
    searches: record.fields.flatMap(({ origin }) =>
      origin.kind === 'attribute' && origin.type === 'string' ? [origin.column] : [],
    ),
    sorts: sortable
      .map((field) => columnsOf(record, [field]))
      .filter(isUsed)
      .map((column) => [...new Set([...column, ...identifier])]),
    nullable: new Set(
      record.fields.flatMap(({ origin }) => (origin.kind === 'attribute' && origin.nullable ? [origin.column] : [])),
    ),
  };
};

const isUsed = (columns: readonly string[]): boolean => columns.length > 0;
