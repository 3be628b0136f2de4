/** What the address of Home says. Who types one may write anything: what is not understood is left out. */
import type { HomeSearch } from '../features/home/home.js';

const idLengthMax = 200;

export const readHomeSearch = (search: Readonly<Record<string, unknown>>): HomeSearch => {
  const { model } = search;
  // The router reads digits as a number.
  const id = typeof model === 'number' ? String(model) : model;
  return typeof id === 'string' && id !== '' && id.length <= idLengthMax ? { model: id } : {};
};
