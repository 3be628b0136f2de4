/**
 * The entity data model of a view, made once for all who see the same of a model: a policy by the subject of a token makes a
 * view for each person, and the metadata of each would be made, printed and held.
 */
import type { CallerView } from '@tessera/knowledge-model';
import { createEntityModel, type EntityModel } from '@tessera/odata';
import { LRUCache } from 'lru-cache';

/** Of one model; which fields are hidden, and of which records rows, is decided by scopes. */
const modelsMax = 100;

/** The formulas are those of one version of one model, whoever asks. */
type Formulas = CallerView['formulas'];
const modelsOf = new WeakMap<Formulas, LRUCache<string, EntityModel>>();
const entityModelByView = new WeakMap<CallerView, EntityModel>();

export const entityModelForView = (view: CallerView): EntityModel => {
  const model = entityModelByView.get(view) ?? sharedModel(view);
  entityModelByView.set(view, model);
  return model;
};

const sharedModel = (view: CallerView): EntityModel => {
  const models = modelsOf.get(view.formulas) ?? new LRUCache<string, EntityModel>({ max: modelsMax });
  modelsOf.set(view.formulas, models);
  const hidden = JSON.stringify([view.hiddenFields, [...view.policies.keys()].sort()]);
  const model = models.get(hidden) ?? createEntityModel(view);
  models.set(hidden, model);
  return model;
};
