/**
 * Targets of OData requests as routes have them: clients may encode the `$` of a segment and end the service root with `/`.
 * Refuses: to touch other paths, and queries.
 */
import { odataPrefix } from '@tessera/contracts/knowledge-models';

const servicesAt = odataPrefix.slice(0, odataPrefix.indexOf('{'));

/** Also of paths that nobody serves: who asks there reads failures as a client of OData. */
export const isODataPath = (path: string): boolean => path.startsWith(servicesAt);

const slashOfRoot = /(?<=\.svc)\/$/;

export const plainODataTarget = (target: string): string => {
  if (!isODataPath(target) || !target.includes('.svc/')) return target;
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  return path.replace(slashOfRoot, '').replaceAll('/%24', '/$') + target.slice(path.length);
};
