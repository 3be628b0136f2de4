/** `tessera content changes`: who changed which element and version of a storage. */
import { listChanges, type ContentChange } from '@tessera/contracts/content-repo';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { formatTable, toInstant } from '../terminal/format.js';
import { reportUsageError, reportFailure, withGateway, type CommandContext, fetchPages } from './command.js';
import { parseStorageRequest, type TeamOptions } from './storage-address.js';

export type ListChangesOptions = TeamOptions & {
  readonly element?: string;
  readonly version?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
  readonly oldest?: boolean;
  readonly limit: string;
};

export const listChangesCommand = (
  context: CommandContext,
  address: string,
  options: ListChangesOptions,
): Promise<ExitCode> | ExitCode => {
  const { team, subject, element, version, from, to, oldest, json = false } = options;
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1)
    return reportUsageError(context, '--limit: expected a number of changes, from 1.');
  const request = parseStorageRequest(context, listChanges, address, {
    team,
    subject,
    elementId: element,
    versionId: version,
    from: from && toInstant(from),
    to: to && toInstant(to),
    order: oldest ? 'oldest' : 'newest',
  });
  if (!request.ok) return request.exitCode;
  return withGateway(context, async (gateway) => {
    const changes = await fetchPages(limit, async (page) => {
      const answer = await gateway.call(listChanges, { ...request.value, ...page });
      return answer.ok ? { ok: true, value: { entries: answer.value.changes, next: answer.value.next } } : answer;
    });
    if (!changes.ok) return reportFailure(context, changes.refusal);
    if (json) context.terminal.print(JSON.stringify({ changes: changes.value }, null, 2));
    else for (const line of formatTable(tableHead, changes.value.flatMap(rowsOfChange))) context.terminal.print(line);
    return exitCodes.done;
  });
};

const tableHead = ['CHANGE', 'WHEN', 'WHO', 'REQUEST', 'ACTION', 'ELEMENT', 'VERSION', 'DETAIL'];

/** A line for each effect of a change; one without effects shows the request. */
const rowsOfChange = ({ sequence, changedAt, subject, requestId, operation, entries }: ContentChange) => {
  const change = [sequence, changedAt.slice(0, 19).replace('T', ' '), subject, requestId];
  if (entries.length === 0) return [[...change, operation, '-', '-', '']];
  return entries.map(({ action, elementId = '-', versionId = '-', detail }) => [
    ...change,
    action,
    elementId,
    versionId,
    Object.entries(detail)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' '),
  ]);
};
