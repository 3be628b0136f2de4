import { chooseFields } from './choose-fields.js';
import { dateNamed, type Known } from './narrow.js';
import { type Plan, refuse } from './plan.js';
import type { Reading } from './reading.js';

/** Undefined when nothing has to be known first. */
export const waitsFor = (reading: Reading, { vocabulary, newest, avoid }: Known): Plan | undefined => {
  if (newest !== undefined || reading.periods.every(({ kind }) => kind === 'days')) return undefined;
  const field = dateNamed(reading) ?? chooseFields(vocabulary, reading.kpis, avoid).date();
  return field ? { kind: 'newest-day', field } : refuse({ why: 'no-period' });
};
