/** The definitions of a team as canonical files. Drafts are only named: applying a draft would publish it. */
import { printAgent, printAsset, printKnowledgeModel, printTable } from '@tessera/content-model';
import { exportAgents } from '@tessera/contracts/agents';
import { exportModelDefinitions, type TableDefinition } from '@tessera/contracts/knowledge-models';
import { exportAssets } from '@tessera/contracts/tool-gateway';
import type { GatewayResult, Gateway } from '../gateway/gateway.js';
import { definitionPath } from './find-files.js';

export type ExportedDefinitions = {
  /** By path; undefined when they were not requested. */
  readonly files?: ReadonlyMap<string, string>;
  /** `schema.table` */
  readonly tables: readonly string[];
  readonly models: readonly string[];
  readonly assets: readonly string[];
  readonly agents: readonly string[];
  /** Models, assets and agents with a draft. */
  readonly drafts: readonly string[];
};

type File = readonly [path: string, text: string];
type ExportedDefinition = { readonly id: string; readonly draft?: object | undefined };

export const fetchExportedDefinitions = async (
  gateway: Gateway,
  team: string,
  wanted: boolean,
): Promise<GatewayResult<ExportedDefinitions>> => {
  if (!wanted) return { ok: true, value: { tables: [], models: [], assets: [], agents: [], drafts: [] } };
  const data = await gateway.call(exportModelDefinitions, { team });
  if (!data.ok) return data;
  const tools = await gateway.call(exportAssets, { team });
  if (!tools.ok) return tools;
  const talking = await gateway.call(exportAgents, { team });
  if (!talking.ok) return talking;
  const tables = data.value.tables.map(({ definition }) => definition);
  const models = data.value.models.flatMap(({ definition }) => definition ?? []);
  const assets = tools.value.assets.flatMap(({ definition }) => definition ?? []);
  const agents = talking.value.agents.flatMap(({ definition }) => definition ?? []);
  return {
    ok: true,
    value: {
      files: new Map([
        ...tableFiles(tables),
        ...models.map((model): File => [definitionPath('models', model.id), printKnowledgeModel(model)]),
        ...assets.map((asset): File => [definitionPath('assets', asset.id), printAsset(asset)]),
        ...agents.map((agent): File => [definitionPath('agents', agent.id), printAgent(agent)]),
      ]),
      tables: tables.map(({ schema, id }) => `${schema}.${id}`),
      models: models.map(({ id }) => id),
      assets: assets.map(({ id }) => id),
      agents: agents.map(({ id }) => id),
      drafts: [data.value.models, tools.value.assets, talking.value.agents].flatMap(draftsOf),
    },
  };
};

const tableFiles = (tables: readonly TableDefinition[]): readonly File[] => {
  const isTaken = (id: string): boolean => tables.filter((table) => table.id === id).length > 1;
  return tables.map((table) => {
    const name = isTaken(table.id) ? `${table.schema}.${table.id}` : table.id;
    return [definitionPath('tables', name), printTable(table)];
  });
};

const draftsOf = (exported: readonly ExportedDefinition[]): readonly string[] =>
  exported.flatMap(({ id, draft }) => (draft ? [id] : []));
