/** Renews the leases of all turns of this replica in one statement. A lease is judged by the database's clock alone. */
import type { Pool } from '@tessera/persistence';
import type { Log } from '@tessera/service-kit';
import { renewLeases, type LeasedTurn } from '../conversations/turns.repository.js';

export type LeaseOptions = {
  readonly pool: Pool;
  readonly replica: string;
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  readonly log: Pick<Log, 'warn'>;
  /** The turns that run now. */
  readonly running: () => readonly LeasedTurn[];
  readonly onLost: (turn: LeasedTurn) => void;
};

export const leaseKeyOf = ({ conversationId, turn, attempt }: LeasedTurn): string =>
  `${conversationId} ${turn} ${attempt}`;

/** Answers what ends it. */
export const keepLeases = (options: LeaseOptions): (() => void) => {
  let isAtWork = false;
  const timer = setInterval(() => {
    if (isAtWork) return;
    isAtWork = true;
    void renew(options).finally(() => (isAtWork = false));
  }, options.renewEveryMs);
  timer.unref();
  return () => clearInterval(timer);
};

const renew = async ({ pool, replica, leaseMs, log, running, onLost }: LeaseOptions): Promise<void> => {
  const turns = running();
  if (turns.length === 0) return;
  try {
    const renewed = new Set((await renewLeases(pool, replica, turns, leaseMs)).map(leaseKeyOf));
    for (const turn of turns) if (!renewed.has(leaseKeyOf(turn))) onLost(turn);
  } catch (error) {
    log.warn({ err: error }, 'the leases of turns were not renewed; it is tried again');
  }
};
