/**
 * The tools of an asset as a caller sees them; at most a second old, the same object for callers who see the same.
 * Refuses: to fail because a model is gone or hidden; its tools are then listed without its names.
 */
import type { CallFrame } from '@tessera/contracts';
import { LRUCache } from 'lru-cache';
import type { AssetVersion } from '../assets/asset-version.js';
import { assetView, type AssetView } from './asset-view.js';
import { callerKeyOf, type SeenModels, type SeenModel } from './seen-models.js';

type Views = {
  readonly modelIds: readonly string[];
  /** By the keys of what is seen of the models. */
  readonly byKeys: LRUCache<string, AssetView>;
};

/** Of one version; a policy by the subject of a token makes one for each person. */
const viewsMax = 100;

export class AssetTools {
  readonly #views = new WeakMap<AssetVersion, Views>();

  constructor(private readonly models: SeenModels) {}

  async of(asset: AssetVersion, frame: CallFrame): Promise<AssetView> {
    const views = this.#viewsOf(asset);
    const { modelIds } = views;
    if (modelIds.length === 0) return viewOf(asset, views, []);
    const callerKey = callerKeyOf(frame.caller);
    const seen = modelIds.map((modelId) => this.models.of(modelId, frame, callerKey));
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
    const made = { modelIds, byKeys: new LRUCache<string, AssetView>({ max: viewsMax }) };
    this.#views.set(asset, made);
    return made;
  }
}

const viewOf = (asset: AssetVersion, { modelIds, byKeys }: Views, seen: readonly SeenModel[]): AssetView => {
  const keys = seen.map(({ key }) => key).join(' ');
  const known = byKeys.get(keys);
  if (known) return known;
  const models = new Map(modelIds.map((modelId, index) => [modelId, seen[index]?.model]));
  const tools = asset.tools.map((source) => source.bind(source.modelId ? models.get(source.modelId) : undefined));
  const made = assetView(asset, Object.freeze(tools));
  byKeys.set(keys, made);
  return made;
};
