/**
 * Agents of the specs: on real NATS, they tell what they were asked, and a turn goes as its message says.
 */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import * as agents from '@tessera/contracts/agents';
import { converse, executeTool, turnEvents } from '@tessera/contracts/agents';
import { fail, succeed, type Failure, type Result } from '@tessera/failures';
import { createJsonReply, Serves, type AnnouncingContext } from '@tessera/messaging';
import { findOperations } from '@tessera/testing';
import { startTestService, createEchoReply, createEchoController, type TestService } from './echo-service.js';

/** What a turn that is held waits for, how many have begun, and how many readers of streams have left. */
export const stubTurnState = { next: Promise.resolve(), begun: 0, left: 0 };

const failures: Readonly<Record<string, Failure>> = {
  busy: fail('AGENT_CONVERSATION_BUSY', 'The message before is still being answered.', { retryAfterSeconds: 2 })
    .failure,
  foreign: fail('AGENT_CONVERSATION_NOTFOUND', 'There is no such conversation.').failure,
  away: fail('AGENT_MODEL_UNAVAILABLE', 'The language model does not answer.', { retryAfterSeconds: 5 }).failure,
  another: fail('GENERAL_IDEMPOTENCY_MISMATCH', 'The key was sent with another message.').failure,
  running: fail('GENERAL_IDEMPOTENCY_RUNNING', 'The message is being answered.', { retryAfterSeconds: 1 }).failure,
  strict: fail('AGENT_ARGUMENTS_INVALID', 'Two arguments do not fit.', {
    faults: [
      { in: 'body', path: 'columns.1', message: 'is not known', rule: 'enum', suggestion: 'AMOUNT' },
      { in: 'body', path: '', message: 'pageSize is missing', rule: 'required' },
    ],
  }).failure,
  unknown: fail('AGENT_TOOL_NOTFOUND', 'There is no tool unknown. Did you mean load-data?').failure,
  garbled: fail('TOOL_RESULT_INVALID', 'What the tool answered does not fit its output schema.').failure,
  crowded: fail('LIMIT_ASSET_EXCEEDED', 'The asset takes 500 calls a minute.', { retryAfterSeconds: 7 }).failure,
  failing: fail('TOOL_FAILED', 'The other side answered 500.').failure,
};

const answer = { conversationId: 'c-1', text: 'Twelve.' };

const event = (name: string, data: object): Uint8Array =>
  Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

const streamedTurn = async function* (message: string) {
  try {
    yield event(turnEvents.turn, { conversationId: answer.conversationId, turn: 1 });
    await stubTurnState.next;
    if (message === 'tear') yield Buffer.from('event: text\ndata: {"text":"Twe');
    if (message !== 'hold') throw new Error('the lease of agents.turn is lost');
    yield event(turnEvents.text, { text: answer.text });
    yield event(turnEvents.response, answer);
  } finally {
    stubTurnState.left++;
  }
};

@Controller()
class StubAgentsController {
  /** The messages `hold`, `break` and `tear` wait; with events of the turn where they are accepted. */
  @Serves(converse)
  async converse(request: RequestOf<typeof converse>, context: AnnouncingContext): Promise<Result<ByteReply>> {
    const { message } = request.message;
    const failure = failures[message];
    if (failure) return { ok: false, failure };
    if (!['hold', 'break', 'tear'].includes(message))
      return createEchoReply('converse', request, context, {}, 'AGENT_NOTFOUND');
    await context.announceEffect();
    stubTurnState.begun++;
    if (request.accept?.includes('text/event-stream'))
      return succeed({ contentType: 'text/event-stream', body: streamedTurn(message) });
    await stubTurnState.next;
    return createJsonReply(answer);
  }

  /** The tool `hold` waits, too. */
  @Serves(executeTool)
  async executeTool(request: RequestOf<typeof executeTool>, context: AnnouncingContext): Promise<Result<ByteReply>> {
    const failure = failures[request.tool_id];
    if (failure) return { ok: false, failure };
    if (request.tool_id === 'hold') await stubTurnState.next;
    return createEchoReply('executeTool', request, context, {}, 'AGENT_NOTFOUND');
  }
}

const stubbedOperations: readonly object[] = [converse, executeTool];

export const startStubAgents = (url: string): Promise<TestService> =>
  startTestService(url, 'agents', [
    StubAgentsController,
    createEchoController(
      findOperations(agents, 'C').filter((declared) => !stubbedOperations.includes(declared)),
      'AGENT_NOTFOUND',
    ),
    createEchoController(findOperations(agents, 'admin'), 'GENERAL_NOTFOUND'),
  ]);
