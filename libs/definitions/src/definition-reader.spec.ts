import { expect, it } from '@jest/globals';
import { fail } from '@tessera/failures';
import { createPool, VersionedDefinitions } from '@tessera/persistence';
import { Agent, AgentVersion } from '@tessera/persistence/agents';
import { DefinitionReader } from './definition-reader.js';

/** Every team has one small definition. */
class CountedDefinitions extends VersionedDefinitions {
  reads = 0;

  override readRevision = () => Promise.resolve('1');

  override readPublished = () => {
    this.reads += 1;
    return Promise.resolve({ revision: '1', published: [{ id: 'a', version: 1, digest: 'd', definition: {} }] });
  };
}

it('keeps what a thousand teams have published, as long as it is small', async () => {
  const tables = new CountedDefinitions('agents', 'agent', { definition: Agent, version: AgentVersion });
  const unknown = fail('AGENT_NOTFOUND', 'unknown');
  const reader = new DefinitionReader({
    // Connects to nobody.
    pool: createPool({ url: 'postgres://', applicationName: 'spec', connectionsMax: 1, statementTimeoutMs: 1_000 }),
    tables,
    versionOf: (_team, { version, digest }) => ({ version, digest }),
    sizeOf: () => 20_000,
    noDraft: unknown,
    unknown: () => unknown,
  });
  const teams = Array.from({ length: 1_000 }, (_, number) => `team-${number}`);
  for (let round = 0; round < 2; round++) await Promise.all(teams.map((team) => reader.find(team, 'a', false)));
  expect(tables.reads).toBe(teams.length);
});
