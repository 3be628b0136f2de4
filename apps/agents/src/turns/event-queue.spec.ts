import { describe, expect, it } from '@jest/globals';
import { fail, toProblem } from '@tessera/failures';
import { EventQueue, formatTurnEvent, formatTurnFailure } from './event-queue.js';

const path = '/intelligence/api/ai/agents/analyst/conversations';
const failures = formatTurnFailure(path);

const readAll = async (events: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = '';
  for await (const piece of events) text += Buffer.from(piece).toString();
  return text;
};

describe('events of a turn', () => {
  it('are one line of JSON each, in order', async () => {
    const events = new EventQueue(failures);
    events.push(formatTurnEvent('turn', { turn: 1 }));
    events.push(formatTurnEvent('text', { text: 'a\nb' }));
    events.end(formatTurnEvent('response', { text: 'a\nb' }));
    expect(await readAll(events)).toBe(
      'event: turn\ndata: {"turn":1}\n\nevent: text\ndata: {"text":"a\\nb"}\n\nevent: response\ndata: {"text":"a\\nb"}\n\n',
    );
  });

  it('arrive as they happen', async () => {
    const events = new EventQueue(failures);
    const reader = events[Symbol.asyncIterator]();
    const first = reader.next();
    events.push(formatTurnEvent('text', { text: 'a' }));
    expect(Buffer.from((await first).value ?? []).toString()).toMatch(/^event: text/);
    const second = reader.next();
    events.end(formatTurnEvent('response', {}));
    expect(Buffer.from((await second).value ?? []).toString()).toMatch(/^event: response/);
    expect((await reader.next()).done).toBe(true);
  });

  it('end with the problem document of the failure', async () => {
    const events = new EventQueue(failures);
    const { failure } = fail('AGENT_MODEL_UNAVAILABLE', 'It does not answer.', { retryAfterSeconds: 7 });
    events.fail(failure);
    const [, data = ''] = /^event: error\ndata: (.*)\n\n$/.exec(await readAll(events)) ?? [];
    expect(JSON.parse(data)).toEqual({ ...toProblem(failure, path), retryAfter: 7 });
  });

  it('include comments as keep-alive while no event occurs', async () => {
    const events = new EventQueue(failures, 1);
    const reader = events[Symbol.asyncIterator]();
    expect(Buffer.from((await reader.next()).value ?? []).toString()).toBe(': working\n\n');
    await reader.return(undefined);
  });

  it('end with an error for a reader that is too slow', async () => {
    const events = new EventQueue(failures);
    for (let at = 0; at < 30; at++) events.push(formatTurnEvent('text', { text: 'x'.repeat(50_000) }));
    events.end(formatTurnEvent('response', { text: 'never read' }));
    const text = await readAll(events);
    expect(text.length).toBeLessThan(1_200_000);
    expect(text).toMatch(/event: error\ndata: .*SERVICE_UNAVAILABLE/);
    expect(text).not.toContain('never read');
  });

  it('are not buffered for a reader that has disconnected', async () => {
    const events = new EventQueue(failures);
    const reader = events[Symbol.asyncIterator]();
    events.push(formatTurnEvent('text', { text: 'a' }));
    await reader.next();
    await reader.return(undefined);
    events.push(formatTurnEvent('text', { text: 'b' }));
    expect(await readAll(events)).toBe('');
  });
});
