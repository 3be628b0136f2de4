/**
 * The filters of a model and the rows of its policies, parsed and typed, or every fault of them with its position.
 * Filters never read `caller.`, since they are the same for everybody; policies read fields of records that are one row away.
 */
import type { PolicyDefinition } from '@tessera/contracts/knowledge-models';
import type { SlicedWork } from '@tessera/fair-queue';
import { findNearestName } from '@tessera/failures';
import {
  type DataExpression,
  type ExpressionFault,
  parseDataFilter,
  typeCheckFilter,
  withSuggestion,
} from '@tessera/filter';
import {
  allRows,
  type FilterModel,
  type KnowledgeModel,
  readsAllRows,
  type RecordModel,
} from '../model/knowledge-model.js';
import { createToOneLookup, type FindToOneRecords } from '../model/to-one-records.js';
import { callerAttributesIn, fieldsNamedIn, typeCheckConditions, wordsIn } from './conditions.js';
import { createFilterLookup, type ModelFilter, type ModelNames, createPolicyLookup } from './query-field.js';
import type { CheckedPolicy, RowPolicy } from './caller-view.js';
import {
  describeUnknownNameInFilter,
  describeUnknownNameInPolicy,
  describeWordInDefinition,
  type UnknownNameMessage,
} from './query-fault.js';

type NamedFields = Pick<ModelNames, 'fields' | 'kpis'>;

/** Of a filter or policy of the model with its bases. */
type NoteFilterFault<Entry> = (entry: Entry, fault: ExpressionFault) => void;

export function* checkFilters(
  model: KnowledgeModel,
  names: NamedFields,
  note: NoteFilterFault<FilterModel>,
): SlicedWork<ReadonlyMap<string, ModelFilter>> {
  const lookup = createFilterLookup(names, undefined);
  const filters = new Map<string, ModelFilter>();
  for (const filter of model.filters) {
    yield;
    const expression = parseConditions(filter.expression, false, (fault) => note(filter, fault));
    const typing = expression && typeCheckConditions(expression, lookup, true);
    if (!typing) continue;
    if (typing.ok) filters.set(filter.id, { ...typing.value, reads: readsOf(expression) });
    else
      for (const fault of rewordFaults(model, expression, typing.faults, (name) =>
        describeUnknownNameInFilter(model, undefined, name),
      ))
        note(filter, fault);
  }
  return filters;
}

const readsOf = (expression: DataExpression): readonly string[] => [
  ...new Set(fieldsNamedIn(expression).map(({ name }) => name)),
];

export function* checkPolicies(
  model: KnowledgeModel,
  names: NamedFields,
  note: NoteFilterFault<PolicyDefinition>,
): SlicedWork<readonly CheckedPolicy[]> {
  const toOneFrom = createToOneLookup(model);
  const policies: CheckedPolicy[] = [];
  for (const policy of model.policies) {
    yield;
    const record = model.recordById.get(policy.record);
    // That it is missing is a fault of the definition, noted there.
    if (!record) continue;
    const rows =
      policy.rows === undefined || readsAllRows(policy.rows)
        ? undefined
        : checkRows({ model, names, toOneFrom }, record, policy.rows, (fault) => note(policy, fault));
    const { unless, hide = [] } = policy;
    policies.push({
      record: record.id,
      hides: hide.map((field) => `${record.id}.${field}`),
      ...(unless && { unlessScope: unless.scope }),
      ...(rows && { rows }),
    });
  }
  return policies;
}

type PolicyCheck = {
  readonly model: KnowledgeModel;
  readonly names: NamedFields;
  readonly toOneFrom: FindToOneRecords;
};

const checkRows = (
  { model, names, toOneFrom }: PolicyCheck,
  record: RecordModel,
  text: string,
  note: (fault: ExpressionFault) => void,
): RowPolicy | undefined => {
  const expression = parseConditions(text, true, (fault) => {
    const suggestion = findNearestName(text.trim(), [allRows]);
    note(
      suggestion === undefined ? fault : { ...fault, message: withSuggestion(fault.message, suggestion), suggestion },
    );
  });
  if (!expression) return undefined;
  // Whose attributes are not known yet; what they are compared with is.
  const reached = toOneFrom(record.id);
  const lookup = createPolicyLookup(names, record.id, reached);
  const typing = typeCheckFilter(expression, lookup, { callerValues: () => undefined });
  if (typing.ok) {
    const { policies } = model;
    const number = policies.findIndex((other) => other.record === record.id && other.rows === text);
    const named = fieldsNamedIn(expression).flatMap(({ name }) => lookup.get(name) ?? []);
    const others = named.filter((field) => field.record !== record.id);
    const parents = [...new Set(others.map((field) => field.record))];
    const reads = others.map((field) => `${field.record}.${field.field}`);
    return { number, text, expression, attributes: callerAttributesIn(expression), parents, reads };
  }
  const faults = rewordFaults(
    model,
    expression,
    typing.faults,
    (name) => describeUnknownNameInPolicy(model, record, name, reached),
    { record, reached },
  );
  for (const fault of faults) note(fault);
  return undefined;
};

type NoteFaults = {
  readonly ofFilter: NoteFilterFault<FilterModel>;
  readonly ofPolicy: NoteFilterFault<PolicyDefinition>;
};

/** Texts without quotes that were surely meant as names. Models that were published before this was a fault go on as they are. */
export const checkWords = (model: KnowledgeModel, { ofFilter, ofPolicy }: NoteFaults): void => {
  const check = (text: string, isPolicy: boolean, note: (fault: ExpressionFault) => void): void => {
    const expression = parseConditions(text, isPolicy, () => undefined);
    for (const { text: word, start: position } of expression ? wordsIn(expression) : []) {
      const told = describeWordInDefinition(model, word, isPolicy);
      if (told) note({ ...told, position, rule: 'type' });
    }
  };
  for (const filter of model.filters) check(filter.expression, false, (fault) => ofFilter(filter, fault));
  for (const policy of model.policies) {
    const { rows = '' } = policy;
    if (!readsAllRows(rows)) check(rows, true, (fault) => ofPolicy(policy, fault));
  }
};

const parseConditions = (
  text: string,
  callerAttributes: boolean,
  note: (fault: ExpressionFault) => void,
): DataExpression | undefined => {
  // As above: nothing can be said of what is missing.
  if (text === '') return undefined;
  const parsing = parseDataFilter(text, { callerAttributes });
  if (parsing.ok) return parsing.value;
  note(parsing.fault);
  return undefined;
};

/** Unknown names in the words of the model; a name whose own formula has a fault is not blamed again. */
const rewordFaults = (
  model: KnowledgeModel,
  expression: DataExpression,
  faults: readonly ExpressionFault[],
  tell: (name: string) => UnknownNameMessage,
  ofPolicy?: PolicyReach,
): readonly ExpressionFault[] =>
  faults.flatMap((fault) => {
    if (fault.rule !== 'field') return [fault];
    const name = fieldsNamedIn(expression).find(({ start }) => start === fault.position)?.name ?? '';
    return isDefined(model, ofPolicy, name) ? [] : [{ ...tell(name), position: fault.position, rule: fault.rule }];
  });

/** `reached`: the records that are one row away, itself among them. */
type PolicyReach = { readonly record: RecordModel; readonly reached: ReadonlySet<string> };

const isDefined = (model: KnowledgeModel, ofPolicy: PolicyReach | undefined, name: string): boolean => {
  const [owner = '', field = ''] = name.split('.', 2);
  if (!name.includes('.')) return ofPolicy ? ofPolicy.record.fieldById.has(name) : model.kpiById.has(name);
  return (!ofPolicy || ofPolicy.reached.has(owner)) && model.recordById.get(owner)?.fieldById.has(field) === true;
};
