/** The entity type that a request names, by its name or by the id of the record. */
import { fail, nearestName, type Result, succeed } from '@tessera/failures';
import { withSuggestion } from '@tessera/filter';
import { expectedOneOf } from '@tessera/knowledge-model';
import { idOf } from '../names.js';
import type { EntityModel, EntityType } from './entity-model.js';

const shownMax = 100;

/** `name`: without the suffix of its entity set. */
export const findEntityType = ({ types, typeByRecord }: EntityModel, name: string): Result<EntityType> => {
  // An id that looks like the name of another record is that name, since the metadata say so.
  const type = typeByRecord.get(idOf(name)) ?? typeByRecord.get(name);
  if (type) return succeed(type);
  const names = types.map((other) => other.name);
  const suggestion = nearestName(name, names);
  const asked = (name.length > shownMax ? `${name.slice(0, shownMax)}...` : name).toWellFormed();
  const listed = suggestion === undefined ? expectedOneOf(names) : '';
  const message = withSuggestion(`There is no record ${asked === '' ? '""' : asked}${listed}.`, suggestion);
  return fail('KM_RECORD_NOTFOUND', message, {
    faults: [
      { in: 'path', path: 'record_id', rule: 'unknown', message, ...(suggestion !== undefined && { suggestion }) },
    ],
  });
};
