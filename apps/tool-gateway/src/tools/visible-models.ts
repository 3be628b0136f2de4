/**
 * Knowledge models as callers see them, at most a second old: each caller's view is requested at most once a second for all
 * concurrent callers, and sent only when it has changed. A model that is gone is one that the caller does not see.
 */
import { Logger } from '@nestjs/common';
import type { Caller, CallFrame } from '@tessera/contracts';
import { describeForTools, type ToolModel } from '@tessera/contracts/knowledge-models';
import { fail, type Result, succeed } from '@tessera/failures';
import { askOperation } from '@tessera/messaging';
import { LRUCache } from 'lru-cache';
import type { Services } from './call-service.js';

export type VisibleModel = {
  /** The same for callers who see the same of the same version; `-` for those who see nothing. */
  readonly key: string;
  readonly model?: ToolModel;
};

const maxAgeMs = 1_000;
/** Of callers and models together. */
const entriesMax = 5_000;
const modelsMax = 500;
const nothing: VisibleModel = Object.freeze({ key: '-' });

type Entry = { visible: VisibleModel; untilMs: number; refreshing: Promise<VisibleModel> | undefined };

/** Who sees the same at any time. */
export const callerKeyOf = ({ team, scopes, furtherScopes, attributes }: Caller): string =>
  JSON.stringify([team, scopes, furtherScopes, attributes]);

export class VisibleModels {
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
    const entry = this.#entries.get(name) ?? { visible: nothing, untilMs: -Infinity, refreshing: undefined };
    if (this.clockMs() < entry.untilMs) return entry.visible;
    this.#entries.set(name, entry);
    entry.refreshing ??= this.#refresh(entry, modelId, frame);
    return entry.refreshing;
  }

  /** As it is at this moment. */
  async describe(modelId: string, frame: CallFrame): Promise<Result<ToolModel>> {
    const known = this.#entries.peek(`${modelId} ${callerKeyOf(frame.caller)}`)?.visible;
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
    else if (described.failure.code !== 'SERVICE_UNAVAILABLE') entry.visible = nothing;
    entry.untilMs = untilMs;
    entry.refreshing = undefined;
    return entry.visible;
  }

  async #describe(modelId: string, frame: CallFrame, known: VisibleModel = nothing): Promise<Result<VisibleModel>> {
    const request = { km_id: modelId, ...(known.model && { known: known.key }) };
    const answer = await askOperation(this.services, describeForTools, request, frame);
    if (!answer.ok) return answer;
    const { key, model } = answer.value;
    if (!model) return succeed(known.key === key ? known : nothing);
    const name = `${frame.caller.team} ${modelId} ${key}`;
    const shared = this.#models.get(name) ?? Object.freeze({ key, model });
    this.#models.set(name, shared);
    return succeed(shared);
  }
}

const notDescribed = fail('ADMIN_FATAL_ERROR', 'The knowledge model was not described.');
