/**
 * The published models of a team as a caller sees them. Callers for whom the same policies hold with the same values share
 * one view; the views of a model go when it is published anew. Models are read on behalf of a caller only from here.
 */
import { Injectable } from '@nestjs/common';
import type { Caller } from '@tessera/contracts';
import { type Result, succeed, fail, findNearestName } from '@tessera/failures';
import { createCallerView, callerViewCacheKey, type CallerView, type QueryCaller } from '@tessera/knowledge-model';
import { LRUCache } from 'lru-cache';
import { Catalogs, type TeamCatalog } from './catalogs.js';
import type { PublishedModel, ValidModel } from './published-models.js';

export type CallerModel = {
  readonly catalog: TeamCatalog;
  readonly model: PublishedModel;
  readonly view: CallerView;
  /** The same for callers that see the same of this model. */
  readonly viewKey: string;
};

/** Of one model; a policy by the subject of a token makes one for each person. */
const viewsMax = 100;

@Injectable()
export class CallerModels {
  readonly #views = new WeakMap<ValidModel, LRUCache<string, CallerView>>();

  constructor(private readonly catalogs: Catalogs) {}

  async find(caller: Caller, modelId: string): Promise<Result<CallerModel>> {
    const catalog = await this.catalogs.of(caller.team);
    const found = findModel(catalog, modelId);
    if (!found.ok) return found;
    const { checked } = found.value;
    const queryCaller = queryCallerOf(caller);
    const viewKey = callerViewCacheKey(checked, queryCaller);
    return succeed({ catalog, model: found.value, view: this.#view(checked, viewKey, queryCaller), viewKey });
  }

  /** How much longer the caller sees the same model for sure. */
  freshForMs({ team }: Pick<Caller, 'team'>, { catalog }: Pick<CallerModel, 'catalog'>): number {
    return this.catalogs.freshForMs(team, catalog);
  }

  #view(checked: ValidModel, key: string, caller: QueryCaller): CallerView {
    const views = this.#views.get(checked) ?? new LRUCache<string, CallerView>({ max: viewsMax });
    this.#views.set(checked, views);
    const view = views.get(key) ?? createCallerView(checked, caller);
    views.set(key, view);
    return view;
  }
}

/** What policies look at. */
export const queryCallerOf = ({ scopes, furtherScopes = [], attributes = {} }: Caller): QueryCaller => ({
  scopes: [...scopes, ...furtherScopes],
  attributes,
});

/** So many names are listed when none is near. */
const listedMax = 12;

export const findModel = ({ models }: Pick<TeamCatalog, 'models'>, id: string): Result<PublishedModel> => {
  const model = models.get(id);
  return model ? succeed(model) : fail('KM_MODEL_NOTFOUND', `There is no knowledge model ${id}${hintFor(id, models)}`);
};

const hintFor = (id: string, models: TeamCatalog['models']): string => {
  const near = findNearestName(id, models.ids);
  if (near !== undefined && models.has(near)) return `. Did you mean ${near}?`;
  const listed = models.ids.length > listedMax ? [] : models.ids.filter((known) => models.has(known));
  return listed.length > 0 ? `; expected one of ${listed.join(', ')}.` : '.';
};
