import type { CallFrame } from '@tessera/contracts';
import type { Pool } from '@tessera/persistence';
import type { Log } from '@tessera/service-kit';
import type { DataSource } from 'typeorm';
import type { AgentVersion } from '../agents/agents.js';
import type { Model } from '../models/model.js';
import type { AgentTool } from '../tools/agent-tool.js';
import type { AgentToolbox } from '../tools/agent-toolbox.js';
import type { TurnMetrics } from './turn-metrics.js';
import type { TurnEvent } from './turn.js';
import type { PastTurn } from './window.js';

export type TurnSetup = {
  readonly agent: AgentVersion;
  readonly model: Model;
  /** Those that the caller sees. */
  readonly tools: readonly AgentTool[];
  /** Who asks; every tool is called as this caller. */
  readonly frame: Omit<CallFrame, 'deadlineMs'>;
  /** Nobody waits for the answer past it, epoch milliseconds: the turn ends before, as by its own time. */
  readonly waitsUntilMs: number;
  readonly message: string;
  /** Undefined: a new one begins. */
  readonly conversationId: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** What was said before a new conversation, as its caller has it. */
  readonly earlier?: readonly PastTurn[] | undefined;
  /** Undefined when nobody listens. */
  readonly emit?: ((event: TurnEvent) => void) | undefined;
};

export type TurnDependencies = {
  readonly pool: Pool;
  readonly source: DataSource;
  /** A UUID of this process. */
  readonly replica: string;
  readonly leaseMs: number;
  /** For conversations with agents that do not say. */
  readonly keptDays: number;
  readonly toolbox: Pick<AgentToolbox, 'call'>;
  readonly figures: Pick<TurnMetrics, 'record'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** What "today" is for models. */
  readonly now: () => Date;
};

export const resolveKeptDays = ({ agent }: TurnSetup, { keptDays }: TurnDependencies): number =>
  agent.definition.keptDays ?? keptDays;
