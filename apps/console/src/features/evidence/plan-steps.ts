/** A plan as steps: what is read, added, kept, grouped, computed, shown and sorted. What is not understood of it is left out. */
import { isObject, type JsonObject } from '../../api/json-values.js';

export type PlanStep = {
  readonly kind:
    | 'read'
    | 'join'
    | 'joinMany'
    | 'where'
    | 'exists'
    | 'once'
    | 'group'
    | 'compute'
    | 'having'
    | 'show'
    | 'distinct'
    | 'sort';
  /** By the ids of the model; values have a question mark in their place. */
  readonly text: string;
};

const listAt = (of: JsonObject, name: string): readonly unknown[] => {
  const list = of[name];
  return Array.isArray(list) ? list : [];
};
const textsAt = (of: JsonObject, name: string): readonly string[] =>
  listAt(of, name).filter((entry) => typeof entry === 'string');
const membersAt = (of: JsonObject, name: string): readonly JsonObject[] => listAt(of, name).filter(isObject);
const textAt = (of: JsonObject, name: string): string => {
  const text = of[name];
  return typeof text === 'string' ? text : '';
};

export const planSteps = (plan: unknown): readonly PlanStep[] => {
  if (!isObject(plan)) return [];
  const sources = plan['kind'] === 'groups' ? membersAt(plan, 'grains') : [plan];
  const stepOf = (kind: PlanStep['kind'], member: string): PlanStep => ({
    kind,
    text: textsAt(plan, member).join(', '),
  });
  return [
    ...sources.flatMap(stepsOfSource),
    stepOf('group', 'by'),
    stepOf('compute', 'kpis'),
    ...textsAt(plan, 'having').map((text): PlanStep => ({ kind: 'having', text })),
    stepOf(plan['distinct'] === true ? 'distinct' : 'show', 'columns'),
    stepOf('sort', 'orderBy'),
  ].filter(({ text }) => text !== '');
};

const stepsOfSource = (source: JsonObject): readonly PlanStep[] => {
  const root = isObject(source['root']) ? textAt(source['root'], 'record') : '';
  return [
    { kind: 'read', text: root },
    ...membersAt(source, 'joins').map((join): PlanStep => ({
      kind: join['toMany'] === true ? 'joinMany' : 'join',
      text: joinText(join),
    })),
    ...textsAt(source, 'where').map((text): PlanStep => ({ kind: 'where', text })),
    ...membersAt(source, 'exists').map((exists): PlanStep => ({ kind: 'exists', text: existsText(exists) })),
    { kind: 'once', text: source['countsRowsOnce'] === true ? root : '' },
  ];
};

const joinText = (join: JsonObject): string => {
  const on = textsAt(join, 'on').join(', ');
  return on === '' ? textAt(join, 'record') : `${textAt(join, 'record')} (${on})`;
};

const existsText = (exists: JsonObject): string => {
  const where = textsAt(exists, 'where').join(', ');
  const records = membersAt(exists, 'joins').map((join) => textAt(join, 'record'));
  return where === '' ? records.join(', ') : `${records.join(', ')} (${where})`;
};
