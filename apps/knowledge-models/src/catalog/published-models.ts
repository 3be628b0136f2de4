/**
 * The published models of a team by id, each compiled when it is first asked for and remembered as long as it and its bases
 * stay as they are. One that does not check any more is not there; the log says so once. It takes no other model with it.
 */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { runInSlices } from '@tessera/fair-queue';
import {
  checkModel,
  checkModelInSteps,
  type CheckedModel,
  type KnowledgeModelDefinitions,
} from '@tessera/knowledge-model';

export type ValidModel = Extract<CheckedModel, { readonly ok: true }>;

export type PublishedModel = {
  readonly id: string;
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
  /** As it was applied, without its bases. */
  readonly definition: KnowledgeModelDefinition;
  readonly checked: ValidModel;
  /** Others when it, or a base of it, says something else. */
  readonly digests: string;
};

export type StoredModel = Omit<PublishedModel, 'checked' | 'digests'> & {
  readonly digest: string;
  /** Characters of its definition. */
  readonly size: number;
};

/** Characters of a definition with its bases that take less than 20 ms. */
const compiledAtOnceMax = 32 * 1024;

/** By the digests of a model and its bases. Undefined: it does not check. */
export type CheckCache = Map<string, ValidModel | undefined>;

export type OnModelUnavailable = (id: string, reason: string) => void;

export class PublishedModels implements ReadonlyMap<string, PublishedModel> {
  readonly #stored: ReadonlyMap<string, StoredModel>;
  readonly #definitions: KnowledgeModelDefinitions;
  readonly #found = new Map<string, PublishedModel | undefined>();
  #all: ReadonlyMap<string, PublishedModel> | undefined;
  /** Of those that were compiled: a record leads to one with a policy and has none of its own. */
  readonly openIds = new Set<string>();

  /** `checks` is added to. */
  constructor(
    stored: readonly StoredModel[],
    private readonly checks: CheckCache,
    private readonly unavailable: OnModelUnavailable,
  ) {
    this.#stored = new Map(stored.map((model) => [model.id, model]));
    this.#definitions = new Map(stored.map(({ id, definition }) => [id, definition]));
  }

  get(id: string): PublishedModel | undefined {
    const stored = this.#stored.get(id);
    if (!stored || this.#found.has(id)) return this.#found.get(id);
    const checked = this.#check(stored);
    const { version, publishedAt, definition } = stored;
    const digests = digestsOf(stored, this.#stored);
    const model = checked && Object.freeze({ id, version, publishedAt, definition, checked, digests });
    this.#found.set(id, model);
    if (checked && checked.openRecords.length > 0) this.openIds.add(id);
    return model;
  }

  /** Of all that were published, also of those that do not check any more; nothing is compiled for it. */
  get ids(): readonly string[] {
    return [...this.#stored.keys()];
  }

  /** Compiles all models; yields to the event loop after each. */
  async whole(): Promise<this> {
    for (const id of this.#stored.keys()) {
      if (this.#found.has(id)) continue;
      this.get(id);
      await eventLoopTurn();
    }
    return this;
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }
  get size(): number {
    return this.#every().size;
  }
  forEach(each: (model: PublishedModel, id: string, map: ReadonlyMap<string, PublishedModel>) => void): void {
    for (const [id, model] of this) each(model, id, this);
  }
  keys(): MapIterator<string> {
    return this.#every().keys();
  }
  values(): MapIterator<PublishedModel> {
    return this.#every().values();
  }
  entries(): MapIterator<[string, PublishedModel]> {
    return this.#every().entries();
  }
  [Symbol.iterator](): MapIterator<[string, PublishedModel]> {
    return this.entries();
  }

  #every(): ReadonlyMap<string, PublishedModel> {
    this.#all ??= new Map(
      [...this.#stored.keys()].flatMap((id) => {
        const model = this.get(id);
        return model ? [[id, model] as const] : [];
      }),
    );
    return this.#all;
  }

  /** Compiles the large ones in slices, so that none of them is compiled at once when it is first asked for. */
  async compileLarge(team: string): Promise<void> {
    for (const stored of this.#stored.values()) {
      const key = digestsOf(stored, this.#stored);
      if (sizeWithBases(stored, this.#stored) <= compiledAtOnceMax || this.checks.has(key)) continue;
      this.#keep(stored, key, await runInSlices(checkModelInSteps(stored.definition, this.#definitions), team));
    }
  }

  #check(stored: StoredModel): ValidModel | undefined {
    const key = digestsOf(stored, this.#stored);
    return this.checks.has(key)
      ? this.checks.get(key)
      : this.#keep(stored, key, checkModel(stored.definition, this.#definitions));
  }

  #keep(stored: StoredModel, key: string, checked: CheckedModel): ValidModel | undefined {
    this.checks.set(key, checked.ok ? checked : undefined);
    if (checked.ok) return checked;
    const [first] = checked.faults;
    this.unavailable(stored.id, first ? `${first.path}: ${first.message}` : 'unknown');
    return undefined;
  }
}

/** A check depends on the model and its bases. */
const withBases = (model: StoredModel, stored: ReadonlyMap<string, StoredModel>): readonly StoredModel[] => {
  const chain = new Map<string, StoredModel>();
  for (let next: StoredModel | undefined = model; next && !chain.has(next.digest);) {
    chain.set(next.digest, next);
    next = next.definition.extends ? stored.get(next.definition.extends) : undefined;
  }
  return [...chain.values()];
};

const digestsOf = (model: StoredModel, stored: ReadonlyMap<string, StoredModel>): string =>
  withBases(model, stored)
    .map(({ digest }) => digest)
    .join(' ');

const sizeWithBases = (model: StoredModel, stored: ReadonlyMap<string, StoredModel>): number =>
  withBases(model, stored).reduce((sum, { size }) => sum + size, 0);

/** Of all models that are there, so that what nobody needs any more can be forgotten. */
export const retainUsedChecks = (stored: readonly StoredModel[], known: CheckCache): CheckCache => {
  const byId = new Map(stored.map((model) => [model.id, model]));
  const keys = stored.map((model) => digestsOf(model, byId)).filter((key) => known.has(key));
  return new Map(keys.map((key) => [key, known.get(key)]));
};
