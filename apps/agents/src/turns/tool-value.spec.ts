import { expect, it } from '@jest/globals';
import { answerOutcome, failureOutcome } from './tool-value.js';

it('passes a value that fits unchanged', () => {
  expect(answerOutcome({ total: 1 }, 1_024)).toMatchObject({
    text: '{"total":1}',
    isError: false,
    value: { result: { total: 1 } },
  });
  expect(answerOutcome('A text.', 1_024)).toMatchObject({ text: 'A text.', value: { result: 'A text.' } });
});

it('cuts a long value between characters, with a note', () => {
  const { text, value } = answerOutcome({ name: 'ä'.repeat(2_000) }, 1_024);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
  expect(text).toMatch(/^\{"name":"ä+$/);
  expect(value).toMatchObject({ result: text, cut: expect.stringMatching(/first 1024 of 4011 bytes/) });
});

it('keeps a failure inside the limit, with faults while they fit', () => {
  const faults = Array.from({ length: 100 }, (_, at) => ({
    in: 'body',
    path: `columns.${at}`,
    message: 'unknown name',
  }));
  const few = failureOutcome({ code: 'TOOL_ARGUMENTS_INVALID', detail: 'No.', faults: faults.slice(0, 2) }, 1_024);
  expect(few.value).toMatchObject({ error: { faults: [{ path: 'columns.0' }, { path: 'columns.1' }] } });
  const many = failureOutcome({ code: 'TOOL_ARGUMENTS_INVALID', detail: 'No.', faults }, 1_024);
  expect(many).toMatchObject({ isError: true, value: { error: { code: 'TOOL_ARGUMENTS_INVALID', message: 'No.' } } });
  expect(Buffer.byteLength(many.text)).toBeLessThanOrEqual(1_024);
});
