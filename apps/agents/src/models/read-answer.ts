/** Reads the answer of a model, whole or streamed: secrets masked, text storable, call ids unique. Reasoning is not kept. */
import { randomUUID } from 'node:crypto';
import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { SecretMask } from '@tessera/service-kit';
import type { ModelAnswer, ModelToolCall } from './model.js';
import { OutageError, toOutage } from './outage.js';

export type AnswerReadOptions = {
  readonly mask: SecretMask;
  /** Ids of calls that the conversation has already. */
  readonly knownIds: Iterable<string>;
};

export type ParsedAnswer = ModelAnswer & {
  /** Some endpoints count nothing; then the usage is 0. */
  readonly isCounted: boolean;
};

/** No model wants so many at once; reading them takes the square of their number. */
const callsMax = 256;

const countCall = (before: number): number => {
  if (before >= callsMax) throw new OutageError({ kind: 'too-large' });
  return before + 1;
};

export const readWholeAnswer = (result: LanguageModelV4GenerateResult, reading: AnswerReadOptions): ParsedAnswer => {
  const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return answerOf({ ...result, text: sanitizeText(reading.mask.text(text)) }, reading);
};

/** Tells each piece as soon as it cannot be the beginning of a secret. */
export const readStreamedAnswer = async (
  stream: ReadableStream<LanguageModelV4StreamPart>,
  reading: AnswerReadOptions,
  onText: (text: string) => void,
): Promise<ParsedAnswer> => {
  const content: LanguageModelV4Content[] = [];
  const text = textInPieces(reading.mask, onText);
  let begun = 0;
  let end: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined;
  for await (const part of stream) {
    if (part.type === 'text-delta') text.push(part.delta);
    else if (part.type === 'tool-input-start') begun = countCall(begun);
    else if (part.type === 'tool-call') content.push(part);
    else if (part.type === 'finish') end = part;
    else if (part.type === 'error')
      throw new OutageError(part.error instanceof Error ? toOutage(part.error) : { kind: 'broken' });
  }
  if (end === undefined) throw new OutageError({ kind: 'broken-off' });
  return answerOf({ ...end, content, text: text.end() }, reading);
};

const textInPieces = (mask: SecretMask, onText: (text: string) => void) => {
  let [whole, held] = ['', ''];
  const emit = (given: string): void => {
    const text = sanitizeText(given);
    if (text === '') return;
    whole += text;
    onText(text);
  };
  return {
    push: (piece: string): void => {
      const text = mask.text(held + piece);
      const isHalf = /[\uD800-\uDBFF]$/.test(text);
      const closed = text.length - Math.max(mask.openEnd(text), isHalf ? 1 : 0);
      held = text.slice(closed);
      emit(text.slice(0, closed));
    },
    end: (): string => {
      emit(held);
      return whole;
    },
  };
};

/** Half a character and the character of code 0 can be stored nowhere. */
const sanitizeText = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD');

type GeneratedAnswer = {
  readonly text: string;
  readonly content: readonly LanguageModelV4Content[];
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
  readonly providerMetadata?: SharedV4ProviderMetadata;
};

const answerOf = (
  { text, content, finishReason, usage, providerMetadata }: GeneratedAnswer,
  reading: AnswerReadOptions,
): ParsedAnswer => {
  const calls = callsOf(content, reading);
  const choices = choicesIn(providerMetadata, reading);
  const { inputTokens, outputTokens } = usage;
  return {
    ...{ text, calls, finish: finishOf(finishReason.unified, text, calls.length > 0) },
    ...(choices.length > 0 && { choices }),
    usage: { inputTokens: countOf(inputTokens.total), outputTokens: countOf(outputTokens.total) },
    isCounted: inputTokens.total !== undefined || outputTokens.total !== undefined,
  };
};

const choicesIn = (metadata: SharedV4ProviderMetadata | undefined, { mask }: AnswerReadOptions): readonly string[] => {
  const choices = metadata?.['builtin']?.['choices'];
  return Array.isArray(choices)
    ? choices.flatMap((choice) => (typeof choice === 'string' ? [sanitizeText(mask.text(choice))] : []))
    : [];
};

const countOf = (total = 0): number => (Number.isSafeInteger(total) && total > 0 ? total : 0);

/** Endpoints say `stop` beside calls, and the other way round; what there is decides. */
const finishOf = (
  unified: LanguageModelV4FinishReason['unified'],
  text: string,
  hasCalls: boolean,
): ModelAnswer['finish'] => {
  if (unified === 'length' || unified === 'content-filter') return unified;
  const isKnown = unified === 'stop' || unified === 'tool-calls';
  if (!isKnown) throw new OutageError({ kind: unified === 'interrupted' ? 'broken-off' : 'nonsense' });
  if (hasCalls) return 'tool-calls';
  if (text.trim() === '') throw new OutageError({ kind: 'nonsense' });
  return 'stop';
};

const callsOf = (
  content: readonly LanguageModelV4Content[],
  { mask, knownIds }: AnswerReadOptions,
): readonly ModelToolCall[] => {
  const taken = new Set(knownIds);
  const calls = content.flatMap((part) => (part.type === 'tool-call' && !part.providerExecuted ? [part] : []));
  calls.reduce(countCall, 0);
  return calls.map((part) => {
    const tool = sanitizeText(mask.text(part.toolName)).trim();
    if (tool === '') throw new OutageError({ kind: 'nonsense' });
    const isUsable = /^[A-Za-z0-9_-]{1,100}$/.test(part.toolCallId) && mask.text(part.toolCallId) === part.toolCallId;
    const callId = isUsable && !taken.has(part.toolCallId) ? part.toolCallId : `call_${randomUUID()}`;
    taken.add(callId);
    return { callId, tool, arguments: sanitizeText(mask.text(part.input)) };
  });
};
