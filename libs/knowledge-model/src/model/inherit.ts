/**
 * A definition with its base models in it: entries with an id of the base change the members that they name, at every
 * level; relationships and policies add up, so that no model takes away a restriction of its base.
 */
import type { KnowledgeModelDefinition, KpiDefinition, RecordDefinition } from '@tessera/contracts/knowledge-models';
import type { FaultList } from '@tessera/failures';

/** The definitions of the team, the one that is looked at among them or not. */
export type KnowledgeModelDefinitions = ReadonlyMap<string, KnowledgeModelDefinition>;

const ancestorsMax = 16;
const emptyDefinition: KnowledgeModelDefinition = { kind: 'KnowledgeModel', id: '' };

/** Undefined when a fault was noted. */
export const resolveInheritance = (
  definition: KnowledgeModelDefinition,
  others: KnowledgeModelDefinitions,
  list: FaultList,
): KnowledgeModelDefinition | undefined => {
  const chain = [definition];
  for (let id = definition.extends; id; id = chain.at(-1)?.extends) {
    const way = chain.map((model) => model.id);
    if (way.includes(id)) return addFault(list, 'circle', `the model extends itself: ${[...way, id].join(' -> ')}`);
    if (way.length > ancestorsMax) return addFault(list, 'ancestorsMax', `a model has at most ${ancestorsMax} bases`);
    const parent = others.get(id);
    if (!parent) {
      const what = way.length === 1 ? 'knowledge model' : `knowledge model (which ${way.at(-1)} extends)`;
      list.unknown(
        ['extends'],
        what,
        id,
        [...others.keys()].filter((other) => !way.includes(other)),
      );
      return undefined;
    }
    chain.push(parent);
  }
  return chain.reduceRight((parent, own) => mergeModels(parent, own), emptyDefinition);
};

const addFault = (list: FaultList, rule: string, message: string): undefined => {
  list.add(['extends'], rule, message);
  return undefined;
};

const mergeModels = (parent: KnowledgeModelDefinition, own: KnowledgeModelDefinition): KnowledgeModelDefinition => ({
  ...parent,
  ...own,
  records: mergeEntries(parent.records, own.records, mergeRecords),
  relationships: [...(parent.relationships ?? []), ...(own.relationships ?? [])],
  kpis: mergeEntries(parent.kpis, own.kpis, mergeKpis),
  filters: mergeEntries(parent.filters, own.filters, mergeMembers),
  policies: [...(parent.policies ?? []), ...(own.policies ?? [])],
  rollups: mergeEntries(parent.rollups, own.rollups, mergeMembers),
});

/** A field may become one of another kind. */
const mergeRecords = (parent: RecordDefinition, own: RecordDefinition): RecordDefinition => {
  const others = (...lists: readonly (readonly Entry[] | undefined)[]) =>
    new Set(lists.flatMap((list) => list?.map(({ id }) => id) ?? []));
  const { attributes, augmentedAttributes, flags } = own;
  return {
    ...parent,
    ...own,
    attributes: mergeEntries(
      omitItems(parent.attributes, others(augmentedAttributes, flags)),
      attributes,
      mergeMembers,
    ),
    augmentedAttributes: mergeEntries(
      omitItems(parent.augmentedAttributes, others(attributes, flags)),
      augmentedAttributes,
      mergeMembers,
    ),
    flags: mergeEntries(omitItems(parent.flags, others(attributes, augmentedAttributes)), flags, mergeMembers),
  };
};

const mergeKpis = (parent: KpiDefinition, own: KpiDefinition): KpiDefinition => ({
  ...parent,
  ...own,
  parameters: mergeEntries(parent.parameters, own.parameters, mergeMembers),
});

type Entry = { readonly id: string };

const mergeMembers = <Item>(parent: Item, own: Item): Item => ({ ...parent, ...own });

const omitItems = <Item extends Entry>(items: readonly Item[] | undefined, ids: ReadonlySet<string>): readonly Item[] =>
  (items ?? []).filter(({ id }) => !ids.has(id));

/** The base's entries in their order, then the new ones; of what is given twice the first. */
const mergeEntries = <Item extends Entry>(
  parent: readonly Item[] | undefined,
  own: readonly Item[] | undefined,
  merge: (parent: Item, own: Item) => Item,
): Item[] => {
  const changes = new Map((own ?? []).toReversed().map((item) => [item.id, item]));
  const inherited = new Set((parent ?? []).map(({ id }) => id));
  return [
    ...(parent ?? []).map((item) => {
      const change = changes.get(item.id);
      return change ? merge(item, change) : item;
    }),
    ...(own ?? []).filter((item) => changes.get(item.id) === item && !inherited.has(item.id)),
  ];
};
