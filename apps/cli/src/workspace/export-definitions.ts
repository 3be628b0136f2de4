/**
 * The knowledge models and tables of a team as files in the canonical layout. Refuses: drafts, which an apply would
 * publish; they are named only.
 */
import { printKnowledgeModel, printTable } from '@tessera/content-model';
import { exportDefinitions } from '@tessera/contracts/knowledge-models';
import type { Answer, Gateway } from '../gateway/gateway.js';
import { modelsFolder, tablesFolder } from './find-files.js';

export type ExportedDefinitions = {
  /** By path; undefined when they were not asked for. */
  readonly files?: ReadonlyMap<string, string>;
  /** `schema.table` */
  readonly tables: readonly string[];
  readonly models: readonly string[];
  /** Models with a draft. */
  readonly drafts: readonly string[];
};

export const fetchDefinitions = async (
  gateway: Gateway,
  team: string,
  wanted: boolean,
): Promise<Answer<ExportedDefinitions>> => {
  if (!wanted) return { ok: true, value: { tables: [], models: [], drafts: [] } };
  const answer = await gateway.call(exportDefinitions, { team });
  if (!answer.ok) return answer;
  const tables = answer.value.tables.map(({ definition }) => definition);
  const models = answer.value.models.flatMap(({ definition }) => definition ?? []);
  const isTaken = (id: string): boolean => tables.filter((table) => table.id === id).length > 1;
  return {
    ok: true,
    value: {
      files: new Map([
        ...tables.map((table) => {
          const name = isTaken(table.id) ? `${table.schema}.${table.id}` : table.id;
          return [`${tablesFolder}/${name}.table.yaml`, printTable(table)] as const;
        }),
        ...models.map((model) => [`${modelsFolder}/${model.id}.km.yaml`, printKnowledgeModel(model)] as const),
      ]),
      tables: tables.map(({ schema, id }) => `${schema}.${id}`),
      models: models.map(({ id }) => id),
      drafts: answer.value.models.flatMap(({ id, draft }) => (draft ? [id] : [])),
    },
  };
};
