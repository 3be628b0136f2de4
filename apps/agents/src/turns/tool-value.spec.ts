import { expect, it } from '@jest/globals';
import { toAnswerOutcome, toFailureOutcome } from './tool-value.js';

const outcomeOf = (answer: unknown) => {
  const { shown, ...outcome } = toAnswerOutcome(JSON.stringify(answer), 1_024);
  return { ...outcome, value: JSON.parse(shown) };
};

it('passes a tool value within the limit unchanged', () => {
  expect(outcomeOf({ total: 1 })).toMatchObject({
    text: '{"total":1}',
    isError: false,
    value: { result: { total: 1 } },
  });
  expect(outcomeOf('A text.')).toMatchObject({ text: 'A text.', value: { result: 'A text.' } });
});

it('keeps the JSON text of an object with its spelling of numbers and spaces', () => {
  const json = ' { "total": 1.50, "big": 12345678901234567890 }';
  const { shown, text } = toAnswerOutcome(json, 1_024);
  expect([text, shown.endsWith(`,"result":${json}}`)]).toEqual([json, true]);
});

it.each([[[1, 2]], [7], [null], [false]])('wraps %j in an object', (answer) => {
  const text = JSON.stringify({ result: answer });
  expect(outcomeOf(answer)).toMatchObject({ text, value: { result: { result: answer } } });
});

it('cuts a long value between characters, with a note', () => {
  const { text, value } = outcomeOf({ name: 'ä'.repeat(2_000) });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
  expect(text).toMatch(/^\{"name":"ä+$/);
  expect(value).toMatchObject({ result: text, cut: expect.stringMatching(/first 1024 of 4011 bytes/) });
});

it('keeps a failure within the limit, with as many faults as fit', () => {
  const faults = Array.from({ length: 100 }, (_, at) => ({
    in: 'body',
    path: `columns.${at}`,
    message: 'unknown name',
  }));
  const few = toFailureOutcome({ code: 'TOOL_ARGUMENTS_INVALID', detail: 'No.', faults: faults.slice(0, 2) }, 1_024);
  expect(JSON.parse(few.shown)).toMatchObject({ error: { faults: [{ path: 'columns.0' }, { path: 'columns.1' }] } });
  const many = toFailureOutcome({ code: 'TOOL_ARGUMENTS_INVALID', detail: 'No.', faults }, 1_024);
  expect(many.isError).toBe(true);
  expect(JSON.parse(many.shown)).toMatchObject({ error: { code: 'TOOL_ARGUMENTS_INVALID', message: 'No.' } });
  expect(Buffer.byteLength(many.text)).toBeLessThanOrEqual(1_024);
});
