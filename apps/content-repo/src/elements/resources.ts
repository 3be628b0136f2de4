/**
 * Which parts of an element an answer has, and the SQL that puts the stored texts of these parts together. Every part
 * is stored with its leading comma (or empty), so that `||` is all it takes.
 */
import type { ContentTables } from '../database/tenant-reader.js';
import { resourceNames, type ResourceName } from '@tessera/contracts/content-repo';

export type Resources = ReadonlySet<ResourceName>;

/** The stereotype is part of the identity, which every answer has. */
const standardParts: readonly ResourceName[] = resourceNames.filter((name) => name !== 'stereotype');

/** Everything but rootPath, which is only there when it is asked for. */
export const defaultResources: Resources = new Set(standardParts.filter((name) => name !== 'rootPath'));

/** The root path alone brings the names of what is on it. */
export const resolveResources = (requested: readonly ResourceName[] | undefined): Resources => {
  if (!requested) return defaultResources;
  const wanted = new Set(requested.filter((name) => standardParts.includes(name)));
  return wanted.size === 1 && wanted.has('rootPath') ? wanted.add('displayNames') : wanted;
};

/** A number per set, for the names of prepared statements. */
export const toResourceBitmask = (resources: Resources): number =>
  resourceNames.reduce((sum, name, index) => sum + (resources.has(name) ? 1 << index : 0), 0);

/** What stands before the children: identity, displayNames, attributes, related of the rendition `row`. */
export const elementJsonStartSql = (row: string, resources: Resources): string =>
  [
    `${row}.identity`,
    ...(resources.has('displayNames') ? [`${row}.display_names`] : []),
    ...(resources.has('attributes') ? [`${row}.attributes`] : []),
    ...(resources.has('related') ? [`${row}.related`] : []),
  ].join(' || ');

/** The stored content, or nothing. */
export const elementContentSql = (row: string, resources: Resources): string =>
  resources.has('content') ? `${row}.content` : `''`;

/** The element's own address and the end of its object; the version's address when the version is not the one shown. */
export const elementJsonEndSql = (row: string, addressPrefix: string): string =>
  `',"expandUri":"' || ${addressPrefix} || (case when ${row}.tree_path is null then ${row}.version_id else ${row}.element_id end) || '"}'`;

/** A short form for where an element is only named: in children of one level and in rootPath. */
const namedSql = (row: string, resources: Resources, addressPrefix: string): string => {
  const named = new Set([...resources].filter((name) => name === 'displayNames' || name === 'attributes'));
  return `${elementJsonStartSql(row, named)} || ${elementJsonEndSql(row, addressPrefix)}`;
};

/** The direct children of the element whose shown rendition is `shown`, or nothing; `$1` tenant, `$2` storage. */
export const childrenSql = (
  tables: ContentTables,
  shown: string,
  resources: Resources,
  addressPrefix: string,
): string =>
  resources.has('children')
    ? `coalesce((
      select ',"children":[' || string_agg(${namedSql('child', resources, addressPrefix)}, ',' order by child.tree_path) || ']'
      from ${tables.rendition} child
      where child.tenant = $1 and child.storage_id = $2::uuid
        and child.parent_id = ${shown}.element_id and child.tree_path is not null), '')`
    : `''`;

/** The ancestors of the element whose shown rendition is `shown`, nearest first, or nothing; `$1` tenant, `$2` storage. */
export const rootPathSql = (
  tables: ContentTables,
  shown: string,
  resources: Resources,
  addressPrefix: string,
): string =>
  resources.has('rootPath')
    ? `coalesce((
      select ',"rootPath":[' || string_agg(${namedSql('ancestor', resources, addressPrefix)}, ',' order by ancestor.tree_path desc) || ']'
      from (${ancestorPathsSql(`${shown}.tree_path`, `length(${shown}.tree_path) / 8 - 1`)}) up
      join ${tables.rendition} ancestor on ancestor.tenant = $1 and ancestor.storage_id = $2::uuid
        and ancestor.facet = ${shown}.facet and ancestor.tree_path = up.path), '')`
    : `''`;

/**
 * The tree paths on the way to `path`, the first `levels` of them. `offset 0` keeps the function out of the comparison
 * with an index, where row-level security would not let it be; an array is expected to be short, so that each path is
 * looked up instead of reading the facet.
 */
export const ancestorPathsSql = (path: string, levels: string): string =>
  `select left(${path}, depth * 8) as path from unnest(array(select generate_series(1, ${levels}))) depth offset 0`;
