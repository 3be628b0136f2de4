/** Answers "since when": loads the months first, then the figures before and after each change. */
import { plusDays } from './days.js';
import { answer, type Desk, type Thought } from './desk.js';
import type { Language } from './language.js';
import { loadAll } from './load-rows.js';
import { phrases } from './phrases.js';
import type { LoadQuestion, Plan } from './plan.js';
import type { Outcome } from './read-prompt.js';
import { cellOf, figureIn, readRows } from './read-rows.js';
import { type Change, findChanges } from './since-when.js';
import { narrowingParts } from './word-figures.js';
import { sideArgs, type Sides, wordSinceWhen } from './word-others.js';

const changesMax = 4;

export const thinkSinceWhen = (
  desk: Desk,
  plan: Extract<Plan, { readonly kind: 'since-when' }>,
  language: Language,
): Thought => {
  const loaded = loadAll(desk, [plan.question], language);
  if ('kind' in loaded) return loaded;
  const { question, month } = plan;
  const [kpi] = question.kpis;
  const group = question.groups.find(({ id }) => id !== month.id);
  const say = phrases[language];
  const months = (loaded.answered[0]?.loaded.rows ?? []).flatMap((row) => {
    const value = kpi ? figureIn(row, kpi.id) : null;
    const label = group ? `${cellOf(row, group, say)}` : (kpi?.name ?? '');
    return value === null ? [] : [{ label, month: cellOf(row, month, say), value }];
  });
  const found = findChanges(months, kpi?.direction !== 'Up');
  const changes = found.changes.slice(0, changesMax);
  const asked = changes.map((change) => sidesOf(desk, question, month, change));
  if (asked.some((sides) => sides === 'open')) return desk.open();
  const sides = asked.flatMap((each) => (each === 'open' ? [] : [each]));
  const all = narrowingParts(question.narrowing, language).join('; ');
  const named = changes.map((change) => ({
    ...change,
    label: group ? `${group.name} ${change.label}` : all || change.label,
  }));
  return answer(wordSinceWhen(plan, { ...found, changes: named }, sides, language));
};

/** The KPI from the month of the change on, and before it. */
const sidesOf = (
  desk: Desk,
  question: LoadQuestion,
  month: { readonly id: string },
  change: Change,
): Sides | 'open' => {
  const first = `${change.since}-01`;
  const after = desk.ask(desk.situation.tools.load, sideArgs(question, month, change.label, { start_date: first }));
  const before = change.isFromBegin
    ? undefined
    : desk.ask(desk.situation.tools.load, sideArgs(question, month, change.label, { end_date: plusDays(first, -1) }));
  if (after === 'open' || before === 'open') return 'open';
  const figure = (outcome: Outcome | undefined): number | null => {
    const row = outcome?.ok ? readRows(outcome.value)?.rows[0] : undefined;
    return row ? figureIn(row, question.kpis[0]?.id ?? '') : null;
  };
  return { before: figure(before), after: figure(after) };
};
