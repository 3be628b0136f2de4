/**
 * A nats-server of its own for a spec file, with the users and permissions of production, that can be killed and
 * brought back on the same port.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  type NatsServer,
  type NatsUser,
  randomNatsUsers,
  signalProcess,
  startNats,
} from '@tessera/local-stack';
import { testRunFolder } from './test-run.js';

export type TestNats = {
  /** Address of the user who may do everything. */
  readonly url: string;
  readonly urlFor: (user: NatsUser) => string;
  /** Ends the server, gently when it runs, and starts it on the same port with the same users. */
  readonly restart: () => Promise<void>;
  /** SIGKILL; clients see the connection break. `restart` brings it back. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export const testNats = async (): Promise<TestNats> => {
  const folder = join(testRunFolder(), `nats-${randomBytes(4).toString('hex')}`);
  const users = randomNatsUsers();
  const port = await freePort();
  const start = (): Promise<NatsServer> => startNats({ folder, port, users });
  let server = await start();
  return {
    url: server.url,
    urlFor: server.urlFor,
    restart: async () => {
      await server.stop();
      server = await start();
    },
    kill: async () => {
      signalProcess(server.pid, 'SIGKILL');
      await server.ended;
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
