/** `tessera validate DIR`: every fault of a workspace at once. Refuses: to speak to the gateway. */
import { exitCodes, type ExitCode } from '../exit-code.js';
import { checkWorkspace } from '../workspace/check-workspace.js';
import { isFolder } from '../workspace/find-files.js';
import { misuse, reportFaults, type CommandContext, type JsonOption } from './command.js';

export const validate = async (
  context: CommandContext,
  folder: string,
  { json = false }: JsonOption,
): Promise<ExitCode> => {
  if (!isFolder(folder)) return misuse(context, `"${folder}" is no folder.`);
  const { book, storages } = await checkWorkspace(folder);
  if (book.count > 0) return reportFaults(context, book, json);
  const counts = storages.map(({ definition, elements }) => ({
    storage: `${definition.collection}/${definition.id}`,
    elements,
  }));
  if (json) context.terminal.print(JSON.stringify({ faults: [], count: 0, storages: counts }, null, 2));
  else for (const { storage, elements } of counts) context.terminal.print(`${storage}: ${elements} elements, no fault`);
  return exitCodes.done;
};
