/**
 * The process of one client, of a team or without a credential: takes instructions from its parent and returns the results. It parses only what an instruction
 * captures, because it shares the processors with the product. Nothing is repeated; failures are counted.
 */
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  OverloadInstruction,
  OverloadAttackResult,
  QuietTeamInstruction,
  QuietTeamResult,
  RequestStep,
} from './neighbour-instructions.js';

type Answer = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly bytes: number;
  /** The beginning. */
  readonly text: string;
};

const beginningLength = 4_000;

const isRight = ({ statuses = [200] }: RequestStep, status: number): boolean => statuses.includes(status);

const fill = (text: string, n: number, id: string): string => text.replaceAll('{n}', String(n)).replaceAll('{id}', id);

const headersOf = (
  { key }: OverloadInstruction | QuietTeamInstruction,
  { headers, body, isAnonymous }: RequestStep,
): Record<string, string> => ({
  ...(!isAnonymous && { AppKey: key }),
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
  ...headers,
});

type SentRequest = { readonly n: number; readonly id: string; readonly agent: Agent; readonly signal?: AbortSignal };

const send = (
  instruction: OverloadInstruction | QuietTeamInstruction,
  step: RequestStep,
  { n, id, agent, signal }: SentRequest,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const method = step.body === undefined ? 'GET' : 'POST';
    const headers = headersOf(instruction, step);
    const address = instruction.origin + fill(step.path, n, id);
    const call = request(
      address,
      { method, headers, agent, ...(signal && { signal }) },
      (response: IncomingMessage) => {
        let bytes = 0;
        let text = '';
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (text.length < beginningLength) text += chunk.toString('latin1', 0, beginningLength);
        });
        const { statusCode = 0, headers: told } = response;
        response.once('end', () => resolve({ status: statusCode, retryAfter: told['retry-after'], bytes, text }));
        response.once('error', reject);
      },
    );
    call.once('error', reject);
    call.end(step.body === undefined ? undefined : fill(step.body, n, id));
  });

class Tally {
  requests = 0;
  bytes = 0;
  withoutRetryAfter = 0;
  readonly statuses: Record<string, number> = {};
  readonly others: string[] = [];

  count(status: number | 'broken'): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }

  add(step: RequestStep, { status, bytes, retryAfter, text }: Answer): void {
    this.count(status);
    this.bytes += bytes;
    const isFull = status === 503 || status === 429;
    if (isFull && retryAfter === undefined) this.withoutRetryAfter++;
    if (!isRight(step, status) && !isFull && this.others.length < 3)
      this.others.push(`${status} ${step.path} ${text.slice(0, 300)}`);
  }
}

/** One connection that reads everything until stopped. */
const attackOnce = async (
  instruction: OverloadInstruction,
  tally: Tally,
  next: () => number,
  signal: AbortSignal,
): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!signal.aborted) {
    const n = next();
    let id = '';
    for (const step of instruction.steps) {
      tally.requests++;
      try {
        const answer = await send(instruction, step, { n, id, agent, signal });
        tally.add(step, answer);
        if (step.capture !== undefined) id = new RegExp(step.capture).exec(answer.text)?.[1] ?? '';
        if (!isRight(step, answer.status)) break;
      } catch {
        if (signal.aborted) break;
        tally.count('broken');
        // Nothing listens; an immediate retry would spin.
        await sleep(10);
        break;
      }
    }
  }
  agent.destroy();
};

/** How long a stalled reader waits after the first bytes before its next request. */
const stalledForMs = 2_000;

const rawRequest = (instruction: OverloadInstruction, step: RequestStep, n: number): string => {
  const body = step.body === undefined ? '' : fill(step.body, n, '');
  const headers = { Host: new URL(instruction.origin).host, 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...headers, ...headersOf(instruction, step) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${step.body === undefined ? 'GET' : 'POST'} ${fill(step.path, n, '')} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
};

/** One connection that does not read. Every other one never takes a byte, and its one request is all that it sends. */
const stallOnce = async (
  instruction: OverloadInstruction,
  tally: Tally,
  next: () => number,
  signal: AbortSignal,
): Promise<void> => {
  const { hostname, port } = new URL(instruction.origin);
  while (!signal.aborted) {
    const n = next();
    const isMute = n % 2 === 0;
    const socket: Socket = connect({ host: hostname, port: Number(port) });
    if (isMute) socket.pause();
    else
      socket.once('data', (chunk: Buffer) => {
        socket.pause();
        tally.count(Number(chunk.toString('latin1', 9, 12)));
        tally.bytes += chunk.length;
      });
    socket.on('error', () => undefined);
    for (const step of instruction.steps) socket.write(rawRequest(instruction, step, n));
    tally.requests++;
    await sleep(isMute ? instruction.durationMs : stalledForMs, undefined, { signal }).catch(() => undefined);
    socket.destroy();
  }
};

const attack = async (instruction: OverloadInstruction): Promise<OverloadAttackResult> => {
  const tally = new Tally();
  const ending = new AbortController();
  setTimeout(() => ending.abort(), instruction.durationMs);
  let n = instruction.firstNumber;
  const next = (): number => n++;
  const once = instruction.reading === 'all' ? attackOnce : stallOnce;
  await Promise.all(
    Array.from({ length: instruction.connections }, () => once(instruction, tally, next, ending.signal)),
  );
  return { ...tally };
};

/** An answer that has not come by then is a failure. */
const timeoutMs = 30_000;

const sendQuietly = async (instruction: QuietTeamInstruction): Promise<QuietTeamResult> => {
  const agent = new Agent({ keepAlive: true });
  const names = Object.keys(instruction.steps);
  const latenciesMs = Object.fromEntries(names.map((name): [string, number[]] => [name, []]));
  const failures: string[] = [];
  let n = instruction.firstNumber;
  const ask = async (name: string, step: RequestStep, dueAtMs: number): Promise<void> => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const { status, text } = await send(instruction, step, { n: n++, id: '', agent, signal });
      if (!isRight(step, status)) failures.push(`${name}: ${status} ${text.slice(0, 300)}`);
    } catch (error) {
      failures.push(`${name}: ${String(error)}`);
    }
    latenciesMs[name]?.push(performance.now() - dueAtMs);
  };
  const beganMs = performance.now();
  const running: Promise<void>[] = [];
  const gapMs = instruction.everyMs / names.length;
  for (let turn = 0; turn * gapMs < instruction.durationMs; turn++) {
    const dueAtMs = beganMs + turn * gapMs;
    const waitMs = dueAtMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const name = names[turn % names.length] ?? '';
    const step = instruction.steps[name];
    if (step) running.push(ask(name, step, dueAtMs));
  }
  await Promise.all(running);
  agent.destroy();
  return { latenciesMs, failures };
};

process.on('message', (instruction: OverloadInstruction | QuietTeamInstruction) => {
  const running = instruction.kind === 'attack' ? attack(instruction) : sendQuietly(instruction);
  void running.then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
