/** The options that look inside elements, as one step over rows: `$expandRelated`, then `$select`. */
import { runInSlices, type SlicedWork } from '@tessera/fair-queue';
import type { TenantReader } from '../database/tenant-reader.js';
import type { TreeRow } from '../tree/tree-text.js';
import { type ElementJson, parseElementJson, parseTreeRow, printTreeRow } from './element-json.js';
import { readReferences, referenceKey, type ReferenceTarget } from './element.repository.js';
import type { Resources } from './resources.js';

export type ReshapeOptions = {
  readonly $expandRelated?: readonly string[] | undefined;
  readonly $select?: readonly string[] | undefined;
};

export type ElementReshaper = {
  readonly rows: <Row extends TreeRow>(rows: readonly Row[]) => Promise<readonly TreeRow[]>;
  /** One complete element. */
  readonly element: (stored: string) => Promise<string>;
  readonly json: (elements: readonly ElementJson[]) => Promise<readonly ElementJson[]>;
};

export const createReshaper = (
  options: ReshapeOptions,
  storageId: string,
  resources: Resources,
  publicUrl: string,
  reader: TenantReader,
): ElementReshaper | undefined => {
  if (!options.$expandRelated && !options.$select) return undefined;
  const relations = lowerCase(options.$expandRelated);
  const names = options.$select && lowerCase(options.$select);

  const json = async (elements: readonly ElementJson[]): Promise<readonly ElementJson[]> => {
    const targets = referencedTargets(elements, relations);
    const read = async (wanted: ReadonlyMap<string, ReferenceTarget>, parts: Resources) =>
      wanted.size === 0
        ? new Map<string, ElementJson>()
        : parseTargets(await readReferences(reader, storageId, [...wanted.values()], parts), publicUrl);
    const expanded = await read(targets, resources);
    const inner = resources.has('attributes') ? referencedTargets([...expanded.values()]) : new Map<string, never>();
    const named = await read(inner, attributesAlone);
    const found = new Map([...expanded].map(([key, element]) => [key, nameReferences(element, named)]));
    return inSlices(elements, (element) => {
      const whole = found.size === 0 ? element : expandRelated(element, relations, found);
      return names ? selectMembers(whole, names) : whole;
    });
  };
  const inSlices = <Item, Made>(items: readonly Item[], make: (item: Item, index: number) => Made) =>
    runInSlices(reshapeOneByOne(items, make), reader.tenant);

  return {
    json,
    element: async (stored) => JSON.stringify((await json([parseElementJson(stored, publicUrl)]))[0]),
    rows: async (rows) => {
      const parsed = await inSlices(rows, (row) => parseTreeRow(row, publicUrl));
      const reshaped = await json(parsed.flatMap(({ before, behind }) => [before, behind]));
      return inSlices(rows, (row, index) =>
        printTreeRow(row, { before: reshaped[index * 2] ?? {}, behind: reshaped[index * 2 + 1] ?? {} }),
      );
    },
  };
};

function* reshapeOneByOne<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
): SlicedWork<readonly Made[]> {
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    made.push(make(item, index));
    yield;
  }
  return made;
}

const lowerCase = (names: readonly string[] | undefined): ReadonlySet<string> =>
  new Set((names ?? []).map((name) => name.toLowerCase()));

/** `names` in lower case. What becomes empty is left out. */
const selectMembers = (element: ElementJson, names: ReadonlySet<string>): ElementJson => {
  const { attributes, related, children, content, rootPath, expandUri, ...identity } = element;
  const inside = (list: readonly ElementJson[]) => list.map((item) => selectMembers(item, names));
  const relations = related && pickMembers(related, names).map(([name, list]) => [name, inside(list)] as const);
  return {
    ...identity,
    ...(attributes && nonEmpty('attributes', pickMembers(attributes, names))),
    ...(relations && nonEmpty('related', relations)),
    ...(children && { children: inside(children) }),
    ...(content && { content: inside(content) }),
    ...(rootPath && { rootPath: inside(rootPath) }),
    ...(expandUri !== undefined && { expandUri }),
  };
};

const pickMembers = <Value>(members: Readonly<Record<string, Value>>, names: ReadonlySet<string>) =>
  Object.entries(members).filter(([name]) => names.has(name.toLowerCase()));

const nonEmpty = (member: string, entries: readonly (readonly [string, unknown])[]) =>
  entries.length > 0 ? { [member]: Object.fromEntries(entries) } : {};

const attributesAlone: Resources = new Set(['attributes']);

/** The targets that relations of these elements lead to, each once: the named ones (lower case), all when absent. */
const referencedTargets = (
  elements: readonly ElementJson[],
  relations?: ReadonlySet<string>,
): ReadonlyMap<string, ReferenceTarget> => {
  const targets = new Map<string, ReferenceTarget>();
  for (const element of elements) {
    for (const [relation, references] of Object.entries(element.related ?? {}))
      if (relations?.has(relation.toLowerCase()) !== false)
        for (const reference of references) {
          const target = toReferenceTarget(reference);
          if (target) targets.set(referenceKey(target), target);
        }
    for (const [key, target] of referencedTargets(element.content ?? [], relations)) targets.set(key, target);
  }
  return targets;
};

/** What is not among `found` stays a reference. */
export const expandRelated = (
  element: ElementJson,
  relations: ReadonlySet<string>,
  found: ReadonlyMap<string, ElementJson>,
): ElementJson => {
  const related =
    element.related &&
    Object.fromEntries(
      Object.entries(element.related).map(([relation, references]) => [
        relation,
        relations.has(relation.toLowerCase())
          ? references.map((reference) => expandReference(reference, found))
          : references,
      ]),
    );
  const content = element.content?.map((item) => expandRelated(item, relations, found));
  return { ...element, ...(related && { related }), ...(content && { content }) };
};

/** Stored texts -> elements, complete but for their address. */
const parseTargets = (texts: ReadonlyMap<string, string>, publicUrl: string): ReadonlyMap<string, ElementJson> =>
  new Map([...texts].map(([key, text]) => [key, parseElementJson(`${text}}`, publicUrl)]));

/** An element in the place of a reference tells the attributes of what it refers to. */
const nameReferences = (element: ElementJson, named: ReadonlyMap<string, ElementJson>): ElementJson => {
  const { related } = element;
  if (!related) return element;
  const withAttributes = ({ expandUri, ...reference }: ElementJson): ElementJson => {
    const target = toReferenceTarget(reference);
    const { attributes } = (target && named.get(referenceKey(target))) ?? {};
    return { ...reference, ...(attributes && { attributes }), ...(expandUri !== undefined && { expandUri }) };
  };
  const lists = Object.entries(related).map(([relation, list]) => [relation, list.map(withAttributes)] as const);
  return { ...element, related: Object.fromEntries(lists) };
};

const expandReference = (reference: ElementJson, found: ReadonlyMap<string, ElementJson>): ElementJson => {
  const target = toReferenceTarget(reference);
  const element = target && found.get(referenceKey(target));
  return element ? { ...element, ...(reference.expandUri && { expandUri: reference.expandUri }) } : reference;
};

export const toReferenceTarget = ({ id, versionId }: ElementJson): ReferenceTarget | undefined =>
  id ? { elementId: id, versionId } : undefined;
