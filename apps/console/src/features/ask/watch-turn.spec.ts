import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../api/events.js';
import { CallError } from '../../api/failures.js';
import { beginTurn, type LiveTurn } from './live-turn.js';
import { pauseFor, watchTurn } from './watch-turn.js';

const begun = beginTurn({ agentId: 'analyst', message: 'How many?', idempotencyKey: 'k1' });
const refusal = (code: string, retryAfterSeconds?: number): CallError =>
  new CallError({ kind: 'refused', status: 409, code, title: '', detail: 'No.', faults: [], retryAfterSeconds });

type Attempt = readonly (StreamEvent | Error)[];
async function* play(attempt: Attempt): AsyncGenerator<StreamEvent> {
  for (const each of attempt) {
    if (each instanceof Error) throw each;
    yield each;
  }
}

/** Each attempt is what comes when the message is sent once more. */
const watch = async (...attempts: readonly Attempt[]) => {
  const reports: LiveTurn[] = [];
  const pauses: number[] = [];
  let sent = 0;
  await watchTurn({
    begun,
    send: () => play(attempts[sent++] ?? []),
    pause: async (afterMs) => void pauses.push(afterMs),
    report: (live) => reports.push(live),
  });
  return { sent, pauses, phases: reports.map(({ phase }) => phase), last: reports.at(-1) };
};

const turn = { event: 'turn', data: { conversationId: 'c1', turn: 1 } };
const response = { event: 'response', data: { conversationId: 'c1', text: '20,000.' } };

describe('a message that is sent', () => {
  it('is followed to its answer', async () => {
    const { phases, last } = await watch([turn, { event: 'text', data: { text: '20' } }, response]);
    expect([phases, last?.text]).toEqual([['running', 'running', 'answered', 'answered'], '20,000.']);
  });

  it('waits for the answer before it, as long as the server says, and is sent again', async () => {
    const { sent, pauses, phases } = await watch(
      [refusal('AGENT_CONVERSATION_BUSY', 3)],
      [refusal('GENERAL_IDEMPOTENCY_RUNNING')],
      [turn, response],
    );
    expect([sent, pauses]).toEqual([3, [3_000, 2_000]]);
    expect(phases).toEqual(['waiting', 'waiting', 'running', 'answered', 'answered']);
  });

  it('fails with what was refused, and is not sent again by itself', async () => {
    const error = refusal('AGENT_MODEL_UNAVAILABLE', 1);
    const { sent, last } = await watch([turn, error]);
    expect([sent, last?.phase, last?.error]).toEqual([1, 'failed', error]);
  });

  it('fails when its stream ends without an answer', async () => {
    const { last } = await watch([turn]);
    expect(last).toMatchObject({ phase: 'failed', error: { failure: { kind: 'unreachable' } } });
  });

  it('is given up while it waits when nobody watches', async () => {
    const left = new Error('left');
    const send = () => play([refusal('AGENT_CONVERSATION_BUSY')]);
    const watching = watchTurn({ begun, send, pause: () => Promise.reject(left), report: () => undefined });
    await expect(watching).rejects.toBe(left);
  });
});

describe('a pause', () => {
  it('ends by itself, or with its signal', async () => {
    const { signal } = new AbortController();
    await expect(pauseFor(1, signal)).resolves.toBeUndefined();
    const controller = new AbortController();
    const paused = pauseFor(60_000, controller.signal);
    controller.abort();
    await expect(paused).rejects.toThrow('aborted');
    await expect(pauseFor(60_000, controller.signal)).rejects.toThrow('aborted');
  });
});
