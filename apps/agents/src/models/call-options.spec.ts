import { describe, expect, it } from '@jest/globals';
import { buildCallOptions } from './call-options.js';
import type { ModelMessage } from './model.js';
import { createModelRequest } from './testing/test-models.js';

const { signal } = new AbortController();
const text = (role: 'system' | 'user', said: string): ModelMessage => ({ role, text: said });
const said = (words: string) => ({ role: 'user', content: [{ type: 'text', text: words }] });

const messages: readonly ModelMessage[] = [
  text('system', 'One.'),
  text('system', 'Two.'),
  text('user', 'Was not answered.'),
  text('user', 'Is it?'),
  { role: 'assistant', text: '', calls: [{ callId: 'a', tool: 'look', arguments: '[1]' }] },
  { role: 'tool', callId: 'a', tool: 'look', json: '{"result":1}' },
  text('system', 'Answer now.'),
];

describe('the messages of a request', () => {
  it('have one system message, at the beginning, and alternating roles', () => {
    const { prompt } = buildCallOptions(createModelRequest({ messages }), { outputTokens: 10 }, { signal });
    expect(prompt).toEqual([
      { role: 'system', content: 'One.\n\nTwo.' },
      said('Was not answered.\n\nIs it?'),
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'text', value: '{"result":1}' } },
        ],
      },
      said('Answer now.'),
    ]);
  });

  it('carry tool results as objects for endpoints that expect objects', () => {
    const { prompt } = buildCallOptions(
      createModelRequest({ messages }),
      { outputTokens: 10, readsObjects: true },
      { signal },
    );
    expect(prompt.find(({ role }) => role === 'tool')).toMatchObject({
      content: [{ output: { type: 'json', value: { result: 1 } } }],
    });
  });

  it('stay unchanged for a model that accepts roles in any order', () => {
    const { prompt } = buildCallOptions(
      createModelRequest({ messages, outputSchema: {} }),
      { outputTokens: 10, takesAll: true },
      { signal },
    );
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'system', 'user', 'user', 'assistant', 'tool', 'system']);
  });
});

describe('the tools of a request', () => {
  const tools = [
    { name: 'look', description: 'Looks.', inputSchema: {}, isReadOnly: true },
    { name: 'order', description: 'Orders.', inputSchema: {}, isReadOnly: false },
    { name: 'unknown', description: 'Does something.', inputSchema: {} },
  ];
  const toldOf = (takesAll: boolean) =>
    buildCallOptions(createModelRequest({ tools }), { outputTokens: 10, takesAll }, { signal }).tools?.map(
      (tool) => tool.type === 'function' && tool.providerOptions,
    );

  it('say only to the builtin model which of them are read-only', () => {
    expect(toldOf(true)).toEqual([true, false, false].map((isReadOnly) => ({ builtin: { isReadOnly } })));
    expect(toldOf(false)).toEqual([undefined, undefined, undefined]);
  });
});
