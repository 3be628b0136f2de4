/**
 * The tools of an asset as some callers see them: those who see the same share the object, so that listings and compiled
 * schemas may hang on it. Refuses: to decide who sees what (asset-tools.ts).
 */
import { toolKeyOf } from '@tessera/contracts/tool-gateway';
import type { AssetVersion } from '../assets/asset-version.js';
import type { ToolSource } from './tool-source.js';
import type { Tool } from './tool.js';

export type AssetView = {
  readonly asset: AssetVersion;
  readonly tools: readonly Tool[];
  /** By its id, `-` and `_` being the same. */
  readonly find: (toolId: string) => Tool | undefined;
  /** Where a tool of this view comes from. */
  readonly sourceOf: (tool: Tool) => ToolSource;
};

export const assetView = (asset: AssetVersion, tools: readonly Tool[]): AssetView => {
  const byKey = new Map(tools.map((tool) => [toolKeyOf(tool.id), tool]));
  const sources = new Map(asset.tools.map((source) => [source.id, source]));
  return Object.freeze({
    asset,
    tools,
    find: (toolId: string) => byKey.get(toolId) ?? byKey.get(toolKeyOf(toolId)),
    sourceOf: ({ id }: Tool) => {
      const source = sources.get(id);
      if (!source) throw new Error(`The tool ${id} is none of ${asset.assetId}.`);
      return source;
    },
  });
};
