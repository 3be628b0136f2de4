/**
 * Where an element stands in its tree, as text that sorts in tree order: eight hex digits per ancestor and itself.
 * Refuses: to know elements; it turns positions into text and back.
 */
const segmentLength = 8;

/** The segment of a position among siblings. */
export const treeSegment = (position: number): string => position.toString(16).padStart(segmentLength, '0');

/** How deep a path is; a root has depth 1. */
export const treeDepth = (path: string): number => path.length / segmentLength;

/** The path of the parent, or undefined for a root. */
export const parentPath = (path: string): string | undefined =>
  path.length > segmentLength ? path.slice(0, -segmentLength) : undefined;

/** The bounds of a subtree: `path <= p < end`, the element itself included. */
export const subtreeBounds = (path: string): { readonly from: string; readonly before: string } => ({
  from: path,
  before: `${path}g`,
});
