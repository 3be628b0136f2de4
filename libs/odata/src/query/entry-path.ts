/**
 * What stands behind a key in a path -> the links to follow, and what is answered at their end. Names are properties and
 * navigation properties of the type that the path has come to, as their names or as ids.
 */
import { fail, findNearestName, type Result, succeed } from '@tessera/failures';
import { withSuggestion } from '@tessera/filter';
import type { EntityModel, EntityProperty, EntityType, NavigationProperty } from '../model/entity-model.js';
import { getPropertyFinder } from './find-property.js';
import { shortenText } from './option-fault.js';

/** One step; `key` with its parentheses, of one of several entries. */
export type FollowedLink = {
  readonly navigation: NavigationProperty;
  readonly type: EntityType;
  readonly key?: string;
};

export type EntryPath = {
  readonly links: readonly FollowedLink[];
  /** The type that the links lead to. */
  readonly type: EntityType;
  readonly end:
    | { readonly kind: 'entries' | 'entry' | 'count' | 'references' | 'reference' }
    | { readonly kind: 'property' | 'value'; readonly property: EntityProperty };
};

/** `segments`: decoded, each without slashes of its own. */
export const readEntryPath = (
  model: EntityModel,
  start: EntityType,
  segments: readonly string[],
): Result<EntryPath> => {
  const links: FollowedLink[] = [];
  let type = start;
  for (const [index, segment] of segments.entries()) {
    const rest = segments.slice(index + 1);
    if (segment.startsWith('$')) return readEnd({ links, type, segment, rest });
    const property = getPropertyFinder(type).find(segment);
    if (property && !isMany(links)) return readProperty({ links, type }, property, rest);
    const link = readLink(model, type, segment);
    if (!link || isMany(links)) return isMany(links) ? segmentAfterMany(links, segment) : unknownSegment(type, segment);
    if (link.key !== undefined && !link.navigation.isCollection)
      return pathRefused(`${link.navigation.name} leads to one entry, which has no key here`, segment);
    links.push(link);
    type = link.type;
  }
  return succeed({ links, type, end: { kind: isMany(links) ? 'entries' : 'entry' } });
};

/** Whether the last link leads to several entries. */
const isMany = (links: readonly FollowedLink[]): boolean => {
  const last = links.at(-1);
  return last !== undefined && last.navigation.isCollection && last.key === undefined;
};

const readLink = ({ typeByRecord }: EntityModel, type: EntityType, segment: string): FollowedLink | undefined => {
  const [, name = segment, key] = /^([^(]*)(\(.*\))$/s.exec(segment) ?? [];
  const navigation = getPropertyFinder(type).navigation(name);
  const to = navigation && typeByRecord.get(navigation.record);
  return to && { navigation, type: to, ...(key !== undefined && { key }) };
};

type PathEnd = Pick<EntryPath, 'links' | 'type'> & { readonly segment: string; readonly rest: readonly string[] };

const readEnd = ({ links, type, segment, rest }: PathEnd): Result<EntryPath> => {
  const many = isMany(links);
  if (rest.length > 0) return pathRefused(`nothing stands behind ${segment}`, rest.join('/'));
  if (segment === '$ref') return succeed({ links, type, end: { kind: many ? 'references' : 'reference' } });
  if (segment === '$count' && many) return succeed({ links, type, end: { kind: 'count' } });
  const expected = many ? ['$count', '$ref'] : ['$ref'];
  const [where, suggestion] = [links.at(-1)?.navigation.name ?? 'the key', findNearestName(segment, expected)];
  return pathRefused(withSuggestion(`expected ${expected.join(' or ')} behind ${where}`, suggestion), segment);
};

const readProperty = (
  { links, type }: Pick<EntryPath, 'links' | 'type'>,
  property: EntityProperty,
  rest: readonly string[],
): Result<EntryPath> => {
  if (rest.length === 0) return succeed({ links, type, end: { kind: 'property', property } });
  if (rest.length === 1 && rest[0] === '$value') return succeed({ links, type, end: { kind: 'value', property } });
  return pathRefused(`${property.name} is a property; only $value stands behind it`, rest.join('/'));
};

const segmentAfterMany = (links: readonly FollowedLink[], segment: string): Result<never> => {
  const name = links.at(-1)?.navigation.name ?? '';
  return pathRefused(
    `${name} leads to several entries; a key, as in ${name}(KEY), $count or $ref stands behind it`,
    segment,
  );
};

const unknownSegment = (type: EntityType, segment: string): Result<never> => {
  const names = [...type.propertyByName.keys(), ...type.navigation.map(({ name }) => name)];
  const suggestion = findNearestName(segment.replace(/\(.*$/s, ''), names);
  const message = withSuggestion(
    `There is no property and no navigation property ${shortenText(segment)} in ${type.name}.`,
    suggestion,
  );
  return pathFault('unknown', message, suggestion);
};

const pathRefused = (what: string, segment: string): Result<never> =>
  pathFault('syntax', `There is nothing at ${shortenText(segment)} in the path: ${what}.`);

const pathFault = (rule: string, message: string, suggestion?: string): Result<never> =>
  fail('GENERAL_NOTFOUND_PATH', message, {
    faults: [{ in: 'path', path: 'step', rule, message, ...(suggestion !== undefined && { suggestion }) }],
  });
