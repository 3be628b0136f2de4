/**
 * The assets of teams. A publication by any replica is what the next request of every replica sees.
 * Refuses: to tell an asset that nobody has from one of another team.
 */
import { fail, nearestName, type Result } from '@tessera/failures';
import type { AssetVersion } from './asset-version.js';

export abstract class Assets {
  /** TOOL_ASSET_NOTFOUND when the team has no such asset, or no draft of it where that is asked for. */
  abstract find(team: string, assetId: string, isDraft: boolean): Promise<Result<AssetVersion>>;
}

export const noDraft = fail('TOOL_ASSET_NOTFOUND', 'The asset has no draft; what is published is all that there is.');

/** `known`: ids of assets of the team itself. */
export const unknownAsset = (assetId: string, known: Iterable<string>): Result<never> => {
  const near = nearestName(assetId, known);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return fail('TOOL_ASSET_NOTFOUND', `There is no such asset.${hint}`);
};
