/**
 * Runs one turn from its beginning in the database to its end there. It does not end with its caller, does not outlive its
 * time, and never answers what could not be stored.
 */
import type { TokenUsage, TurnStep } from '@tessera/contracts/agents';
import { fail, succeed, type Failure, type Result } from '@tessera/failures';
import { runInRequestScope, startOperationSpan, type OperationSpan } from '@tessera/messaging';
import { toOutageFailure } from '@tessera/persistence';
import { conversationExists } from '../conversations/conversations.repository.js';
import { appendSteps, endTurn, type LeasedTurn, type StoredTurnResult } from '../conversations/turns.repository.js';
import type { Model } from '../models/model.js';
import type { TurnTextBudget } from './text-budget.js';
import { runTurn } from './run-turn.js';
import { resolveKeptDays, type TurnSetup, type TurnDependencies } from './turn-setup.js';
import type { AnsweredTurn, TurnAbortReason, TurnEnd, TurnOutcome, TurnInput, TurnSink } from './turn.js';
import type { PastTurn } from './window.js';

/** What an answer needs to be stored and to arrive. */
const answeringMs = 1_000;

export class RunningTurn {
  readonly #controller = new AbortController();
  readonly #begun = performance.now();
  readonly #span: OperationSpan;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  #storedSteps = 0;

  constructor(
    readonly place: LeasedTurn,
    private readonly setup: TurnSetup,
    private readonly dependencies: TurnDependencies,
    private readonly held: TurnTextBudget,
  ) {
    this.#span = startOperationSpan('agents.turn', 'internal', setup.frame.traceparent);
  }

  get team(): string {
    return this.setup.frame.caller.team;
  }

  /** Ends it soon, whatever it waits for. */
  cut(reason: TurnAbortReason): void {
    this.#controller.abort(reason);
  }

  /** Never rejects. Its statements and log lines belong to the request, in the span of the turn. */
  run(history: readonly PastTurn[]): Promise<Result<AnsweredTurn>> {
    const { requestId } = this.setup.frame;
    const { traceparent } = this.#span;
    return runInRequestScope({ requestId, team: this.team, traceparent }, () => this.#run(history));
  }

  async #run(history: readonly PastTurn[]): Promise<Result<AnsweredTurn>> {
    const { agent, waitsUntilMs } = this.setup;
    const lastsMs = Math.max(0, Math.min(agent.limits.seconds * 1000, waitsUntilMs - answeringMs - Date.now()));
    const timer = setTimeout(() => this.cut('seconds'), lastsMs);
    try {
      const end = await runTurn(this.#question(history, Date.now() + lastsMs), this.#sink());
      this.#usage = end.usage;
      const result = await this.#close(end);
      this.#report(stopOf(end.outcome, result), end);
      return result;
    } catch (error) {
      return await this.#broken(error);
    } finally {
      clearTimeout(timer);
      // What still runs for it is nobody's any more.
      this.cut('lost');
    }
  }

  #question(history: readonly PastTurn[], deadlineMs: number): TurnInput {
    const { agent, model, tools, message, frame } = this.setup;
    const { toolbox, now } = this.dependencies;
    const { traceparent } = this.#span;
    const called = { ...frame, deadlineMs, ...(traceparent !== undefined && { traceparent }) };
    return {
      team: this.team,
      ...{ agent, tools, history, message, deadlineMs, held: this.held },
      model: tracedModel(model, traceparent),
      callTool: (tool, given, signal) => toolbox.call(tool, given, called, { signal, wantsEvidence: true }),
      today: now().toISOString().slice(0, 10),
      signal: this.#controller.signal,
    };
  }

  #sink(): TurnSink {
    const { pool, leaseMs } = this.dependencies;
    return {
      emit: this.setup.emit,
      store: async (steps, usage) => {
        this.#usage = usage;
        const isStored = await appendSteps(pool, this.#progress(steps), leaseMs);
        this.#storedSteps += steps.length;
        return isStored;
      },
    };
  }

  #progress(steps: readonly TurnStep[]) {
    const { team, place, dependencies } = this;
    return {
      team,
      ...place,
      replica: dependencies.replica,
      usage: this.#usage,
      firstStep: this.#storedSteps + 1,
      steps,
    };
  }

  async #close({ outcome, steps, usage }: TurnEnd): Promise<Result<AnsweredTurn>> {
    if (outcome.state === 'lost' || !(await this.#end(steps, resultOf(outcome)))) return this.#lost();
    switch (outcome.state) {
      case 'completed': {
        const { conversationId, turn } = this.place;
        return succeed({ ...outcome, conversationId, turn, usage });
      }
      case 'failed':
        return { ok: false, failure: keptIn(this.place.conversationId, outcome.failure) };
      case 'interrupted':
        return { ok: false, failure: keptIn(this.place.conversationId, outcome.failure ?? interruptedFailure) };
    }
  }

  #end(steps: readonly TurnStep[], result: StoredTurnResult): Promise<boolean> {
    const { pool } = this.dependencies;
    return endTurn(pool, this.#progress(steps), result, resolveKeptDays(this.setup, this.dependencies));
  }

  async #lost(): Promise<Result<never>> {
    const isKept = await conversationExists(this.dependencies, this.team, this.place.conversationId);
    return isKept
      ? { ok: false, failure: keptIn(this.place.conversationId, interruptedFailure) }
      : conversationDeletedFailure;
  }

  /** A step could not be stored, or there is a bug: the turn says so where it still can. */
  async #broken(error: unknown): Promise<Result<never>> {
    const outage = toOutageFailure(error);
    if (!outage) this.dependencies.log.error({ err: error, ...this.place }, 'a turn failed by a bug');
    const failure: Failure = outage ? keptIn(this.place.conversationId, outage) : internalFailure;
    const result = { state: outage ? 'interrupted' : 'failed', failure: failure.code } as const;
    await this.#end([], result).catch((reason: unknown) =>
      this.dependencies.log.warn(
        { err: reason, ...this.place },
        'the end of a turn was not stored; its lease runs out',
      ),
    );
    this.#report(result.state);
    return { ok: false, failure };
  }

  #report(stop: string, end?: TurnEnd): void {
    const { agentId } = this.setup.agent;
    this.dependencies.figures.record(this.team, agentId, stop, performance.now() - this.#begun, end);
    this.#span.end(stop, stop === 'failed' || stop === 'lost');
  }
}

const resultOf = (outcome: Exclude<TurnOutcome, { state: 'lost' }>): StoredTurnResult =>
  outcome.state === 'completed' ? outcome : { state: outcome.state, failure: outcome.failure?.code };

/** Why it ended, or the state that it ended in. */
const stopOf = (outcome: TurnOutcome, { ok }: Result<unknown>): string => {
  if (outcome.state === 'completed') return ok ? outcome.stop : 'lost';
  return outcome.state;
};

/** Each question to the model is a span of the turn. */
const tracedModel = (model: Model, traceparent: string | undefined): Model => ({
  name: model.name,
  ...{ contextTokens: model.contextTokens, outputTokens: model.outputTokens, isRuleBased: model.isRuleBased },
  ask: async (request) => {
    const span = startOperationSpan('agents.model', 'internal', traceparent);
    const answer = await model.ask(request);
    span.end(answer.ok ? answer.value.finish : answer.failure.code, !answer.ok);
    return answer;
  },
});

const interruptedFailure = fail('SERVICE_UNAVAILABLE', 'The turn was cut off before its answer.', {
  retryAfterSeconds: 1,
}).failure;

/** Whoever began a conversation by the message would not know where it is. */
const keptIn = (conversationId: string, failure: Failure): Failure => ({
  ...failure,
  detail: `${failure.detail} The message is kept in the conversation ${conversationId}, which goes on.`,
});
const conversationDeletedFailure = fail(
  'AGENT_CONVERSATION_NOTFOUND',
  'The conversation was deleted while the message was answered.',
);
const internalFailure = fail('ADMIN_FATAL_ERROR', 'Something went wrong that should not; it has been logged.').failure;
