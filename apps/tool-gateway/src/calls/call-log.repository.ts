/**
 * The log of calls. Its rows are only added to; the database lets a running row be ended, once. Ids of calls are UUIDs of
 * version 7: in one replica their order is the order in which calls began.
 */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { RequestOf } from '@tessera/contracts';
import { type CallDoor, type listCalls, ToolCall } from '@tessera/contracts/tool-gateway';
import { type Pool, readAsTenant } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { ToolCall as LoggedCall } from '@tessera/persistence/tool-gateway';
import { BatchedRows, instantOfId, RecurringJobs, settingsToken } from '@tessera/service-kit';
import { type DataSource, LessThan, MoreThanOrEqual } from 'typeorm';
import { Pools } from '../database.module.js';
import type { Settings } from '../settings.js';

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
    as r(call_id, subject, door, asset_id, version, digest, tool_id, arguments_digest, request_id, outcome, duration_us)
  on conflict do nothing`;

/** May be repeated after an error that leaves open whether the rows are there. */
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

/** A call with an effect waits for its row; rows of calls that only read are written after the answer. */
export class CallLog extends BatchedRows<CallRow> {
  constructor(pool: Pool) {
    super({ what: 'calls', insert: (team, rows) => insertCalls(pool, team, rows) });
  }
}

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

/** `before` and `from` are ids of calls, which are in the order of time. */
type CallFilter = Partial<Pick<RequestOf<typeof listCalls>, 'assetId' | 'toolId' | 'subject' | 'outcome'>> & {
  readonly from?: string | undefined;
  readonly before: readonly string[];
};

/** The newest first. */
export const readCalls = (
  source: DataSource,
  team: string,
  { from, before, ...filter }: CallFilter,
  rowsMax: number,
): Promise<readonly ToolCall[]> =>
  runInTenantEntityTransaction(source, team, async (manager) => {
    const calls = manager.createQueryBuilder(LoggedCall, 'call').where({ tenant: team });
    for (const [column, value] of Object.entries(filter)) if (value !== undefined) calls.andWhere({ [column]: value });
    for (const id of before) calls.andWhere({ callId: LessThan(id) });
    if (from !== undefined) calls.andWhere({ callId: MoreThanOrEqual(from) });
    return (await calls.orderBy('call.callId', 'DESC').limit(rowsMax).getMany()).map(presentCall);
  });

const presentCall = ({ digest, argumentsDigest, durationUs, ...call }: LoggedCall): ToolCall =>
  ToolCall.parse({
    ...call,
    startedAt: instantOfId(call.callId),
    digest: digest.toString('hex'),
    argumentsDigest: argumentsDigest.toString('hex'),
    ...(durationUs !== null && { durationMs: Number(durationUs) / 1000 }),
  });

/** Deletes old rows of all teams, at most `rowsMax`; answers how many. */
export const purgeCalls = async (pool: Pool, keptDays: number, rowsMax: number): Promise<number> => {
  const { rows } = await pool.query<{ readonly gone: string }>({
    name: 'tool_calls_forget',
    text: 'select tool_gateway.forget_calls(make_interval(days => $1), $2) as gone',
    values: [keptDays, rowsMax],
  });
  return Number(rows[0]?.gone ?? 0);
};

/** Of one statement, which stays short beside the calls that are written. */
const purgedRowsMax = 10_000;

@Injectable()
export class CallLogMaintenance implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: RecurringJobs,
    private readonly pools: Pools,
    @Inject(settingsToken) private readonly settings: Pick<Settings, 'TOOL_CALLS_KEPT_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    const { TOOL_CALLS_KEPT_DAYS } = this.settings;
    this.jobs.start({
      failed: 'old calls were not forgotten; it is tried again',
      run: async () =>
        (await purgeCalls(this.pools.log, TOOL_CALLS_KEPT_DAYS, purgedRowsMax)) === purgedRowsMax ? 'more' : 'done',
    });
  }
}
