import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@tessera/testing';
import { seen } from '../testing/telling.js';
import { pieceBytes } from '../testing/trial-content.js';
import { openTrialStack, reads, type TrialStack } from '../testing/trial-stack.js';

let stack: TrialStack;
beforeAll(async () => {
  stack = await openTrialStack();
});
afterAll(() => stack?.stop());
beforeEach(() => {
  Object.assign(seen, { left: 0, produced: 0 });
});

const report = (facet: string): string => reads(`/facets/${facet}/reporting`);

const open = (facet: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(`${stack.gateway.url}${report(facet)}`, { headers: { AppKey: stack.keys.meridian }, agent: false }, resolve).on(
      'error',
      reject,
    );
  });

/** Resolves when nothing was produced for a while. */
const untilStill = async (): Promise<void> => {
  let before = seen.produced;
  for (let still = 0; still < 20;) {
    await sleep(25);
    still = seen.produced === before ? still + 1 : 0;
    before = seen.produced;
  }
};

describe('a reply in pieces', () => {
  it('of 20 MB arrives whole', async () => {
    const { status, headers, text } = await stack.ask(report('320'));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(text.length).toBe(320 * pieceBytes);
  });

  it('that breaks off never looks whole', async () => {
    await expect(stack.ask(report('broken-40'))).rejects.toThrow();
    const message = await open('broken-40');
    const ended = await new Promise<string>((resolve) => {
      message
        .on('end', () => resolve('whole'))
        .on('error', () => resolve('cut'))
        .resume();
    });
    expect(ended).toBe('cut');
    expect(stack.gateway.logged.join('')).not.toContain('content_repo');
  });

  it('waits for a client that does not read, and ends when it leaves', async () => {
    const message = await open('10000');
    message.pause();
    await untilStill();
    // What fits into the buffers on the way: far from the whole, however long the wait was.
    expect(seen.produced).toBeLessThan(200);
    message.destroy();
    await eventually(() => seen.left === 1);
    expect(seen.produced).toBeLessThan(200);
  });

  it('goes on when a slow client reads again', async () => {
    const message = await open('100');
    message.pause();
    await untilStill();
    let received = 0;
    message.on('data', (bytes: Buffer) => (received += bytes.length));
    await new Promise((resolve) => message.on('end', resolve).resume());
    expect(received).toBe(100 * pieceBytes);
  });
});
