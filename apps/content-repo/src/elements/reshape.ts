/**
 * The options that look inside elements, as one step over rows: `$expandRelated`, then `$select`.
 * Refuses: to exist when neither was asked for; then rows stay text.
 */
import { runInSlices, type Sliced } from '@tessera/fair-queue';
import type { TenantReader } from '../database/tenant-reader.js';
import type { TreeRow } from '../tree/write-tree.js';
import { parseElement, parseRow, printRow, type ElementJson } from './element-json.js';
import { expandRelated, parseTargets, referencedTargets } from './expand-related.js';
import { readReferences } from './reference.repository.js';
import type { Resources } from './resources.js';
import { selectMembers } from './select-members.js';

export type ReshapeOptions = {
  readonly $expandRelated?: readonly string[] | undefined;
  readonly $select?: readonly string[] | undefined;
};

export type Reshape = {
  readonly rows: <Row extends TreeRow>(rows: readonly Row[]) => Promise<readonly TreeRow[]>;
  /** One complete element. */
  readonly element: (stored: string) => Promise<string>;
  readonly json: (elements: readonly ElementJson[]) => Promise<readonly ElementJson[]>;
};

export const reshapeFor = (
  options: ReshapeOptions,
  storageId: string,
  resources: Resources,
  publicUrl: string,
  reader: TenantReader,
): Reshape | undefined => {
  if (!options.$expandRelated && !options.$select) return undefined;
  const relations = lowerCase(options.$expandRelated);
  const names = options.$select && lowerCase(options.$select);

  const json = async (elements: readonly ElementJson[]): Promise<readonly ElementJson[]> => {
    const targets = referencedTargets(elements, relations);
    const found =
      targets.size === 0
        ? new Map<string, ElementJson>()
        : parseTargets(await readReferences(reader, storageId, [...targets.values()], resources), publicUrl);
    return inSlices(elements, (element) => {
      const expanded = found.size === 0 ? element : expandRelated(element, relations, found);
      return names ? selectMembers(expanded, names) : expanded;
    });
  };
  const inSlices = <Item, Made>(items: readonly Item[], make: (item: Item, index: number) => Made) =>
    runInSlices(oneByOne(items, make), reader.tenant);

  return {
    json,
    element: async (stored) => JSON.stringify((await json([parseElement(stored, publicUrl)]))[0]),
    rows: async (rows) => {
      const parsed = await inSlices(rows, (row) => parseRow(row, publicUrl));
      const reshaped = await json(parsed.flatMap(({ before, behind }) => [before, behind]));
      return inSlices(rows, (row, index) =>
        printRow(row, { before: reshaped[index * 2] ?? {}, behind: reshaped[index * 2 + 1] ?? {} }),
      );
    },
  };
};

function* oneByOne<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
): Sliced<readonly Made[]> {
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    made.push(make(item, index));
    yield;
  }
  return made;
}

const lowerCase = (names: readonly string[] | undefined): ReadonlySet<string> =>
  new Set((names ?? []).map((name) => name.toLowerCase()));
