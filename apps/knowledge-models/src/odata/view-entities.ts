/** The entity data model of a view, made once; it goes with the view. Refuses: to look at anything but what the caller sees. */
import type { CallerView } from '@tessera/knowledge-model';
import { entityModelOf, type EntityModel } from '@tessera/odata';

const models = new WeakMap<CallerView, EntityModel>();

export const viewEntities = (view: CallerView): EntityModel => {
  const known = models.get(view);
  if (known) return known;
  const model = entityModelOf(view);
  models.set(view, model);
  return model;
};
