/** What an address of Ask says. Who types one may write anything: what is not understood is left out. */
import type { AskSearch } from '../../features/ask/ask.js';

const idLengthMax = 200;
const questionLengthMax = 2_000;
const openMax = 50;

const idOf = (value: unknown): string | undefined =>
  // The router reads digits as a number.
  typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= idLengthMax)
    ? String(value)
    : undefined;

const stepsOf = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value
        .filter((step) => typeof step === 'string')
        .filter((step) => /^\d{1,9}\.\d{1,4}$/.test(step))
        .slice(0, openMax)
    : [];

export const readAskSearch = (search: Readonly<Record<string, unknown>>): AskSearch => {
  const [agent, conversation] = [idOf(search['agent']), idOf(search['conversation'])];
  const open = stepsOf(search['open']);
  const question = typeof search['question'] === 'string' ? search['question'].slice(0, questionLengthMax) : '';
  return {
    ...(agent !== undefined && { agent }),
    ...(conversation !== undefined && { conversation }),
    ...(open.length > 0 && { open }),
    ...(question !== '' && { question }),
  };
};
