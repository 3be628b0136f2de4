import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { RequestAbandonedError, type TeamRows } from '@tessera/persistence';
import type { RowFormat } from './row-format.js';
import { createRowStream } from './row-stream.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const format: RowFormat = {
  key: '',
  writer: () => () => 'x'.repeat(70_000),
  separator: '',
  width: 1,
  rowsMax: 1_000,
  remembered: [0],
};
const keeper = { keeps: () => false, keep: () => undefined };

/** Batches of one row for ever, until they are closed. */
const endless = (): { readonly rows: TeamRows; readonly closed: () => number } => {
  let closed = 0;
  const next = () => (closed > 0 ? Promise.reject(new RequestAbandonedError()) : Promise.resolve([['1']]));
  return { rows: { first: [['1']], hasMore: true, next, close: () => void closed++ }, closed: () => closed };
};

it('a row stream is closed after five minutes even if the client is still reading', async () => {
  const { rows, closed } = endless();
  const { pieces } = createRowStream(rows, format, new AbortController().signal, keeper);
  for (let minute = 0; minute < 4; minute++) {
    expect((await pieces.next()).done).toBe(false);
    jest.advanceTimersByTime(60_000);
  }
  expect(closed()).toBe(0);
  jest.advanceTimersByTime(60_000);
  expect(closed()).toBe(1);
  await expect(pieces.next()).rejects.toBeInstanceOf(RequestAbandonedError);
});

it('a row stream leaves no timer and no listener behind', async () => {
  const left = new AbortController();
  const some = endless();
  await createRowStream(some.rows, format, left.signal, keeper).pieces.return?.();
  const whole: TeamRows = { ...endless().rows, next: () => Promise.resolve([]) };
  const { pieces } = createRowStream(whole, format, left.signal, keeper);
  while (!(await pieces.next()).done);
  expect(jest.getTimerCount()).toBe(0);
  left.abort();
  expect(some.closed()).toBe(1);
});
