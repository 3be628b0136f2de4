/** Answers "since when": loads the months first, then the figures before and after each change. */
import { plusDays } from './days.js';
import { answer, type TurnState, type NextStep } from './turn-state.js';
import type { Language } from './language.js';
import { loadAll } from './load-rows.js';
import { phrases } from './phrases.js';
import type { LoadQuery, Plan } from './plan.js';
import type { Outcome } from './read-prompt.js';
import { cellOf, figureIn, readRows } from './read-rows.js';
import { type Change, findChanges } from './since-when.js';
import { refinementParts } from './render-figures.js';
import { sideArgs, type Sides, renderSinceWhen } from './render-answers.js';

const changesMax = 4;

export const sinceWhenStep = (
  state: TurnState,
  plan: Extract<Plan, { readonly kind: 'since-when' }>,
  language: Language,
): NextStep => {
  const loaded = loadAll(state, [plan.query], language);
  if ('kind' in loaded) return loaded;
  const { query, month } = plan;
  const [kpi] = query.kpis;
  const group = query.groups.find(({ id }) => id !== month.id);
  const say = phrases[language];
  const months = (loaded.answered[0]?.loaded.rows ?? []).flatMap((row) => {
    const value = kpi ? figureIn(row, kpi.id) : null;
    const label = group ? `${cellOf(row, group, say)}` : (kpi?.name ?? '');
    return value === null ? [] : [{ label, month: cellOf(row, month, say), value }];
  });
  const found = findChanges(months, kpi?.direction !== 'Up');
  const changes = found.changes.slice(0, changesMax);
  const results = changes.map((change) => sidesOf(state, query, month, change));
  if (results.some((sides) => sides === 'open')) return state.open();
  const sides = results.flatMap((each) => (each === 'open' ? [] : [each]));
  const all = refinementParts(query.refinement, language).join('; ');
  const named = changes.map((change) => ({
    ...change,
    label: group ? `${group.name} ${change.label}` : all || change.label,
  }));
  return answer(renderSinceWhen(plan, { ...found, changes: named }, sides, language));
};

/** The KPI from the month of the change on, and before it. */
const sidesOf = (
  state: TurnState,
  query: LoadQuery,
  month: { readonly id: string },
  change: Change,
): Sides | 'open' => {
  const first = `${change.since}-01`;
  const after = state.call(state.context.tools.load, sideArgs(query, month, change.label, { start_date: first }));
  const before = change.isFromBegin
    ? undefined
    : state.call(state.context.tools.load, sideArgs(query, month, change.label, { end_date: plusDays(first, -1) }));
  if (after === 'open' || before === 'open') return 'open';
  const figure = (outcome: Outcome | undefined): number | null => {
    const row = outcome?.ok ? readRows(outcome.value)?.rows[0] : undefined;
    return row ? figureIn(row, query.kpis[0]?.id ?? '') : null;
  };
  return { before: figure(before), after: figure(after) };
};
