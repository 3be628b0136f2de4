/**
 * What agents and their conversations run on, made once for each process.
 * Refuses: to serve operations; the handlers do.
 */
import type { OperationClient } from '@tessera/messaging';
import type { Log, Metrics } from '@tessera/service-kit';
import { Agents } from './agents/agents.js';
import type { Pools } from './database/pools.js';
import type { Settings } from './settings.js';
import { AgentToolbox } from './tools/agent-toolbox.js';

/** Injection token of `Runtime`. */
export const runtimeToken = Symbol('runtime');

export type Surroundings = {
  readonly settings: Settings;
  readonly pools: Pools;
  /** The services that agents call. */
  readonly services: Pick<OperationClient, 'call'>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry' | 'durations' | 'gauge'>;
};

export type Runtime = {
  readonly pools: Pools;
  readonly services: Pick<OperationClient, 'call'>;
  readonly agents: Agents;
  readonly toolbox: AgentToolbox;
  readonly stop: () => Promise<void>;
};

export const openRuntime = ({ pools, services }: Surroundings): Runtime => ({
  pools,
  services,
  agents: new Agents(pools.light),
  toolbox: new AgentToolbox(services),
  stop: async () => undefined,
});
