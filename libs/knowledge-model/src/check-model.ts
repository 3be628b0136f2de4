/**
 * A knowledge model, from its definition to what can be asked of it, or every fault of it at once with its path in the
 * document.
 */
import type { KnowledgeModelDefinition, PolicyDefinition } from '@tessera/contracts/knowledge-models';
import { type Fault, createFaultList, type FaultList } from '@tessera/failures';
import { runUnsliced, type SlicedWork } from '@tessera/fair-queue';
import type { ExpressionFault } from '@tessera/filter';
import { parseKpiParameter } from './expression/read-parameter.js';
import { type ReportFault, typeCheckModel } from './expression/type-model.js';
import { checkDefinition, checkIds } from './model/check-definition.js';
import { type KnowledgeModelDefinitions, resolveInheritance } from './model/inherit.js';
import { type KnowledgeModel, normaliseModel } from './model/knowledge-model.js';
import { findDefinitionPath } from './model/place.js';
import { checkOpenRecords, checkPolicyPaths } from './plan/policy-paths.js';
import { checkFilters, checkPolicies, checkWords } from './query/check-conditions.js';
import { createNamedFields } from './query/query-field.js';
import { type QueryableModel, findDependents } from './query/caller-view.js';
import { checkRollups } from './rollup/check-rollups.js';

export type CheckedModel =
  /** `openRecords`: faults for which nothing more is published, though what was published before them goes on as it is. */
  | ({ readonly ok: true; readonly openRecords: readonly Fault[] } & QueryableModel)
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** For which nothing is published, though it was before there was such a fault. */
export const publicationFaultsOf = (checked: CheckedModel): readonly Fault[] =>
  checked.ok ? checked.openRecords : checked.faults;

/** As `openRecords` of a whole check, which costs far more. */
export const findOpenRecords = (
  definition: KnowledgeModelDefinition,
  others: KnowledgeModelDefinitions,
): readonly Fault[] => {
  const list = createFaultList('definition');
  const whole = resolveInheritance(definition, others, list);
  if (!whole) return [];
  checkPublication(normaliseModel(whole), definition, list);
  return list.faults;
};

const checkPublication = (model: KnowledgeModel, definition: KnowledgeModelDefinition, list: FaultList): void => {
  checkOpenRecords(model, definition, list);
  checkWords(model, { ofFilter: noteOfFilter(definition, list), ofPolicy: noteOfPolicy(definition, list) });
};

/** `others`: the team's definitions by id, in which its bases are looked for. */
export function* checkModelInSteps(
  definition: KnowledgeModelDefinition,
  others: KnowledgeModelDefinitions,
): SlicedWork<CheckedModel> {
  const list = createFaultList('definition');
  checkIds(definition, list);
  yield;
  const whole = resolveInheritance(definition, others, list);
  if (!whole) return { ok: false, faults: list.faults };
  yield* checkDefinition({ own: definition, whole, list });
  const model = normaliseModel(whole);
  yield;
  checkParameters(definition, model, list);
  const formulas = yield* typeCheckModel(model, noteIn(definition, list));
  yield;
  const named = createNamedFields(model, formulas);
  const filters = yield* checkFilters(model, named, noteOfFilter(definition, list));
  const policies = yield* checkPolicies(model, named, noteOfPolicy(definition, list));
  if (list.faults.length > 0) return { ok: false, faults: list.faults };
  const readers = yield* findDependents(formulas);
  const checked = { model, formulas, names: { ...named, filters }, policies, readers, rollups: [] };
  checkPolicyPaths({ checked, own: definition, list });
  const rollups = yield* checkRollups(checked, definition, list);
  if (list.faults.length > 0) return { ok: false, faults: list.faults };
  const open = createFaultList('definition');
  checkPublication(model, definition, open);
  return { ok: true, ...checked, rollups, openRecords: open.faults };
}

/** The same at once: 1 MiB of formulas takes half a second. */
export const checkModel = (definition: KnowledgeModelDefinition, others: KnowledgeModelDefinitions): CheckedModel =>
  runUnsliced(checkModelInSteps(definition, others));

/** A formula of a base that fails here does so because of what this model changes. */
const noteIn =
  (definition: KnowledgeModelDefinition, list: FaultList): ReportFault =>
  (steps, fault) => {
    if (list.isFull) return;
    const path = findDefinitionPath(definition, steps);
    list.adopt(path, path.at(-1) === 'expression' ? fault : inheritedAs(`formula of ${steps.at(-2)}`, fault));
  };

const noteOfFilter =
  (definition: KnowledgeModelDefinition, list: FaultList) =>
  ({ id }: { readonly id: string }, fault: ExpressionFault): void => {
    const path = findDefinitionPath(definition, ['filters', id, 'expression']);
    list.adopt(path, path.at(-1) === 'expression' ? fault : inheritedAs(`filter ${id}`, fault));
  };

/** Policies have no ids; those of a base are said there. */
const noteOfPolicy =
  (definition: KnowledgeModelDefinition, list: FaultList) =>
  (policy: PolicyDefinition, fault: ExpressionFault): void => {
    const index = definition.policies?.indexOf(policy) ?? -1;
    if (index >= 0) list.adopt(['policies', index, 'rows'], fault);
    else list.adopt(['extends'], inheritedAs(`policy of ${policy.record}`, fault));
  };

const inheritedAs = (what: string, { message, rule }: ExpressionFault): Omit<Fault, 'in' | 'path'> => ({
  message: `the inherited ${what} does not fit any more: ${message}`,
  rule,
});

const checkParameters = (definition: KnowledgeModelDefinition, { kpis }: KnowledgeModel, list: FaultList): void => {
  for (const kpi of kpis)
    for (const parameter of kpi.parameters)
      if (!parseKpiParameter(parameter)) {
        const path = findDefinitionPath(definition, ['kpis', kpi.id, 'parameters', parameter.id, 'value']);
        list.add(path, 'type', `"${parameter.value}" is no ${parameter.type}`);
      }
};
