/** A nats-server per spec file with the users and permissions of production; it can be killed and restarted on its port. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventStreamName } from '@tessera/contracts';
import {
  findFreePort,
  type NatsServer,
  type NatsUser,
  createRandomNatsPasswords,
  signalProcess,
  startNats,
} from '@tessera/local-stack';
import { testRunFolder } from './test-run.js';
import { waitUntil } from './wait-until.js';

export type TestNats = {
  /** Address of the user with all permissions. */
  readonly url: string;
  readonly urlFor: (user: NatsUser) => string;
  /** Stops the server if it runs and starts it on the same port with the same users. */
  readonly restart: () => Promise<void>;
  /** Sends SIGKILL; `restart` starts it again. */
  readonly kill: () => Promise<void>;
  /** Takes these subjects from the permissions of a user, gives back what was taken before, and reloads the server. */
  readonly deny: (user: NatsUser, subjects: DeniedSubjects) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** In the order of the stream; empty without a stream. */
  readonly storedEvents: () => Promise<readonly StoredEvent[]>;
};

type DeniedSubjects = { readonly publish?: readonly string[]; readonly subscribe?: readonly string[] };

type StoredEvent = { readonly subject: string; readonly messageId: string; readonly payload: string };

/** The stored events; `url` must be that of a user with all permissions. */
export const readStoredEvents = async (url: string): Promise<readonly StoredEvent[]> => {
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

export const startTestNats = async (): Promise<TestNats> => {
  const folder = join(testRunFolder(), `nats-${randomBytes(4).toString('hex')}`);
  const users = createRandomNatsPasswords();
  const port = await findFreePort();
  let reloads = 0;
  const log = (line: string): void => void (line.includes('Reloaded server configuration') && reloads++);
  const start = (): Promise<NatsServer> => startNats({ folder, port, users, log });
  let server = await start();
  const configurationFile = join(folder, 'nats-server.conf');
  const permitted = readFileSync(configurationFile, 'utf8');
  return {
    url: server.url,
    urlFor: server.urlFor,
    restart: async () => {
      await server.stop();
      server = await start();
    },
    storedEvents: () => readStoredEvents(server.url),
    kill: async () => {
      signalProcess(server.pid, 'SIGKILL');
      await server.ended;
    },
    deny: async (user, denied) => {
      writeFileSync(configurationFile, withoutSubjects(permitted, user, denied));
      const before = reloads;
      signalProcess(server.pid, 'SIGHUP');
      await waitUntil(() => reloads > before);
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const withoutSubjects = (configuration: string, user: NatsUser, denied: DeniedSubjects): string => {
  const without = (_all: string, list: 'publish' | 'subscribe', subjects: string): string => {
    const kept = subjects.split(', ').filter((subject) => !denied[list]?.some((each) => subject === `"${each}"`));
    return `${list}: [${kept.join(', ')}]`;
  };
  return configuration
    .split('\n')
    .map((line) =>
      line.includes(`user: "${user}"`) ? line.replaceAll(/(publish|subscribe): \[([^\]]*)\]/g, without) : line,
    )
    .join('\n');
};
