/**
 * The tools of an asset as a caller sees them; at most a second old, the same object for callers who see the same.
 * The tools of a model that is gone or hidden are listed without its names.
 */
import { Logger } from '@nestjs/common';
import { type Caller, callerVisibilityKey, type CallFrame } from '@tessera/contracts';
import { describeModelForTools, type ToolKnowledgeModel } from '@tessera/contracts/knowledge-models';
import { normaliseToolId } from '@tessera/contracts/tool-gateway';
import { fail, findNearestName, type Result, succeed } from '@tessera/failures';
import { callOperation } from '@tessera/messaging';
import { LRUCache } from 'lru-cache';
import type { AssetVersion } from '../assets/assets.js';
import type { Services } from './call-service.js';
import type { Tool, ToolSource } from './tool.js';

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

  constructor(private readonly models: VisibleModelCache) {}

  async visibleTo(asset: AssetVersion, frame: CallFrame): Promise<AssetView> {
    const views = this.#viewsOf(asset);
    const { modelIds } = views;
    if (modelIds.length === 0) return viewOf(asset, views, []);
    const callerKey = callerVisibilityKey(frame.caller);
    const seen = modelIds.map((modelId) => this.models.find(modelId, frame, callerKey));
    const ready = seen.flatMap((model) => (model instanceof Promise ? [] : [model]));
    return viewOf(
      asset,
      views,
      ready.length === seen.length ? ready : await Promise.all(seen.map(async (model) => model)),
    );
  }

  /** How much longer this is what the caller sees: 0 when it is not, forever when there is no model. */
  freshForMs(view: AssetView, caller: Caller): number {
    const { modelIds, byKeys } = this.#viewsOf(view.asset);
    const callerKey = callerVisibilityKey(caller);
    const seen = modelIds.map((modelId) => this.models.freshness(modelId, callerKey));
    if (byKeys.peek(seen.map(({ key }) => key).join(' ')) !== view) return 0;
    return Math.min(...seen.map(({ forMs }) => forMs));
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
  const made = indexAssetTools(asset, Object.freeze(tools));
  byKeys.set(keys, made);
  return made;
};

export const indexAssetTools = (asset: AssetVersion, tools: readonly Tool[]): AssetView => {
  const byKey = new Map(tools.map((tool) => [normaliseToolId(tool.id), tool]));
  const sources = new Map(asset.tools.map((source) => [source.id, source]));
  return Object.freeze({
    asset,
    tools,
    find: (toolId: string) => byKey.get(toolId) ?? byKey.get(normaliseToolId(toolId)),
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
  const near = findNearestName(toolId, ids);
  if (near !== undefined) return `. Did you mean ${near}?`;
  return ids.length > listedMax ? '.' : `; expected one of ${ids.join(', ')}.`;
};

type VisibleModel = {
  /** The same for callers who see the same of the same version; `-` for those who see nothing. */
  readonly key: string;
  readonly model?: ToolKnowledgeModel;
};

const maxAgeMs = 1_000;
/** Of callers and models together. */
const entriesMax = 5_000;
const modelsMax = 500;
const noVisibleModel: VisibleModel = Object.freeze({ key: '-' });

const unknownModelEntry = { visible: noVisibleModel, untilMs: -Infinity };

type Entry = { visible: VisibleModel; untilMs: number; refreshing: Promise<VisibleModel> | undefined };

export class VisibleModelCache {
  readonly #logger = new Logger('SeenModels');
  readonly #entries = new LRUCache<string, Entry>({ max: entriesMax });
  /** By team, model and key. */
  readonly #models = new LRUCache<string, VisibleModel>({ max: modelsMax });

  constructor(
    private readonly services: Services,
    private readonly clockMs: () => number = () => performance.now(),
  ) {}

  /** At once while it is fresh. */
  find(modelId: string, frame: CallFrame, callerKey: string): VisibleModel | Promise<VisibleModel> {
    const name = `${modelId} ${callerKey}`;
    const entry: Entry = this.#entries.get(name) ?? { ...unknownModelEntry, refreshing: undefined };
    if (this.clockMs() < entry.untilMs) return entry.visible;
    this.#entries.set(name, entry);
    entry.refreshing ??= this.#refresh(entry, modelId, frame);
    return entry.refreshing;
  }

  /** What `find` would answer without asking, and how much longer. */
  freshness(modelId: string, callerKey: string): { readonly key: string; readonly forMs: number } {
    const { visible, untilMs } = this.#entries.peek(`${modelId} ${callerKey}`) ?? unknownModelEntry;
    return { key: visible.key, forMs: untilMs - this.clockMs() };
  }

  /** As it is at this moment. */
  async describe(modelId: string, frame: CallFrame): Promise<Result<ToolKnowledgeModel>> {
    const known = this.#entries.peek(`${modelId} ${callerVisibilityKey(frame.caller)}`)?.visible;
    const described = await this.#describe(modelId, frame, known);
    if (!described.ok) return described;
    return described.value.model ? succeed(described.value.model) : notDescribed;
  }

  async #refresh(entry: Entry, modelId: string, frame: CallFrame): Promise<VisibleModel> {
    const untilMs = this.clockMs() + maxAgeMs;
    const described = await this.#describe(modelId, frame, entry.visible).catch((error: unknown) => {
      this.#logger.error(`The description of ${modelId} cannot be read.`, error);
      return notDescribed;
    });
    if (described.ok) entry.visible = described.value;
    // What was seen is listed on while the service is away.
    else if (described.failure.code !== 'SERVICE_UNAVAILABLE') entry.visible = noVisibleModel;
    entry.untilMs = untilMs;
    entry.refreshing = undefined;
    return entry.visible;
  }

  async #describe(
    modelId: string,
    frame: CallFrame,
    known: VisibleModel = noVisibleModel,
  ): Promise<Result<VisibleModel>> {
    const request = { km_id: modelId, ...(known.model && { known: known.key }) };
    const answer = await callOperation(this.services, describeModelForTools, request, frame);
    if (!answer.ok) return answer;
    const { key, model } = answer.value;
    if (!model) return succeed(known.key === key ? known : noVisibleModel);
    const name = `${frame.caller.team} ${modelId} ${key}`;
    const shared = this.#models.get(name) ?? Object.freeze({ key, model });
    this.#models.set(name, shared);
    return succeed(shared);
  }
}

const notDescribed = fail('ADMIN_FATAL_ERROR', 'The knowledge model was not described.');
