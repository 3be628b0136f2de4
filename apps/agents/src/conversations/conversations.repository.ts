/**
 * Conversations as their subject reads them. A turn whose lease expired is shown as interrupted, marked or not. Never returns a
 * conversation of another subject.
 */
import type { Conversation as ConversationReply, Turn } from '@tessera/contracts/agents';
import { fail } from '@tessera/failures';
import { type Pool, readAsTenant } from '@tessera/persistence';
import { Conversation } from '@tessera/persistence/agents';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import type { DataSource } from 'typeorm';

/** Whose conversations, with which agent. */
export type ConversationOwner = { readonly team: string; readonly subject: string; readonly agentId: string };

const isoTextSql = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const shownState = `case when t.state = 'running' and t.lease_until <= clock_timestamp() then 'interrupted' else t.state end`;

const summaryColumns = `c.conversation_id as "conversationId", c.agent_id as "agentId", ${isoTextSql('c.created_at')} as "createdAt",
  ${isoTextSql('c.changed_at')} as "changedAt", c.turn_count as "turnCount", c.first_message as "firstMessage",
  (select ${shownState} from agents.turn t where t.tenant = c.tenant and t.conversation_id = c.conversation_id
    order by t.turn_no desc limit 1) as state`;

const listText = (isAfter: boolean): string => `select ${summaryColumns} from agents.conversation c
  where c.tenant = $1 and c.subject = $2 and c.agent_id = $3 ${isAfter ? 'and c.conversation_id < $5::uuid' : ''}
  order by c.conversation_id desc limit $4`;

/** The newest first, at most so many; as the contract has them. */
export const listConversations = async (
  pool: Pool,
  { team, subject, agentId }: ConversationOwner,
  after: string | undefined,
  rowsMax: number,
): Promise<readonly Shape<ConversationReply>[]> => {
  const isAfter = after !== undefined;
  const values = [team, subject, agentId, rowsMax, ...(isAfter ? [after] : [])];
  const name = `conversations_list${isAfter ? '_after' : ''}`;
  return readAsTenant<Shape<ConversationReply>>(pool, team, { name, text: listText(isAfter), values });
};

/** Values as PostgreSQL gives them; the contract's schema says their types. */
type Shape<T> = { readonly [Member in keyof T]?: unknown };

const readText = `select ${summaryColumns} from agents.conversation c
  where c.tenant = $1 and c.subject = $2 and c.agent_id = $3 and c.conversation_id = $4::uuid`;

/** Steps are those of the last attempt. A turn is there when those before it are not too much for one answer already. */
const turnsText = `select t.turn_no as turn, ${shownState} as state, t.stop, t.message, t.answer,
    t.structured_output as "structuredOutput", t.failure, t.agent_version as "agentVersion", t.model,
    t.input_tokens as "inputTokens", t.output_tokens as "outputTokens", ${isoTextSql('t.started_at')} as "startedAt",
    ${isoTextSql(`coalesce(t.ended_at, case when t.lease_until <= clock_timestamp() then t.lease_until end)`)} as "endedAt",
    (select coalesce(json_agg(json_build_object('content', s.content, 'at', ${isoTextSql('s.at')}, 'durationUs', s.duration_us)
        order by s.step_no), '[]')
      from agents.step s where s.tenant = t.tenant and s.conversation_id = t.conversation_id and s.turn_no = t.turn_no
        and s.attempt = t.attempt) as steps
  from (
    select of_reader.*, sum(bytes) over (order by turn_no) - bytes as bytes_before
    from (
      select t.*, octet_length(t.message) + coalesce((select sum(s.bytes) from agents.step s where s.tenant = t.tenant
        and s.conversation_id = t.conversation_id and s.turn_no = t.turn_no and s.attempt = t.attempt), 0) as bytes
      from agents.turn t join agents.conversation c on c.tenant = t.tenant and c.conversation_id = t.conversation_id
      where t.tenant = $1 and c.subject = $2 and c.agent_id = $3 and t.conversation_id = $4::uuid and t.turn_no >= $5
      order by t.turn_no limit $6) as of_reader
  ) as t
  where bytes_before < $7 order by t.turn_no`;

/** Of the turns of one answer, but for the last of them; a large answer is work that others of the process wait for. */
const answerBytesMax = 1024 * 1024;

export type TurnRange = { readonly fromTurn: number; readonly turnsMax: number };

/** As the contract has it; undefined when the reader has no such conversation. */
export const readConversation = async (
  pool: Pool,
  { team, subject, agentId }: ConversationOwner,
  conversationId: string,
  { fromTurn, turnsMax }: TurnRange,
): Promise<(Shape<ConversationReply> & { readonly turns: readonly Shape<Turn>[] }) | undefined> => {
  const place = [team, subject, agentId, conversationId];
  const read = { name: 'conversations_read', text: readText, values: place };
  const [conversation] = await readAsTenant<Shape<ConversationReply>>(pool, team, read);
  if (!conversation) return undefined;
  const values = [...place, fromTurn, turnsMax, answerBytesMax];
  const turns = await readAsTenant<TurnRow>(pool, team, { name: 'conversations_turns', text: turnsText, values });
  return { ...conversation, turns: turns.map(presentTurn) };
};

type TurnRow = Shape<Omit<Turn, 'steps' | 'text' | 'usage'>> & {
  readonly answer: string | null;
  readonly inputTokens: string;
  readonly outputTokens: string;
  readonly steps: readonly { readonly content: object; readonly at: string; readonly durationUs: number }[];
};

const presentTurn = (row: TurnRow): Shape<Turn> => {
  const { turn, state, stop, message, answer, structuredOutput, failure, agentVersion, model, startedAt, endedAt } =
    row;
  return {
    ...{ turn, state, message, agentVersion, model, startedAt },
    ...(stop !== null && { stop }),
    ...(answer !== null && { text: answer }),
    ...(structuredOutput !== null && { structuredOutput }),
    ...(failure !== null && { failure }),
    usage: { inputTokens: Number(row.inputTokens), outputTokens: Number(row.outputTokens) },
    ...(endedAt !== null && { endedAt }),
    steps: row.steps.map(({ content, at, durationUs }) => ({ ...content, at, durationMs: durationUs / 1000 })),
  };
};

/** Whether it was there. */
export const deleteConversation = async (
  source: DataSource,
  { team, subject, agentId }: ConversationOwner,
  conversationId: string,
): Promise<boolean> =>
  runInTenantEntityTransaction(source, team, async (manager) => {
    const { affected } = await manager.delete(Conversation, { tenant: team, subject, agentId, conversationId });
    return affected === 1;
  });

/** Whether anybody of the team has it. */
export const conversationExists = (
  { pool, source }: { readonly pool: Pool; readonly source: DataSource },
  team: string,
  conversationId: string,
): Promise<boolean> =>
  runInTenantEntityTransaction(
    source,
    team,
    (manager) => manager.existsBy(Conversation, { tenant: team, conversationId }),
    { pool },
  );

/** Forgets those of all teams whose time is over, at most so many; answers how many went. */
export const deleteExpiredConversations = async (pool: Pool, rowsMax: number): Promise<number> => {
  const { rows } = await pool.query<{ readonly gone: string }>({
    name: 'conversations_forget',
    text: 'select agents.forget_conversations($1) as gone',
    values: [rowsMax],
  });
  return Number(rows[0]?.gone ?? 0);
};

const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const isConversationId = (text: string): boolean => uuidPattern.test(text);

export const conversationNotFound = fail(
  'AGENT_CONVERSATION_NOTFOUND',
  'You have no such conversation with the agent.',
);
