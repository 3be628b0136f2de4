/** Loads all rows of several load-data queries, or returns the calls that are still missing, or the failure. */
import { answer, type TurnState, type NextStep } from './turn-state.js';
import { textIn } from './json.js';
import type { Language } from './language.js';
import type { LoadQuery } from './plan.js';
import type { Outcome } from './read-prompt.js';
import { readRows, type Rows } from './read-rows.js';
import { renderRefusal } from './render-answers.js';

export type Loaded = { readonly answered: readonly { readonly query: LoadQuery; readonly loaded: Rows }[] };

/** All the questions at once, or what is still to be called, or what went wrong. */
export const loadAll = (state: TurnState, queries: readonly LoadQuery[], language: Language): Loaded | NextStep => {
  const { tools } = state.context;
  const results = queries.map((query) => ({ query, found: state.call(tools.load, query.args) }));
  if (results.some(({ found }) => found === 'open')) return state.open();
  if (tools.load === undefined)
    return answer(renderRefusal({ why: 'no-tool', tool: 'load-data' }, { tools }, language));
  const fault = results.find(({ found }) => found === undefined || (found !== 'open' && !found.ok))?.found;
  if (fault !== undefined && fault !== 'open' && !fault.ok)
    return answer(renderRefusal({ why: 'tool-failed', message: faultText(fault) }, { tools }, language));
  const loaded = results.flatMap(({ query, found }) => {
    const rows = found && found !== 'open' && found.ok ? readRows(found.value) : undefined;
    return rows ? [{ query, loaded: rows }] : [];
  });
  if (loaded.length < queries.length)
    return answer(renderRefusal({ why: 'tool-failed', message: '' }, { tools }, language));
  return { answered: loaded };
};

const faultText = ({ message, faults }: Outcome & { readonly ok: false }): string =>
  [message, ...faults.map((fault) => textIn(fault, 'message') || textIn(fault, 'error'))]
    .filter((text) => text !== '')
    .join(' ');
