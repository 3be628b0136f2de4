/**
 * Knowledge models as callers see them, at most a second old: each caller's view is asked for at most once a second, by
 * everybody who wants it at that time together, and travels only when it is another one.
 * Refuses: to fail; a model that is gone or hidden from a caller is one that the caller does not see.
 */
import { Logger } from '@nestjs/common';
import type { CallFrame, Caller } from '@tessera/contracts';
import { describeForTools, type ToolModel } from '@tessera/contracts/knowledge-models';
import { fail, succeed, type Result } from '@tessera/failures';
import { askOperation } from '@tessera/messaging';
import { LRUCache } from 'lru-cache';
import type { Services } from './service-answer.js';

export type SeenModel = {
  /** The same for callers who see the same of the same version; `-` for those who see nothing. */
  readonly key: string;
  readonly model?: ToolModel;
};

const oldMs = 1_000;
/** Of callers and models together. */
const seenMax = 5_000;
const modelsMax = 500;
const nothing: SeenModel = Object.freeze({ key: '-' });

type Entry = { seen: SeenModel; untilMs: number; asking: Promise<SeenModel> | undefined };

/** Who sees the same at any time. */
export const callerKeyOf = ({ team, scopes, furtherScopes, attributes }: Caller): string =>
  JSON.stringify([team, scopes, furtherScopes, attributes]);

export class SeenModels {
  readonly #logger = new Logger('SeenModels');
  readonly #entries = new LRUCache<string, Entry>({ max: seenMax });
  /** By team, model and key. */
  readonly #models = new LRUCache<string, SeenModel>({ max: modelsMax });

  constructor(
    private readonly services: Services,
    private readonly clockMs: () => number = () => performance.now(),
  ) {}

  /** At once while it is fresh. */
  of(modelId: string, frame: CallFrame, callerKey: string): SeenModel | Promise<SeenModel> {
    const name = `${modelId} ${callerKey}`;
    const entry = this.#entries.get(name) ?? { seen: nothing, untilMs: -Infinity, asking: undefined };
    if (this.clockMs() < entry.untilMs) return entry.seen;
    this.#entries.set(name, entry);
    entry.asking ??= this.#refresh(entry, modelId, frame);
    return entry.asking;
  }

  /** As it is at this moment. */
  async ask(modelId: string, frame: CallFrame): Promise<Result<ToolModel>> {
    const known = this.#entries.peek(`${modelId} ${callerKeyOf(frame.caller)}`)?.seen;
    const asked = await this.#ask(modelId, frame, known);
    if (!asked.ok) return asked;
    return asked.value.model ? succeed(asked.value.model) : noModel;
  }

  async #refresh(entry: Entry, modelId: string, frame: CallFrame): Promise<SeenModel> {
    const untilMs = this.clockMs() + oldMs;
    const asked = await this.#ask(modelId, frame, entry.seen).catch((error: unknown) => {
      this.#logger.error(`The description of ${modelId} cannot be read.`, error);
      return noModel;
    });
    if (asked.ok) entry.seen = asked.value;
    // What was seen is listed on while the service is away.
    else if (asked.failure.code !== 'SERVICE_UNAVAILABLE') entry.seen = nothing;
    entry.untilMs = untilMs;
    entry.asking = undefined;
    return entry.seen;
  }

  async #ask(modelId: string, frame: CallFrame, known: SeenModel = nothing): Promise<Result<SeenModel>> {
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

const noModel = fail('ADMIN_FATAL_ERROR', 'The knowledge model was not described.');
