/** Which calls of the log are asked for. */
import type { InputFor } from '../../api/operations.js';

export const callOutcomes = [
  'ok',
  'running',
  'TOOL_ARGUMENTS_INVALID',
  'TOOL_FAILED',
  'TOOL_RESULT_INVALID',
  'LIMIT_ASSET_EXCEEDED',
  'ADMIN_ACCESS_ERROR',
  'SERVICE_UNAVAILABLE',
] as const;
export type CallOutcome = (typeof callOutcomes)[number];

export const callSpans = ['hour', 'day', 'week'] as const;
export type CallSpan = (typeof callSpans)[number];

export type CallFilter = {
  readonly calledTool?: string;
  readonly outcome?: CallOutcome;
  /** Only those of the last hour, day, week. */
  readonly since?: CallSpan;
};

const spanMs: Readonly<Record<CallSpan, number>> = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 };
const pageSize = 50;

/** To whole minutes, so that the same question a moment later is the same. */
export const callsInput = (
  assetId: string | undefined,
  { calledTool, outcome, since }: CallFilter,
  nowMs: number,
): InputFor<'listOwnCalls'> => ({
  pageSize,
  ...(assetId !== undefined && { assetId }),
  ...(calledTool !== undefined && { toolId: calledTool }),
  ...(outcome !== undefined && { outcome }),
  ...(since !== undefined && { from: new Date(Math.floor((nowMs - spanMs[since]) / 60_000) * 60_000).toISOString() }),
});
