import { chooseFields } from './choose-fields.js';
import { dateNamed, type Known } from './refinement.js';
import { type Plan, refuse } from './plan.js';
import type { Interpretation } from './interpretation.js';

/** Undefined when nothing has to be known first. */
export const planNewestDay = (
  interpretation: Interpretation,
  { vocabulary, newest, avoid }: Known,
): Plan | undefined => {
  if (newest !== undefined || interpretation.periods.every(({ kind }) => kind === 'days')) return undefined;
  const field = dateNamed(interpretation) ?? chooseFields(vocabulary, interpretation.kpis, avoid).date();
  return field ? { kind: 'newest-day', field } : refuse({ why: 'no-period' });
};
