/**
 * The agents of teams. A publication by any replica is seen by the next request of every replica. Never tells an agent of
 * another team from one that does not exist.
 */
import { Logger } from '@nestjs/common';
import { AgentDefinition, AgentLimits } from '@tessera/contracts/agents';
import { DefinitionReader, type VersionRow } from '@tessera/definitions';
import { type Result, fail, findNearestName } from '@tessera/failures';
import type { Pool } from '@tessera/persistence';
import { agentTables } from './agent-definitions.js';

export class Agents {
  readonly #logger = new Logger('Agents');
  readonly #stored: DefinitionReader<AgentVersion>;

  constructor(pool: Pool) {
    this.#stored = new DefinitionReader({
      pool,
      tables: agentTables,
      versionOf: (team, row) => this.#versionOf(team, row),
      sizeOf: ({ definition }) => JSON.stringify(definition).length,
      noDraft: noDraftFailure,
      unknown: unknownAgentFailure,
    });
  }

  /** AGENT_NOTFOUND when the team has no such agent, or no draft of it where that is asked for. */
  find(team: string, agentId: string, isDraft: boolean): Promise<Result<AgentVersion>> {
    return this.#stored.find(team, agentId, isDraft);
  }

  /** What is published, in the order of the ids. */
  list(team: string): Promise<Result<readonly AgentVersion[]>> {
    return this.#stored.list(team);
  }

  #versionOf(team: string, { id, version, digest, definition }: VersionRow): AgentVersion | undefined {
    const parsed = AgentDefinition.safeParse(definition);
    if (!parsed.success) {
      this.#logger.error(`The agent ${id} of the team ${team} does not parse any more: ${parsed.error.message}`);
      return undefined;
    }
    const limits = Object.freeze(AgentLimits.parse(parsed.data.limits ?? {}));
    return Object.freeze({ agentId: id, version, digest, definition: parsed.data, limits });
  }
}

const noDraftFailure = fail('AGENT_NOTFOUND', 'The agent has no draft; what is published is all that there is.');

/** `known`: ids of agents of the team itself. */
const unknownAgentFailure = (agentId: string, known: Iterable<string>): Result<never> => {
  const near = findNearestName(agentId, known);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return fail('AGENT_NOTFOUND', `There is no such agent.${hint}`);
};

export type AgentVersion = {
  readonly agentId: string;
  readonly version: number | 'draft';
  /** SHA-256 of the definition. */
  readonly digest: string;
  readonly definition: AgentDefinition;
  /** With the standards filled in. */
  readonly limits: AgentLimits;
};
