/**
 * The builtin planner: a language model made of rules. It needs no network and is deterministic; see docs/agents.md. Never
 * states a figure that no tool returned.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { NextStep } from './turn-state.js';
import { fillSchema } from './fill-schema.js';
import { readPrompt } from './read-prompt.js';
import { decideNextStep } from './next-step.js';

export const createBuiltinPlanner = (): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'builtin',
  modelId: 'planner',
  supportedUrls: {},
  doGenerate: async (options) => generateAnswer(options),
  doStream: async (options) => ({ stream: streamOf(generateAnswer(options)) }),
});

const generateAnswer = (options: LanguageModelV4CallOptions): LanguageModelV4GenerateResult => {
  const context = readPrompt(options);
  const asksForm = options.responseFormat?.type === 'json';
  const step = decideNextStep(asksForm ? { ...context, mayCall: false } : context);
  const schema = options.responseFormat?.type === 'json' ? options.responseFormat.schema : undefined;
  const content = contentOf(step, context.calls.length, asksForm ? { schema } : undefined);
  const choices = step.kind === 'answer' && !asksForm ? step.answer.choices : undefined;
  return {
    content,
    ...(choices && { providerMetadata: { builtin: { choices: [...choices] } } }),
    finishReason: { unified: step.kind === 'calls' ? 'tool-calls' : 'stop', raw: undefined },
    usage: usageOf(options, content),
    warnings: [],
  };
};

type Form = { readonly schema: unknown };

const contentOf = (step: NextStep, callsBefore: number, form: Form | undefined): LanguageModelV4Content[] => {
  switch (step.kind) {
    case 'calls':
      return step.calls.map(({ tool, args }, place) => ({
        type: 'tool-call',
        toolCallId: `call-${callsBefore + place + 1}`,
        toolName: tool,
        input: JSON.stringify(args),
      }));
    case 'answer': {
      const { answer } = step;
      return [{ type: 'text', text: form ? JSON.stringify(fillSchema(answer, form.schema)) : answer.text }];
    }
  }
};

/** Rules read no tokens; a third of the characters is what a model would have read and written. */
const usageOf = (
  { prompt }: LanguageModelV4CallOptions,
  content: readonly LanguageModelV4Content[],
): LanguageModelV4GenerateResult['usage'] => {
  const tokens = (json: string): number => Math.ceil(json.length / 3);
  const written = tokens(JSON.stringify(content));
  // Results of tools are JSON themselves.
  const read = tokens(JSON.stringify(prompt).replaceAll('\\"', '"'));
  return {
    inputTokens: { total: read, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: written, text: written, reasoning: undefined },
  };
};

/** Text comes word by word. */
const streamOf = ({
  content,
  finishReason,
  usage,
  providerMetadata,
}: LanguageModelV4GenerateResult): ReadableStream<LanguageModelV4StreamPart> =>
  ReadableStream.from<LanguageModelV4StreamPart>([
    { type: 'stream-start', warnings: [] },
    ...content.flatMap((part, place) => partsOf(part, `text-${place + 1}`)),
    { type: 'finish', usage, finishReason, ...(providerMetadata && { providerMetadata }) },
  ]);

const partsOf = (part: LanguageModelV4Content, id: string): readonly LanguageModelV4StreamPart[] => {
  if (part.type === 'tool-call') return [part];
  if (part.type !== 'text') return [];
  const pieces = part.text.match(/\S+\s*|\s+/g) ?? [];
  return [
    { type: 'text-start', id },
    ...pieces.map((delta) => ({ type: 'text-delta', id, delta }) as const),
    { type: 'text-end', id },
  ];
};
