/**
 * The smallest demo: some elements of the usual one with everything above them, so that every facet, every type and
 * every state is still there. References to what is not there are left out.
 */
import { versionStates } from '@tessera/content-model';
import type { ContentDocument, ElementDocument, RelationTargets } from '@tessera/contracts';
import type { DemoStorage } from './demo-storage.js';

/** The first users; everything in the smallest demo is theirs. */
export const tinyPeopleCount = 4;

/** Kept with all that stands under them. */
const wholeTrees = ['p2p.invoice-verification', 'p2p.order-to-receipt.create-order'];

const singleElementIds = [
  ...['role.buyer', 'role.accounts-clerk', 'it.erp', 'it.invoice-capture', 'document.match-instruction'],
  ...['risk.no-requisition', 'control.maverick-review', 'kpi.duplicate-value', 'chart.meridian'],
  ...['user.anna-berger', 'user.jonas-petersen', 'user.lucia-navarro', 'user.miriam-vogt'],
];

export const reduceToTinyStorage = (storage: DemoStorage): DemoStorage => {
  const facets = [...storage.elements].map(([facet, elements]) => [facet, [...elements]] as const);
  const all = facets.flatMap(([, elements]) => elements);
  const byId = new Map(all.map((element) => [element.id, element]));
  const kept = new Set<string>();
  const keep = (element: ElementDocument | undefined): void => {
    for (let at = element; at && !kept.has(at.id); at = at.parent === undefined ? undefined : byId.get(at.parent))
      kept.add(at.id);
  };
  for (const element of all)
    if (wholeTrees.some((root) => element.id === root || element.id.startsWith(`${root}.`))) keep(element);
  for (const id of singleElementIds) keep(byId.get(id));
  for (const { name } of storage.definition.types)
    if (!all.some(({ id, type }) => type === name && kept.has(id))) keep(all.find(({ type }) => type === name));
  for (const state of [...versionStates, 'hide'])
    if (!all.some((element) => kept.has(element.id) && listVersionStates(element).includes(state)))
      keep(all.find((element) => listVersionStates(element).includes(state)));
  return {
    ...storage,
    elements: new Map(
      facets.map(([facet, elements]) => [
        facet,
        elements.filter(({ id }) => kept.has(id)).map((element) => pruneElement(element, kept)),
      ]),
    ),
  };
};

/** The states of its versions, or its own. */
export const listVersionStates = (element: ElementDocument): readonly string[] =>
  (element.versions ?? [element]).flatMap(({ state }) => (state === undefined ? [] : [state]));

type WithRelations = { relations?: RelationTargets | undefined; content?: ContentDocument[] | undefined };

const pruneElement = (element: ElementDocument, kept: ReadonlySet<string>): ElementDocument => ({
  ...pruneMembers(element, kept),
  ...(element.versions && { versions: element.versions.map((version) => pruneMembers(version, kept)) }),
});

const pruneMembers = <Holder extends WithRelations>(holder: Holder, kept: ReadonlySet<string>): Holder => ({
  ...holder,
  ...(holder.relations && { relations: pruneTargets(holder.relations, kept) }),
  ...(holder.content && {
    content: holder.content.map((element) => ({
      ...element,
      ...(element.relations && { relations: pruneTargets(element.relations, kept) }),
    })),
  }),
});

const pruneTargets = (relations: RelationTargets, kept: ReadonlySet<string>): RelationTargets =>
  Object.fromEntries(
    Object.entries(relations).map(([name, targets]) => [name, targets.filter((target) => kept.has(target))]),
  );
