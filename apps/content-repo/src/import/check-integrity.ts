/**
 * What only the whole shows, once everything is written and before anything is committed: references and parents that
 * are not there, of the wrong type, or in a circle. Answers faults with the ordinal of the element and the path in its
 * document.
 */
import {
  elementIdOf,
  cycleFault,
  collectReferences,
  checkParent,
  checkRelationTarget,
  findRelation,
  type StorageModel,
} from '@tessera/content-model';
import type { ElementDocument } from '@tessera/contracts';
import type { Fault } from '@tessera/failures';
import { storageKey } from '../change/change.repository.js';
import { elementTreeSql } from './arrange-tree.js';
import type { ImportScope } from './imports.repository.js';

/** More faults than this are not reported at once. */
export const maxReportedFaults = 200;

export const findReferenceFaults = async (scope: ImportScope): Promise<readonly Fault[]> => {
  const { rows } = await scope.client.query<ReferenceRow>(referencesText, [
    ...storageKey(scope),
    scope.importId,
    allowedTargets(scope.model),
    scope.model.relations.flatMap(({ name, to }) => (to ? [name] : [])),
  ]);
  return rows.flatMap((row) => locateReferences(scope.model, row));
};

export const findParentFaults = async (scope: ImportScope): Promise<readonly Fault[]> => {
  const { rows } = await scope.client.query<ParentRow>(parentsText, [
    ...storageKey(scope),
    scope.importId,
    scope.model.types.flatMap(({ name, childTypes }) => childTypes.map((child) => `${name} ${child}`)),
  ]);
  return rows.map((row) => parentFault(scope.model, row));
};

/** Staged elements that no root leads to though their parents are there. */
export const findCycleFaults = async (scope: ImportScope): Promise<readonly Fault[]> => {
  const { rows } = await scope.client.query<{ ordinal: string }>(cyclesText, [...storageKey(scope), scope.importId]);
  return rows.map(({ ordinal }) => ({
    in: 'elements',
    path: `${ordinal}.parent`,
    ...cycleFault,
  }));
};

type ReferenceRow = {
  readonly ordinal: string;
  readonly document: ElementDocument;
  readonly missing: readonly string[] | null;
  readonly deleted: readonly string[] | null;
  /** Pairs of a relation and a target of a type that it does not lead to. */
  readonly wrong: readonly { readonly relation: string; readonly target: string; readonly type: string }[] | null;
};

type ParentRow = {
  readonly ordinal: string;
  readonly staged: boolean;
  readonly type: string;
  readonly given: string;
  readonly parent_type: string | null;
  readonly parent_deleted: boolean | null;
  readonly parent_facet: string | null;
  readonly facet: string;
};

/** Names have no blank, so a pair is one text. */
const allowedTargets = (model: StorageModel): readonly string[] =>
  model.relations.flatMap(({ name, to }) => (to ?? []).map((type) => `${name} ${type}`));

/** What the import left alone may lead to what was deleted since; that is a reference which is not shown. */
const referencesText = `
  with faulty as (
    select r.owner_id, r.relation, r.target_id, t.type, t.deleted_at is not null as deleted
    from content_repo.relation r
    left join content_repo.element t
      on t.tenant = r.tenant and t.storage_id = r.storage_id and t.element_id = r.target_id
    where r.tenant = $1 and r.storage_id = $2 and (
      t.element_id is null or t.deleted_at is not null
      or r.relation = any($5::text[]) and r.relation || ' ' || t.type <> all($4::text[]))
  )
  select staged.ordinal, staged.document,
    json_agg(distinct faulty.target_id) filter (where faulty.type is null) as missing,
    json_agg(distinct faulty.target_id) filter (where faulty.deleted) as deleted,
    json_agg(json_build_object('relation', faulty.relation, 'target', faulty.target_id, 'type', faulty.type))
      filter (where faulty.type is not null and not faulty.deleted) as wrong
  from faulty
  left join content_repo.content_element c on c.tenant = $1 and c.storage_id = $2 and c.content_id = faulty.owner_id
  join content_repo.element_version v
    on v.tenant = $1 and v.storage_id = $2 and v.version_id = coalesce(c.version_id, faulty.owner_id)
  join content_repo.element e on e.tenant = $1 and e.storage_id = $2 and e.element_id = v.element_id
  join content_repo.import_element staged
    on staged.tenant = $1 and staged.import_id = $3 and staged.element_id = v.element_id
  where e.deleted_at is null and (not faulty.deleted or e.revision = current_setting('app.change')::bigint)
  group by staged.ordinal, staged.element_id, staged.document
  order by staged.ordinal
  limit ${maxReportedFaults}`;

const parentsText = `
  select coalesce(staged.ordinal, above.ordinal) as ordinal, staged.ordinal is not null as staged, e.type, e.facet,
    coalesce(staged.document ->> 'parent', e.parent_id::text) as given,
    p.type as parent_type, p.facet as parent_facet, p.deleted_at is not null as parent_deleted
  from content_repo.element e
  left join content_repo.element p
    on p.tenant = e.tenant and p.storage_id = e.storage_id and p.element_id = e.parent_id
  left join content_repo.import_element staged
    on staged.tenant = e.tenant and staged.import_id = $3 and staged.element_id = e.element_id
  left join content_repo.import_element above
    on above.tenant = e.tenant and above.import_id = $3 and above.element_id = e.parent_id
  where e.tenant = $1 and e.storage_id = $2 and e.deleted_at is null and e.parent_id is not null
    and (staged.ordinal is not null or above.ordinal is not null)
    and (p.element_id is null or p.deleted_at is not null or p.facet <> e.facet or p.type || ' ' || e.type <> all($4::text[]))
  order by 1
  limit ${maxReportedFaults}`;

const cyclesText = `
  with recursive ${elementTreeSql}
  select staged.ordinal
  from content_repo.import_element staged
  join content_repo.element e on e.tenant = $1 and e.storage_id = $2 and e.element_id = staged.element_id
  where staged.tenant = $1 and staged.import_id = $3 and e.deleted_at is null
    and not exists (select from tree where tree.element_id = staged.element_id)
  order by staged.ordinal
  limit ${maxReportedFaults}`;

const parentFault = (model: StorageModel, row: ParentRow): Fault => {
  if (!row.staged)
    return {
      in: 'elements',
      path: `${row.ordinal}.type`,
      message: `elements of the type "${row.type}" that stand under it may not stand under "${row.parent_type}"`,
      rule: 'parent',
    };
  const parent =
    row.parent_type === null || row.parent_facet === null
      ? undefined
      : { type: row.parent_type, facet: row.parent_facet, isDeleted: row.parent_deleted === true };
  const broken = checkParent(model, row, row.given, parent);
  if (!broken) throw new Error(`The parent of element ${row.ordinal} was refused and may be there.`);
  return { in: 'elements', path: `${row.ordinal}.parent`, ...broken };
};

/** Where in the document the targets stand, and as what it names them. */
const locateReferences = (model: StorageModel, row: ReferenceRow): readonly Fault[] => {
  const faults: Fault[] = [];
  const missing = new Set(row.missing ?? []);
  const deleted = new Set(row.deleted ?? []);
  for (const { path, relation, target } of collectReferences(row.document)) {
    const name = findRelation(model, relation)?.name ?? relation;
    const id = elementIdOf(model, target);
    const at = { in: 'elements', path: `${row.ordinal}.${path}` };
    const wrong = row.wrong?.find((pair) => pair.relation === name && pair.target === id);
    const isDeleted = deleted.has(id);
    if (!missing.has(id) && !isDeleted && !wrong) continue;
    const found = missing.has(id) ? undefined : { type: wrong?.type ?? '', isDeleted };
    const broken = checkRelationTarget(model, name, target, found);
    if (broken) faults.push({ ...at, ...broken });
  }
  return faults;
};
