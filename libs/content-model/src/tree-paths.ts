/**
 * Where an element stands in its tree, as text that sorts in tree order: eight hex digits per ancestor and itself.
 * Refuses: to know elements; it turns positions into text.
 */
const segmentLength = 8;

/** The segment of a position among siblings. */
export const treeSegment = (position: number): string => position.toString(16).padStart(segmentLength, '0');

/** Where a path stands among its siblings. */
export const lastSegment = (path: string): string => path.slice(-segmentLength);
