/** Turns of conversations at the edge: they outlast other requests, arrive as they happen, and may be left. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { agentsPrefix } from '@tessera/contracts/agents';
import { waitUntil } from '@tessera/testing';
import { z } from 'zod';
import { stubTurnState } from '../testing/stub-agents.js';
import type { TestGateway } from '../testing/test-gateway.js';
import { openTestStack, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

let goOn: () => void;
beforeEach(() => {
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(stubTurnState, { next: promise, begun: 0, left: 0 });
  goOn = resolve;
});

const path = `${agentsPrefix}/analyst/conversations`;
const events = { Accept: 'text/event-stream' };
const converse = (message: string, headers = {}, { gateway = stack.gateway, signal }: Options = {}) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { AppKey: stack.keys.meridian, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ message }),
    ...(signal && { signal }),
  });
type Options = { readonly gateway?: TestGateway; readonly signal?: AbortSignal };

const answer = { conversationId: 'c-1', text: 'Twelve.' };
const readerOf = (response: Response) => {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error('The answer has no body.');
  return reader;
};
const readAll = async (reader: ReturnType<typeof readerOf>): Promise<string> => {
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value;
  return text;
};
const firstEvent = 'event: turn\ndata: {"conversationId":"c-1","turn":1}\n\n';

describe('a turn', () => {
  it('has the timeout of turns, other requests have their own', async () => {
    const deadlineOf = async (asked: string, body: object) => {
      const beforeMs = Date.now();
      const told = await stack.request(asked, { method: 'POST', body });
      const { deadlineMs } = z.object({ deadlineMs: z.number() }).parse(told.body?.['frame']);
      return { from: deadlineMs - Date.now(), to: deadlineMs - beforeMs };
    };
    const [turn, tool] = [await deadlineOf(path, { message: 'x' }), await deadlineOf(toolPath('load-data'), {})];
    expect(turn.from).toBeLessThanOrEqual(125_000);
    expect(turn.to).toBeGreaterThanOrEqual(125_000);
    // What the operation itself may take is less than what the edge gives.
    expect(tool.to).toBeLessThanOrEqual(30_000);
  });

  it('may last longer than the timeout of other requests, as a document and as events', async () => {
    const gateway = await stack.startGateway({ REQUEST_TIMEOUT_MS: '3500' });
    const whole = converse('hold', {}, { gateway });
    const streamed = readerOf(await converse('hold', events, { gateway }));
    expect(await streamed.read()).toEqual({ done: false, value: firstEvent });
    await waitUntil(() => stubTurnState.begun === 2);
    const late = await stack.request(toolPath('hold'), { method: 'POST', body: {}, gateway });
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
    goOn();
    expect(await (await whole).json()).toEqual(answer);
    expect(await readAll(streamed)).toMatch(/^event: text\n[^]*event: response\n/);
  });

  it('that exceeds its own timeout is answered with 503', async () => {
    const gateway = await stack.startGateway({ REQUEST_TIMEOUT_MS: '1000', TURN_TIMEOUT_MS: '1000' });
    const response = await converse('hold', {}, { gateway });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    goOn();
  });
});

describe('the events of a turn', () => {
  it('arrive one by one, at once and uncompressed', async () => {
    const response = await converse('hold', { ...events, 'Accept-Encoding': 'gzip' });
    expect(response.status).toBe(200);
    const { headers } = response;
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(['content-encoding', 'content-length'].map((name) => headers.get(name))).toEqual([null, null]);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('x-ratelimit-limit')).toBeTruthy();
    const reader = readerOf(response);
    expect(await reader.read()).toEqual({ done: false, value: firstEvent });
    goOn();
    expect(await reader.read()).toMatchObject({ done: false, value: expect.stringMatching(/^event: text\n/) });
  });

  it('that break off end with a retryable error without internal details', async () => {
    const response = await converse('break', events);
    const reader = readerOf(response);
    expect(await reader.read()).toEqual({ done: false, value: firstEvent });
    goOn();
    const rest = await readAll(reader);
    const [, data = ''] = /^event: error\ndata: (.*)\n\n$/.exec(rest) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      ...{ code: 'SERVICE_UNAVAILABLE', status: 503, retryAfter: 5, instance: path },
      detail: expect.stringContaining('Idempotency-Key'),
    });
    expect(rest).not.toContain('lease');
    expect(stack.gateway.logged.join('')).not.toContain('lease');
  });
});

describe('the events of a turn that break off in the middle of an event', () => {
  it('close the connection without completing the event', async () => {
    const reader = readerOf(await converse('tear', events));
    goOn();
    await expect(readAll(reader)).rejects.toThrow();
  });
});

describe('a client that leaves', () => {
  it('in the middle of events cancels them at the service', async () => {
    const leaving = new AbortController();
    const reader = readerOf(await converse('hold', events, { signal: leaving.signal }));
    expect(await reader.read()).toMatchObject({ done: false });
    leaving.abort();
    goOn();
    await waitUntil(() => stubTurnState.left === 1);
    expect((await stack.request(agentsPrefix)).status).toBe(200);
  });

  it('before its answer does not harm the gateway', async () => {
    const leaving = new AbortController();
    const left = converse('hold', {}, { signal: leaving.signal }).catch(() => 'left');
    await waitUntil(() => stubTurnState.begun === 1);
    leaving.abort();
    expect(await left).toBe('left');
    goOn();
    const { status, body } = await stack.request(path, { method: 'POST', body: { message: 'next' } });
    expect([status, body?.['request']]).toMatchObject([200, { message: { message: 'next' } }]);
    expect(stack.gateway.logged.filter((line) => /bug|uncaught/.test(line))).toEqual([]);
  });
});

const toolPath = (tool: string): string => `${agentsPrefix}/analyst/tools/${tool}`;
