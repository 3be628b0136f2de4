/**
 * A published model of a team by its id. Refuses: to tell a model that nobody has from one of another team; only names of
 * the team's own models are suggested.
 */
import { fail, nearestName, type Result, succeed } from '@tessera/failures';
import type { TeamCatalog } from './catalogs.js';
import type { PublishedModel } from './published-models.js';

/** So many names are listed when none is near. */
const listedMax = 12;

export const findModel = ({ models }: Pick<TeamCatalog, 'models'>, id: string): Result<PublishedModel> => {
  const model = models.get(id);
  return model ? succeed(model) : fail('KM_MODEL_NOTFOUND', `There is no knowledge model ${id}${hintFor(id, models)}`);
};

const hintFor = (id: string, models: TeamCatalog['models']): string => {
  const near = nearestName(id, models.ids);
  if (near !== undefined && models.has(near)) return `. Did you mean ${near}?`;
  const listed = models.ids.length > listedMax ? [] : models.ids.filter((known) => models.has(known));
  return listed.length > 0 ? `; expected one of ${listed.join(', ')}.` : '.';
};
