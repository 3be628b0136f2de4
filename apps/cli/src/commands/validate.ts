/** `tessera validate DIR`: every fault of a workspace at once. Calls the gateway only when asked to. */
import { exitCodes, type ExitCode } from '../exit-code.js';
import { checkWorkspace, type CheckedWorkspace } from '../workspace/check-workspace.js';
import { isFolder } from '../workspace/find-files.js';
import { reportUsageError, reportFaults, withGateway, type CommandContext, type JsonOption } from './command.js';
import { formatBrokenDefinition, formatOpenModel, sendDataDefinitions } from './definitions.js';

export type ValidateOptions = JsonOption & {
  /** Tables and columns are compared with those of the database. */
  readonly againstDb?: boolean;
};

export const validateCommand = async (
  context: CommandContext,
  folder: string,
  { json = false, againstDb = false }: ValidateOptions,
): Promise<ExitCode> => {
  if (!isFolder(folder)) return reportUsageError(context, `"${folder}" is no folder.`);
  const checked = await checkWorkspace(folder);
  const { faultList, workspace, definitions } = checked;
  if (faultList.count > 0 || !workspace) return reportFaults(context, faultList, json);
  if (!againstDb) return printResult(context, checked, json);
  return withGateway(context, async (gateway) => {
    const { team } = workspace;
    const request = { team, definitions: definitions.data, mode: 'check', againstDatabase: true } as const;
    const answer = await sendDataDefinitions(context, gateway, request, json);
    if (typeof answer === 'number') return answer;
    for (const open of answer.openModels ?? []) context.terminal.note(formatOpenModel(open));
    for (const { id, message } of answer.breaks)
      context.terminal.note(formatBrokenDefinition({ kind: 'KnowledgeModel', id, message }, 'would not'));
    if (answer.breaks.length > 0) return exitCodes.faults;
    const compared = { ...checked, definitions: { ...definitions, uncompared: new Map() } };
    return printResult(context, compared, json);
  });
};

const printResult = (
  { terminal }: CommandContext,
  { storages, definitions }: CheckedWorkspace,
  json: boolean,
): ExitCode => {
  const counts = storages.map(({ definition, elements }) => ({
    storage: `${definition.collection}/${definition.id}`,
    elements,
  }));
  const { data, uncompared } = definitions;
  const tables = data.flatMap(({ definition }) =>
    definition.kind === 'Table' ? [`${definition.schema}.${definition.id}`] : [],
  );
  const models = data.flatMap(({ definition }) => (definition.kind === 'KnowledgeModel' ? [definition.id] : []));
  const assets = definitions.assets.map(({ definition: { id } }) => id);
  const agents = definitions.agents.map(({ definition: { id } }) => id);
  if (json) {
    const left = uncompared.size > 0 && { uncompared: Object.fromEntries(uncompared) };
    const found = { faults: [], count: 0, storages: counts, tables, models, assets, agents, ...left };
    terminal.print(JSON.stringify(found, null, 2));
    return exitCodes.done;
  }
  for (const { storage, elements } of counts) terminal.print(`${storage}: ${elements} elements, no fault`);
  for (const table of tables) terminal.print(`table ${table}: no fault`);
  for (const model of models) {
    const left = uncompared.get(model);
    const mark = left ? `, not compared with ${left.join(', ')} (--against-db does)` : '';
    terminal.print(`knowledge model ${model}: no fault${mark}`);
  }
  for (const asset of assets) terminal.print(`asset ${asset}: no fault`);
  for (const agent of agents) terminal.print(`agent ${agent}: no fault`);
  return exitCodes.done;
};
