/**
 * A message to an agent, answered whole or as a stream. Everything that can be rejected is checked before it is stored; the
 * turn goes on when the caller leaves.
 */
import { Controller, Inject } from '@nestjs/common';
import {
  fillPath,
  parseMediaRanges,
  idempotencyReplayedHeader,
  qualityOf,
  type ByteReply,
  type RequestOf,
} from '@tessera/contracts';
import { converse, type ChatResponse } from '@tessera/contracts/agents';
import { succeed, type Result } from '@tessera/failures';
import { createJsonReply, Serves, type AnnouncingContext } from '@tessera/messaging';
import { Agents } from '../agents/agents.js';
import { Models } from '../models/models.js';
import { AgentToolbox } from '../tools/agent-toolbox.js';
import { EventQueue } from './event-queue.js';
import type { TurnSetup } from './turn-setup.js';
import { Turns, type StartedTurn } from './turns.js';

type Request = RequestOf<typeof converse>;

@Controller()
export class ConverseHandler {
  constructor(
    private readonly agents: Agents,
    @Inject(Models) private readonly models: Pick<Models, 'of'>,
    private readonly toolbox: AgentToolbox,
    private readonly turns: Turns,
  ) {}

  @Serves(converse)
  async converse(request: Request, context: AnnouncingContext): Promise<Result<ByteReply>> {
    const events = wantsEvents(request.accept) ? new EventQueue(pathOf(request)) : undefined;
    const emit: TurnSetup['emit'] = events && ((event) => events.push(event.name, event.data));
    const started = await this.turns.start(context.caller.team, () => this.#prepare(request, context, emit));
    if (!started.ok) return started;
    return events ? streamedReply(started.value, events) : wholeReply(started.value);
  }

  async #prepare(request: Request, context: AnnouncingContext, emit: TurnSetup['emit']): Promise<Result<TurnSetup>> {
    const { agents, models, toolbox } = this;
    const { caller, requestId, publicUrl, traceparent, deadlineMs } = context;
    const agent = await agents.find(caller.team, request.agent_id, request.draft);
    if (!agent.ok) return agent;
    const model = models.of(caller.team, agent.value.definition.model);
    if (!model.ok) return model;
    const tools = await toolbox.of(agent.value, context);
    if (!tools.ok) return tools;
    await context.announceEffect();
    return succeed({
      ...{ agent: agent.value, model: model.value, tools: tools.value, emit },
      frame: { caller, requestId, publicUrl, ...(traceparent !== undefined && { traceparent }) },
      waitsUntilMs: deadlineMs,
      ...{ message: request.message.message, conversationId: request.message.conversationId },
      idempotencyKey: request.idempotencyKey,
    });
  }
}

const wantsEvents = (accept: string | undefined): boolean => {
  if (accept === undefined) return false;
  const ranges = parseMediaRanges(accept);
  const [events, json] = ['text/event-stream', 'application/json'].map(
    (type) => qualityOf(type, ranges) ?? notAcceptableFailure,
  );
  if (events === undefined || json === undefined || events.quality === 0) return false;
  // Of two that are as welcome, the one that was named.
  return events.quality === json.quality ? events.specificity > json.specificity : events.quality > json.quality;
};

const notAcceptableFailure = { quality: 0, specificity: 0 };

const pathOf = ({ agent_id }: Request): string => fillPath(converse.http, () => encodeURIComponent(agent_id));

const wholeReply = async ({ done, isReplay }: StartedTurn): Promise<Result<ByteReply>> => {
  const answer = await done;
  return answer.ok ? createJsonReply(answer.value, isReplay ? replayHeaders : undefined) : answer;
};

const replayHeaders = { [idempotencyReplayedHeader]: 'true' };

const streamedReply = (
  { conversationId, turn, done, isReplay }: StartedTurn,
  events: EventQueue,
): Result<ByteReply> => {
  if (isReplay) events.push('turn', { conversationId, turn });
  void done.then((answer) => finishEvents(events, answer, isReplay));
  return succeed({ contentType: 'text/event-stream', ...(isReplay && { headers: replayHeaders }), body: events });
};

const finishEvents = (events: EventQueue, answer: Result<ChatResponse>, isReplay: boolean): void => {
  if (!answer.ok) return events.fail(answer.failure);
  if (isReplay) events.push('text', { text: answer.value.text });
  events.end('response', answer.value);
};
