/** An agent for clients of the chat completions protocol: the same turns, worded in that protocol. */
import { Controller } from '@nestjs/common';
import { prefersEvidence, type ByteReply, type ReplyOf, type RequestOf } from '@tessera/contracts';
import {
  completeChat,
  type finishReasons,
  listCompletionModels,
  readCompletionModel,
  type ChatCompletion,
  type CompletionExtras,
  type TurnStop,
} from '@tessera/contracts/agents';
import { succeed, toCompletionErrorEvent, type Result } from '@tessera/failures';
import { createJsonReply, Serves, type AnnouncingContext, type OperationContext } from '@tessera/messaging';
import { Agents } from '../agents/agents.js';
import { replyHeaders } from './converse.handler.js';
import { EventQueue } from './event-queue.js';
import { noSuchModel, readCompletion } from './read-completion.js';
import { TurnStarter } from './start-turn.js';
import type { AnsweredTurn, TurnEvent } from './turn.js';
import type { StartedTurn } from './turns.js';

type Request = RequestOf<typeof completeChat>;

@Controller()
export class CompleteChatHandler {
  constructor(
    private readonly agents: Agents,
    private readonly starter: TurnStarter,
  ) {}

  @Serves(completeChat)
  async complete(request: Request, context: AnnouncingContext): Promise<Result<ByteReply>> {
    const { agent_id: agentId, draft: isDraft, idempotencyKey, completion } = request;
    const question = readCompletion(request);
    if (!question.ok) return question;
    const { ignored, ...asked } = question.value;
    const wording = new CompletionWording(agentId, request, ignored);
    const events = completion.stream === true ? new EventQueue(toCompletionErrorEvent) : undefined;
    const emit = events && ((event: TurnEvent) => events.push(wording.chunksOf(event)));
    const started = await this.starter.start({ ...asked, agentId, isDraft, idempotencyKey, emit }, context);
    if (!started.ok) return started;
    const headers = replyHeaders(started.value, request.prefer);
    const reply = events ? streamedReply(started.value, events, wording) : await wholeReply(started.value, wording);
    return reply.ok && headers ? succeed({ ...reply.value, headers }) : reply;
  }

  @Serves(listCompletionModels)
  async listModels(
    { agent_id, draft }: RequestOf<typeof listCompletionModels>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof listCompletionModels>>> {
    const agent = await this.agents.find(caller.team, agent_id, draft);
    return agent.ok ? succeed({ object: 'list', data: [modelOf(agent.value, caller)] }) : agent;
  }

  @Serves(readCompletionModel)
  async readModel(
    { agent_id, model_id, draft }: RequestOf<typeof readCompletionModel>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof readCompletionModel>>> {
    const agent = await this.agents.find(caller.team, agent_id, draft);
    if (!agent.ok) return agent;
    return model_id === agent.value.agentId ? succeed(modelOf(agent.value, caller)) : noSuchModel(agent.value.agentId);
  }
}

const modelOf = ({ agentId }: { readonly agentId: string }, { team }: OperationContext['caller']) =>
  ({ id: agentId, object: 'model', created: 0, owned_by: team }) as const;

const wholeReply = async ({ done }: StartedTurn, wording: CompletionWording): Promise<Result<ByteReply>> => {
  const answer = await done;
  return answer.ok ? createJsonReply(wording.document(answer.value)) : answer;
};

const streamedReply = (
  { conversationId, turn, done, isReplay }: StartedTurn,
  events: EventQueue,
  wording: CompletionWording,
): Result<ByteReply> => {
  const replayed = (event: TurnEvent): void => events.push(wording.chunksOf(event));
  if (isReplay) replayed({ name: 'turn', data: { conversationId, turn } });
  void done.then((answer) => {
    if (!answer.ok) return events.fail(answer.failure);
    if (isReplay) replayed({ name: 'text', data: { text: answer.value.text } });
    return events.end(wording.lastChunks(answer.value));
  });
  return succeed({ contentType: 'text/event-stream', body: events });
};

type FinishReason = (typeof finishReasons)[number];

/** One answer in the words of the protocol, as a document or in pieces. */
class CompletionWording {
  readonly #created = Math.floor(Date.now() / 1000);
  #id = '';
  #isAfterCalls = false;
  #hasText = false;

  constructor(
    private readonly model: string,
    private readonly request: Pick<Request, 'completion' | 'prefer'>,
    private readonly ignored: readonly string[],
  ) {}

  document(answered: AnsweredTurn): ChatCompletion {
    const extras = this.#extrasOf(answered);
    const message = { role: 'assistant', content: answered.text, refusal: null } as const;
    return {
      ...{ id: idOf(answered), object: 'chat.completion', created: this.#created, model: this.model },
      choices: [{ index: 0, message, finish_reason: finishReasonOf(answered), logprobs: null }],
      ...{ usage: usageOf(answered), metadata: metadataOf(answered) },
      ...(extras && { tessera: extras }),
    };
  }

  /** What was said before a call of a tool and what is said after it are paragraphs. Calls are the agent's own affair. */
  chunksOf(event: TurnEvent): string {
    switch (event.name) {
      case 'turn':
        this.#id = idOf(event.data);
        return this.#chunk({ role: 'assistant', content: '', refusal: null }, { metadata: metadataOf(event.data) });
      case 'text': {
        const gap = this.#isAfterCalls && this.#hasText ? '\n\n' : '';
        [this.#isAfterCalls, this.#hasText] = [false, true];
        return this.#chunk({ content: `${gap}${event.data.text}` });
      }
      case 'toolCall':
        this.#isAfterCalls = true;
        return '';
      case 'toolResult':
      case 'grounding':
        return '';
    }
  }

  lastChunks(answered: AnsweredTurn): string {
    const extras = this.#extrasOf(answered);
    const last = { metadata: metadataOf(answered), ...(extras && { tessera: extras }) };
    const usage = { choices: [], usage: usageOf(answered) };
    return [
      this.#chunk({}, last, finishReasonOf(answered)),
      this.request.completion.stream_options?.include_usage === true ? dataEvent({ ...this.#head(), ...usage }) : '',
      'data: [DONE]\n\n',
    ].join('');
  }

  #head() {
    return { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.model };
  }

  #chunk(delta: object, more: object = {}, finish_reason: FinishReason | null = null): string {
    return dataEvent({ ...this.#head(), choices: [{ index: 0, delta, finish_reason, logprobs: null }], ...more });
  }

  #extrasOf({ structuredOutput, structuredOutputFault, grounding }: AnsweredTurn): CompletionExtras | undefined {
    const extras: CompletionExtras = {
      ...(structuredOutput && { structuredOutput }),
      ...(structuredOutputFault !== undefined && { structuredOutputFault }),
      ...(prefersEvidence(this.request.prefer) && { grounding }),
      ...(this.ignored.length > 0 && { ignored: [...this.ignored] }),
    };
    return Object.keys(extras).length > 0 ? extras : undefined;
  }
}

const dataEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

type Place = Pick<AnsweredTurn, 'conversationId' | 'turn'>;

const idOf = ({ conversationId, turn }: Place): string => `chatcmpl-${conversationId}-${turn}`;

const metadataOf = ({ conversationId, turn }: Place) => ({ conversation_id: conversationId, turn: String(turn) });

const usageOf = ({ usage: { inputTokens, outputTokens } }: AnsweredTurn): ChatCompletion['usage'] => ({
  ...{ prompt_tokens: inputTokens, completion_tokens: outputTokens },
  total_tokens: inputTokens + outputTokens,
});

const finishReasonByStop: Readonly<Record<TurnStop, FinishReason>> = {
  answered: 'stop',
  'content-filter': 'content_filter',
  ...{ steps: 'length', tokens: 'length', seconds: 'length', length: 'length' },
  ...{ 'repeated-call': 'length', 'unknown-tools': 'length' },
};

const finishReasonOf = ({ stop, grounding }: AnsweredTurn): FinishReason =>
  grounding.outcome === 'refused' ? 'content_filter' : finishReasonByStop[stop];
