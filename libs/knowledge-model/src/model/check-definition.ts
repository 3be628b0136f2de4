/**
 * The faults of a knowledge model that its shape does not show: ids given twice, names that lead nowhere, members that
 * neither the model nor its bases have.
 */
import type {
  KnowledgeModelDefinition,
  PolicyDefinition,
  RecordDefinition,
  RelationshipDefinition,
} from '@tessera/contracts/knowledge-models';
import { createFaultList, type FaultList } from '@tessera/failures';
import type { SlicedWork } from '@tessera/fair-queue';
import { type DefinitionPath, findDefinitionPath } from './place.js';

type Check = {
  /** As it was written, where ids given twice are seen and faults are placed. */
  readonly own: KnowledgeModelDefinition;
  /** With its bases in it. */
  readonly whole: KnowledgeModelDefinition;
  readonly list: FaultList;
  /** The attributes that the relationships so far are of. */
  readonly pairs: Set<string>;
};
type Entry = { readonly id: string };

/** Of the document as it is written, whatever its bases are. */
export const checkIds = (own: KnowledgeModelDefinition, list: FaultList): void => {
  checkDuplicates(list, ['records'], own.records);
  checkDuplicates(list, ['kpis'], own.kpis);
  checkDuplicates(list, ['filters'], own.filters);
  checkDuplicates(list, ['rollups'], own.rollups);
  own.kpis?.forEach((kpi, index) => checkDuplicates(list, ['kpis', index, 'parameters'], kpi.parameters));
  own.records?.forEach((record, index) => {
    const seen = new Set<string>();
    for (const kind of ['attributes', 'augmentedAttributes', 'flags'] as const)
      checkDuplicates(list, ['records', index, kind], record[kind], seen);
  });
};

const checkDuplicates = (
  list: FaultList,
  path: DefinitionPath,
  entries: readonly Entry[] | undefined,
  seen: Set<string> = new Set(),
): void =>
  entries?.forEach(({ id }, index) => {
    if (seen.has(id)) list.add([...path, index, 'id'], 'twice', `"${id}" is defined twice`);
    seen.add(id);
  });

export function* checkDefinition(given: Omit<Check, 'pairs'>): SlicedWork<void> {
  const check: Check = { ...given, pairs: new Set() };
  const { whole, list, own } = check;
  if (!whole.source) list.add([], 'missing', 'source is missing; expected e.g. { schema: p2p }');
  for (const record of whole.records ?? []) {
    checkRecord(check, record);
    yield;
  }
  for (const kpi of whole.kpis ?? []) checkRequired(check, ['kpis', kpi.id], kpi, ['expression']);
  for (const filter of whole.filters ?? []) checkRequired(check, ['filters', filter.id], filter, ['expression']);
  for (const rollup of whole.rollups ?? []) checkRequired(check, ['rollups', rollup.id], rollup, ['fields', 'kpis']);
  for (const relationship of whole.relationships ?? []) {
    yield;
    const index = own.relationships?.indexOf(relationship) ?? -1;
    if (index >= 0) checkRelationship(check, relationship, ['relationships', index]);
    else
      checkInherited(check, `relationship of ${relationship.from} and ${relationship.to}`, (inner) =>
        checkRelationship(inner, relationship, []),
      );
  }
  for (const policy of whole.policies ?? []) {
    yield;
    const index = own.policies?.indexOf(policy) ?? -1;
    if (index >= 0) checkPolicy(check, policy, ['policies', index]);
    else checkInherited(check, `policy of ${policy.record}`, (inner) => checkPolicy(inner, policy, []));
  }
}

/** What a base says fails here because of what this model changes. */
const checkInherited = (check: Check, what: string, run: (inner: Check) => void): void => {
  const list = createFaultList('definition');
  run({ ...check, list });
  for (const { message, rule } of list.faults)
    check.list.add(['extends'], rule ?? 'inherited', `the inherited ${what} does not fit any more: ${message}`);
};

/** Members that may come from a base and have to be there in the end. */
const checkRequired = <Item extends object>(
  { own, list }: Check,
  steps: readonly string[],
  entry: Item,
  members: readonly (keyof Item & string)[],
): void => {
  for (const member of members)
    if (entry[member] === undefined)
      list.add(findDefinitionPath(own, steps), 'missing', `${member} of ${steps.at(-1)} is missing`);
};

const checkRecord = (check: Check, record: RecordDefinition): void => {
  const steps = ['records', record.id];
  checkRequired(check, steps, record, ['table', 'identifier']);
  for (const field of record.attributes ?? [])
    checkRequired(check, [...steps, 'attributes', field.id], field, ['column']);
  for (const kind of ['augmentedAttributes', 'flags'] as const)
    for (const field of record[kind] ?? []) checkRequired(check, [...steps, kind, field.id], field, ['expression']);
  record.identifier?.forEach((id, index) => {
    const own = findDefinitionPath(check.own, [...steps, 'identifier']);
    const path = own.at(-1) === 'identifier' ? [...own, index] : own;
    const attribute = findAttribute(check, path, record, id);
    if (attribute?.nullable) check.list.add(path, 'nullable', `"${id}" identifies a row, so it cannot be nullable`);
    if (record.identifier?.indexOf(id) !== index) check.list.add(path, 'twice', `"${id}" is named twice`);
  });
};

type Attribute = NonNullable<RecordDefinition['attributes']>[number];
const attributesByRecord = new WeakMap<RecordDefinition, ReadonlyMap<string, Attribute>>();

/** By id; of what is given twice the last one. */
const attributesOf = (record: RecordDefinition): ReadonlyMap<string, Attribute> => {
  const known = attributesByRecord.get(record);
  if (known) return known;
  const attributes = new Map((record.attributes ?? []).map((attribute) => [attribute.id, attribute]));
  attributesByRecord.set(record, attributes);
  return attributes;
};

const fieldIdsByRecord = new WeakMap<RecordDefinition, ReadonlySet<string>>();

const fieldIdsOf = (record: RecordDefinition): ReadonlySet<string> => {
  const known = fieldIdsByRecord.get(record);
  if (known) return known;
  const { attributes = [], augmentedAttributes = [], flags = [] } = record;
  const ids = new Set(idsOf([...attributes, ...augmentedAttributes, ...flags]));
  fieldIdsByRecord.set(record, ids);
  return ids;
};

/** Keys are columns: a formula would have no index, and no row could be found by it. */
const findAttribute = ({ list }: Check, path: DefinitionPath, record: RecordDefinition, id: string) => {
  const attributes = attributesOf(record);
  const found = attributes.get(id);
  if (found) return found;
  const formula = [...(record.augmentedAttributes ?? []), ...(record.flags ?? [])].some((field) => field.id === id);
  if (formula) list.add(path, 'attribute', `"${id}" is a formula; expected an attribute with a column`);
  else list.unknown(path, `attribute of ${record.id}`, id, attributes.keys());
  return undefined;
};

const findRecord = ({ whole, list }: Check, path: DefinitionPath, id: string): RecordDefinition | undefined => {
  const found = whole.records?.find((record) => record.id === id);
  if (!found) list.unknown(path, 'record', id, idsOf(whole.records ?? []));
  return found;
};

const checkRelationship = (check: Check, relationship: RelationshipDefinition, path: DefinitionPath): void => {
  const from = findRecord(check, [...path, 'from'], relationship.from);
  const to = findRecord(check, [...path, 'to'], relationship.to);
  for (const [left, right] of Object.entries(relationship.on)) {
    const key = from && findAttribute(check, [...path, 'on', left], from, left);
    const target = to && findAttribute(check, [...path, 'on', left], to, right);
    const [type, other] = [key?.type ?? 'string', target?.type ?? 'string'];
    if (key && target && type !== other)
      check.list.add([...path, 'on', left], 'type', `"${left}" is of type ${type}, but "${right}" of type ${other}`);
  }
  const pair = pairOf(relationship);
  if (check.pairs.has(pair)) check.list.add(path, 'twice', `there is a relationship of these attributes already`);
  check.pairs.add(pair);
};

const pairOf = ({ from, to, on }: RelationshipDefinition): string => {
  const forth = JSON.stringify([from, to, Object.entries(on).sort()]);
  const back = JSON.stringify([
    to,
    from,
    Object.entries(on)
      .map(([left, right]) => [right, left])
      .sort(),
  ]);
  return forth < back ? forth : back;
};

const checkPolicy = (check: Check, policy: PolicyDefinition, path: DefinitionPath): void => {
  const record = findRecord(check, [...path, 'record'], policy.record);
  if (!record) return;
  const fields = fieldIdsOf(record);
  policy.hide?.forEach((id, index) => {
    if (!fields.has(id)) check.list.unknown([...path, 'hide', index], `field of ${record.id}`, id, fields);
    else if (record.identifier?.includes(id))
      check.list.add([...path, 'hide', index], 'identifier', `"${id}" identifies a row and cannot be hidden`);
  });
};

const idsOf = (entries: readonly Entry[]): readonly string[] => entries.map(({ id }) => id);
