/**
 * Targets of OData requests as routes have them: clients may encode the `$` of a segment and end the service root with `/`.
 * Refuses: to touch other paths.
 */
const rootWithSlash = /^([^?]*\.svc)\/(?=\?|$)/;

export const plainODataTarget = (target: string): string => {
  if (!target.includes('.svc/')) return target;
  return target.replace(rootWithSlash, '$1').replaceAll('/%24', '/$');
};
