import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { describe, expect, it } from '@jest/globals';
import { createBuiltinPlanner } from './builtin-planner.js';
import { maxQuestionCharacters } from './question-limits.js';

const tool = (name: string, ...members: readonly string[]): LanguageModelV4FunctionTool => ({
  ...{ type: 'function', name, description: name },
  inputSchema: { type: 'object', properties: Object.fromEntries(members.map((member) => [member, {}])) },
});
const tools = [
  tool('get-model'),
  tool('search-data', 'search_terms', 'user_query'),
  tool('load-data', 'columns', 'applied_filters'),
];

const syllables = ['supplier', 'invoice', 'plant', 'rate', 'value', 'count', 'order', 'payment', 'delay', 'region'];
const nameOf = (index: number): string =>
  [index, Math.floor(index / 10), Math.floor(index / 100)].map((at) => syllables[at % 10]).join(' ');
const entry = (prefix: string, index: number) => ({ id: `${prefix}_${index}`, name: nameOf(index), type: 'string' });
const entries = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => entry(prefix, index));
/** As large as a result may be by the standard of an agent. */
const model = {
  name: 'fixture',
  kpis: entries('KPI', 100).map((kpi) => ({ ...kpi, records: ['R'], direction: 'Up' })),
  records: [{ id: 'R', name: 'Row', identifier: [], fields: entries('R.F', 700) }],
  filters: entries('FILTER', 50),
};
const hits = {
  search_result: JSON.stringify({
    term: Array.from({ length: 200 }, (_, index) => ({
      ...{ id: `R.F_${index}`, display_name: nameOf(index), record_display_name: 'Row', column_type: 'STRING' },
      entity_type: 'Value',
    })),
  }),
};
const results: Readonly<Record<string, unknown>> = { 'get-model': model, 'search-data': hits };

type Told = { readonly text: string; readonly calls: readonly LanguageModelV4ToolCall[] };

/** Asks until there is an answer, as a turn does. */
const ask = async (question: string, instructions = '', earlier: readonly string[] = []): Promise<Told> => {
  const planner = createBuiltinPlanner();
  const text = (given: string) => [{ type: 'text', text: given } as const];
  const before = earlier.flatMap((each) => [
    { role: 'user', content: text(each) } as const,
    { role: 'assistant', content: text('I see.') } as const,
  ]);
  const said: LanguageModelV4Message[] = [];
  const made: LanguageModelV4ToolCall[] = [];
  for (let step = 0; step < 8; step++) {
    const prompt = [{ role: 'system', content: instructions } as const, ...before];
    const { content } = await planner.doGenerate({
      prompt: [...prompt, { role: 'user', content: text(question) }, ...said],
      ...{ tools, toolChoice: { type: 'auto' } },
    });
    const calls = content.filter((part) => part.type === 'tool-call');
    if (calls.length === 0)
      return { calls: made, text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('') };
    made.push(...calls);
    for (const { toolCallId, toolName, input } of calls) {
      const output = { type: 'text', value: JSON.stringify({ result: results[toolName] ?? { data: [] } }) } as const;
      said.push(
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: JSON.parse(input) }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
      );
    }
  }
  return { calls: made, text: '' };
};

const repeated = (piece: string, length = maxQuestionCharacters): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Seconds of work. */
const workOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000_000;
};

/** It was up to minutes of work; a slow machine has a tenth of that. */
const secondsMax = 15;

describe('a hostile question', () => {
  it('is refused beyond the maximum length', async () => {
    for (const piece of ['supplier ', 'a', '(', 'wie wird gea ', 'in den letzten ']) {
      const { text, calls } = await ask(repeated(piece, 32_000));
      expect(text).toContain('500');
      expect(calls).toEqual([]);
    }
  });

  it('takes little time at the maximum length', async () => {
    const ways = ['in den letzten ', 'supplier ', 'since when ', 'invoise paymend '].map((piece) => repeated(piece));
    expect(await workOf(() => ask(repeated('invoise paymend '), '', ways))).toBeLessThan(secondsMax);
  });

  it('is answered without an earlier question that is too long', async () => {
    const long = repeated('supplier ', 32_000);
    const { calls } = await ask('and by plant?', '', ['How many invoices?', long]);
    expect(calls).toEqual((await ask('and by plant?', '', ['How many invoices?'])).calls);
  });
});

it('never calls a tool with an effect, even one that has the arguments of a reading tool', async () => {
  const effect = { providerOptions: { builtin: { isReadOnly: false } } };
  const looksLikeOne = [
    { ...tool('retrain-model'), ...effect },
    { ...tool('order', 'columns', 'applied_filters'), ...effect },
  ];
  const { content } = await createBuiltinPlanner().doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'How many invoices?' }] }],
    ...{ tools: [...looksLikeOne, ...tools.slice(1)], toolChoice: { type: 'auto' } },
  });
  const called = content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []));
  expect(called).toEqual(['search-data']);
});

describe('hostile instructions', () => {
  it('cannot lengthen a question with nested aliases', async () => {
    const many = (word: string): string => Array.from({ length: 50 }, () => word).join(' ');
    const names = 'x y z u v w'.split(' ');
    const lines = names.slice(1).map((name, place) => `${names[place] ?? ''} = ${many(name)}`);
    const { calls } = await ask('How many invoices of x?', lines.join('\n'));
    expect(calls.length).toBeGreaterThan(0);
    for (const { input } of calls) expect(input.length).toBeLessThan(5_000);
  });

  it('are parsed quickly, whatever text surrounds an equals sign', async () => {
    const lines = [`a=${' '.repeat(31_900)}"x"y`, `${' '.repeat(31_900)}=`, 'a='.repeat(16_000), 'a=b\n'.repeat(8_000)];
    const seconds = await workOf(async () => {
      for (const line of lines) await ask('How many invoices?', line);
    });
    expect(seconds).toBeLessThan(secondsMax);
  });

  it('may define aliases, which are inserted as plain text', async () => {
    const lines = '- "Valencia" = "supplier $& 7".\nthe works=plant 2010';
    const { calls } = await ask('How many invoices of Valencia and the works?', lines);
    expect(calls.find(({ toolName }) => toolName === 'search-data')?.input).toContain(
      'How many invoices of supplier $& 7 and plant 2010?',
    );
  });
});
