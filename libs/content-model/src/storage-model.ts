/**
 * A storage's definition made complete: standard views, states and transitions filled in, lookups that ignore case and
 * answer the defined spelling.
 */
import type {
  AttributeDefinition,
  AttributeType,
  FacetDefinition,
  LocalisedText,
  RelationDefinition,
  StorageDefinition,
  TypeDefinition,
  ViewDefinition,
} from '@tessera/contracts';
import { systemAttributes, systemRelations } from './system-attributes.js';
import { standardStates, standardTransitions, transitionId, type Transition } from './states.js';

export type ViewModel = {
  readonly name: string;
  readonly displayNames: LocalisedText;
  readonly isHierarchical: boolean;
  /** The types it shows, in their defined spelling; all of the facet when absent. */
  readonly types?: readonly string[];
};

export type FacetModel = {
  readonly name: string;
  readonly displayNames: LocalisedText;
  readonly views: readonly ViewModel[];
};

export type AttributeModel = {
  readonly name: string;
  readonly displayNames: LocalisedText;
  readonly type: AttributeType;
  readonly localised: boolean;
  readonly mandatory: boolean;
  readonly mandatoryCultures: readonly number[];
  /** Filled in by the server when a file does not give it. */
  readonly isSystem: boolean;
};

export type TypeModel = {
  readonly name: string;
  readonly facet: string;
  readonly displayNames: LocalisedText;
  readonly versioned: boolean;
  /** The declared ones in their order, then those that the server keeps. */
  readonly attributes: readonly AttributeModel[];
  readonly attributeByName: ReadonlyMap<string, AttributeModel>;
  readonly states: readonly string[];
  readonly transitions: readonly Transition[];
  readonly childTypes: readonly string[];
  readonly contentTypes: readonly string[];
};

export type RelationModel = {
  readonly name: string;
  readonly displayNames: LocalisedText;
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly many: boolean;
  /** Kept by the server. */
  readonly isSystem: boolean;
};

export type StorageModel = {
  readonly collection: string;
  readonly id: string;
  readonly title: string;
  readonly cultures: readonly number[];
  readonly defaultCulture: number;
  readonly facets: readonly FacetModel[];
  readonly types: readonly TypeModel[];
  readonly relations: readonly RelationModel[];
  readonly facetByName: ReadonlyMap<string, FacetModel>;
  readonly typeByName: ReadonlyMap<string, TypeModel>;
  readonly relationByName: ReadonlyMap<string, RelationModel>;
  /** The type of the elements that stand for users. */
  readonly userType?: TypeModel;
};

/** The standard tree of a facet, what a report shows when no view is named. */
export const reportingView = 'reporting';
/** The standard flat view, where the addresses of references lead. */
export const detailView = 'detail';

/** The definition with everything that has a standard filled in. */
export const normaliseDefinition = (definition: StorageDefinition): StorageModel => {
  const spelling = byName(definition.types);
  const facetByName = byName(definition.facets.map((facet) => facetModel(facet, spelling)));
  const typeByName = byName(definition.types.map((type) => typeModel(type, facetByName, spelling)));
  const relationByName = byName([
    ...(definition.relations ?? []).map((relation) => relationModel(relation, spelling)),
    ...systemRelations.map((name) => ({ name, displayNames: {}, many: name === 'releaseHistory', isSystem: true })),
  ]);
  const userType = definition.userType && typeByName.get(definition.userType.toLowerCase());
  return {
    collection: definition.collection,
    id: definition.id,
    title: definition.title,
    cultures: definition.cultures,
    defaultCulture: definition.defaultCulture,
    facets: [...facetByName.values()],
    types: [...typeByName.values()],
    relations: [...relationByName.values()],
    facetByName,
    typeByName,
    relationByName,
    ...(userType && { userType }),
  };
};

export const findFacet = (storage: StorageModel, name: string): FacetModel | undefined =>
  storage.facetByName.get(name.toLowerCase());

/** The view of that name; when two share it, the one that is hierarchical as asked for, else the first. */
export const findView = (facet: FacetModel, name: string, isHierarchical?: boolean): ViewModel | undefined => {
  const named = facet.views.filter((view) => view.name.toLowerCase() === name.toLowerCase());
  return named.find((view) => view.isHierarchical === isHierarchical) ?? named[0];
};

export const findType = (storage: StorageModel, name: string): TypeModel | undefined =>
  storage.typeByName.get(name.toLowerCase());

export const findAttribute = (type: TypeModel, name: string): AttributeModel | undefined =>
  type.attributeByName.get(name.toLowerCase());

export const findRelation = (storage: StorageModel, name: string): RelationModel | undefined =>
  storage.relationByName.get(name.toLowerCase());

const facetModel = (facet: FacetDefinition, types: ReadonlyMap<string, TypeDefinition>): FacetModel => {
  const views = (facet.views ?? []).map((view) => viewModel(view, types));
  const standard = [
    {
      name: reportingView,
      displayNames: { '1033': 'Reporting', '1031': 'Auswertung', '3082': 'Informes' },
      isHierarchical: true,
    },
    {
      name: detailView,
      displayNames: { '1033': 'Details', '1031': 'Details', '3082': 'Detalles' },
      isHierarchical: false,
    },
  ];
  const missing = standard.filter(
    ({ name, isHierarchical }) =>
      !views.some((view) => view.name.toLowerCase() === name && view.isHierarchical === isHierarchical),
  );
  return { name: facet.name, displayNames: facet.displayNames, views: [...views, ...missing] };
};

const viewModel = (view: ViewDefinition, types: ReadonlyMap<string, TypeDefinition>): ViewModel => ({
  name: view.name,
  displayNames: view.displayNames ?? {},
  isHierarchical: view.isHierarchical,
  ...(view.types && { types: asDefined(view.types, types) }),
});

const typeModel = (
  type: TypeDefinition,
  facets: ReadonlyMap<string, FacetModel>,
  types: ReadonlyMap<string, TypeDefinition>,
): TypeModel => {
  const versioned = type.versioned ?? false;
  const declared = (type.attributes ?? []).map(attributeModel);
  const kept = systemAttributes.filter((attribute) => versioned || !attribute.versionedOnly).map(systemAttributeModel);
  const attributeByName = byName([...declared, ...kept]);
  return {
    name: type.name,
    facet: facets.get(type.facet.toLowerCase())?.name ?? type.facet,
    displayNames: type.displayNames,
    versioned,
    attributes: [...attributeByName.values()],
    attributeByName,
    states: type.states ?? standardStates(versioned),
    transitions: (type.transitions ?? standardTransitions(versioned)).map(({ id, from, to }) => ({
      id: id ?? transitionId(from, to),
      from,
      to,
    })),
    childTypes: asDefined(type.childTypes ?? [], types),
    contentTypes: asDefined(type.contentTypes ?? [], types),
  };
};

const attributeModel = (attribute: AttributeDefinition): AttributeModel => ({
  name: attribute.name,
  displayNames: attribute.displayNames ?? {},
  type: attribute.type ?? 'string',
  localised: attribute.localised ?? false,
  mandatory: attribute.mandatory ?? (attribute.mandatoryCultures?.length ?? 0) > 0,
  mandatoryCultures: attribute.mandatoryCultures ?? [],
  isSystem: false,
});

const systemAttributeModel = ({
  name,
  type,
}: {
  readonly name: string;
  readonly type: AttributeType;
}): AttributeModel => ({
  name,
  displayNames: {},
  type,
  localised: name === 'authorNote',
  mandatory: false,
  mandatoryCultures: [],
  isSystem: true,
});

const relationModel = (relation: RelationDefinition, types: ReadonlyMap<string, TypeDefinition>): RelationModel => ({
  name: relation.name,
  displayNames: relation.displayNames ?? {},
  ...(relation.from && { from: asDefined(relation.from, types) }),
  ...(relation.to && { to: asDefined(relation.to, types) }),
  many: relation.many ?? true,
  isSystem: false,
});

const asDefined = (
  names: readonly string[],
  defined: ReadonlyMap<string, { readonly name: string }>,
): readonly string[] => names.map((name) => defined.get(name.toLowerCase())?.name ?? name);

/** By name in lower case; the first of a name wins. */
const byName = <Named extends { readonly name: string }>(list: readonly Named[]): ReadonlyMap<string, Named> => {
  const found = new Map<string, Named>();
  for (const item of list) if (!found.has(item.name.toLowerCase())) found.set(item.name.toLowerCase(), item);
  return found;
};
