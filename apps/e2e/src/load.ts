/**
 * A steady load over several gateways, sent as a load balancer does: readiness probes and kept connections. Every
 * outcome is kept, nothing is repeated.
 */
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export type GeneratedRequest = {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST. */
  readonly body?: string;
  /** Between two looks at the answer. */
  readonly readEveryMs?: number;
};

export type RequestOutcome = {
  readonly status: number | 'broken';
  readonly tookMs: number;
  readonly contentType: string;
  readonly body: string;
};

export type LoadBalancer = {
  /** To a gateway that was ready a moment ago, each in its turn; waits while there is none. */
  readonly send: (asked: GeneratedRequest) => Promise<RequestOutcome>;
  readonly close: () => void;
};

const probeEveryMs = 50;
/** What an answer about readiness is worth: far less than a gateway that leaves waits, however busy this process is. */
const readyForMs = 300;
const connectionsMax = 32;

export const openLoadBalancer = (gateways: readonly string[]): LoadBalancer => {
  const agents = new Map(
    gateways.map((gateway) => [gateway, new Agent({ keepAlive: true, maxSockets: connectionsMax })]),
  );
  const readyAtMs = new Map<string, number>();
  let isOpen = true;
  const probe = async (gateway: string): Promise<void> => {
    while (isOpen) {
      const probedAtMs = performance.now();
      const { status } = await sendGeneratedRequest(gateway, { path: '/health/ready' });
      if (status === 200) readyAtMs.set(gateway, probedAtMs);
      else readyAtMs.delete(gateway);
      await sleep(probeEveryMs);
    }
  };
  for (const gateway of gateways) void probe(gateway);
  let turn = 0;
  const choose = async (): Promise<string> => {
    for (;;) {
      const sinceMs = performance.now() - readyForMs;
      const able = gateways.filter((gateway) => (readyAtMs.get(gateway) ?? 0) > sinceMs);
      const chosen = able[turn++ % Math.max(1, able.length)];
      if (chosen !== undefined) return chosen;
      await sleep(5);
    }
  };
  return {
    send: async (asked) => {
      const gateway = await choose();
      return sendGeneratedRequest(gateway, asked, agents.get(gateway));
    },
    close: () => {
      isOpen = false;
      for (const agent of agents.values()) agent.destroy();
    },
  };
};

/**
 * A balancer that knows no readiness: it connects to one gateway after the other, and takes the next where nobody listens or
 * the connection ends before an answer. Each request has a connection of its own.
 */
export const openLoadBalancerWithoutProbes = (gateways: readonly string[]): Pick<LoadBalancer, 'send'> => {
  let turn = 0;
  return {
    send: async (asked) => {
      let outcome: RequestOutcome | undefined;
      for (let attempt = 0; attempt < gateways.length * 2; attempt++) {
        const agent = new Agent({ keepAlive: false });
        outcome = await sendGeneratedRequest(gateways[turn++ % gateways.length] ?? '', asked, agent);
        agent.destroy();
        if (outcome.status !== 'broken' || !/ECONNREFUSED|ECONNRESET|socket hang up/.test(outcome.body)) return outcome;
      }
      return outcome ?? { status: 'broken', tookMs: 0, contentType: '', body: 'no gateway' };
    },
  };
};

export type RunningTraffic<Result> = {
  readonly outcomes: readonly Result[];
  /** Ends the load and waits for what is still running. */
  readonly stop: () => Promise<readonly Result[]>;
};

type LoadOptions<Result> = {
  /** `turn` counts over all clients. */
  readonly ask: (turn: number) => Promise<Result>;
  readonly clients: number;
  readonly pauseMs?: number;
};

/** Clients that send one request after the other until stopped. */
export const startTraffic = <Result>({ ask, clients, pauseMs = 2 }: LoadOptions<Result>): RunningTraffic<Result> => {
  const outcomes: Result[] = [];
  let isRunning = true;
  let turn = 0;
  const client = async (): Promise<void> => {
    while (isRunning) {
      outcomes.push(await ask(turn++));
      await sleep(pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    outcomes,
    stop: async () => {
      isRunning = false;
      await all;
      return outcomes;
    },
  };
};

/** One request; a broken connection is an outcome, not an exception. */
export const sendGeneratedRequest = async (
  gateway: string,
  asked: GeneratedRequest,
  agent?: Agent,
): Promise<RequestOutcome> => {
  const beganMs = performance.now();
  const outcome = (status: RequestOutcome['status'], contentType: string, body: string): RequestOutcome => ({
    ...{ status, tookMs: performance.now() - beganMs, contentType, body },
  });
  try {
    const response = await answerTo(gateway, asked, agent);
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) {
      body += String(chunk);
      if (asked.readEveryMs !== undefined) await sleep(asked.readEveryMs);
    }
    const { statusCode = 0, headers } = response;
    return outcome(statusCode, headers['content-type'] ?? '', body);
  } catch (error) {
    return outcome('broken', '', String(error));
  }
};

const answerTo = (
  gateway: string,
  { path, headers = {}, body }: GeneratedRequest,
  agent?: Agent,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { method: body === undefined ? 'GET' : 'POST', headers, ...(agent && { agent }) };
    const call = request(gateway + path, options, resolve);
    call.on('error', reject);
    call.end(body);
  });
