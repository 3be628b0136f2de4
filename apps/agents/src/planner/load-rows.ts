/** Loads all rows of several load-data queries, or returns the calls that are still missing, or the failure. */
import { answer, type Desk, type Thought } from './desk.js';
import { textIn } from './json.js';
import type { Language } from './language.js';
import type { LoadQuestion } from './plan.js';
import type { Outcome } from './read-prompt.js';
import { readRows, type Rows } from './read-rows.js';
import { wordRefusal } from './word-others.js';

export type Loaded = { readonly answered: readonly { readonly question: LoadQuestion; readonly loaded: Rows }[] };

/** All the questions at once, or what is still to be called, or what went wrong. */
export const loadAll = (desk: Desk, questions: readonly LoadQuestion[], language: Language): Loaded | Thought => {
  const { tools } = desk.situation;
  const asked = questions.map((question) => ({ question, found: desk.ask(tools.load, question.args) }));
  if (asked.some(({ found }) => found === 'open')) return desk.open();
  if (tools.load === undefined) return answer(wordRefusal({ why: 'no-tool', tool: 'load-data' }, { tools }, language));
  const fault = asked.find(({ found }) => found === undefined || (found !== 'open' && !found.ok))?.found;
  if (fault !== undefined && fault !== 'open' && !fault.ok)
    return answer(wordRefusal({ why: 'tool-failed', message: faultText(fault) }, { tools }, language));
  const loaded = asked.flatMap(({ question, found }) => {
    const rows = found && found !== 'open' && found.ok ? readRows(found.value) : undefined;
    return rows ? [{ question, loaded: rows }] : [];
  });
  if (loaded.length < questions.length)
    return answer(wordRefusal({ why: 'tool-failed', message: '' }, { tools }, language));
  return { answered: loaded };
};

const faultText = ({ message, faults }: Outcome & { readonly ok: false }): string =>
  [message, ...faults.map((fault) => textIn(fault, 'message') || textIn(fault, 'error'))]
    .filter((text) => text !== '')
    .join(' ');
