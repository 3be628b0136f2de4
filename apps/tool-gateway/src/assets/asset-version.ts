/**
 * An asset as it is called: what its published version, or its draft, says. It never changes; the same object stands for
 * it as long as it is the newest, so whatever is made of it may hang on it.
 * Refuses: what differs between callers (tools/asset-tools.ts).
 */
import type { ToolSource } from '../tools/tool-source.js';

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
