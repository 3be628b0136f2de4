/** `tessera content deleted|restore|purge`: the bin of a storage. */
import { listBin, purgeBin, restoreFromBin, type DeletedEntry } from '@tessera/contracts/content-repo';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { formatTable, formatToMinute } from '../terminal/format.js';
import { reportFailure, withGateway, type CommandContext } from './command.js';
import { parseStorageRequest, type TeamOptions } from './storage-address.js';

export const listDeletedCommand = (
  context: CommandContext,
  address: string,
  { team, json = false }: TeamOptions,
): Promise<ExitCode> | ExitCode => {
  const request = parseStorageRequest(context, listBin, address, { team });
  if (!request.ok) return request.exitCode;
  return withGateway(context, async (gateway) => {
    const deleted: DeletedEntry[] = [];
    let after: string | undefined;
    do {
      const answer = await gateway.call(listBin, { ...request.value, after });
      if (!answer.ok) return reportFailure(context, answer.refusal);
      deleted.push(...answer.value.deleted);
      after = answer.value.next;
    } while (after !== undefined);
    if (json) context.terminal.print(JSON.stringify({ deleted }, null, 2));
    else for (const line of formatTable(tableHead, deleted.map(rowOfEntry))) context.terminal.print(line);
    return exitCodes.done;
  });
};

const tableHead = ['ID', 'VERSION', 'FACET', 'TYPE', 'NAME', 'DELETED', 'BY'];

/** The id is the one to restore it by. */
const rowOfEntry = (entry: DeletedEntry): readonly string[] => [
  entry.versionId ?? entry.id,
  entry.version ?? '-',
  entry.facet,
  entry.type,
  entry.name ?? '-',
  formatToMinute(entry.deletedAt),
  entry.deletedBy ?? '-',
];

export const restoreDeletedCommand = (
  context: CommandContext,
  address: string,
  id: string,
  { team, json = false }: TeamOptions,
): Promise<ExitCode> | ExitCode => {
  const request = parseStorageRequest(context, restoreFromBin, address, { team, id });
  if (!request.ok) return request.exitCode;
  return withGateway(context, async (gateway) => {
    const answer = await gateway.call(restoreFromBin, request.value);
    if (!answer.ok) return reportFailure(context, answer.refusal);
    const { versionId, type, facet, id: elementId } = answer.value;
    const what = versionId === undefined ? 'The element' : `The version ${versionId} of the element`;
    context.terminal.print(
      json ? JSON.stringify(answer.value, null, 2) : `${what} ${elementId} (${type} of ${facet}) is restored.`,
    );
    return exitCodes.done;
  });
};

export type PurgeOptions = TeamOptions & { readonly olderThanDays: string };

/** Asks until nothing is left; what was purged when it is interrupted stays so. */
export const purgeDeletedCommand = (
  context: CommandContext,
  address: string,
  { team, olderThanDays, json = false }: PurgeOptions,
): Promise<ExitCode> | ExitCode => {
  const purge = { olderThanDays: olderThanDays.trim() === '' ? NaN : Number(olderThanDays) };
  const request = parseStorageRequest(context, purgeBin, address, { team, purge });
  if (!request.ok) return request.exitCode;
  return withGateway(context, async (gateway) => {
    const purged = { elements: 0, versions: 0 };
    for (let more = true; more;) {
      const answer = await gateway.call(purgeBin, request.value);
      if (!answer.ok) return reportFailure(context, answer.refusal);
      purged.elements += answer.value.elements;
      purged.versions += answer.value.versions;
      more = answer.value.more;
    }
    context.terminal.print(
      json ? JSON.stringify(purged, null, 2) : `Purged: elements ${purged.elements}, versions ${purged.versions}`,
    );
    return exitCodes.done;
  });
};
