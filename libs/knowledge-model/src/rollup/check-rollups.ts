/**
 * The rollups of a model that has no other fault, each as the question whose groups it holds, or their faults. Of what is grouped by,
 * equal values look the same, so that none is lost; and no row counts twice, so that groups can be added up.
 */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import type { FaultList } from '@tessera/failures';
import type { SlicedWork } from '@tessera/fair-queue';
import type { RollupModel } from '../model/knowledge-model.js';
import { type DefinitionPath, findDefinitionPath } from '../model/place.js';
import { planQuery } from '../plan/plan-query.js';
import { maxPlanWeight, planWeightOf } from '../plan/query-plan.js';
import { type CallerView, type CheckedRollup, createCallerView, type QueryableModel } from '../query/caller-view.js';
import type { DataQuery } from '../query/data-query.js';
import { fieldByGrain, splitGrain } from '../query/date-grain.js';
import { findField } from '../query/query-field.js';
import { resolveQuery } from '../query/resolve-query.js';

export function* checkRollups(
  checked: QueryableModel,
  own: KnowledgeModelDefinition,
  list: FaultList,
): SlicedWork<readonly CheckedRollup[]> {
  const { rollups, source } = checked.model;
  if (rollups.length === 0) return [];
  if (source.database !== undefined) {
    const message = `rollups are made of tables of the platform, but the model reads the database ${source.database}`;
    list.add(findDefinitionPath(own, ['rollups']), 'database', message);
    return [];
  }
  const everything = createCallerView({ ...checked, policies: [] }, { scopes: [], attributes: {} });
  let weight = 0;
  const right: CheckedRollup[] = [];
  for (const rollup of rollups) {
    yield;
    const place = placeIn(own, rollup, list);
    const checked = checkRollup(everything, rollup, place);
    if (!checked) continue;
    weight += checked.weight;
    if (weight <= rollupsWeightMax) right.push(checked);
    else
      list.add(
        place.at('kpis'),
        'size',
        'with the formulas of all that they name the rollups of the model are too large together',
      );
  }
  return right;
}

/** A question looks at all of them, which holds the event loop for some 20 ms then. */
const rollupsWeightMax = 2 * maxPlanWeight;

type Member = 'fields' | 'kpis';
/** A fault of an inherited list is told of what this model says of the rollup, if it does, or of its base. */
type Place = {
  readonly list: FaultList;
  readonly at: (member: Member, index?: number) => DefinitionPath;
};

const placeIn = (own: KnowledgeModelDefinition, { id }: RollupModel, list: FaultList): Place => ({
  list,
  at: (member, index) => {
    const path = findDefinitionPath(own, ['rollups', id, member]);
    return index !== undefined && path.at(-1) === member ? [...path, index] : path;
  },
});

const checkRollup = (
  view: CallerView,
  rollup: RollupModel,
  { list, at }: Place,
): (CheckedRollup & { readonly weight: number }) | undefined => {
  const { names } = view;
  const faultsBefore = list.faults.length;
  rollup.fields.forEach((name, index) => checkField(view, name, at('fields', index), list));
  rollup.kpis.forEach((id, index) => {
    if (!names.kpis.has(id)) list.unknown(at('kpis', index), 'KPI', id, names.kpis.keys());
  });
  if (list.faults.length > faultsBefore) return undefined;
  const resolved = resolveQuery(view, { ...emptyQuery, fields: rollup.fields, kpis: rollup.kpis });
  const plan = resolved.ok ? planQuery(resolved.value) : resolved;
  if (!resolved.ok || !plan.ok) {
    list.add(at('fields'), 'relationship', resolved.ok && !plan.ok ? plan.failure.detail : 'nothing is asked for');
    return undefined;
  }
  const weight = planWeightOf(plan.value);
  if (plan.value.kind !== 'groups' || weight > maxPlanWeight) {
    list.add(at('kpis'), 'size', 'with the formulas of all that it names the rollup is too large');
    return undefined;
  }
  const multiplied = plan.value.grains.find(({ isMultiplied }) => isMultiplied);
  if (!multiplied) return { id: rollup.id, query: resolved.value, weight };
  const { root, joins } = multiplied.source;
  const many = joins.find(({ isToMany }) => isToMany)?.record ?? '';
  const message = `a row of ${root.record} has many of ${many} and would be counted in several groups; use fields that are one row away from the rows of each KPI`;
  list.add(at('fields'), 'multiplied', message);
  return undefined;
};

const emptyQuery: Omit<DataQuery, 'fields' | 'kpis'> = {
  filterIds: [],
  filterExpressions: [],
  distinct: false,
  page: 0,
  pageSize: 1,
};

const checkField = ({ names }: CallerView, text: string, path: DefinitionPath, list: FaultList): void => {
  const { name, grain } = splitGrain(text);
  const found = findField(names, undefined, name)?.ofModel;
  if (!found) {
    const known = [...names.fields].flatMap(([record, fields]) => [...fields.keys()].map((id) => `${record}.${id}`));
    return list.unknown(path, 'field', name, known);
  }
  const made = grain === undefined ? found : fieldByGrain(found, grain);
  if ('message' in made) return list.adopt(path, made);
  if (made.type === 'float')
    list.add(
      path,
      'type',
      `${name} is a float, of which equal values may show different digits; expected another type`,
    );
};
