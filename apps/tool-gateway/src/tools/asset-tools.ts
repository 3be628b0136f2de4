/**
 * The tools of an asset as a caller sees them; at most a second old, the same object for callers who see the same.
 * The tools of a model that is gone or hidden are listed without its names.
 */
import type { CallFrame } from '@tessera/contracts';
import { toolKeyOf } from '@tessera/contracts/tool-gateway';
import { fail, nearestName, type Result, succeed } from '@tessera/failures';
import { LRUCache } from 'lru-cache';
import type { AssetVersion } from '../assets/assets.js';
import type { Tool, ToolSource } from './tool.js';
import { callerKeyOf, type VisibleModel, type VisibleModels } from './visible-models.js';

/** Shared by callers who see the same, so that listings and compiled schemas may be kept by it (WeakMap). */
export type AssetView = {
  readonly asset: AssetVersion;
  readonly tools: readonly Tool[];
  /** By its id, `-` and `_` being the same. */
  readonly find: (toolId: string) => Tool | undefined;
  /** Where a tool of this view comes from. */
  readonly sourceOf: (tool: Tool) => ToolSource;
};

type Views = {
  readonly modelIds: readonly string[];
  /** By the keys of what is seen of the models. */
  readonly byKeys: LRUCache<string, AssetView>;
};

/** Of one version; a policy by the subject of a token makes one for each person. */
const viewsMax = 100;

export class AssetTools {
  readonly #views = new WeakMap<AssetVersion, Views>();

  constructor(private readonly models: VisibleModels) {}

  async visibleTo(asset: AssetVersion, frame: CallFrame): Promise<AssetView> {
    const views = this.#viewsOf(asset);
    const { modelIds } = views;
    if (modelIds.length === 0) return viewOf(asset, views, []);
    const callerKey = callerKeyOf(frame.caller);
    const seen = modelIds.map((modelId) => this.models.find(modelId, frame, callerKey));
    const ready = seen.flatMap((model) => (model instanceof Promise ? [] : [model]));
    return viewOf(
      asset,
      views,
      ready.length === seen.length ? ready : await Promise.all(seen.map(async (model) => model)),
    );
  }

  #viewsOf(asset: AssetVersion): Views {
    const known = this.#views.get(asset);
    if (known) return known;
    const modelIds = [...new Set(asset.tools.flatMap(({ modelId }) => modelId ?? []))];
    const view = { modelIds, byKeys: new LRUCache<string, AssetView>({ max: viewsMax }) };
    this.#views.set(asset, view);
    return view;
  }
}

const viewOf = (asset: AssetVersion, { modelIds, byKeys }: Views, seen: readonly VisibleModel[]): AssetView => {
  const keys = seen.map(({ key }) => key).join(' ');
  const known = byKeys.get(keys);
  if (known) return known;
  const models = new Map(modelIds.map((modelId, index) => [modelId, seen[index]?.model]));
  const tools = asset.tools.map((source) => source.bind(source.modelId ? models.get(source.modelId) : undefined));
  const made = assetView(asset, Object.freeze(tools));
  byKeys.set(keys, made);
  return made;
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

/** So many ids are listed when none is near. */
const listedMax = 12;

export const findTool = (view: AssetView, toolId: string): Result<Tool> => {
  const tool = view.find(toolId);
  return tool ? succeed(tool) : fail('TOOL_NOTFOUND', `There is no tool ${toolId}${hintFor(view, toolId)}`);
};

const hintFor = ({ tools }: AssetView, toolId: string): string => {
  const ids = tools.map(({ id }) => id);
  const near = nearestName(toolId, ids);
  if (near !== undefined) return `. Did you mean ${near}?`;
  return ids.length > listedMax ? '.' : `; expected one of ${ids.join(', ')}.`;
};
