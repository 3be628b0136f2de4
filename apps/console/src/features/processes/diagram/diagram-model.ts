/**
 * What a diagram shows, from the content of a version: which symbols there are, what they stand for, and what connects them. Content says
 * no shapes; they follow from the words in the names of its types.
 */
import { neutralValue, type ContentElement } from '../content-element.js';
import { definedName, nameOf } from '../names.js';

export type SymbolShape = 'activity' | 'gateway' | 'start' | 'end' | 'event' | 'resource' | 'lane';

/** The element that a symbol stands for. */
export type SymbolTarget = { readonly facetName: string; readonly id: string };

export type DiagramSymbol = {
  readonly id: string;
  readonly shape: SymbolShape;
  /** Its own name, else that of what it stands for, else what its type is called. */
  readonly label: string;
  /** Of which culture the label is, when it has one. */
  readonly culture: string | undefined;
  readonly typeName: string;
  readonly target: SymbolTarget | undefined;
  /** The lane that it is in. */
  readonly lane: string | undefined;
  /** Where it was drawn, by its upper left corner. */
  readonly place: Place | undefined;
};

export type Place = { readonly x: number; readonly y: number };

/** `order`: nothing says so but the places of the symbols. */
export type LinkKind = 'flow' | 'order' | 'uses';
export type DiagramLink = { readonly from: string; readonly to: string; readonly kind: LinkKind };

export type Diagram = {
  readonly lanes: readonly DiagramSymbol[];
  /** Without lanes, in the order of the content. */
  readonly symbols: readonly DiagramSymbol[];
  readonly links: readonly DiagramLink[];
};

const wordsOf = (type: string): readonly string[] =>
  type
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const isOneOf = (words: readonly string[], ...wanted: readonly string[]): boolean =>
  wanted.some((word) => words.includes(word));

/** `startEvent` -> start, `xorGateway` -> gateway; what no word is known of is an activity. */
export const shapeOfType = (type: string): SymbolShape => {
  const words = wordsOf(type);
  if (isOneOf(words, 'lane', 'pool', 'swimlane')) return 'lane';
  if (isOneOf(words, 'gateway', 'decision', 'branch')) return 'gateway';
  if (isOneOf(words, 'event') || words.length === 1) {
    if (isOneOf(words, 'start')) return 'start';
    if (isOneOf(words, 'end')) return 'end';
    if (isOneOf(words, 'event')) return 'event';
  }
  return isOneOf(words, 'application', 'system', 'interface', 'document', 'data', 'database') ? 'resource' : 'activity';
};

/** They lead to people, who are in no diagram. */
const keptRelations: ReadonlySet<string> = new Set(['createdby', 'changedby', 'author', 'releasehistory']);

/** The relations that symbols may have: what they lead to is read with the content. */
export const expandedRelations = (
  types: readonly { readonly relations: readonly { readonly name: string }[] }[],
): readonly string[] => {
  const names = new Set(types.flatMap(({ relations }) => relations.map(({ name }) => name)));
  return [...names].filter((name) => !keptRelations.has(name.toLowerCase())).slice(0, relationsMax);
};

/** As many as an operation takes. */
const relationsMax = 200;

const relatedOf = ({ related }: ContentElement): readonly ContentElement[] =>
  Object.entries(related).flatMap(([name, targets]) => (keptRelations.has(name.toLowerCase()) ? [] : targets));

type Part = {
  readonly symbol: DiagramSymbol;
  readonly item: ContentElement;
  readonly represented: ContentElement | undefined;
};

/** Names are in the culture where there is one. What symbols stand for has to be expanded for its name and relations. */
export const diagramOf = (content: readonly ContentElement[], culture: string): Diagram => {
  const ids = new Set(content.map(({ id }) => id));
  const parts = content.map((item): Part => {
    const represented = item.related['represents']?.[0] ?? relatedOf(item).find(({ id }) => !ids.has(id));
    return { item, represented, symbol: symbolOf(item, represented, culture) };
  });
  const lanes = parts.filter(({ symbol }) => symbol.shape === 'lane');
  const others = parts.filter(({ symbol }) => symbol.shape !== 'lane');
  const symbols = others.map((part) => ({ ...part.symbol, lane: laneOf(part, lanes)?.symbol.id }));
  return { lanes: lanes.map(({ symbol }) => symbol), symbols, links: linksBetween(others) };
};

const symbolOf = (item: ContentElement, represented: ContentElement | undefined, culture: string): DiagramSymbol => {
  const typeName = definedName(item.type, item.typeNames, culture);
  const names = [item, ...(represented ? [represented] : [])].map((element) => nameOf(element, culture));
  const name = names.find(({ text }) => text !== '');
  return {
    ...{ id: item.id, shape: shapeOfType(item.type), typeName },
    ...{ label: name?.text ?? typeName, culture: name?.culture },
    target: represented && { facetName: represented.facetName, id: represented.id },
    lane: undefined,
    place: placeOf(item),
  };
};

const numberOf = (item: ContentElement, name: string): number | undefined => {
  const value = neutralValue(item, name);
  return typeof value === 'number' ? value : undefined;
};
const placeOf = (item: ContentElement): Place | undefined => {
  const [x, y] = [numberOf(item, 'x'), numberOf(item, 'y')];
  return x === undefined || y === undefined ? undefined : { x, y };
};
const sizeOf = (item: ContentElement) => ({
  width: numberOf(item, 'width') ?? 0,
  height: numberOf(item, 'height') ?? 0,
});

/** That which it was drawn in, else that of the role that does it. */
const laneOf = ({ item, represented, symbol: { shape, place } }: Part, lanes: readonly Part[]): Part | undefined => {
  if (shape === 'resource') return undefined;
  const { width, height } = sizeOf(item);
  const around = place && lanes.find((lane) => isInside(lane, { x: place.x + width / 2, y: place.y + height / 2 }));
  return around ?? lanes.find((lane) => represented && leadsTo(lane.represented, represented));
};

const isInside = ({ item, symbol: { place } }: Part, { x, y }: Place): boolean => {
  const { width, height } = sizeOf(item);
  return place !== undefined && x >= place.x && x <= place.x + width && y >= place.y && y <= place.y + height;
};

const leadsTo = (from: ContentElement | undefined, to: ContentElement): boolean =>
  from !== undefined && relatedOf(from).some(({ id }) => id === to.id);

/** By relations of the symbols and of what they stand for; by their order where there are none of a flow. */
const linksBetween = (parts: readonly Part[]): readonly DiagramLink[] => {
  const byItem = Map.groupBy(parts, ({ item }) => item.id);
  const byRepresented = Map.groupBy(parts, ({ represented }) => represented?.id ?? '');
  const links = parts.flatMap((from) => linksFrom(from, byItem, byRepresented));
  if (links.some(({ kind }) => kind === 'flow')) return links;
  return parts.some(({ symbol }) => isOneOf([symbol.shape], 'start', 'end', 'event', 'gateway'))
    ? [...orderOf(parts), ...links]
    : links;
};

type Parts = ReadonlyMap<string, readonly Part[]>;

const linksFrom = (from: Part, byItem: Parts, byRepresented: Parts): readonly DiagramLink[] => {
  const { item, represented, symbol } = from;
  const reached = new Map<Part, LinkKind>();
  const reach = (ids: readonly string[], parts: Parts, kind: LinkKind): void => {
    for (const to of ids.flatMap((id) => parts.get(id) ?? []))
      if (to !== from && !reached.has(to)) reached.set(to, to.symbol.shape === 'resource' ? 'uses' : kind);
  };
  const idsOf = (elements: readonly ContentElement[]): readonly string[] => elements.map(({ id }) => id);
  reach(idsOf(relatedOf(item)), byItem, 'flow');
  if (represented && symbol.shape !== 'resource') reach(idsOf(relatedOf(represented)), byRepresented, 'flow');
  return [...reached].map(([to, kind]) => ({ from: symbol.id, to: to.symbol.id, kind }));
};

const orderOf = (parts: readonly Part[]): readonly DiagramLink[] => {
  const flowing = parts
    .filter(({ symbol }) => symbol.shape !== 'resource')
    .map((part, at) => ({ id: part.symbol.id, place: part.symbol.place?.x ?? at }))
    .toSorted((one, other) => one.place - other.place);
  return flowing.slice(1).map(({ id }, at) => ({ from: flowing[at]?.id ?? '', to: id, kind: 'order' }));
};
