/**
 * The rows of the log of calls. Refuses: to change what is written; the database lets a running row be ended, once.
 */
import { createHash } from 'node:crypto';
import { ToolCall, type CallDoor } from '@tessera/contracts/tool-gateway';
import { readAsTenant, type Pool } from '@tessera/persistence';

export type CallRow = {
  /** A UUID of version 7: the call's beginning is in it. */
  readonly callId: string;
  readonly subject: string;
  readonly door: CallDoor;
  readonly assetId: string;
  readonly version: string;
  /** Hexadecimal, as the next one. */
  readonly digest: string;
  readonly toolId: string;
  readonly argumentsDigest: string;
  readonly requestId: string;
  /** `running` while there is no duration. */
  readonly outcome: string;
  readonly durationUs?: number;
};

const insertText = `
  insert into tool_gateway.tool_call (tenant, call_id, subject, door, asset_id, version, digest, tool_id,
    arguments_digest, request_id, outcome, duration_us)
  select $1, call_id, subject, door, asset_id, version, decode(digest, 'hex'), tool_id,
    decode(arguments_digest, 'hex'), request_id, outcome, duration_us
  from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
      $10::text[], $11::text[], $12::bigint[])
    as r(call_id, subject, door, asset_id, version, digest, tool_id, arguments_digest, request_id, outcome, duration_us)`;

export const insertCalls = async (pool: Pool, team: string, rows: readonly CallRow[]): Promise<void> => {
  const values = [
    team,
    rows.map(({ callId }) => callId),
    rows.map(({ subject }) => subject),
    rows.map(({ door }) => door),
    rows.map(({ assetId }) => assetId),
    rows.map(({ version }) => version),
    rows.map(({ digest }) => digest),
    rows.map(({ toolId }) => toolId),
    rows.map(({ argumentsDigest }) => argumentsDigest),
    rows.map(({ requestId }) => requestId),
    rows.map(({ outcome }) => outcome),
    rows.map(({ durationUs }) => durationUs ?? null),
  ];
  await readAsTenant(pool, team, { name: 'tool_calls_insert', text: insertText, values });
};

const endText = `update tool_gateway.tool_call set outcome = $3, duration_us = $4
  where tenant = $1 and call_id = $2 and outcome = 'running'`;

export const endCall = async (
  pool: Pool,
  team: string,
  { callId, outcome, durationUs }: Pick<CallRow, 'callId' | 'outcome' | 'durationUs'>,
): Promise<void> => {
  const values = [team, callId, outcome, durationUs ?? null];
  await readAsTenant(pool, team, { name: 'tool_calls_end', text: endText, values });
};

/** What narrows a list; `before` and `from` are ids of calls, which are in the order of time. */
export type CallFilter = {
  readonly assetId?: string | undefined;
  readonly toolId?: string | undefined;
  readonly subject?: string | undefined;
  readonly outcome?: string | undefined;
  readonly from?: string | undefined;
  readonly before: readonly string[];
};

/** The newest first. One statement for each set of filters, so that each has the index that serves it. */
export const readCalls = async (
  pool: Pool,
  team: string,
  { assetId, toolId, subject, outcome, from, before }: CallFilter,
  rowsMax: number,
): Promise<readonly ToolCall[]> => {
  const narrowing = [
    ['asset_id =', assetId],
    ['tool_id =', toolId],
    ['subject =', subject],
    ['outcome =', outcome],
    ['call_id >=', from],
    ...before.map((id) => ['call_id <', id] as const),
  ].filter(([, value]) => value !== undefined);
  const conditions = narrowing.map(([condition], index) => `and ${condition} $${index + 3}`);
  const text = `select call_id as "callId",
      to_char(uuid_extract_timestamp(call_id) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "startedAt",
      subject, door, asset_id as "assetId", version, encode(digest, 'hex') as digest, tool_id as "toolId",
      encode(arguments_digest, 'hex') as "argumentsDigest", duration_us as "durationUs", outcome,
      request_id as "requestId"
    from tool_gateway.tool_call where tenant = $1 ${conditions.join(' ')} order by call_id desc limit $2`;
  const name = `tool_calls_${createHash('sha1').update(text).digest('hex')}`;
  const values = [team, rowsMax, ...narrowing.map(([, value]) => value)];
  return (await readAsTenant<CallColumns>(pool, team, { name, text, values })).map(presentCall);
};

type CallColumns = Omit<ToolCall, 'durationMs'> & { readonly durationUs: string | null };

const presentCall = ({ durationUs, ...call }: CallColumns): ToolCall =>
  ToolCall.parse({ ...call, ...(durationUs !== null && { durationMs: Number(durationUs) / 1000 }) });

/** Forgets rows of all teams, at most so many; answers how many went. */
export const forgetCalls = async (pool: Pool, keptDays: number, rowsMax: number): Promise<number> => {
  const { rows } = await pool.query<{ readonly gone: string }>({
    name: 'tool_calls_forget',
    text: 'select tool_gateway.forget_calls(make_interval(days => $1), $2) as gone',
    values: [keptDays, rowsMax],
  });
  return Number(rows[0]?.gone ?? 0);
};
