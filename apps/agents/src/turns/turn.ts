/** The input, events and outcome of a turn. */
import type { Grounding, TokenUsage, TurnStep, TurnStop } from '@tessera/contracts/agents';
import type { Failure, Result } from '@tessera/failures';
import type { AgentVersion } from '../agents/agents.js';
import type { JsonObject, Model } from '../models/model.js';
import type { AgentTool, ToolAnswer } from '../tools/agent-tool.js';
import type { TurnTextBudget } from './text-budget.js';
import type { PastTurn } from './window.js';

/** Why a turn is ended from outside: its time is over, its replica stops, or it is not its replica's any more. */
export type TurnAbortReason = 'seconds' | 'stopping' | 'lost';

export type TurnInput = {
  readonly team: string;
  readonly agent: Pick<AgentVersion, 'definition' | 'limits'>;
  readonly model: Model;
  /** All that can be called; nothing that is said in the turn adds to it. */
  readonly tools: readonly AgentTool[];
  /** As the caller of the turn. */
  readonly callTool: (tool: AgentTool, given: JsonObject, signal: AbortSignal) => Promise<Result<ToolAnswer>>;
  readonly history: readonly PastTurn[];
  /** Results are cut where there is no more room. */
  readonly held: Pick<TurnTextBudget, 'bytesMax' | 'add'>;
  readonly message: string;
  /** YYYY-MM-DD */
  readonly today: string;
  readonly deadlineMs: number;
  /** Its reason is a `Cut`. */
  readonly signal: AbortSignal;
};

export type TurnEvent =
  | { readonly name: 'turn'; readonly data: { readonly conversationId: string; readonly turn: number } }
  | { readonly name: 'text'; readonly data: { readonly text: string } }
  | {
      readonly name: 'toolCall';
      readonly data: { readonly callId: string; readonly tool: string; readonly arguments: unknown };
    }
  | {
      readonly name: 'toolResult';
      readonly data: {
        readonly callId: string;
        readonly tool: string;
        readonly isError: boolean;
        readonly durationMs: number;
      };
    }
  | { readonly name: 'grounding'; readonly data: Grounding };

/** Whether there is anything to tell of it: an answer without a number, of which nothing was cut off, has no step and no event. */
export const isTold = ({ outcome, figures }: Grounding): boolean => figures.length > 0 || outcome !== 'verified';

export type TurnSink = {
  /** False: the turn is not this replica's any more. Rejects when it could not be stored. */
  readonly store: (steps: readonly TurnStep[], usage: TokenUsage) => Promise<boolean>;
  /** Undefined when nobody listens. */
  readonly emit?: ((event: TurnEvent) => void) | undefined;
};

export type TurnOutcome =
  | {
      readonly state: 'completed';
      readonly stop: TurnStop;
      readonly text: string;
      readonly structuredOutput?: JsonObject | undefined;
      /** Why the output schema was not filled. */
      readonly structuredOutputFault?: string | undefined;
      readonly grounding: Grounding;
    }
  | { readonly state: 'failed'; readonly failure: Failure }
  /** `failure`: the outage of a tool without which it has no answer. */
  | { readonly state: 'interrupted'; readonly failure?: Failure | undefined }
  | { readonly state: 'lost' };

/** A turn that has its answer, in this process or as it was stored. */
export type AnsweredTurn = {
  readonly conversationId: string;
  readonly turn: number;
  readonly text: string;
  readonly stop: TurnStop;
  readonly usage: TokenUsage;
  readonly structuredOutput?: JsonObject | undefined;
  readonly structuredOutputFault?: string | undefined;
  readonly grounding: Grounding;
};

export type TurnEnd = {
  readonly outcome: TurnOutcome;
  readonly usage: TokenUsage;
  /** Those that are not stored yet. */
  readonly steps: readonly TurnStep[];
  /** How often the model was asked. */
  readonly modelCalls: number;
  readonly modelMs: number;
  readonly toolMs: number;
};
