/**
 * What is wrong with the policies of a model together: circles, hidden fields, more than a question can hold; and the records that a
 * policy on a row that they lead to leaves open.
 */
import type { KnowledgeModelDefinition, PolicyDefinition } from '@tessera/contracts/knowledge-models';
import type { FaultList } from '@tessera/failures';
import { type KnowledgeModel, readsAllRows } from '../model/knowledge-model.js';
import { type DefinitionPath, findDefinitionPath } from '../model/place.js';
import { type CheckedPolicy, findReaders, type QueryableModel } from '../query/caller-view.js';
import { findJoinPath, isToOnePath, type JoinStep } from './join-paths.js';
import { policyPathsOf } from './plan-policies.js';

/** Looked up for one row, with what the policies of those rows look up. A question names several records. */
const lookedUpMax = 50;

type PolicyCheck = {
  readonly checked: Pick<QueryableModel, 'model' | 'policies' | 'readers'>;
  readonly own: KnowledgeModelDefinition;
  readonly list: FaultList;
};

export const checkPolicyPaths = (check: PolicyCheck): void => {
  const { checked, list } = check;
  const hidden = findReaders(
    checked.readers,
    checked.policies.flatMap(({ hides }) => hides),
  );
  for (const [index, policy] of checked.policies.entries()) {
    const read = [...new Set(policy.rows?.reads ?? [])].find((name) => hidden.has(name));
    if (read !== undefined)
      list.add(
        placeOf(check, index),
        'hidden',
        `${read} is hidden by a policy, so that no policy of another record can read it; choose rows of ${policy.record} by another field`,
      );
  }
  const weights = new Map<string, number>();
  for (const { id } of checked.model.records) {
    weigh(check, id, [], weights);
    if (list.faults.length > 0) return;
  }
};

/** How many rows the policies of a record look up; a circle or too many are told at the policy that begins it. */
const weigh = (check: PolicyCheck, record: string, way: readonly string[], known: Map<string, number>): number => {
  const weight = known.get(record);
  if (weight !== undefined) return weight;
  const { checked, list } = check;
  const index = checked.policies.findIndex((policy) => policy.record === record && readsParents(policy));
  if (way.includes(record)) {
    const circle = [...way.slice(way.indexOf(record)), record].join(' -> ');
    list.add(placeOf(check, index), 'circle', `the policies read each other in a circle: ${circle}`);
    return 0;
  }
  let total = 0;
  for (const next of recordsRead(checked, record)) {
    if (list.faults.length > 0) return 0;
    total += 1 + weigh(check, next, [...way, record], known);
  }
  if (total > lookedUpMax && list.faults.length === 0)
    list.add(
      placeOf(check, index),
      'size',
      `with the policies of the records that it names the policies of ${record} look up ${total} rows for each row; at most ${lookedUpMax} are possible`,
    );
  known.set(record, total);
  return total;
};

const readsParents = ({ rows }: CheckedPolicy): boolean => (rows?.parents.length ?? 0) > 0;

/** The records on the paths of its policies, each once. */
const recordsRead = (
  { model, policies }: Pick<QueryableModel, 'model' | 'policies'>,
  record: string,
): ReadonlySet<string> => {
  const rows = policies.flatMap((policy) => (policy.record === record && policy.rows ? [policy.rows] : []));
  return new Set(policyPathsOf({ model }, record, rows).flatMap(({ steps }) => steps.map(({ to }) => to)));
};

/** Policies have no ids; those of a base are told there. */
const placeOf = ({ checked: { model }, own }: PolicyCheck, index: number): DefinitionPath => {
  const policy: PolicyDefinition | undefined = model.policies[index];
  const place = policy ? (own.policies?.indexOf(policy) ?? -1) : -1;
  return place >= 0 ? ['policies', place, 'rows'] : ['extends'];
};

/** What policies look rows of another record up by: a field that is compared, then the key by which the row is found. */
export type PolicyLookup = { readonly record: string; readonly fields: readonly string[] };

export const policyLookupsOf = ({
  model,
  policies,
}: Pick<QueryableModel, 'model' | 'policies'>): readonly PolicyLookup[] =>
  policies.flatMap(({ record, rows }) =>
    policyPathsOf({ model }, record, rows ? [rows] : []).flatMap(({ record: parent, steps }) => {
      const key = steps.at(-1)?.on.map(({ to }) => to) ?? [];
      const compared = (rows?.reads ?? []).flatMap((name) =>
        name.startsWith(`${parent}.`) ? [name.slice(parent.length + 1)] : [],
      );
      return [...new Set(compared)].map((field) => ({ record: parent, fields: [field, ...key] }));
    }),
  );

/**
 * Of each record without a policy that leads to one with a policy, a fault. Models that were published before it was one go on as
 * they are.
 */
export const checkOpenRecords = (model: KnowledgeModel, own: KnowledgeModelDefinition, list: FaultList): void => {
  const withRows = model.policies.filter(({ rows }) => rows !== undefined);
  const isDecided = new Set(withRows.map(({ record }) => record));
  const restricted = new Set(withRows.flatMap(({ record, rows = '' }) => (readsAllRows(rows) ? [] : [record])));
  for (const { id } of model.records) {
    if (isDecided.has(id)) continue;
    const ways = [...restricted].flatMap((record) => {
      const way = findJoinPath(model.relationships, id, record);
      return way && isToOnePath(way) ? [way] : [];
    });
    const [nearest] = ways.toSorted((left, right) => left.length - right.length);
    if (nearest) list.add(findDefinitionPath(own, ['records', id]), 'MODEL_POLICY_MISSING', messageOf(id, nearest));
  }
};

const messageOf = (record: string, way: readonly JoinStep[]): string => {
  const target = way.at(-1)?.to ?? '';
  const path = [record, ...way.map(({ to }) => to)].join(' -> ');
  return (
    `${record} leads to ${target}, which has a policy, and has none of its own: who may not see a row of ${target} would see ` +
    `those of ${record} that belong to it (${path}). Add a policy of ${record} by fields of ${target}, as ` +
    `{ record: ${record}, rows: ${target}.FIELD in caller.ATTRIBUTE }, or { record: ${record}, rows: all } when everybody may see them`
  );
};
