import { tabs, type FiguresSearch } from '../../features/figures/question.js';

type Given = Readonly<Record<string, unknown>>;

const conditionsMax = 50;
const compared = ['before', 'year'] as const;

/** A text that looks like a number is one in the address. */
const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
};

const texts = ['record', 'find', 'fields', 'kpis', 'filters', 'date', 'from', 'to', 'search', 'sort'] as const;

export const readFiguresSearch = (given: Given): FiguresSearch => {
  const found = Object.fromEntries(
    texts.flatMap((name) => {
      const text = textOf(given[name]);
      return text === undefined ? [] : [[name, text]];
    }),
  );
  const { where, page } = given;
  const tab = tabs.find((one) => one === given['tab']);
  const compare = compared.find((one) => one === given['compare']);
  const conditions = (Array.isArray(where) ? where : [where]).flatMap((one) => textOf(one) ?? []);
  return {
    ...found,
    ...(tab !== undefined && { tab }),
    ...(conditions.length > 0 && { where: conditions.slice(0, conditionsMax) }),
    ...(compare !== undefined && { compare }),
    ...(given['exact'] === true && { exact: true }),
    ...(typeof page === 'number' && Number.isSafeInteger(page) && page > 0 && { page }),
  };
};
