/**
 * A knowledge model, from its definition to typed formulas, or every fault of it at once with its path in the document.
 * Refuses: filters and policies' rows, whose grammar is that of libs/filter, and what only a database knows.
 */
import { type KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { type Fault, faultList, type FaultList } from '@tessera/failures';
import { type FormulaFault } from './expression/formula-fault.js';
import { readParameter } from './expression/read-parameter.js';
import { type NoteFault, typeModel, type TypedModel } from './expression/type-model.js';
import { checkDefinition, checkIds } from './model/check-definition.js';
import { type Definitions, inherit } from './model/inherit.js';
import { type KnowledgeModel, normaliseModel } from './model/knowledge-model.js';
import { placeIn } from './model/place.js';

export type CheckedModel =
  | { readonly ok: true; readonly model: KnowledgeModel; readonly formulas: TypedModel }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** `others`: the team's definitions by id, in which its bases are looked for. */
export const checkModel = (definition: KnowledgeModelDefinition, others: Definitions): CheckedModel => {
  const list = faultList('definition');
  checkIds(definition, list);
  const whole = inherit(definition, others, list);
  if (!whole) return { ok: false, faults: list.faults };
  checkDefinition({ own: definition, whole, list });
  const model = normaliseModel(whole);
  checkParameters(definition, model, list);
  const formulas = typeModel(model, noteIn(definition, list));
  return list.faults.length > 0 ? { ok: false, faults: list.faults } : { ok: true, model, formulas };
};

/** A formula of a base that fails here does so because of what this model changes. */
const noteIn =
  (definition: KnowledgeModelDefinition, list: FaultList): NoteFault =>
  (steps, fault) => {
    const path = placeIn(definition, steps);
    list.adopt(path, path.at(-1) === 'expression' ? fault : inherited(steps, fault));
  };

const inherited = (steps: readonly string[], { message, rule }: FormulaFault): Omit<Fault, 'in' | 'path'> => ({
  message: `the inherited formula of ${steps.at(-2)} does not fit any more: ${message}`,
  rule,
});

const checkParameters = (definition: KnowledgeModelDefinition, { kpis }: KnowledgeModel, list: FaultList): void => {
  for (const kpi of kpis)
    for (const parameter of kpi.parameters)
      if (!readParameter(parameter)) {
        const path = placeIn(definition, ['kpis', kpi.id, 'parameters', parameter.id, 'value']);
        list.add(path, 'type', `"${parameter.value}" is no ${parameter.type}`);
      }
};
