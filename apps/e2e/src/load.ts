/**
 * A steady load of requests over several gateways, as a load balancer would send it: a gateway that says it is not ready
 * gets no new requests. Every outcome is kept. Refuses: to try anything again; what fails is seen.
 */
import { Agent, request } from 'node:http';

export type Outcome = {
  readonly status: number | 'broken';
  readonly beganMs: number;
  readonly tookMs: number;
  readonly contentType: string;
  readonly body: string;
};

export type Load = {
  readonly outcomes: readonly Outcome[];
  /** Ends the load and waits for what is still running. */
  readonly stop: () => Promise<readonly Outcome[]>;
};

export type LoadOptions = {
  readonly gateways: readonly string[];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clients: number;
  readonly pauseMs?: number;
};

export const startLoad = ({ gateways, path, headers, clients, pauseMs = 2 }: LoadOptions): Load => {
  const outcomes: Outcome[] = [];
  const ready = new Map(gateways.map((gateway) => [gateway, true]));
  let running = true;
  const probe = setInterval(() => {
    for (const gateway of gateways)
      void send(gateway, '/health/ready', {}).then(({ status }) => ready.set(gateway, status === 200));
  }, 50);
  const agents = new Map(gateways.map((gateway) => [gateway, new Agent({ keepAlive: true, maxSockets: clients })]));
  const client = async (index: number): Promise<void> => {
    for (let turn = index; running; turn++) {
      const able = gateways.filter((gateway) => ready.get(gateway));
      const gateway = able[turn % Math.max(1, able.length)];
      if (gateway) outcomes.push(await send(gateway, path, headers, agents.get(gateway)));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  return {
    outcomes,
    stop: async () => {
      running = false;
      clearInterval(probe);
      await all;
      for (const agent of agents.values()) agent.destroy();
      return outcomes;
    },
  };
};

/** One request; a broken connection is an outcome, not an exception. */
export const send = (
  gateway: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  agent?: Agent,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const beganMs = Date.now();
    const settle = (status: Outcome['status'], contentType = '', body = ''): void =>
      resolve({ status, beganMs, tookMs: Date.now() - beganMs, contentType, body });
    const call = request(gateway + path, { headers, ...(agent ? { agent } : {}) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        settle(response.statusCode ?? 'broken', response.headers['content-type'], Buffer.concat(chunks).toString()),
      );
      response.on('error', (error) => settle('broken', '', error.message));
    });
    call.on('error', (error) => settle('broken', '', error.message));
    call.end();
  });
