/** The turns of this replica: admitted, begun in the database, and run whether their caller is still there or not. */
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { canonicalDigest } from '@tessera/contracts';
import { type Result, fail, succeed } from '@tessera/failures';
import { KeyedQueue, QueueRefusal, type Release } from '@tessera/fair-queue';
import { type Pool, mapDatabaseErrors } from '@tessera/persistence';
import type { Log } from '@tessera/service-kit';
import { randomUUID } from 'node:crypto';
import { isConversationId, conversationNotFound } from '../conversations/conversations.repository.js';
import {
  type BeginTurnResult,
  type LeasedTurn,
  beginTurn,
  interruptTurns,
  readAnsweredTurn,
  renewLeases,
} from '../conversations/turns.repository.js';
import { RunningTurn } from './running-turn.js';
import { TextBudget, type TurnTextBudget } from './text-budget.js';
import { type TurnDependencies, type TurnSetup, resolveKeptDays } from './turn-setup.js';
import type { AnsweredTurn } from './turn.js';
import { bytesOf, newestWithin, type PastTurn } from './window.js';

/** How long a replica has a turn, and how often it says that it goes on. */
export type LeaseSettings = { readonly leaseMs: number; readonly renewEveryMs: number };

/** Injection token of `Lease`. */
export const leaseSettingsToken = Symbol('lease');

type TurnsOptions = Omit<TurnDependencies, 'replica'> &
  LeaseSettings & {
    /** At once in this process; half of them for one team. */
    readonly turnsMax: number;
  };

export type StartedTurn = {
  readonly conversationId: string;
  readonly turn: number;
  /** It was answered before; nothing is done again. */
  readonly isReplay: boolean;
  /** Never rejects. */
  readonly done: Promise<Result<AnsweredTurn>>;
};

export class Turns implements BeforeApplicationShutdown {
  readonly #dependencies: TurnDependencies;
  /** Keys are teams. */
  readonly #queue: KeyedQueue;
  readonly #stopping = new AbortController();
  readonly #text = new TextBudget();
  readonly #running = new Map<string, { readonly turn: RunningTurn; readonly done: Promise<unknown> }>();
  readonly #endLeases: () => void;
  #leaving: NodeJS.Timeout | undefined;
  #leftAtMs = 0;

  constructor({ turnsMax, renewEveryMs, ...dependencies }: TurnsOptions) {
    const replica = randomUUID();
    const { pool, leaseMs, log } = dependencies;
    this.#dependencies = { ...dependencies, replica };
    this.#queue = new KeyedQueue({
      limit: turnsMax,
      limitPerKey: Math.ceil(turnsMax / 2),
      reserve: Math.floor(turnsMax / 10),
    });
    this.#endLeases = keepLeases({
      ...{ pool, replica, leaseMs, renewEveryMs, log },
      running: () => [...this.#running.values()].map(({ turn }) => turn.place),
      onLost: (place) => this.#running.get(leaseKeyOf(place))?.turn.cut('lost'),
    });
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /**
   * `prepare` runs when there is room; its failure is the answer. Other failures: AGENT_CONVERSATION_NOTFOUND,
   * AGENT_CONVERSATION_BUSY, GENERAL_IDEMPOTENCY_MISMATCH, GENERAL_IDEMPOTENCY_RUNNING, SERVICE_UNAVAILABLE.
   */
  async start(team: string, prepare: () => Promise<Result<TurnSetup>>): Promise<Result<StartedTurn>> {
    const admitted = await this.#admit(team);
    if (!admitted.ok) return admitted;
    const endTurn = admitted.value;
    let started: Result<StartedTurn> | undefined;
    try {
      const setup = await prepare();
      started = setup.ok ? await this.#begin(setup.value) : setup;
      return started;
    } finally {
      if (started?.ok) void started.value.done.then(endTurn, endTurn);
      else endTurn();
    }
  }

  /** What runs of a conversation here ends without an answer. */
  lose(conversationId: string): void {
    for (const { turn } of this.#running.values()) if (turn.place.conversationId === conversationId) turn.cut('lost');
  }

  /** Turns may begin and end for so long yet: calls of them may be on their way. What runs then is cut, and its caller hears so. */
  leave(graceMs: number): void {
    this.#leftAtMs = performance.now() + graceMs;
    this.#leaving = setTimeout(() => this.#cutAll(), graceMs);
  }

  /** When no call comes any more. What runs without its caller has the rest of that time; then it is marked as interrupted. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#untilDone(this.#leftAtMs - performance.now());
    clearTimeout(this.#leaving);
    this.#cutAll();
    await this.#untilDone(storingMs);
    this.#endLeases();
    const { pool, replica, log } = this.#dependencies;
    await interruptTurns(pool, replica).catch((error: unknown) =>
      log.warn({ err: error }, 'turns were not marked as interrupted; their leases run out'),
    );
  }

  #cutAll(): void {
    this.#stopping.abort();
    for (const { turn } of this.#running.values()) turn.cut('stopping');
  }

  /** Failure: SERVICE_UNAVAILABLE, when there is no room soon. */
  async #admit(team: string): Promise<Result<Release>> {
    const { signal } = this.#stopping;
    try {
      return succeed(await this.#queue.acquire(team, { signal, timeoutMs: admissionMs }));
    } catch (error) {
      if (error instanceof QueueRefusal) return signal.aborted ? stoppingFailure : queueFullFailure;
      throw error;
    }
  }

  async #begin(setup: TurnSetup): Promise<Result<StartedTurn>> {
    const { conversationId } = setup;
    if (conversationId !== undefined && !isConversationId(conversationId)) return conversationNotFound;
    const held = this.#text.forTurn(setup.frame.caller.team);
    let started: StartedTurn | undefined;
    try {
      const bytesMax = Math.min(3 * setup.model.contextTokens, held.bytesMax());
      held.add(bytesMax);
      const begun = await mapDatabaseErrors(async () =>
        succeed(await beginTurn(this.#dependencies.pool, rowOf(setup, this.#dependencies, bytesMax))),
      );
      if (!begun.ok) return begun;
      if (begun.value.outcome !== 'begun') return this.#replay(setup.frame.caller.team, begun.value);
      const history = [...newestWithin(setup.earlier ?? [], bytesMax), ...(begun.value.history ?? [])];
      held.add(bytesOf(history) - bytesMax);
      started = this.#run(setup, begun.value, history, held);
      return succeed(started);
    } finally {
      if (started) void started.done.then(held.releaseAll, held.releaseAll);
      else held.releaseAll();
    }
  }

  #run(
    setup: TurnSetup,
    { conversation, turn, attempt }: BegunTurn,
    history: readonly PastTurn[],
    held: TurnTextBudget,
  ): StartedTurn {
    const place = { conversationId: conversation, turn, attempt };
    const running = new RunningTurn(place, setup, this.#dependencies, held);
    setup.emit?.({ name: 'turn', data: { conversationId: conversation, turn } });
    const key = leaseKeyOf(place);
    const done = running.run(history).finally(() => this.#running.delete(key));
    this.#running.set(key, { turn: running, done });
    return { conversationId: conversation, turn, isReplay: false, done };
  }

  /** What was answered under the key before. */
  async #replay(team: string, beginning: Exclude<BeginTurnResult, BegunTurn>): Promise<Result<StartedTurn>> {
    if (beginning.outcome !== 'completed') return notBegun(beginning);
    const { conversation: conversationId, turn } = beginning;
    return mapDatabaseErrors(async () => {
      const answered = await readAnsweredTurn(this.#dependencies.pool, team, { conversationId, turn });
      if (!answered) return conversationNotFound;
      return succeed({ conversationId, turn, isReplay: true, done: Promise.resolve(succeed(answered)) });
    });
  }

  async #untilDone(waitMs: number): Promise<void> {
    if (this.#running.size === 0 || waitMs <= 0) return;
    const waiting = Promise.withResolvers<void>();
    const timer = setTimeout(() => waiting.resolve(), waitMs);
    await Promise.race([Promise.all([...this.#running.values()].map(({ done }) => done)), waiting.promise]);
    clearTimeout(timer);
  }
}

/** How long a message waits until a turn of another has ended. */
const admissionMs = 2_000;
/** What a turn that is cut needs to say so in the database. */
const storingMs = 500;
type BegunTurn = Extract<BeginTurnResult, { outcome: 'begun' }>;
type CompletedTurn = Extract<BeginTurnResult, { outcome: 'completed' }>;

/** A key counts for its subject alone. */
const rowOf = (setup: TurnSetup, dependencies: TurnDependencies, historyBytesMax: number) => {
  const { agent, model, frame, message, conversationId, idempotencyKey, earlier = [] } = setup;
  const { subject, team } = frame.caller;
  const asked = { agentId: agent.agentId, isDraft: agent.version === 'draft', message, conversationId };
  const request = earlier.length === 0 ? asked : { ...asked, earlier };
  return {
    ...{
      team,
      subject,
      agentId: agent.agentId,
      version: String(agent.version),
      digest: agent.digest,
      model: model.name,
    },
    ...{ conversationId, message, replica: dependencies.replica, leaseMs: dependencies.leaseMs },
    key: idempotencyKey === undefined ? undefined : digestsOf(subject, idempotencyKey, request),
    keptDays: resolveKeptDays(setup, dependencies),
    requestId: frame.requestId,
    historyBytesMax,
  };
};

const digestsOf = (subject: string, key: string, request: object) => ({
  digest: canonicalDigest([subject, key]),
  requestDigest: canonicalDigest(request),
});

const notBegun = ({ outcome }: Exclude<BeginTurnResult, BegunTurn | CompletedTurn>): Result<never> => {
  switch (outcome) {
    case 'running':
      return isRunning;
    case 'busy':
      return busyFailure;
    case 'mismatch':
      return idempotencyMismatch;
    case 'unknown':
      return conversationNotFound;
  }
};

const isRunning = fail('GENERAL_IDEMPOTENCY_RUNNING', 'The message with this Idempotency-Key is being answered.', {
  retryAfterSeconds: 2,
});
const busyFailure = fail('AGENT_CONVERSATION_BUSY', 'Another message of the conversation is being answered.', {
  retryAfterSeconds: 2,
});
const idempotencyMismatch = fail(
  'GENERAL_IDEMPOTENCY_MISMATCH',
  'The Idempotency-Key was used for another message in the last 24 hours.',
);
const queueFullFailure = fail(
  'SERVICE_UNAVAILABLE',
  'As many messages are being answered as the service, or the team, may have; send it again soon.',
  { retryAfterSeconds: 2 },
);
const stoppingFailure = fail('SERVICE_UNAVAILABLE', 'The service is stopping.', { retryAfterSeconds: 1 });

type LeaseOptions = {
  readonly pool: Pool;
  readonly replica: string;
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  readonly log: Pick<Log, 'warn'>;
  /** The turns that run now. */
  readonly running: () => readonly LeasedTurn[];
  readonly onLost: (turn: LeasedTurn) => void;
};

const leaseKeyOf = ({ conversationId, turn, attempt }: LeasedTurn): string => `${conversationId} ${turn} ${attempt}`;

/** Answers what ends it. */
const keepLeases = (options: LeaseOptions): (() => void) => {
  let isAtWork = false;
  const timer = setInterval(() => {
    if (isAtWork) return;
    isAtWork = true;
    void renewRunningTurns(options).finally(() => (isAtWork = false));
  }, options.renewEveryMs);
  timer.unref();
  return () => clearInterval(timer);
};

const renewRunningTurns = async ({ pool, replica, leaseMs, log, running, onLost }: LeaseOptions): Promise<void> => {
  const turns = running();
  if (turns.length === 0) return;
  try {
    const renewed = new Set((await renewLeases(pool, replica, turns, leaseMs)).map(leaseKeyOf));
    for (const turn of turns) if (!renewed.has(leaseKeyOf(turn))) onLost(turn);
  } catch (error) {
    log.warn({ err: error }, 'the leases of turns were not renewed; it is tried again');
  }
};
