/**
 * Stops the server: takes no new connections, answers pending requests for as long as the process can wait, and closes idle
 * connections. Never waits for clients that keep a connection, send nothing, or do not read.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

type StopOptions = {
  /** How long answers may take. */
  readonly patienceMs: number;
  /** Lets the answers that are still awaited be failures. */
  readonly giveUp: () => Promise<void>;
  /** Resolves when the last connection is closed. */
  readonly close: () => Promise<unknown>;
};

const closeIdleEveryMs = 50;
/** For failures to leave once the answers are given up. */
const failureAnswersMs = 500;

/** To be called before the server listens; what it returns ends it. */
export const makeStoppable = (server: Server): ((stopping: StopOptions) => Promise<void>) => {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  let silent: readonly Socket[] = [];
  /** An answer that began before the stop has told its client to keep the connection. */
  const closeIdle = (): void => {
    server.closeIdleConnections();
    // To Node a connection on which nothing has come yet is busy. What has come may not have been read yet.
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
    silent = [...connections].filter(({ bytesRead }) => bytesRead === 0);
  };
  return async ({ patienceMs, giveUp, close }) => {
    // After a pause of ours requests are still in the sockets of connections that look idle. The second turn has read them.
    await nextTurn();
    await nextTurn();
    const idle = setInterval(closeIdle, closeIdleEveryMs);
    const patience = setTimeout(() => void giveUp(), patienceMs);
    const end = setTimeout(() => server.closeAllConnections(), patienceMs + failureAnswersMs);
    try {
      await close();
    } finally {
      clearInterval(idle);
      clearTimeout(patience);
      clearTimeout(end);
    }
  };
};
