/** A turn while it is watched: what has come of its stream, and how it ended. Pure; `useLiveTurn` runs it. */
import type { StreamEvent } from '../../api/events.js';
import { isObject, type JsonObject } from '../../api/json-values.js';

export type LiveStep = {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** Undefined while the call runs. */
  readonly outcome?: { readonly isError: boolean; readonly durationMs: number };
};

/**
 * `sending`: nothing came yet. `waiting`: the answer before it is not finished. `running`: the agent is at work. `stopped`: nobody
 * listens any more, and the agent goes on. `failed`: see `error`.
 */
export type LivePhase = 'sending' | 'waiting' | 'running' | 'answered' | 'stopped' | 'failed';

export type LiveTurn = {
  readonly agentId: string;
  readonly message: string;
  /** Sent again with it, the same message is answered once. */
  readonly idempotencyKey: string;
  /** The conversation that was asked to go on; a new one when absent. */
  readonly askedIn?: string;
  /** Where the turn is kept; of a new conversation the first event tells. */
  readonly conversationId?: string;
  readonly turn?: number;
  readonly text: string;
  readonly steps: readonly LiveStep[];
  readonly phase: LivePhase;
  readonly error?: unknown;
};

type Begin = Pick<LiveTurn, 'agentId' | 'message' | 'idempotencyKey' | 'askedIn'>;

export const beginTurn = (begin: Begin): LiveTurn => ({
  ...begin,
  conversationId: begin.askedIn,
  ...{ text: '', steps: [], phase: 'sending' },
});

export const isOver = ({ phase }: LiveTurn): boolean =>
  phase === 'answered' || phase === 'stopped' || phase === 'failed';

const textIn = (members: JsonObject, name: string): string => {
  const value = members[name];
  return typeof value === 'string' ? value : '';
};
const numberIn = (members: JsonObject, name: string): number | undefined => {
  const value = members[name];
  return typeof value === 'number' ? value : undefined;
};

/** An event that is not known changes nothing. */
export const withEvent = (live: LiveTurn, { event, data }: StreamEvent): LiveTurn => {
  const members = isObject(data) ? data : {};
  switch (event) {
    case 'turn':
      return {
        ...live,
        phase: 'running',
        conversationId: textIn(members, 'conversationId') || live.conversationId,
        turn: numberIn(members, 'turn') ?? live.turn,
        // Of a message that is sent again all comes again.
        ...{ text: '', steps: [] },
      };
    case 'text':
      return { ...live, text: live.text + textIn(members, 'text') };
    case 'tool-call': {
      const step = {
        callId: textIn(members, 'callId'),
        tool: textIn(members, 'tool'),
        arguments: members['arguments'],
      };
      return { ...live, steps: [...live.steps, step] };
    }
    case 'tool-result':
      return { ...live, steps: live.steps.map((step) => withOutcome(step, members)) };
    case 'response':
      return { ...live, phase: 'answered', text: textIn(members, 'text') || live.text };
    default:
      return live;
  }
};

const withOutcome = (step: LiveStep, members: JsonObject): LiveStep =>
  step.callId === textIn(members, 'callId') && step.outcome === undefined
    ? { ...step, outcome: { isError: members['isError'] === true, durationMs: numberIn(members, 'durationMs') ?? 0 } }
    : step;

/** A stream that ended without an answer was cut off on its way. */
export const withoutAnswer = (live: LiveTurn, error: unknown): LiveTurn =>
  live.phase === 'answered' ? live : { ...live, phase: 'failed', error };

/** Until the agent has finished what it was asked before. */
const busyCodes: readonly string[] = ['AGENT_CONVERSATION_BUSY', 'GENERAL_IDEMPOTENCY_RUNNING'];
const secondsWaited = 2;

/** How long a refused message waits before it is sent again by itself; undefined when a person has to decide. */
export const waitSeconds = (
  refusal: { readonly code: string; readonly retryAfterSeconds?: number } | undefined,
): number | undefined =>
  refusal !== undefined && busyCodes.includes(refusal.code) ? (refusal.retryAfterSeconds ?? secondsWaited) : undefined;
