/** A turn as it is shown, whether it is watched or was read. */
import type { AreaAddress } from '../../ui/area-link.js';
import { evidenceAddress } from './evidence-address.js';
import { isOver, type LiveTurn } from './live-turn.js';
import type { StoredTurn } from './read-turns.js';

export type ShownStep =
  | { readonly kind: 'said'; readonly id: string; readonly text: string }
  | {
      readonly kind: 'tool';
      /** `2.0`: the first call of the turn 2, as the address has it. */
      readonly id: string;
      readonly tool: string;
      readonly arguments: unknown;
      /** Undefined while the call runs. */
      readonly outcome?: { readonly isError: boolean; readonly durationMs: number };
      /** Comes when the turn has been read. */
      readonly result?: string;
      /** The page of the evidence of the result; with the result. */
      readonly evidence?: AreaAddress;
    };
export type Grounding = Pick<Extract<StoredTurn['steps'][number], { kind: 'grounding' }>, 'outcome' | 'figures'>;
export type ToolStep = Extract<ShownStep, { kind: 'tool' }>;

export type ShownTurn = {
  readonly id: string;
  readonly message: string;
  readonly text: string;
  readonly steps: readonly ShownStep[];
  /** Of one that was read: where its figures come from. */
  readonly grounding?: Grounding;
  /** Of one that was read and asks back: the messages that answer it. */
  readonly choices?: readonly string[];
  readonly state: 'running' | 'completed' | 'failed' | 'interrupted';
  /** Of one that is watched: how it goes, and what went wrong. */
  readonly live?: LiveTurn;
  /** Of one that was read. */
  readonly stored?: StoredTurn;
};

const readStored = (stored: StoredTurn): ShownTurn => {
  const { turn, message, text = '', state } = stored;
  let calls = 0;
  const steps = stored.steps.flatMap((step, at): readonly ShownStep[] => {
    if (step.kind === 'model')
      // The last words of the model are the answer itself, which may end with what is not verified.
      return step.text === undefined || step.text === '' || text.startsWith(step.text)
        ? []
        : [{ kind: 'said', id: `${turn}.said.${at}`, text: step.text }];
    if (step.kind !== 'tool') return [];
    const { tool, arguments: given, result, isError, durationMs } = step;
    return [
      {
        ...{ kind: 'tool', id: `${turn}.${calls++}`, tool, arguments: given, result, outcome: { isError, durationMs } },
        evidence: evidenceAddress(step.evidence),
      },
    ];
  });
  const grounding = stored.steps.findLast((step) => step.kind === 'grounding');
  const choices = stored.steps.flatMap((step) => (step.kind === 'model' ? (step.choices ?? []) : []));
  return { id: String(turn), message, text, steps, grounding, choices, state, stored };
};

const shownByStored = new WeakMap<StoredTurn, ShownTurn>();

/** The same object for the same turn: what has not changed is not drawn again for each event of a turn that is watched. */
export const showStored = (stored: StoredTurn): ShownTurn => {
  const shown = shownByStored.get(stored) ?? readStored(stored);
  shownByStored.set(stored, shown);
  return shown;
};

export const showLive = (live: LiveTurn): ShownTurn => ({
  ...{ id: live.turn === undefined ? 'new' : String(live.turn), message: live.message, text: live.text, live },
  state: live.phase === 'failed' ? 'failed' : isOver(live) ? 'completed' : 'running',
  steps: live.steps.map(({ tool, arguments: given, outcome }, at) => ({
    ...{ kind: 'tool', id: `${live.turn ?? 0}.${at}`, tool, arguments: given, outcome },
  })),
});

/** What was read and what is watched, once each; an answer that has been read replaces what was seen of it. */
export const mergeTurns = (stored: readonly StoredTurn[], live: LiveTurn | undefined): readonly ShownTurn[] => {
  if (live === undefined) return stored.map(showStored);
  const isRead =
    live.phase === 'answered' && stored.some(({ turn, state }) => turn === live.turn && state === 'completed');
  if (isRead) return stored.map(showStored);
  return [...stored.filter(({ turn }) => turn !== live.turn).map(showStored), showLive(live)];
};

/**
 * Whether what is watched belongs to the conversation that is open. A new conversation gets its address a moment after its first
 * event: until it has arrived there, it belongs to where it was asked.
 */
export const belongsTo = (
  live: LiveTurn,
  open: { readonly agentId: string; readonly conversationId: string | undefined },
  hasArrived: boolean,
): boolean =>
  live.agentId === open.agentId &&
  (live.conversationId === open.conversationId || (!hasArrived && live.askedIn === open.conversationId));
