/**
 * Where new and moved elements stand: circles among them, their positions behind their new siblings, and the paths from
 * which everything below them gets its own.
 */
/** An element that is stored, as much of it as its place and its references need. */
export type ExistingElement = {
  readonly elementId: string;
  readonly facet: string;
  readonly type: string;
  readonly parentId: string | null;
  readonly treePath: string | null;
  readonly isDeleted: boolean;
};

export type ElementParent = { readonly elementId: string; readonly parentId: string | null };
/** By their identifiers; with a parent, all that stand above it. */
export type ExistingElementsById = ReadonlyMap<string, ExistingElement>;

/** Those of `placed` that would stand under themselves. */
export const findCycles = (placed: readonly ElementParent[], known: ExistingElementsById): ReadonlySet<string> => {
  const above = ancestryOf(placed, known);
  return new Set(placed.map(({ elementId }) => elementId).filter((id) => above(id).includes(id)));
};

export type ElementTreePosition = ElementParent & { readonly position: number; readonly path: string };

/**
 * Each behind its new siblings, without circles. `lastPositions`: by parent (`null` for roots), the highest position that
 * a child of it ever had.
 */
export const computeElementTreePositions = (
  placed: readonly ElementParent[],
  known: ExistingElementsById,
  lastPositions: ReadonlyMap<string | null, number>,
): readonly ElementTreePosition[] => {
  const last = new Map(lastPositions);
  const seats = placed.map(({ elementId, parentId }) => {
    const position = (last.get(parentId) ?? -1) + 1;
    last.set(parentId, position);
    return { elementId, parentId, position };
  });
  const seatOf = new Map(seats.map((seat) => [seat.elementId, seat]));
  const pathOf = (id: string | null): string => {
    if (id === null) return '';
    const seat = seatOf.get(id);
    if (seat) return `${pathOf(seat.parentId)}${formatTreeSegment(seat.position)}`;
    const { parentId = null, treePath } = known.get(id) ?? {};
    return `${pathOf(parentId)}${lastTreeSegment(treePath ?? '')}`;
  };
  return seats.map((seat) => ({ ...seat, path: pathOf(seat.elementId) }));
};

/** All that stands above an element when everything is placed; ends where a circle closes. */
const ancestryOf = (
  placed: readonly ElementParent[],
  known: ExistingElementsById,
): ((elementId: string) => readonly string[]) => {
  const parents = new Map(placed.map(({ elementId, parentId }) => [elementId, parentId]));
  const parentOf = (id: string): string | null => {
    const parentId = parents.get(id);
    return parentId === undefined ? (known.get(id)?.parentId ?? null) : parentId;
  };
  return (elementId) => {
    const above = new Set<string>();
    for (let id = parentOf(elementId); id !== null && !above.has(id); id = parentOf(id)) above.add(id);
    return [...above];
  };
};

const segmentLength = 8;

/** The segment of a position among siblings. */
export const formatTreeSegment = (position: number): string => position.toString(16).padStart(segmentLength, '0');

/** Where a path stands among its siblings. */
export const lastTreeSegment = (path: string): string => path.slice(-segmentLength);
