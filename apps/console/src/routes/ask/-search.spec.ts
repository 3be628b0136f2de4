import { expect, it } from '@jest/globals';
import { readAskSearch } from './-search.js';

it('reads the agent, the conversation, the open steps and a suggested question', () => {
  const search = { agent: 'p2p-analyst', conversation: 'c1', open: ['1.0', '12.3'], question: 'How many?' };
  expect(readAskSearch(search)).toEqual(search);
});

it('takes an id of digits for an id', () => {
  expect(readAskSearch({ agent: 7 })).toEqual({ agent: '7' });
});

it('leaves out what it does not understand', () => {
  const search = { agent: '', conversation: ['x'], open: ['1', 2, '<b>', '1.1.1'], question: 3, other: 'x' };
  expect(readAskSearch(search)).toEqual({});
  expect(readAskSearch({ agent: 'x'.repeat(201), open: '1.0' })).toEqual({});
});

it('bounds what a link can put into the page', () => {
  const { open = [], question = '' } = readAskSearch({
    open: Array.from({ length: 1_000 }, (_, at) => `1.${at}`),
    question: 'x'.repeat(10_000),
  });
  expect([open.length, question.length]).toEqual([50, 2_000]);
});
