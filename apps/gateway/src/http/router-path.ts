/**
 * Paths of operations. Nest and its OpenAPI scanner read the syntax of path-to-regexp; Fastify's router needs a pattern for a
 * member that shares its segment: one with a text behind it ends where that begins; one that ends a segment of several is in
 * parentheses, as keys of OData are. Never tries a path that ends without a parenthesis at each of its places.
 */
const memberPattern = /\{(\w+)\}/g;
const wholeSegmentPattern = /^\{(\w+)\}(?:\.\w+)?$/;
const quotedMemberPattern = /:"(\w+)"/g;

/** The template of a contract as Nest reads it: `:id`, quoted where the segment goes on. */
export const toNestPath = (template: string): string =>
  template
    .split('/')
    .map((segment) => segment.replace(memberPattern, wholeSegmentPattern.test(segment) ? ':$1' : ':"$1"'))
    .join('/');

/** A path of Nest as the router reads it. */
export const toRouterPath = (path: string): string => path.split('/').map(segmentPattern).join('/');

const segmentPattern = (segment: string): string => {
  // Paths are matched before the caller is known: one look at the end spares those at each beginning.
  const ahead = segment.endsWith('"') ? '(?=[\\w\\W]*\\)$)' : '';
  return segment.replace(quotedMemberPattern, (written, name: string, at: number) =>
    at > 0 && at + written.length === segment.length
      ? `:${name}(^\\([\\w\\W]*\\)$)`
      : `:${name}(^${at === 0 ? ahead : ''}.+?)`,
  );
};
