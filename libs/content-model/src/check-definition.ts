/**
 * The faults of a storage's definition that its shape does not show: names given twice or leading nowhere, cultures
 * that the storage does not have, states that no type can have.
 */
import type {
  AttributeDefinition,
  LocalisedText,
  RelationDefinition,
  StorageDefinition,
  TypeDefinition,
} from '@tessera/contracts';
import { type Fault, createFaultList, type FaultList } from '@tessera/failures';
import { systemAttributes, systemRelations } from './system-attributes.js';
import { standardStates, wasReleased } from './states.js';

type Path = readonly (string | number)[];
type Check = { readonly definition: StorageDefinition; readonly list: FaultList };

export const checkDefinition = (definition: StorageDefinition): readonly Fault[] => {
  const list = createFaultList('definition');
  const check = { definition, list };
  if (!definition.cultures.includes(definition.defaultCulture))
    list.add(['defaultCulture'], 'unknown', `${definition.defaultCulture} is not one of the cultures`);
  checkDuplicates(check, ['facets'], definition.facets);
  checkDuplicates(check, ['types'], definition.types);
  checkDuplicates(check, ['relations'], definition.relations ?? []);
  checkFacets(check);
  definition.types.forEach((type, index) => checkType(check, ['types', index], type));
  (definition.relations ?? []).forEach((relation, index) => checkRelation(check, ['relations', index], relation));
  checkUserType(check);
  return list.faults;
};

const checkFacets = (check: Check): void =>
  check.definition.facets.forEach((facet, index) => {
    const path = ['facets', index];
    checkCultures(check, [...path, 'displayNames'], facet.displayNames);
    const views = facet.views ?? [];
    views.forEach((view, place) => {
      const viewPath = [...path, 'views', place];
      checkCultures(check, [...viewPath, 'displayNames'], view.displayNames ?? {});
      checkTypes(check, [...viewPath, 'types'], view.types ?? [], facet.name);
      const same = (other: (typeof views)[number]) =>
        sameName(other.name, view.name) && other.isHierarchical === view.isHierarchical;
      if (views.findIndex(same) !== place)
        check.list.add([...viewPath, 'name'], 'twice', `the view "${view.name}" is defined twice`);
    });
  });

const checkType = (check: Check, path: Path, type: TypeDefinition): void => {
  const { definition, list } = check;
  checkCultures(check, [...path, 'displayNames'], type.displayNames);
  if (!definition.facets.some((facet) => sameName(facet.name, type.facet)))
    list.unknown([...path, 'facet'], 'facet', type.facet, namesOf(definition.facets));
  checkTypes(check, [...path, 'childTypes'], type.childTypes ?? [], type.facet);
  checkTypes(check, [...path, 'contentTypes'], type.contentTypes ?? []);
  (type.contentTypes ?? []).forEach((name, index) => {
    if (definition.types.some((other) => sameName(other.name, name) && other.versioned))
      list.add(
        [...path, 'contentTypes', index],
        'versioned',
        `"${name}" has versions; content has the version of what holds it`,
      );
  });
  checkDuplicates(check, [...path, 'attributes'], type.attributes ?? []);
  (type.attributes ?? []).forEach((attribute, index) =>
    checkAttribute(check, [...path, 'attributes', index], attribute),
  );
  checkStates(check, path, type);
};

const checkAttribute = ({ definition, list }: Check, path: Path, attribute: AttributeDefinition): void => {
  if (systemAttributes.some(({ name }) => sameName(name, attribute.name)))
    list.add(
      [...path, 'name'],
      'kept',
      `"${attribute.name}" is kept by the server for every type and cannot be defined`,
    );
  const cultures = attribute.mandatoryCultures ?? [];
  if (cultures.length > 0 && !attribute.localised)
    list.add([...path, 'mandatoryCultures'], 'localised', 'only a localised attribute can be mandatory in cultures');
  cultures.forEach((culture, index) => {
    if (!definition.cultures.includes(culture))
      list.add(
        [...path, 'mandatoryCultures', index],
        'unknown',
        `${culture} is not one of the cultures of the storage`,
      );
  });
};

const checkStates = ({ list }: Check, path: Path, type: TypeDefinition): void => {
  const possible = standardStates(type.versioned ?? false);
  (type.states ?? []).forEach((state, index) => {
    if (!possible.includes(state)) list.unknown([...path, 'states', index], 'state', state, possible);
  });
  const states = type.states ?? possible;
  (type.transitions ?? []).forEach((transition, index) => {
    const here = [...path, 'transitions', index];
    const unknown = (['from', 'to'] as const).filter((end) => !states.includes(transition[end]));
    for (const end of unknown) list.unknown([...here, end], 'state', transition[end], states);
    if (unknown.length === 0 && type.versioned) checkRelease(list, here, transition);
  });
};

/** What was released once is no draft again, and nothing gets there but by its release. */
const checkRelease = (
  list: FaultList,
  path: Path,
  { from, to }: { readonly from: string; readonly to: string },
): void => {
  if (wasReleased(from) && !wasReleased(to))
    list.add([...path, 'to'], 'released', `a version that was released cannot be ${to}; a new version can`);
  if (!wasReleased(from) && wasReleased(to) && to !== 'released')
    list.add([...path, 'to'], 'released', `a version is released before it can be ${to}`);
};

const checkRelation = (check: Check, path: Path, relation: RelationDefinition): void => {
  if (systemRelations.some((name) => sameName(name, relation.name)))
    check.list.add(
      [...path, 'name'],
      'kept',
      `"${relation.name}" is kept by the server for every type and cannot be defined`,
    );
  checkTypes(check, [...path, 'from'], relation.from ?? []);
  checkTypes(check, [...path, 'to'], relation.to ?? []);
};

const checkUserType = ({ definition: { userType, types }, list }: Check): void => {
  if (userType === undefined) return;
  const type = types.find(({ name }) => sameName(name, userType));
  if (!type) list.unknown(['userType'], 'type', userType, namesOf(types));
  else if (type.versioned) list.add(['userType'], 'versioned', `"${type.name}" has versions; users have none`);
};

const checkTypes = ({ definition, list }: Check, path: Path, wanted: readonly string[], facet?: string): void =>
  wanted.forEach((name, index) => {
    const type = definition.types.find((candidate) => sameName(candidate.name, name));
    if (!type) list.unknown([...path, index], 'type', name, namesOf(definition.types));
    else if (facet !== undefined && !sameName(type.facet, facet))
      list.add(
        [...path, index],
        'facet',
        `"${name}" belongs to the facet "${type.facet}", expected a type of "${facet}"`,
      );
  });

const checkDuplicates = ({ list }: Check, path: Path, named: readonly { readonly name: string }[]): void => {
  const seen = new Set<string>();
  named.forEach(({ name }, index) => {
    if (seen.has(name.toLowerCase())) list.add([...path, index, 'name'], 'twice', `"${name}" is defined twice`);
    seen.add(name.toLowerCase());
  });
};

const checkCultures = ({ definition, list }: Check, path: Path, texts: LocalisedText): void => {
  for (const culture of Object.keys(texts))
    if (!definition.cultures.includes(Number(culture)))
      list.unknown([...path, culture], 'culture', culture, definition.cultures.map(String));
};

const namesOf = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name);

const sameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
