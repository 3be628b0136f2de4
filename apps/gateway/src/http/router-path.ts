/**
 * The path of an operation as the router writes it. A member that has its segment to itself is any text; one with a text
 * behind it ends where that begins; one that ends a segment of several is in parentheses, as keys of OData are.
 * Refuses: other templates than the contracts have, and to try a path that ends without a parenthesis at each of its places.
 */
const members = /\{(\w+)\}/g;
const alone = /^\{(\w+)\}(?:\.\w+)?$/;

export const routerPathOf = (template: string): string =>
  template
    .split('/')
    .map((segment) => (alone.test(segment) ? segment.replace(members, ':$1') : sharedSegment(segment)))
    .join('/');

const sharedSegment = (segment: string): string => {
  // Paths are matched before anybody knows who asks: one look at the end spares those at each beginning.
  const ahead = segment.endsWith('}') ? '(?=[\\w\\W]*\\)$)' : '';
  return segment.replace(members, (written, name: string, at: number) =>
    at > 0 && at + written.length === segment.length
      ? `:${name}(^\\([\\w\\W]*\\)$)`
      : `:${name}(^${at === 0 ? ahead : ''}.+?)`,
  );
};
