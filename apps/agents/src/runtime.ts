/**
 * What agents and their conversations run on, made once for each process.
 * Refuses: to serve operations; the handlers do.
 */
import type { OperationClient } from '@tessera/messaging';
import type { Log, Metrics } from '@tessera/service-kit';
import { Agents } from './agents/agents.js';
import type { Pools } from './database/pools.js';
import type { Models } from './models/models.js';
import type { Settings } from './settings.js';
import { AgentToolbox } from './tools/agent-toolbox.js';
import { TurnFigures } from './turns/turn-figures.js';
import { Turns } from './turns/turns.js';

/** Injection token of `Runtime`. */
export const runtimeToken = Symbol('runtime');

/** A replica that died is known to be dead so long after its last word. */
const standardLease = { leaseMs: 10_000, renewEveryMs: 2_500 };

export type Surroundings = {
  readonly settings: Settings;
  readonly pools: Pools;
  /** The services that agents call. */
  readonly services: Pick<OperationClient, 'call'>;
  readonly models: Pick<Models, 'of' | 'faultsOf'>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry' | 'durations' | 'counts' | 'sizes' | 'gauge'>;
  readonly lease?: typeof standardLease;
  readonly now?: () => Date;
};

export type Runtime = {
  readonly pools: Pools;
  readonly services: Pick<OperationClient, 'call'>;
  readonly models: Pick<Models, 'of' | 'faultsOf'>;
  readonly agents: Agents;
  readonly toolbox: AgentToolbox;
  readonly turns: Turns;
};

export const openRuntime = (surroundings: Surroundings): Runtime => {
  const { settings, pools, services, models, log, metrics } = surroundings;
  const toolbox = new AgentToolbox(services);
  const turns = new Turns({
    ...{ pool: pools.turns, toolbox, log },
    ...(surroundings.lease ?? standardLease),
    turnsMax: settings.TURNS_MAX,
    keptDays: settings.CONVERSATIONS_KEPT_DAYS,
    figures: new TurnFigures(metrics),
    now: surroundings.now ?? (() => new Date()),
  });
  metrics.gauge('tessera_turns_running', 'Turns that run in this process.', async () => turns.runningCount);
  return { pools, services, models, agents: new Agents(pools.light), toolbox, turns };
};
