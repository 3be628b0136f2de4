/**
 * The tools of an asset as a caller sees them; at most a second old, the same object for callers who see the same.
 * Refuses: to fail because a model is gone or hidden; its tools are then listed without its names.
 */
import type { CallFrame } from '@tessera/contracts';
import type { AssetVersion } from '../assets/asset-version.js';
import type { AssetView } from './asset-view.js';

export abstract class AssetTools {
  abstract of(asset: AssetVersion, frame: CallFrame): Promise<AssetView>;
}
