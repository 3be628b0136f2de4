/**
 * The assets of teams. A publication by any replica is what the next request of every replica sees.
 * Never tells an asset that does not exist from one of another team.
 */
import { Logger } from '@nestjs/common';
import { AgentToolsAssetDefinition, type ToolDefinition } from '@tessera/contracts/tool-gateway';
import { DefinitionReader, type VersionRow } from '@tessera/definitions';
import { fail, findNearestName, type Result } from '@tessera/failures';
import type { Pool } from '@tessera/persistence';
import { assetTables } from './asset-definitions.js';
import type { ToolSource } from '../tools/tool.js';

/**
 * An asset as it is called: what its published version, or its draft, says. Frozen, and the same object as long as it is the
 * newest, so that what is made of it may be kept by it (WeakMap).
 */
export type AssetVersion = {
  readonly assetId: string;
  readonly version: number | 'draft';
  /** SHA-256 of the definition, hexadecimal. */
  readonly digest: string;
  readonly name: string;
  /** Empty when the definition has none. */
  readonly description: string;
  readonly instructions?: string;
  /** Of all its tools together, over all replicas. */
  readonly callsPerMinute: number;
  readonly tools: readonly ToolSource[];
};

export abstract class Assets {
  /** TOOL_ASSET_NOTFOUND when the team has no such asset, or no draft of it where that is asked for. */
  abstract find(team: string, assetId: string, isDraft: boolean): Promise<Result<AssetVersion>>;
  /** Everything that the team has published, in the order of the ids. */
  abstract list(team: string): Promise<Result<readonly AssetVersion[]>>;
  /** How much longer this is what `find` answers for sure. */
  abstract freshForMs(team: string, asset: AssetVersion): number;
}

const noDraftFailure = fail('TOOL_ASSET_NOTFOUND', 'The asset has no draft; what is published is all that there is.');

/** `known`: ids of assets of the team itself. */
const unknownAssetFailure = (assetId: string, known: Iterable<string>): Result<never> => {
  const near = findNearestName(assetId, known);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return fail('TOOL_ASSET_NOTFOUND', `There is no such asset.${hint}`);
};

type StoredAssetsOptions = {
  readonly pool: Pool;
  readonly makeTool: (definition: ToolDefinition, team: string) => ToolSource;
  /** Of an asset that says nothing of it. */
  readonly callsPerMinute: number;
};

/** What a compiled tool takes. */
const toolSize = 4_000;

export class StoredAssets extends Assets {
  readonly #logger = new Logger('Assets');
  readonly #stored: DefinitionReader<AssetVersion>;

  constructor(private readonly options: StoredAssetsOptions) {
    super();
    this.#stored = new DefinitionReader({
      pool: options.pool,
      tables: assetTables,
      versionOf: (team, row) => this.#versionOf(team, row),
      sizeOf: ({ tools }) => tools.length * toolSize,
      noDraft: noDraftFailure,
      unknown: unknownAssetFailure,
    });
  }

  find(team: string, assetId: string, isDraft: boolean): Promise<Result<AssetVersion>> {
    return this.#stored.find(team, assetId, isDraft);
  }

  list(team: string): Promise<Result<readonly AssetVersion[]>> {
    return this.#stored.list(team);
  }

  freshForMs(team: string, asset: AssetVersion): number {
    return this.#stored.freshForMs(team, asset.assetId, asset);
  }

  #versionOf(team: string, row: VersionRow): AssetVersion | undefined {
    const parsed = AgentToolsAssetDefinition.safeParse(row.definition);
    if (!parsed.success) {
      this.#logger.error(`The asset ${row.id} of the team ${team} does not parse any more: ${parsed.error.message}`);
      return undefined;
    }
    const { id, name, description, instructions, limits, tools } = parsed.data;
    return Object.freeze({
      assetId: id,
      version: row.version,
      digest: row.digest,
      name: name ?? id,
      description: description ?? '',
      ...(instructions !== undefined && { instructions }),
      callsPerMinute: limits?.callsPerMinute ?? this.options.callsPerMinute,
      tools: Object.freeze(tools.map((tool) => this.options.makeTool(tool, team))),
    });
  }
}
