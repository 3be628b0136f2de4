/** The changes of a storage and what each did, a page at a time, by one statement. */
import type { ContentChange } from '@tessera/contracts/content-repo';
import type pg from 'pg';

type ChangeFilter = {
  readonly elementId: string | undefined;
  readonly versionId: string | undefined;
  readonly subject: string | undefined;
  /** UTC date-times. */
  readonly from: string | undefined;
  readonly to: string | undefined;
};

type ChangePage = {
  readonly order: 'newest' | 'oldest';
  readonly rowsMax: number;
  /** The last sequence of the page before. */
  readonly after: string | undefined;
};

export type ChangeRow = {
  readonly sequence: string;
  readonly changed_at: Date;
  readonly operation: string;
  readonly subject: string;
  readonly request_id: string;
  readonly entries: readonly EntryRow[];
};

type EntryRow = {
  readonly action: string;
  readonly elementId?: string;
  readonly versionId?: string;
  readonly detail: ContentChange['entries'][number]['detail'];
};

export const readChanges = async (
  client: pg.ClientBase,
  tenant: string,
  storageId: string,
  filter: ChangeFilter,
  page: ChangePage,
): Promise<readonly ChangeRow[]> => {
  const values: unknown[] = [tenant, storageId];
  const conditions = conditionsOf(filter, page, (value) => `$${values.push(value)}`);
  const { rows } = await client.query<ChangeRow>(
    `select c.sequence::text, c.changed_at, c.operation, c.subject, c.request_id, (
       select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('action', given.action,
         'elementId', given.element_id, 'versionId', given.version_id))
         || jsonb_build_object('detail', given.detail) order by given.ordinal), '[]')
       from content_repo.change_entry given
       where ${sameChangeSql} ${conditions.ofEntry}) as entries
     from content_repo.change c
     where c.tenant = $1 and c.storage_id = $2::uuid ${conditions.ofChange}
     order by c.sequence ${page.order === 'newest' ? 'desc' : 'asc'} limit ${Math.trunc(page.rowsMax)}`,
    values,
  );
  return rows;
};

const sameChangeSql = `given.tenant = $1 and given.storage_id = $2::uuid and given.sequence = c.sequence`;

const conditionsOf = (
  { elementId, versionId, subject, from, to }: ChangeFilter,
  { order, after }: ChangePage,
  parameter: (value: string) => string,
): { readonly ofChange: string; readonly ofEntry: string } => {
  const when = (value: string | undefined, condition: (value: string) => string): string =>
    value === undefined ? '' : ` and ${condition(parameter(value))}`;
  const ofEntry =
    when(elementId, (value) => `given.element_id = ${value}::uuid`) +
    when(versionId, (value) => `given.version_id = ${value}::uuid`);
  const touched = `and c.sequence in (
    select given.sequence from content_repo.change_entry given
    where given.tenant = $1 and given.storage_id = $2::uuid${ofEntry})`;
  return {
    ofEntry,
    ofChange: [
      ofEntry === '' ? '' : touched,
      when(subject, (value) => `c.subject = ${value}`),
      when(from, (value) => `c.changed_at >= ${value}::timestamptz`),
      when(to, (value) => `c.changed_at < ${value}::timestamptz`),
      when(after, (value) => `c.sequence ${order === 'newest' ? '<' : '>'} ${value}::bigint`),
    ].join(''),
  };
};
