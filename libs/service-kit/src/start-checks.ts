/**
 * What a start waits for, and what ends it: an unavailable server comes back, wrong settings stay wrong. Whatever goes away
 * later is waited for.
 */
import type { OwningService } from '@tessera/contracts';
import type { NatsFault, NatsLink } from '@tessera/messaging';
import type { CheckNeed, Health } from './health.js';
import type { Log } from './log.js';
import type { PoolUsage } from './metrics.js';

/** What the database looks like before the service works on it. */
export type DatabaseCheckResult =
  | { readonly state: 'right' }
  /** It is away, or `tessera migrate` has not run yet. */
  | { readonly state: 'awaited'; readonly reason: string }
  /** What was expected, in words for the operator. */
  | { readonly state: 'wrong'; readonly expected: string };

/** The clock of the database as the process sees it; see `readClockDifference` of persistence. */
export type ClockReading = {
  readonly processTime: Date;
  readonly databaseTime: Date;
  readonly aheadMs: number;
  readonly isBearable: boolean;
};

export type ServiceDatabase = {
  readonly examine: () => Promise<DatabaseCheckResult>;
  readonly isUp: () => Promise<boolean>;
  readonly takesWrites: () => Promise<boolean>;
  readonly readClock: () => Promise<ClockReading>;
  /** Of every pool of the process. */
  readonly poolFigures: () => readonly PoolUsage[];
  readonly close: () => Promise<unknown>;
};

/** Ends the process: the setting is wrong. */
export type RefuseSetting = (setting: string, expected: string) => never;

type StartSurroundings = {
  readonly health: Health;
  readonly log: Log;
  readonly refuse: RefuseSetting;
  readonly need: CheckNeed;
};

const databaseEveryMs = 250;
const natsEveryMs = 20;

/** Resolves when the database has what this version expects; never when the process ends before. */
export const awaitDatabase = async (
  database: ServiceDatabase,
  { health, log, refuse, need }: StartSurroundings,
): Promise<void> => {
  let isRight = false;
  health.register('database', database.isUp, need);
  health.register('writes', database.takesWrites, need);
  health.register('schema', () => isRight);
  for (let told = ''; ;) {
    const found = await database.examine();
    if (health.isStopping) await new Promise(() => {});
    if (found.state === 'wrong') return refuse('DATABASE_URL', found.expected);
    if (found.state === 'right') break;
    if (found.reason !== told) log.warn({ reason: found.reason }, 'waiting for the database');
    told = found.reason;
    await pause(databaseEveryMs);
  }
  isRight = true;
};

const expectedByFault: Readonly<Record<NatsFault, readonly [setting: string, expected: string]>> = {
  user: ['NATS_URL', 'a user and a password that NATS accepts'],
  certificate: ['NATS_CA_FILE', 'the certificates that the certificate of the NATS server is signed by'],
  encryption: ['NATS_URL', 'a server that encrypts, as tls:// and NATS_CA_FILE demand'],
};

/** Resolves with the first connection. */
export const awaitNats = async (link: NatsLink, refuse: RefuseSetting): Promise<void> => {
  while (!link.connected) {
    if (link.fault !== undefined) refuse(...expectedByFault[link.fault]);
    await pause(natsEveryMs);
  }
};

const namedMax = 3;

/** Resolves when NATS permits everything that the service needs, which has to be subscribed to before. */
export const awaitPermissions = async (
  link: NatsLink,
  calls: readonly OwningService[],
  refuse: RefuseSetting,
): Promise<void> => {
  for (;;) {
    const refused = await link.refusals(calls);
    if (refused !== undefined && refused.length > 0) {
      const more = refused.length > namedMax ? ` and ${refused.length - namedMax} more` : '';
      const named = `${refused.slice(0, namedMax).join(', ')}${more}`;
      refuse('NATS_URL', `a user with the permissions of ${link.service}; NATS refuses ${named}`);
    }
    if (refused !== undefined) return;
    await pause(natsEveryMs);
  }
};

const pause = (waitMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));
