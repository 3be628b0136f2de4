/**
 * Targets of OData requests as routes have them: clients may encode the `$` of a segment and end the service root with `/`.
 * Refuses: to touch other paths.
 */
const servicesAt = '/intelligence/api/odata/';

/** Also of paths that nobody serves: who asks there reads failures as a client of OData. */
export const isODataPath = (path: string): boolean => path.startsWith(servicesAt);

const rootWithSlash = /^([^?]*\.svc)\/(?=\?|$)/;

export const plainODataTarget = (target: string): string => {
  if (!target.includes('.svc/')) return target;
  return target.replace(rootWithSlash, '$1').replaceAll('/%24', '/$');
};
