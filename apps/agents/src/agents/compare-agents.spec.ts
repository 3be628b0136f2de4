import { expect, it } from '@jest/globals';
import { AgentDefinition } from '@tessera/contracts/agents';
import { compareAgents } from './compare-agents.js';

const agentOf = (more: Partial<AgentDefinition>) => AgentDefinition.parse({ kind: 'Agent', id: 'a', ...more });
const compared = (before: Partial<AgentDefinition>, after: Partial<AgentDefinition>) =>
  compareAgents(agentOf(before), agentOf(after)).map(
    ({ path, change, breaks }) => `${path} ${change}${breaks ? ', breaks' : ''}`,
  );

it('reports changed members by path, and marks the changes that break callers', () => {
  expect(
    compared(
      { name: 'Old', limits: { steps: 2 }, keptDays: 3 },
      { instructions: 'Answer.', limits: { steps: 3 }, model: { provider: 'builtin' } },
    ),
  ).toEqual(['name removed', 'instructions changed', 'limits.steps changed', 'keptDays removed']);
});

it('reports a removed tool, with or without its asset', () => {
  expect(compared({ tools: [{ asset: 'p2p.de' }] }, { tools: [{ asset: 'p2p' }] })).toEqual([
    'tools.p2p.de removed, breaks',
    'tools.p2p added',
  ]);
  const some = { tools: [{ asset: 'p2p', tools: ['a', 'b'] }] };
  expect(compared(some, { tools: [{ asset: 'p2p', tools: ['b', 'c'] }] })).toEqual([
    'tools.p2p.a removed, breaks',
    'tools.p2p.c added',
  ]);
});

it('reports a change between all tools of an asset and a selection of them', () => {
  const [all, some] = [{ tools: [{ asset: 'p2p' }] }, { tools: [{ asset: 'p2p', tools: ['a'] }] }];
  expect(compared(all, some)).toEqual(['tools.p2p changed, breaks']);
  expect(compared(some, all)).toEqual(['tools.p2p changed']);
  expect(compared(some, { tools: [...some.tools, ...all.tools] })).toEqual(['tools.p2p changed']);
});

it('ignores the order of tools and repeated assets', () => {
  const [a, b] = [
    { asset: 'p2p', tools: ['a'] },
    { asset: 'p2p', tools: ['b'] },
  ];
  expect(compared({ tools: [a, b] }, { tools: [{ asset: 'p2p', tools: ['b', 'a'] }] })).toEqual([]);
});

it('compares output schemas as one value, and marks changing an existing schema as breaking', () => {
  const outputSchema = { type: 'object', properties: { a: { type: 'string' } } };
  expect(compared({ outputSchema: null }, { outputSchema })).toEqual(['outputSchema added']);
  expect(compared({ outputSchema }, { outputSchema: { type: 'object' } })).toEqual(['outputSchema changed, breaks']);
  expect(compared({ outputSchema }, {})).toEqual(['outputSchema removed, breaks']);
});
