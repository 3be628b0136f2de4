/**
 * The model that a question was asked of, as a reader of its evidence sees it: by the version that answered, without what the version
 * of now hides, with the rights that the reader has now. Never tells a reader more of the result than somebody who sees the same.
 */
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Caller, DefinitionDifference } from '@tessera/contracts';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { runInSlices } from '@tessera/fair-queue';
import {
  callerViewCacheKey,
  type CallerView,
  checkModelInSteps,
  compareModels,
  createCallerView,
  type QueryCaller,
} from '@tessera/knowledge-model';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { DataSource } from 'typeorm';
import { digestText } from '../cache/result-cache.js';
import { type CallerModel, CallerModels, queryCallerOf } from '../catalog/caller-models.js';
import type { TeamCatalog } from '../catalog/catalogs.js';
import type { ValidModel } from '../catalog/published-models.js';
import { versionedModelDefinitions } from '../definitions/definitions.repository.js';
import { modelDefinitionKind } from '../definitions/stored-definitions.js';
import type { EvidenceRow } from './evidence.repository.js';

type RecordedVersion = Pick<EvidenceRow, 'modelId' | 'modelVersion' | 'modelDigests' | 'viewDigest'>;
type CheckedVersion = { readonly definition: KnowledgeModelDefinition; readonly checked: ValidModel };

export type RecordedModel = {
  /** As it is now. */
  readonly current: CallerModel;
  /** By the version that answered, when it is known still, without what is hidden now; else as it is now. */
  readonly view: CallerView;
  /** Whether the reader sees the same rows and fields as the one who asked, also now; undefined when nobody can tell any more. */
  readonly seesSame: boolean | undefined;
  /** What the current version says otherwise, as far as the reader sees it. */
  readonly changes: readonly DefinitionDifference[];
};

@Injectable()
export class RecordedModels {
  constructor(
    private readonly models: CallerModels,
    private readonly source: DataSource,
  ) {}

  /** Undefined when there is no such model for the caller any more. */
  async find(caller: Caller, recorded: RecordedVersion): Promise<RecordedModel | undefined> {
    const found = await this.models.find(caller, recorded.modelId);
    if (!found.ok) return undefined;
    const current = found.value;
    if (current.model.digests === recorded.modelDigests) {
      const seesSame = digestText(current.viewKey) === recorded.viewDigest;
      return { current, view: current.view, seesSame, changes: [] };
    }
    const before = await this.#readVersion(caller.team, recorded, current.catalog);
    if (!before) return { current, view: current.view, seesSame: undefined, changes: [] };
    const queryCaller = queryCallerOf(caller);
    const sawSame = digestText(callerViewCacheKey(before.checked, queryCaller)) === recorded.viewDigest;
    const seesSame = sawSame && isRestrictedAlike(createCallerView(before.checked, queryCaller), current.view);
    const view = createViewWithoutHidden(before.checked, queryCaller, current);
    const changes = compareModels(before, current.model).filter(({ path }) => isVisible(path, [view, current.view]));
    return { current, view, seesSame, changes };
  }

  /** With its bases as they are now; undefined when these, or the version itself, are not those that answered. */
  async #readVersion(
    team: string,
    { modelId, modelVersion, modelDigests }: RecordedVersion,
    { models }: TeamCatalog,
  ): Promise<CheckedVersion | undefined> {
    const stored = await runInTenantEntityTransaction(this.source, team, (manager) =>
      versionedModelDefinitions.readVersion(manager, team, modelId, modelVersion),
    );
    const definition = stored && modelDefinitionKind.parse(stored.definition);
    if (!stored || !definition) return undefined;
    const bases = definition.extends ? ` ${models.get(definition.extends)?.digests ?? ''}` : '';
    if (`${stored.digest}${bases}` !== modelDigests) return undefined;
    const published = new Map(
      models.ids.flatMap((id) => {
        const model = models.get(id);
        return model ? [[id, model.definition] as const] : [];
      }),
    );
    const checked = await runInSlices(checkModelInSteps(definition, published), team);
    return checked.ok ? { definition, checked } : undefined;
  }
}

/** The conditions are compared with the formulas and the values of the caller that they read. */
const isRestrictedAlike = (before: CallerView, now: CallerView): boolean =>
  isDeepStrictEqual(before.hiddenFields, now.hiddenFields) && isDeepStrictEqual(before.policies, now.policies);

/** The recorded version, in which what policies of now hide is hidden as well, with all that reads it in either version. */
const createViewWithoutHidden = (
  recorded: ValidModel,
  caller: QueryCaller,
  { model: { checked }, view: { hiddenFields, names: visible } }: CallerModel,
): CallerView => {
  const isHidden = (kind: 'kpis' | 'filters', id: string): boolean =>
    checked.names[kind].has(id) && !visible[kind].has(id);
  const hides = [...hiddenFields, ...[...checked.names.kpis.keys()].filter((id) => isHidden('kpis', id))];
  const policies = [...recorded.policies, { record: '', hides }];
  const view = createCallerView({ ...recorded, policies }, caller);
  const filters = new Map([...view.names.filters].filter(([id]) => !isHidden('filters', id)));
  return { ...view, names: { ...view.names, filters } };
};

/** Policies are told to nobody; of what they hide nothing is told, whichever version does. */
const isVisible = (path: string, views: readonly CallerView[]): boolean => {
  const [part = '', id = '', , field] = path.split('.');
  const isIn = ({ names }: CallerView): boolean => {
    switch (part) {
      case 'kpis':
        return names.kpis.has(id);
      case 'filters':
        return names.filters.has(id);
      case 'records':
        return field === undefined || names.fields.get(id)?.has(field) === true;
      default:
        return part !== 'policies';
    }
  };
  return views.some(isIn);
};
