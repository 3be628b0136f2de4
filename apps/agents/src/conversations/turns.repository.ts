/**
 * Begins, extends and ends turns by one function of the database each (turn-functions.ts of the migrations), which decides
 * under its locks and by its clock.
 */
import { Grounding, type TokenUsage, type TurnState, type TurnStep, turnStops } from '@tessera/contracts/agents';
import { readAsTenant, type Pool } from '@tessera/persistence';
import { z } from 'zod';
import type { AnsweredTurn } from '../turns/turn.js';

export type NewTurn = {
  readonly team: string;
  readonly subject: string;
  readonly agentId: string;
  readonly version: string;
  /** Hexadecimal, as the ones of the key. */
  readonly digest: string;
  readonly model: string;
  /** Undefined: a new one. */
  readonly conversationId: string | undefined;
  readonly message: string;
  readonly key: { readonly digest: string; readonly requestDigest: string } | undefined;
  readonly replica: string;
  readonly leaseMs: number;
  readonly keptDays: number;
  readonly requestId: string;
  /** So much of the turns before is read, the newest first. */
  readonly historyBytesMax: number;
};

const PastTurns = z
  .array(
    z.object({
      message: z.string(),
      answer: z.string().nullable(),
      state: z.enum(['running', 'completed', 'failed', 'interrupted']),
    }),
  )
  .nullable();
const Place = { conversation: z.string(), turn: z.number(), attempt: z.number() };

/**
 * `completed`, `running`: the message was sent before under the same key. `mismatch`: another one was. `busy`: another turn
 * of the conversation runs. `unknown`: the subject has no such conversation with the agent.
 */
const beginTurnResultSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('begun'), ...Place, history: PastTurns }),
  z.object({ outcome: z.literal('completed'), ...Place }),
  z.object({ outcome: z.enum(['running', 'busy', 'mismatch', 'unknown']) }),
]);
export type BeginTurnResult = z.output<typeof beginTurnResultSchema>;

const beginText = `select outcome, conversation, turn, attempt, history from agents.begin_turn($1, $2, $3, $4::uuid, $5,
  decode($6, 'hex'), decode($7, 'hex'), $8, decode($9, 'hex'), $10, $11::uuid, make_interval(secs => $12),
  make_interval(days => $13), $14, $15)`;

export const beginTurn = async (pool: Pool, turn: NewTurn): Promise<BeginTurnResult> => {
  const values = [
    ...[turn.team, turn.subject, turn.agentId, turn.conversationId ?? null, turn.message],
    ...[turn.key?.digest ?? null, turn.key?.requestDigest ?? null, turn.version, turn.digest, turn.model],
    ...[turn.replica, turn.leaseMs / 1000, turn.keptDays, turn.requestId, turn.historyBytesMax],
  ];
  const rows = await readAsTenant<object>(pool, turn.team, { name: 'turns_begin', text: beginText, values });
  return beginTurnResultSchema.parse(rows[0]);
};

/** A turn that this replica runs, and how far it is. */
export type TurnProgress = {
  readonly team: string;
  readonly conversationId: string;
  readonly turn: number;
  readonly attempt: number;
  readonly replica: string;
  readonly usage: TokenUsage;
  /** The number of the first of these steps, from 1. */
  readonly firstStep: number;
  readonly steps: readonly TurnStep[];
};

const appendText = `select agents.append_steps($1, $2::uuid, $3, $4, $5::uuid, make_interval(secs => $6), $7, $8, $9,
  $10::text[], $11::double precision[], $12::bigint[]) as "isOurs"`;

/** Whether the turn is still this replica's. */
type OwnedRow = { readonly isOurs: boolean };

/** False: the turn is not this replica's any more. */
export const appendSteps = async (pool: Pool, progress: TurnProgress, leaseMs: number): Promise<boolean> => {
  const values = [...placeOf(progress), leaseMs / 1000, ...progressOf(progress)];
  const rows = await readAsTenant<OwnedRow>(pool, progress.team, { name: 'turns_append', text: appendText, values });
  return rows[0]?.isOurs === true;
};

export type StoredTurnResult = {
  readonly state: Exclude<TurnState, 'running'>;
  readonly stop?: string | undefined;
  readonly text?: string | undefined;
  readonly structuredOutput?: object | undefined;
  readonly failure?: string | undefined;
};

const endText = `select agents.end_turn($1, $2::uuid, $3, $4, $5::uuid, make_interval(days => $6), $7, $8, $9,
  $10::text[], $11::double precision[], $12::bigint[], $13, $14, $15, $16::json, $17) as "isOurs"`;

/** False: the turn is not this replica's any more. */
export const endTurn = async (
  pool: Pool,
  progress: TurnProgress,
  result: StoredTurnResult,
  keptDays: number,
): Promise<boolean> => {
  const { state, stop, text, structuredOutput, failure } = result;
  const output = structuredOutput === undefined ? null : JSON.stringify(structuredOutput);
  const values = [
    ...[...placeOf(progress), keptDays, ...progressOf(progress)],
    // A character that texts of the database cannot hold.
    ...[state, stop ?? null, text?.replaceAll('\u0000', '\ufffd') ?? null, output, failure ?? null],
  ];
  const rows = await readAsTenant<OwnedRow>(pool, progress.team, { name: 'turns_end', text: endText, values });
  return rows[0]?.isOurs === true;
};

const placeOf = ({ team, conversationId, turn, attempt, replica }: TurnProgress): readonly unknown[] => [
  ...[team, conversationId, turn, attempt, replica],
];

const progressOf = ({ usage, firstStep, steps }: TurnProgress): readonly unknown[] => [
  ...[usage.inputTokens, usage.outputTokens, firstStep],
  steps.map(({ at: _at, durationMs: _durationMs, ...content }) => JSON.stringify(content)),
  steps.map(({ at }) => Date.parse(at)),
  steps.map(({ durationMs }) => Math.round(durationMs * 1000)),
];

export type LeasedTurn = { readonly conversationId: string; readonly turn: number; readonly attempt: number };

/** Those whose lease held and was renewed. */
export const renewLeases = async (
  pool: Pool,
  replica: string,
  turns: readonly LeasedTurn[],
  leaseMs: number,
): Promise<readonly LeasedTurn[]> => {
  const { rows } = await pool.query<LeasedTurn>({
    name: 'turns_renew',
    text: `select conversation_id as "conversationId", turn_no as turn, attempt
      from agents.renew_leases($1::uuid, $2::uuid[], make_interval(secs => $3))`,
    values: [replica, turns.map(({ conversationId }) => conversationId), leaseMs / 1000],
  });
  return rows;
};

/** What runs in the replica ends as it is. */
export const interruptTurns = async (pool: Pool, replica: string): Promise<void> => {
  await pool.query({ name: 'turns_interrupt', text: 'select agents.interrupt_turns($1::uuid)', values: [replica] });
};

/** Of all teams; answers how many there were. */
export const markExpiredTurns = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ readonly marked: string }>({
    name: 'turns_mark_expired',
    text: 'select agents.mark_expired_turns() as marked',
  });
  return Number(rows[0]?.marked ?? 0);
};

const answeredText = `select t.answer as text, t.stop, t.structured_output as "structuredOutput",
    json_build_object('inputTokens', t.input_tokens, 'outputTokens', t.output_tokens) as usage,
    (select coalesce(json_agg(s.content order by s.step_no), '[]') from agents.step s
      where s.tenant = t.tenant and s.conversation_id = t.conversation_id and s.turn_no = t.turn_no
        and s.attempt = t.attempt and s.content ->> 'kind' in ('grounding', 'output')) as checks
  from agents.turn t where t.tenant = $1 and t.conversation_id = $2::uuid and t.turn_no = $3 and t.state = 'completed'`;

const AnsweredRow = z.object({
  text: z.string().nullable(),
  stop: z.enum(turnStops).catch('answered'),
  structuredOutput: z.record(z.string(), z.unknown()).nullable(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
  checks: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('grounding'), ...Grounding.shape }),
      z.object({ kind: z.literal('output'), fault: z.string() }),
    ]),
  ),
});

/** A turn that was completed; undefined when it is gone. */
export const readAnsweredTurn = async (
  pool: Pool,
  team: string,
  place: Pick<LeasedTurn, 'conversationId' | 'turn'>,
): Promise<AnsweredTurn | undefined> => {
  const values = [team, place.conversationId, place.turn];
  const [row] = await readAsTenant<object>(pool, team, { name: 'turns_answered', text: answeredText, values });
  if (!row) return undefined;
  const { text, stop, structuredOutput, usage, checks } = AnsweredRow.parse(row);
  const checked = checks.findLast((each) => each.kind === 'grounding');
  const faulty = checks.findLast((each) => each.kind === 'output');
  return {
    ...{ conversationId: place.conversationId, turn: place.turn, text: text ?? '', stop, usage },
    ...(structuredOutput && { structuredOutput }),
    ...(faulty && { structuredOutputFault: faulty.fault }),
    grounding: checked ? { outcome: checked.outcome, figures: checked.figures } : { outcome: 'verified', figures: [] },
  };
};
