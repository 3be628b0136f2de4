/**
 * The assets that teams have stored, each with its tools ready to be called.
 * Refuses: to keep them itself (libs/definitions).
 */
import { Logger } from '@nestjs/common';
import { AgentToolsAssetDefinition, type ToolDefinition } from '@tessera/contracts/tool-gateway';
import { DefinitionReader, type VersionRow } from '@tessera/definitions';
import type { Result } from '@tessera/failures';
import type { Pool } from '@tessera/persistence';
import type { ToolSource } from '../tools/tool-source.js';
import { assetTables } from './asset-tables.repository.js';
import type { AssetVersion } from './asset-version.js';
import { Assets, noDraft, unknownAsset } from './assets.js';

export type StoredAssetsOptions = {
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
      noDraft,
      unknown: unknownAsset,
    });
  }

  find(team: string, assetId: string, isDraft: boolean): Promise<Result<AssetVersion>> {
    return this.#stored.find(team, assetId, isDraft);
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
