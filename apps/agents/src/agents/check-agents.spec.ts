import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { AgentDefinition } from '@tessera/contracts/agents';
import type { Models } from '../models/models.js';
import { checkAgents } from './check-agents.js';

const agentOf = (id: string, tools: AgentDefinition['tools'] = []) =>
  AgentDefinition.parse({ kind: 'Agent', id, tools });
const assets = new Map([
  ['sales', ['load-data', 'search_data']],
  ['stock', ['load_data', 'move']],
]);
const known = { team: 'meridian', assets, models: { faultsOf: () => undefined } };
const faultsOf = async (...agents: readonly AgentDefinition[]) =>
  (await checkAgents(agents, known)).map(({ path, rule }) => [path, rule]);

describe('the tools of an agent', () => {
  it('must have unique names, with - and _ treated as equal', async () => {
    expect(await faultsOf(agentOf('a', [{ asset: 'sales' }, { asset: 'stock' }]))).toEqual([
      ['definitions.0.tools.1.asset', 'twice'],
    ]);
    expect(await faultsOf(agentOf('a', [{ asset: 'sales' }, { asset: 'stock', tools: ['move'] }]))).toEqual([]);
    expect(await faultsOf(agentOf('a', [{ asset: 'sales', tools: ['load-data', 'load_data'] }]))).toEqual([
      ['definitions.0.tools.0.tools.1', 'twice'],
    ]);
    expect(await faultsOf(agentOf('a', [{ asset: 'sales' }]), agentOf('b', [{ asset: 'stock' }]))).toEqual([]);
  });

  it('may be named with - instead of _ and vice versa', async () => {
    expect(await faultsOf(agentOf('a', [{ asset: 'sales', tools: ['load_data', 'search-data'] }]))).toEqual([]);
  });

  it('must belong to the named asset', async () => {
    expect(await faultsOf(agentOf('a', [{ asset: 'sales', tools: ['move'] }, { asset: 'constructor' }]))).toEqual([
      ['definitions.0.tools.0.tools.0', 'unknown'],
      ['definitions.0.tools.1.asset', 'unknown'],
    ]);
  });
});

describe('checkAgents', () => {
  it("reports the faults of each agent's model at its path", async () => {
    const asked: unknown[] = [];
    const models: Pick<Models, 'faultsOf'> = {
      faultsOf: (team, { provider }, path, list) => {
        asked.push([team, provider]);
        list.add([...path, 'baseUrl'], 'host', 'not allowed');
      },
    };
    const faults = await checkAgents([agentOf('a'), agentOf('b')], { ...known, models });
    expect(faults.map(({ path }) => path)).toEqual(['definitions.0.model.baseUrl', 'definitions.1.model.baseUrl']);
    expect(asked).toEqual([
      ['meridian', 'builtin'],
      ['meridian', 'builtin'],
    ]);
  });

  it('yields to the event loop after each agent', async () => {
    let isChecked = false;
    const agents = Array.from({ length: 20 }, (_, index) => agentOf(`a${index}`, [{ asset: 'sales' }]));
    const checking = checkAgents(agents, known).finally(() => (isChecked = true));
    let turns = 0;
    while (!isChecked) {
      await turn();
      turns++;
    }
    expect(await checking).toEqual([]);
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('stops at the maximum number of faults', async () => {
    const tools = Array.from({ length: 20 }, () => ({
      asset: 'sales',
      tools: Array.from({ length: 100 }, () => 'none'),
    }));
    const faults = await checkAgents([agentOf('a', tools), agentOf('b', tools)], known);
    expect(faults.length).toBe(101);
  });
});
