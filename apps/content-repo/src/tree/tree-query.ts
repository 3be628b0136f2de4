/**
 * A view of a facet -> SQL: the rows it shows in tree order, and how many top-level ones there are. The texts of a
 * large row are left out and read one by one. Never puts values into the text. A filter comes as a tree of libs/sql and
 * is printed behind the parameters that are there.
 */
import { printPostgres, type SqlExpression } from '@tessera/sql';
import type { ContentTables } from '../database/tenant-reader.js';
import type { ReferenceTarget } from '../elements/element.repository.js';
import {
  childrenSql,
  elementJsonEndSql,
  elementContentSql,
  elementJsonStartSql,
  ancestorPathsSql,
  type Resources,
} from '../elements/resources.js';

export type TreeScope = {
  readonly tables: ContentTables;
  readonly tenant: string;
  readonly storageId: string;
  readonly facet: string;
  /** The types that the view shows; all when absent. */
  readonly types?: readonly string[] | undefined;
  /** `tree`: all levels; `roots`: the first one; `flat`: every element beside the others. */
  readonly shape: 'tree' | 'roots' | 'flat';
  /** Only what stands below this tree path. */
  readonly below?: string | undefined;
  /** Only the children of this element; in a tree they take the place of the roots. */
  readonly childrenOf?: { readonly elementId: string; readonly path: string } | undefined;
  /** Over `m` (the shown rendition), `v` (its version) and `e` (its element). */
  readonly condition?: SqlExpression | undefined;
};

/** `after`: a tree path; only what comes later. */
export type Page = { readonly after?: string | undefined; readonly offset: number; readonly limit: number };

export type RowOptions = {
  readonly resources: Resources;
  /** The address of the facet's elements up to the id, with the placeholder of the public URL in front. */
  readonly addressPrefix: string;
  /** Children of one level inside each row. */
  readonly withChildren?: boolean | undefined;
  readonly page?: Page | undefined;
};

export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** Rows above this size are read one by one, so that a batch has a bound whatever it holds. */
const inlineBytesMax = 32_768;

export const treeRowsQuery = (scope: TreeScope, wanted: RowOptions): Statement => {
  const draft = new QueryBuilder(scope);
  const prefix = `${draft.bind(wanted.addressPrefix)}::text`;
  const { from, where } = draft.rows();
  const order = scope.condition ? 'kept.path' : 'r.tree_path';
  const conditions = [...where, ...draft.after(order, wanted.page?.after)];
  const text = [
    ...draft.common(),
    rowColumns(scope.tables, wanted, prefix, 'r.tree_path'),
    `from ${from}`,
    `where ${conditions.join('\n  and ')}`,
    `order by ${order}`,
    ...draft.limit(wanted.page),
  ];
  return { text: text.join('\n'), values: draft.values };
};

/** All versions of one element, oldest first, as rows without a path. */
export const versionRowsQuery = (
  scope: Pick<TreeScope, 'tables' | 'tenant' | 'storageId'>,
  elementId: string,
  wanted: RowOptions,
): Statement => ({
  text: `${rowColumns(scope.tables, wanted, '$4::text', "''")}
from ${scope.tables.rendition} r
join ${scope.tables.elementVersion} v on v.tenant = r.tenant and v.storage_id = r.storage_id and v.version_id = r.version_id
where r.tenant = $1 and r.storage_id = $2::uuid and r.element_id = $3::uuid
order by v.major, v.minor`,
  values: [scope.tenant, scope.storageId, elementId, wanted.addressPrefix],
});

/** The texts of one row, whatever its size; `$1` tenant, `$2` storage, `$3` version, `$4` address prefix. */
export const largeRowSql = (tables: ContentTables, wanted: Pick<RowOptions, 'resources' | 'withChildren'>): string =>
  `select ${openingText(tables, wanted, '$4::text')} as opening,
  ${closingText(wanted, '$4::text')} as closing
from ${tables.rendition} r
where r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = $3::uuid`;

/** One row: how many top-level rows there are. */
export const topLevelCountQuery = (scope: TreeScope): Statement => {
  const { draft, source } = topLevel(scope);
  return { text: [...draft.common(), 'select count(*)', source].join('\n'), values: draft.values };
};

/** One row: how many there are, how many of them after `page.after`, how many on the page, the page's last tree path. */
export const pageCountQuery = (scope: TreeScope, page: Page): Statement => {
  const { draft, source } = topLevel(scope);
  const [rest = 'true'] = draft.after('tree_path', page.after);
  const matched = draft.common();
  const text = [
    `${matched.length > 0 ? `${matched.join('')},` : 'with'} top_level as (select r.tree_path ${source}),`,
    `page as (select tree_path from top_level where ${rest} order by tree_path ${draft.limit(page).join('')})`,
    `select count(*) as total, count(*) filter (where ${rest}) as rest, (select count(*) from page) as count, (select max(tree_path) from page) as "lastPath"`,
    'from top_level',
  ];
  return { text: text.join('\n'), values: draft.values };
};

/** A row when this version, shown or not, matches the filter. */
export const versionMatchQuery = (
  { tables, tenant, storageId, condition }: TreeScope,
  versionId: string,
): Statement => {
  const printed = printPostgres(condition ?? { kind: 'constant', value: true }, 3);
  const text = `select from ${tables.rendition} m${joinedSql(tables)}
where m.tenant = $1 and m.storage_id = $2::uuid and m.version_id = $3::uuid
  and ${printed.text}`;
  return { text, values: [tenant, storageId, versionId, ...printed.values] };
};

/** A row for each element or version that matches the filter. */
export const matchingTargetsQuery = (
  { tables, tenant, storageId }: Pick<TreeScope, 'tables' | 'tenant' | 'storageId'>,
  condition: SqlExpression,
  targets: readonly ReferenceTarget[],
): Statement => {
  const ids = [targets.map(({ elementId }) => elementId), targets.map(({ versionId }) => versionId ?? null)];
  const printed = printPostgres(condition, 4);
  const text = `select wanted.element_id::text as "elementId", wanted.version_id::text as "versionId"
from unnest($3::uuid[], $4::uuid[]) as wanted(element_id, version_id)
join ${tables.rendition} m on m.tenant = $1 and m.storage_id = $2::uuid and m.element_id = wanted.element_id
  and (m.version_id = wanted.version_id or (wanted.version_id is null and m.tree_path is not null))${joinedSql(tables)}
where ${printed.text}`;
  return { text, values: [tenant, storageId, ...ids, ...printed.values] };
};

/** What a condition may look at beside the rendition `m`. */
const joinedSql = (tables: ContentTables): string => `
join ${tables.elementVersion} v on v.tenant = m.tenant and v.storage_id = m.storage_id and v.version_id = m.version_id
join ${tables.element} e on e.tenant = m.tenant and e.storage_id = m.storage_id and e.element_id = m.element_id`;

/** The rows that count: the roots of a tree, every row of a flat view or below a path. */
const topLevel = (scope: TreeScope): { readonly draft: QueryBuilder; readonly source: string } => {
  const rootsOnly = scope.shape !== 'flat' && scope.below === undefined;
  const draft = new QueryBuilder(rootsOnly ? { ...scope, shape: 'roots' } : scope);
  const path = rootsOnly ? `left(tree_path, ${(scope.childrenOf?.path.length ?? 0) + 8}) as tree_path` : 'tree_path';
  const source = scope.condition
    ? `from (select distinct ${path} from matched) r`
    : `from ${scope.tables.rendition} r\nwhere ${draft.shown('r').join('\n  and ')}`;
  return { draft, source };
};

const rowColumns = (tables: ContentTables, wanted: RowOptions, prefix: string, path: string): string => {
  const size = 'octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content)';
  const inline = (text: string): string => `case when ${size} <= ${inlineBytesMax} then ${text} end`;
  return `select ${path} as path,
  ${inline(openingText(tables, wanted, prefix))} as opening,
  ${inline(closingText(wanted, prefix))} as closing,
  r.version_id::text as "versionId"`;
};

const openingText = (
  tables: ContentTables,
  wanted: Pick<RowOptions, 'resources' | 'withChildren'>,
  prefix: string,
): string =>
  wanted.withChildren
    ? `${elementJsonStartSql('r', wanted.resources)} || ${childrenSql(tables, 'r', wanted.resources, prefix)}`
    : elementJsonStartSql('r', wanted.resources);

const closingText = (wanted: Pick<RowOptions, 'resources'>, prefix: string): string =>
  wanted.resources.has('content')
    ? `${elementContentSql('r', wanted.resources)} || ${elementJsonEndSql('r', prefix)}`
    : elementJsonEndSql('r', prefix);

/** A statement in the making: its parameters so far, and the conditions that a scope means for a table alias. */
class QueryBuilder {
  readonly values: unknown[] = [];
  readonly #scope: TreeScope;
  readonly #base: { readonly tenant: string; readonly storage: string; readonly facet: string };
  readonly #types: string | undefined;
  readonly #below: readonly [string, string] | undefined;
  #parent: string | undefined;
  readonly #matched: string | undefined;

  constructor(scope: TreeScope) {
    this.#scope = scope;
    this.#base = {
      tenant: this.bind(scope.tenant),
      storage: this.bind(scope.storageId),
      facet: this.bind(scope.facet),
    };
    this.#types = scope.types && `${this.bind(scope.types)}::text[]`;
    const below = scope.below ?? (scope.condition && scope.childrenOf?.path);
    this.#below = below === undefined ? undefined : [this.bind(below), this.bind(`${below}g`)];
    if (scope.condition) this.#matched = this.#matchedSql(scope.condition);
  }

  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** The common table expression of a filter's matches. */
  common(): readonly string[] {
    return this.#matched === undefined ? [] : [`with matched as materialized (${this.#matched})`];
  }

  /** What the view shows of the table `row`, the filter apart. */
  shown(row: string): readonly string[] {
    return [...this.#inScope(row), ...(this.#scope.shape === 'roots' ? [this.#isTop(row)] : [])];
  }

  /**
   * Where rows come from and what holds for them. With a filter: the paths of the matches, in a tree with those of their
   * ancestors, each looked up in the index; the order is that of the paths.
   */
  rows(): { readonly from: string; readonly where: readonly string[] } {
    if (this.#matched === undefined) return { from: `${this.#scope.tables.rendition} r`, where: this.shown('r') };
    const paths =
      this.#scope.shape === 'flat'
        ? 'select tree_path as path from matched'
        : `select distinct up.path from matched, lateral (${ancestorPathsSql('matched.tree_path', 'length(matched.tree_path) / 8')}) up`;
    const lookup = `select * from ${this.#scope.tables.rendition} r where ${[...this.shown('r'), 'r.tree_path = kept.path'].join(' and ')} limit 1`;
    return { from: `(${paths}) kept\ncross join lateral (${lookup}) r`, where: ['true'] };
  }

  limit(page: Page | undefined): readonly string[] {
    return page ? [`limit ${this.bind(page.limit)} offset ${this.bind(page.offset)}`] : [];
  }

  after(path: string, last: string | undefined): readonly string[] {
    return last === undefined ? [] : [`${path} > ${this.bind(last)}`];
  }

  /** A parameter that a statement does not use would have no type, so the parent is one when it is first needed. */
  #isTop(row: string): string {
    const { childrenOf } = this.#scope;
    if (!childrenOf) return `${row}.parent_id is null`;
    this.#parent ??= `${this.bind(childrenOf.elementId)}::uuid`;
    return `${row}.parent_id = ${this.#parent}`;
  }

  #inScope(row: string): readonly string[] {
    const { tenant, storage, facet } = this.#base;
    return [
      `${row}.tenant = ${tenant} and ${row}.storage_id = ${storage}::uuid and ${row}.facet = ${facet}`,
      `${row}.tree_path is not null`,
      ...(this.#types ? [`${row}.type = any(${this.#types})`] : []),
      ...(this.#scope.childrenOf && this.#scope.shape === 'flat' ? [this.#isTop(row)] : []),
      ...(this.#below ? [`${row}.tree_path > ${this.#below[0]} and ${row}.tree_path < ${this.#below[1]}`] : []),
    ];
  }

  #matchedSql(condition: SqlExpression): string {
    const { tables } = this.#scope;
    const conditions = [...this.#inScope('m'), ...this.#chainShown('m')];
    const printed = printPostgres(condition, this.values.length);
    this.values.push(...printed.values);
    return `
  select m.tree_path
  from ${tables.rendition} m${joinedSql(tables).replaceAll('\n', '\n  ')}
  where ${[...conditions, printed.text].join('\n    and ')}
`;
  }

  /** In a tree an element is shown only when its ancestors are, so a match under a hidden one keeps nobody. */
  #chainShown(row: string): readonly string[] {
    if (!this.#types || this.#scope.shape === 'flat') return [];
    return [
      `not exists (
      select from (${ancestorPathsSql(`${row}.tree_path`, `length(${row}.tree_path) / 8 - 1`)}) up
      join ${this.#scope.tables.rendition} a on a.tenant = ${row}.tenant and a.storage_id = ${row}.storage_id
        and a.facet = ${row}.facet and a.tree_path = up.path
      where a.type <> all(${this.#types}))`,
    ];
  }
}
