/**
 * A message to an agent, answered whole or as a stream. Everything that can be rejected is checked before it is stored; the
 * turn goes on when the caller leaves.
 */
import { Controller } from '@nestjs/common';
import {
  fillPath,
  parseMediaRanges,
  evidencePreference,
  idempotencyReplayedHeader,
  preferenceAppliedHeader,
  prefersEvidence,
  qualityOf,
  type ByteReply,
  type RequestOf,
} from '@tessera/contracts';
import { converse, type ChatResponse } from '@tessera/contracts/agents';
import { succeed, type Result } from '@tessera/failures';
import { createJsonReply, Serves, type AnnouncingContext } from '@tessera/messaging';
import { EventQueue, formatTurnEvent, formatTurnFailure } from './event-queue.js';
import { TurnStarter } from './start-turn.js';
import { isTold, type AnsweredTurn } from './turn.js';
import type { StartedTurn } from './turns.js';

type Request = RequestOf<typeof converse>;

@Controller()
export class ConverseHandler {
  constructor(private readonly starter: TurnStarter) {}

  @Serves(converse)
  async converse(request: Request, context: AnnouncingContext): Promise<Result<ByteReply>> {
    const { agent_id: agentId, draft: isDraft, message, idempotencyKey } = request;
    const events = wantsEvents(request.accept) ? new EventQueue(formatTurnFailure(pathOf(request))) : undefined;
    const started = await this.starter.start(
      {
        ...{ agentId, isDraft, idempotencyKey, ...message, conversationId: message.conversationId },
        emit: events && (({ name, data }) => events.push(formatTurnEvent(name, data))),
      },
      context,
    );
    if (!started.ok) return started;
    const present = presenterFor(request);
    const headers = replyHeaders(started.value, request.prefer);
    return events
      ? streamedReply(started.value, events, { present, headers })
      : wholeReply(started.value, { present, headers });
  }
}

type Present = (answered: AnsweredTurn) => ChatResponse;
type Presentation = { readonly present: Present; readonly headers: ReturnType<typeof replyHeaders> };

/** What the answer to a message has among its headers; undefined for nothing. */
export const replyHeaders = ({ isReplay }: StartedTurn, prefer: string | undefined) => {
  const headers = {
    ...(isReplay && { [idempotencyReplayedHeader]: 'true' }),
    ...(prefersEvidence(prefer) && { [preferenceAppliedHeader]: evidencePreference }),
  };
  return Object.keys(headers).length > 0 ? headers : undefined;
};

const presenterFor =
  ({ prefer }: Request): Present =>
  ({ conversationId, text, structuredOutput, structuredOutputFault, grounding }) => ({
    ...{ conversationId, text },
    ...(structuredOutput && { structuredOutput }),
    ...(structuredOutputFault !== undefined && { structuredOutputFault }),
    ...(prefersEvidence(prefer) && { grounding }),
  });

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

const wholeReply = async ({ done }: StartedTurn, { present, headers }: Presentation): Promise<Result<ByteReply>> => {
  const answer = await done;
  return answer.ok ? createJsonReply(present(answer.value), headers) : answer;
};

const streamedReply = (
  { conversationId, turn, done, isReplay }: StartedTurn,
  events: EventQueue,
  { present, headers }: Presentation,
): Result<ByteReply> => {
  if (isReplay) events.push(formatTurnEvent('turn', { conversationId, turn }));
  void done.then((answer) => {
    if (!answer.ok) return events.fail(answer.failure);
    if (isReplay) events.push(replayEvents(answer.value));
    return events.end(formatTurnEvent('response', present(answer.value)));
  });
  return succeed({ contentType: 'text/event-stream', ...(headers && { headers }), body: events });
};

const replayEvents = ({ text, grounding }: AnsweredTurn): string =>
  formatTurnEvent('text', { text }) + (isTold(grounding) ? formatTurnEvent('grounding', grounding) : '');
