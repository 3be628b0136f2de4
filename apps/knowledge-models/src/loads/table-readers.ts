/** The knowledge models that read a table, as they are published and as they are drafted. */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createFaultList } from '@tessera/failures';
import { resolveInheritance } from '@tessera/knowledge-model';
import {
  draftOrPublishedDefinitions,
  publishedDefinitions,
  type StoredModels,
} from '../definitions/stored-definitions.js';
import type { TableKey } from './load.repository.js';

/** Their ids in order; of one whose draft alone reads it `draft of <id>`. */
export const findTableReaders = (stored: StoredModels, key: Pick<TableKey, 'schema' | 'table'>): readonly string[] => {
  const published = readersAmong(publishedDefinitions(stored), key);
  const drafts = readersAmong(draftOrPublishedDefinitions(stored), key).filter((id) => !published.includes(id));
  return [...published, ...drafts.map((id) => `draft of ${id}`)];
};

const readersAmong = (
  definitions: ReadonlyMap<string, KnowledgeModelDefinition>,
  { schema, table }: Pick<TableKey, 'schema' | 'table'>,
): readonly string[] =>
  [...definitions]
    .filter(([, definition]) => {
      const whole = resolveInheritance(definition, definitions, createFaultList('definition'));
      const isOwn = whole?.source?.schema === schema && whole.source.database === undefined;
      return isOwn && whole.records?.some((record) => record.table === table);
    })
    .map(([id]) => id)
    .sort();
