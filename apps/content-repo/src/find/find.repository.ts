/**
 * Reads which shown elements of a storage have names or texts like those asked for. The indexes answer candidates, as
 * many as can be ranked at once; whether one really fits is told by what it says itself. Never finds elements of other
 * tenants, deleted elements or versions that are not shown.
 */
import type { TenantReader } from '../database/tenant-reader.js';
import { ancestorPathsSql } from '../elements/resources.js';
import type { NameMatch } from './rank-names.js';

/** Where to look. */
export type ElementSearchScope = {
  readonly storageId: string;
  /** In the defined spelling. */
  readonly facet: string | undefined;
};

/** What is asked of texts: folded words, of which three are looked for together, and in which culture. */
export type TextQuery = {
  readonly words: readonly string[];
  readonly culture: number | undefined;
};

/** Patterns of `like`; the first three use the index. */
export const readNamesContaining = async (
  reader: TenantReader,
  { storageId, facet }: ElementSearchScope,
  patterns: readonly string[],
  candidatesMax: number,
): Promise<readonly NameMatch[]> => {
  const rows = await reader.read<NamesRow>({
    name: 'names_containing',
    text: `select r.version_id::text as "versionId", r.element_id::text as "elementId", r.folded_names as names
from content_repo.renditions_with_names_containing($2::uuid, $3::text[], $4::text, $5::integer) found
join content_repo.rendition r on r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = found.version_id`,
    values: [reader.tenant, storageId, patterns, facet ?? null, candidatesMax],
  });
  return rows.map((row) => ({ ...row, names: namesIn(row.names) }));
};

type VersionIdRow = { readonly versionId: string };
/** `names`: JSON text. */
type NamesRow = VersionIdRow & { readonly elementId: string; readonly names: string };

/** Folded names are JSON as well: folding leaves its punctuation alone. */
const namesIn = (text: string): NameMatch['names'] => {
  const names: unknown = JSON.parse(text);
  if (typeof names !== 'object' || names === null) return {};
  return Object.fromEntries(Object.entries(names).filter((entry): entry is [string, string] => isText(entry[1])));
};

const isText = (value: unknown): value is string => typeof value === 'string';

/** How like the words a text is: each word counts by its length. */
const similaritySql = (text: string): string => `(
  select sum(word_similarity(word, ${text}) * length(word)) / sum(length(word)) from unnest($3::text[]) word)`;

/** How alike a name or a text is at least; `resembling` is for words of which little is right. */
const similarityThresholds = { similar_to: 0.4, resembling: 0.3 } as const;
export type SimilarityLevel = keyof typeof similarityThresholds;

const similarNamesSql = (
  likeness: SimilarityLevel,
  together: boolean,
): string => `select scored.version_id::text as "versionId" from (
  select named.version_id, named.element_id, named.name, ${similaritySql('named.name')} as likeness
  from (
    select r.version_id, r.element_id,
      case when $6::text is null then (select string_agg(one.name, ' ') from jsonb_each_text(r.folded_names::jsonb) one(culture, name))
        else coalesce(r.folded_names::jsonb ->> $6::text, r.folded_names::jsonb ->> '127') end as name
    from (${similarWordsSql(`names_${likeness}`, together)}) found
    join content_repo.rendition r on r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = found.version_id
  ) named
) scored
where scored.likeness >= ${similarityThresholds[likeness]}
order by round(scored.likeness::numeric, 3) desc, length(scored.name), scored.name collate "C", scored.element_id
limit $7::integer`;

/** Candidates that have something like every word, or like any of them. */
const similarWordsSql = (use: string, together: boolean): string =>
  together
    ? `select version_id from content_repo.renditions_with_${use}($2::uuid, $3::text[], $4::text, $5::integer)`
    : `select distinct candidate.version_id from unnest($3::text[]) word
      cross join lateral content_repo.renditions_with_${use}($2::uuid, array[word], $4::text, $5::integer) candidate`;

type NameSearch = {
  readonly likeness: SimilarityLevel;
  /** Every word has to be there; else any. */
  readonly together: boolean;
  /** For each look into the index. */
  readonly candidatesMax: number;
  readonly limit: number;
};

/** Ids of versions whose name is like the words, the most similar first. */
export const readSimilarNames = async (
  reader: TenantReader,
  { storageId, facet }: ElementSearchScope,
  { words, culture }: TextQuery,
  { likeness, together, candidatesMax, limit }: NameSearch,
): Promise<readonly string[]> => {
  const rows = await reader.read<VersionIdRow>({
    name: `names_${likeness}_${together ? 'all' : 'any'}`,
    text: similarNamesSql(likeness, together),
    values: [
      ...[reader.tenant, storageId, words, facet ?? null, candidatesMax],
      ...[culture === undefined ? null : String(culture), limit],
    ],
  });
  return rows.map(({ versionId }) => versionId);
};

const textsSimilarSql = (
  candidates: string,
  condition: string,
): string => `select scored.version_id::text as "versionId" from (
  select said.version_id, said.element_id, said.text, ${similaritySql('said.text')} as likeness
  from (
    select r.version_id, r.element_id, string_agg(content_repo.folded(left(one.text, 2000)), ' ' order by value.name, one.culture) as text
    from (${candidates}) found
    join content_repo.rendition r on r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = found.version_id
    join content_repo.element_version v on v.tenant = $1 and v.storage_id = $2::uuid and v.version_id = found.version_id
    cross join lateral jsonb_each(v.attributes) as value(name, cultures)
    cross join lateral jsonb_each_text(value.cultures) as one(culture, text)
    where value.name = any($8::text[]) and ($6::text is null or one.culture in ($6::text, '127'))
    group by r.version_id, r.element_id
  ) said
) scored
where ${condition}
order by round(scored.likeness::numeric, 3) desc, scored.element_id
limit $7::integer`;

const textsContainingSql = textsSimilarSql(
  'select version_id from content_repo.renditions_with_texts_containing($2::uuid, $9::text[], $4::text, $5::integer)',
  'scored.text like all ($9::text[])',
);

const textsLikeSql = textsSimilarSql(
  similarWordsSql('texts_similar_to', false),
  `scored.likeness >= ${similarityThresholds.similar_to}`,
);

type TextSearch = {
  /** Attributes whose texts are read. */
  readonly attributes: readonly string[];
  readonly candidatesMax: number;
  readonly limit: number;
  /** All of these are in the texts; when absent, words of them are like those asked for. */
  readonly patterns?: readonly string[];
};

/** Ids of versions by their texts, the most similar first. */
export const readTextMatches = async (
  reader: TenantReader,
  { storageId, facet }: ElementSearchScope,
  { words, culture }: TextQuery,
  { attributes, candidatesMax, limit, patterns }: TextSearch,
): Promise<readonly string[]> => {
  const rows = await reader.read<VersionIdRow>({
    name: patterns ? 'texts_containing' : 'texts_similar',
    text: patterns ? textsContainingSql : textsLikeSql,
    values: [
      ...[reader.tenant, storageId, words, facet ?? null, candidatesMax],
      ...[culture === undefined ? null : String(culture), limit, attributes, ...(patterns ? [patterns] : [])],
    ],
  });
  return rows.map(({ versionId }) => versionId);
};

export type SearchResultRow = {
  readonly versionId: string;
  readonly elementId: string;
  readonly facet: string;
  readonly type: string;
  /** An object that is open. */
  readonly identity: string;
  /** By culture. */
  readonly names: NameMatch['names'];
};

/** Those that are shown still. */
export const readSearchResultRows = async (
  reader: TenantReader,
  storageId: string,
  versionIds: readonly string[],
): Promise<readonly SearchResultRow[]> => {
  const rows = await reader.read<NamesRow & Omit<SearchResultRow, 'names'>>({
    name: 'found_elements',
    text: `select r.version_id::text as "versionId", r.element_id::text as "elementId", r.facet, r.type, r.identity, coalesce((v.attributes -> 'name')::text, '{}') as names
from content_repo.rendition r
join content_repo.element_version v on v.tenant = $1 and v.storage_id = $2::uuid and v.version_id = r.version_id
where r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = any($3::uuid[]) and r.tree_path is not null`,
    values: [reader.tenant, storageId, versionIds],
  });
  return rows.map((row) => ({ ...row, names: namesIn(row.names) }));
};

export type ResponsibleRow = {
  /** Of the element that was found. */
  readonly versionId: string;
  readonly relation: string;
  readonly type: string;
  /** By culture. */
  readonly names: NameMatch['names'];
};

export type ResponsibleSearch = {
  /** Versions that were found. */
  readonly versionIds: readonly string[];
  /** Those of them that a relation of `leading` may lead to. */
  readonly ledTo: readonly string[];
  readonly leading: readonly string[];
  /** Of users and roles. */
  readonly types: readonly string[];
  /** Of each version. */
  readonly rowsMax: number;
};

/** Each way has an index of its own, and is cut before the other is added. */
const responsibleText = `select found.version_id::text as "versionId", linked.relation, linked.type,
  coalesce((v.attributes -> 'name')::text, '{}') as names
from content_repo.rendition found
cross join lateral (
  (select l.relation, l.position, r.type, r.element_id, r.version_id
  from content_repo.relation l
  join content_repo.rendition r on r.tenant = $1 and r.storage_id = $2::uuid and r.element_id = l.target_id
    and r.tree_path is not null and r.type = any($4::text[])
  where l.tenant = $1 and l.storage_id = $2::uuid and l.owner_id = found.version_id
  order by l.relation, l.position, r.element_id limit $7::integer)
  union all
  (select l.relation, l.position, r.type, r.element_id, r.version_id
  from content_repo.relation l
  join content_repo.rendition r on r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = l.owner_id
    and r.tree_path is not null and r.type = any($4::text[])
  where l.tenant = $1 and l.storage_id = $2::uuid and l.target_id = found.element_id and l.relation = any($6::text[])
    and found.version_id = any($5::uuid[])
  order by l.relation, l.position, r.element_id limit $7::integer)
  order by relation, position, element_id limit $7::integer
) linked
join content_repo.element_version v on v.tenant = $1 and v.storage_id = $2::uuid and v.version_id = linked.version_id
where found.tenant = $1 and found.storage_id = $2::uuid and found.version_id = any($3::uuid[])
order by "versionId", linked.relation, linked.position, linked.element_id`;

/** Shown users and roles that the versions lead to, or that lead to these; each relation in its order. */
export const readResponsibleRows = async (
  reader: TenantReader,
  storageId: string,
  { versionIds, ledTo, leading, types, rowsMax }: ResponsibleSearch,
): Promise<readonly ResponsibleRow[]> => {
  const rows = await reader.read<NamesRow & Omit<ResponsibleRow, 'names'>>({
    ...{ name: 'found_responsible', text: responsibleText },
    values: [reader.tenant, storageId, versionIds, types, ledTo, leading, rowsMax],
  });
  return rows.map((row) => ({ ...row, names: namesIn(row.names) }));
};

/** An element above one that was found; `name`: by culture. */
export type PathStep = { readonly id: string; readonly type: string; readonly name: NameMatch['names'] };

const rootPathsText = `select r.version_id::text as "versionId", ancestor.element_id::text as id, ancestor.type,
  coalesce((v.attributes -> 'name')::text, '{}') as names
from content_repo.rendition r
cross join lateral (${ancestorPathsSql('r.tree_path', 'length(r.tree_path) / 8 - 1')}) up
join content_repo.rendition ancestor on ancestor.tenant = $1 and ancestor.storage_id = $2::uuid
  and ancestor.facet = r.facet and ancestor.tree_path = up.path
join content_repo.element_version v on v.tenant = $1 and v.storage_id = $2::uuid and v.version_id = ancestor.version_id
where r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = any($3::uuid[]) and r.tree_path is not null
order by r.version_id, ancestor.tree_path desc`;

/** By id of version: what it stands under, the nearest first; nothing for roots. */
export const readRootPaths = async (
  reader: TenantReader,
  storageId: string,
  versionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly PathStep[]>> => {
  const values = [reader.tenant, storageId, versionIds];
  const rows = await reader.read<VersionIdRow & { id: string; type: string; names: string }>({
    ...{ name: 'found_root_paths', text: rootPathsText, values },
  });
  const paths = new Map<string, PathStep[]>();
  for (const { versionId, id, type, names } of rows) {
    const path = paths.get(versionId) ?? [];
    path.push({ id, type, name: namesIn(names) });
    paths.set(versionId, path);
  }
  return paths;
};
