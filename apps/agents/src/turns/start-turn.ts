/** Begins a turn for whichever protocol it is asked in: what can be refused is refused before the message is stored. */
import { Inject, Injectable } from '@nestjs/common';
import { succeed, type Result } from '@tessera/failures';
import type { AnnouncingContext } from '@tessera/messaging';
import { Agents } from '../agents/agents.js';
import { Models } from '../models/models.js';
import { AgentToolbox } from '../tools/agent-toolbox.js';
import type { TurnSetup } from './turn-setup.js';
import { Turns, type StartedTurn } from './turns.js';

export type AskedTurn = Pick<TurnSetup, 'message' | 'conversationId' | 'idempotencyKey' | 'earlier' | 'emit'> & {
  readonly agentId: string;
  readonly isDraft: boolean;
};

@Injectable()
export class TurnStarter {
  constructor(
    private readonly agents: Agents,
    @Inject(Models) private readonly models: Pick<Models, 'of'>,
    private readonly toolbox: AgentToolbox,
    private readonly turns: Turns,
  ) {}

  /** Failures: those of `Turns.start`; AGENT_NOTFOUND, AGENT_MODEL_UNAVAILABLE, ADMIN_ACCESS_ERROR. */
  start(asked: AskedTurn, context: AnnouncingContext): Promise<Result<StartedTurn>> {
    return this.turns.start(context.caller.team, () => this.#prepare(asked, context));
  }

  async #prepare({ agentId, isDraft, ...asked }: AskedTurn, context: AnnouncingContext): Promise<Result<TurnSetup>> {
    const { agents, models, toolbox } = this;
    const { caller, requestId, publicUrl, traceparent, deadlineMs } = context;
    const agent = await agents.find(caller.team, agentId, isDraft);
    if (!agent.ok) return agent;
    const model = models.of(caller.team, agent.value.definition.model);
    if (!model.ok) return model;
    const tools = await toolbox.of(agent.value, context);
    if (!tools.ok) return tools;
    await context.announceEffect();
    return succeed({
      ...{ agent: agent.value, model: model.value, tools: tools.value },
      frame: { caller, requestId, publicUrl, ...(traceparent !== undefined && { traceparent }) },
      waitsUntilMs: deadlineMs,
      ...asked,
    });
  }
}
