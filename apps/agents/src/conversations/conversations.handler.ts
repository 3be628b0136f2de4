/**
 * Lists, reads and deletes the conversations of a subject, which outlive their agent. Never tells a conversation of somebody
 * else from one that does not exist.
 */
import { Controller } from '@nestjs/common';
import type { Caller, ReplyOf, RequestOf } from '@tessera/contracts';
import { deleteConversation, listConversations, readConversation } from '@tessera/contracts/agents';
import { succeed, type Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { DataSource } from 'typeorm';
import { Agents } from '../agents/agents.js';
import { Pools } from '../database.module.js';
import { Turns } from '../turns/turns.js';
import { isConversationId, conversationNotFound } from './conversations.repository.js';
import * as rows from './conversations.repository.js';

@Controller()
export class ConversationsHandler {
  constructor(
    private readonly pools: Pools,
    private readonly source: DataSource,
    private readonly agents: Agents,
    private readonly turns: Turns,
  ) {}

  @Serves(listConversations)
  async list(
    { agent_id, pageSize, after }: RequestOf<typeof listConversations>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof listConversations>>> {
    return mapDatabaseErrors(async () => {
      const reader = conversationReader(caller, agent_id);
      // One more than a page tells whether there is another.
      const found = reader && (await rows.listConversations(this.pools.conversations, reader, after, pageSize + 1));
      if (!found || (found.length === 0 && after === undefined)) return this.#nothing(caller, agent_id);
      const { conversations } = listConversations.reply.parse({ conversations: found.slice(0, pageSize) });
      const next = found.length > pageSize ? conversations.at(-1)?.conversationId : undefined;
      return succeed({ conversations, ...(next !== undefined && { next }) });
    });
  }

  @Serves(readConversation)
  async read(
    { agent_id, conversation_id, fromTurn, turnsMax }: RequestOf<typeof readConversation>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof readConversation>>> {
    const reader = conversationReader(caller, agent_id);
    if (!reader || !isConversationId(conversation_id)) return conversationNotFound;
    return mapDatabaseErrors(async () => {
      const range = { fromTurn, turnsMax };
      const found = await rows.readConversation(this.pools.conversations, reader, conversation_id, range);
      return found ? succeed(readConversation.reply.parse(found)) : conversationNotFound;
    });
  }

  @Serves(deleteConversation)
  async delete(
    { agent_id, conversation_id }: RequestOf<typeof deleteConversation>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof deleteConversation>>> {
    const reader = conversationReader(caller, agent_id);
    if (!reader || !isConversationId(conversation_id)) return conversationNotFound;
    return mapDatabaseErrors(async () => {
      const wasThere = await rows.deleteConversation(this.source, reader, conversation_id);
      if (!wasThere) return conversationNotFound;
      this.turns.lose(conversation_id);
      return succeed({ deleted: conversation_id });
    });
  }

  /** An agent with whom nobody could talk is not there; one that is gone has conversations, or none of this caller's. */
  async #nothing({ team }: Caller, agentId: string): Promise<Result<ReplyOf<typeof listConversations>>> {
    const agent = await this.agents.find(team, agentId, false);
    const draft = agent.ok ? agent : await this.agents.find(team, agentId, true);
    if (draft.ok || draft.failure.code !== 'AGENT_NOTFOUND') return draft.ok ? succeed({ conversations: [] }) : draft;
    return agent.ok ? draft : agent;
  }
}

/** Undefined for an id that cannot be stored, so that there is nothing of it. */
const conversationReader = ({ team, subject }: Caller, agentId: string): rows.ConversationOwner | undefined =>
  agentId.includes('\u0000') ? undefined : { team, subject, agentId };
