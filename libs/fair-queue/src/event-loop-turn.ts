/** Work that is long for an event loop takes turns: one piece of it runs in each iteration, in fair order of its keys. */
import { KeyedQueue } from './keyed-queue.js';

const turns = new KeyedQueue({ limit: 1 });

/** Resolves in an iteration of the event loop that no other such work has. Keys are teams. */
export const eventLoopTurn = async (key: string): Promise<void> => {
  const release = await turns.acquire(key);
  setImmediate(release);
};
