/**
 * A nats-server of its own for a spec file, with the users and permissions of production, that can be killed and
 * brought back on the same port.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventStreamName } from '@tessera/contracts';
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
  /** In the order of the stream; nothing when there is no stream. */
  readonly storedEvents: () => Promise<readonly StoredEvent[]>;
};

type StoredEvent = { readonly subject: string; readonly messageId: string; readonly payload: string };

/** What the stream of events holds at the address of a user who may do everything. */
export const readEvents = async (url: string): Promise<readonly StoredEvent[]> => {
  const { host, username, password } = new URL(url);
  const connection = await connect({ servers: host, user: username, pass: password });
  try {
    const { streams } = await jetstreamManager(connection);
    const [stream] = (await streams.list().next()).filter(({ config }) => config.name === eventStreamName);
    const events: StoredEvent[] = [];
    for (let seq = stream?.state.first_seq ?? 1; seq <= (stream?.state.last_seq ?? 0); seq++) {
      const message = await streams.getMessage(eventStreamName, { seq });
      if (message)
        events.push({
          subject: message.subject,
          messageId: message.header.get('Nats-Msg-Id'),
          payload: message.string(),
        });
    }
    return events;
  } finally {
    await connection.close();
  }
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
    storedEvents: () => readEvents(server.url),
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
