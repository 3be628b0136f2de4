/** `tessera tools log`: who called which tool of which asset, when, for how long and with which result. */
import { parseWith } from '@tessera/content-model';
import { listCalls, type ToolCall } from '@tessera/contracts/tool-gateway';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { formatTable, toInstant } from '../terminal/format.js';
import { readWorkspaceDocument } from '../workspace/export-target.js';
import {
  reportUsageError,
  reportFailure,
  withGateway,
  type CommandContext,
  type JsonOption,
  fetchPages,
} from './command.js';

export type ListToolCallsOptions = JsonOption & {
  readonly team?: string;
  readonly asset?: string;
  readonly tool?: string;
  readonly subject?: string;
  readonly outcome?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
};

/** `root` is the folder of the workspace, which names the team. */
export const listToolCallsCommand = (
  context: CommandContext,
  root: string,
  { team: asked, asset, tool, subject, outcome, from, to, limit: limitText, json = false }: ListToolCallsOptions,
): Promise<ExitCode> | ExitCode => {
  const team = asked ?? readWorkspaceDocument(root)?.team;
  if (team === undefined)
    return reportUsageError(context, `--team is needed: "${root}" holds no workspace that names one.`);
  const limit = Number(limitText);
  if (!Number.isInteger(limit) || limit < 1)
    return reportUsageError(context, '--limit: expected a number of calls, from 1.');
  const filters = {
    assetId: asset,
    toolId: tool,
    subject,
    outcome,
    from: from && toInstant(from),
    to: to && toInstant(to),
  };
  const parsed = parseWith(listCalls.request, { team, ...filters }, 'arguments');
  if (!parsed.ok)
    return reportUsageError(context, parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
  return withGateway(context, async (gateway) => {
    const calls = await fetchPages(limit, async (page) => {
      const answer = await gateway.call(listCalls, { ...parsed.value, ...page });
      return answer.ok ? { ok: true, value: { entries: answer.value.calls, next: answer.value.next } } : answer;
    });
    if (!calls.ok) return reportFailure(context, calls.refusal);
    if (json) context.terminal.print(JSON.stringify({ calls: calls.value }, null, 2));
    else for (const line of formatTable(tableHead, calls.value.map(rowOfCall))) context.terminal.print(line);
    return exitCodes.done;
  });
};

const tableHead = ['WHEN', 'WHO', 'DOOR', 'ASSET', 'VERSION', 'TOOL', 'MS', 'OUTCOME', 'REQUEST'];

const rowOfCall = (call: ToolCall): readonly string[] => [
  call.startedAt.slice(0, 19).replace('T', ' '),
  call.subject,
  call.door,
  call.assetId,
  call.version,
  call.toolId,
  call.durationMs === undefined ? '-' : call.durationMs.toFixed(0),
  call.outcome,
  call.requestId,
];
