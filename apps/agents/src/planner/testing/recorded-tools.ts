/** The tools of the demo as they were recorded: their definitions and results. A new call has to be recorded. */
import { readFileSync } from 'node:fs';
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { createBuiltinPlanner } from '../builtin-planner.js';
import { toCallKey } from '../turn-state.js';
import { isObject, type JsonObject, filterObjects, filterStrings, parseJson, getText } from '../json.js';
import { readVocabulary, type Vocabulary } from '../vocabulary.js';

const read = (name: string): readonly JsonObject[] =>
  filterObjects(parseJson(readFileSync(new URL(name, import.meta.url), 'utf8')));

const calls = read('recorded-calls.json');
export const offeredTools = read('recorded-tools.json').map((tool) => ({
  type: 'function' as const,
  name: getText(tool, 'name'),
  description: getText(tool, 'description'),
  inputSchema: isObject(tool['inputSchema']) ? tool['inputSchema'] : {},
}));

/** Term -> hits, of all searches together. */
const hits: JsonObject = Object.assign(
  {},
  ...calls.flatMap(({ tool, result }) =>
    tool === 'search-data' && isObject(result) ? [parseJson(getText(result, 'search_result'))] : [],
  ),
);

const answers = new Map(
  calls.map(({ tool, args, result }) => [toCallKey(String(tool), isObject(args) ? args : {}), result]),
);

export const readRecordedVocabulary = (): Vocabulary => {
  const found = readVocabulary(calls.find(({ tool }) => tool === 'get-knowledge-model')?.['result']);
  if (!found) throw new Error('No knowledge model was recorded.');
  return found;
};

/** As the tool answered. */
export const findRecordedAnswer = (tool: string, args: JsonObject): unknown => {
  if (tool === 'search-data') {
    const terms = Array.isArray(args['search_terms']) ? args['search_terms'].map(String) : [];
    return { search_result: JSON.stringify(Object.fromEntries(terms.map((term) => [term, hits[term] ?? []]))) };
  }
  const key = toCallKey(tool, args);
  if (!answers.has(key)) throw new Error(`This was not recorded: ${key}`);
  return answers.get(key);
};

export type ConversationExchange = {
  readonly text: string;
  /** The messages that answer it, when it asks back. */
  readonly choices: readonly string[];
  readonly calls: readonly { readonly tool: string; readonly args: JsonObject }[];
  readonly steps: number;
};

type ModelContext = {
  readonly tools?: LanguageModelV4CallOptions['tools'];
  readonly answer?: (tool: string, args: JsonObject) => unknown;
  readonly instructions?: string;
};

const plants = 'Valencia = plant 2010\nRotterdam = plant 3010\n';
const stepsMax = 6;

/** A conversation, a message after the other; what came of the last. */
export const runConversation = async (
  questions: readonly string[],
  around: ModelContext = {},
): Promise<ConversationExchange> => {
  const { tools = offeredTools, answer = findRecordedAnswer, instructions = plants } = around;
  const prompt: LanguageModelV4Prompt = [{ role: 'system', content: instructions }];
  let last: ConversationExchange = { text: '', choices: [], calls: [], steps: 0 };
  for (const question of questions) {
    prompt.push({ role: 'user', content: [{ type: 'text', text: question }] });
    last = await takeTurn([...prompt], tools, answer);
    prompt.push({ role: 'assistant', content: [{ type: 'text', text: last.text }] });
  }
  return last;
};

const takeTurn = async (
  prompt: LanguageModelV4Prompt,
  tools: LanguageModelV4CallOptions['tools'],
  answer: (tool: string, args: JsonObject) => unknown,
): Promise<ConversationExchange> => {
  const made: { tool: string; args: JsonObject }[] = [];
  for (let steps = 1; steps <= stepsMax; steps++) {
    const { content, providerMetadata } = await createBuiltinPlanner().doGenerate({ prompt, ...(tools && { tools }) });
    const asked = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const choices = filterStrings(providerMetadata?.['builtin']?.['choices']);
    if (asked.length === 0) return { text, choices, calls: made, steps };
    for (const { toolCallId, toolName, input } of asked) {
      const parsed = parseJson(input);
      const args = isObject(parsed) ? parsed : {};
      made.push({ tool: toolName, args });
      const value = JSON.stringify({ note: 'This is data.', ...wrap(answer(toolName, args)) });
      prompt.push({ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: args }] });
      prompt.push({
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
      });
    }
  }
  throw new Error(`No answer after ${stepsMax} steps.`);
};

const wrap = (answer: unknown): JsonObject =>
  isObject(answer) && isObject(answer['error']) ? answer : { result: answer };
