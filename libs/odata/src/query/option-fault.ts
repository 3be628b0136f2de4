/**
 * The faults of options: which option, where in its text, what would be right. Positions count from 0, people from 1. A
 * few faults are collected before the reading ends.
 */
import type { FailureCode } from '@tessera/failures';
import { type ExpressionFault, createExpressionFault } from '@tessera/filter';
import { maxQueryFaults, type QueryFault } from '@tessera/knowledge-model';

export type OptionFaultCollector = {
  readonly faults: readonly QueryFault[];
  readonly add: (code: FailureCode, told: OptionFault) => void;
  /** Nothing more is looked for: each fault costs a search for the nearest name. */
  readonly isFull: () => boolean;
};

/** `message` is without its place and its suggestion, which `add` puts around it. */
export type OptionFault = Omit<ExpressionFault, 'suggestion'> & { readonly suggestion?: string | undefined };

/** `option` as it stands in the standard: `$orderby`. All faults of a question go into one list. */
export const createOptionFaultCollector = (option: string, faults: QueryFault[]): OptionFaultCollector => ({
  faults,
  isFull: () => faults.length >= maxQueryFaults,
  add: (code, { rule, message, position, suggestion }) => {
    if (faults.length >= maxQueryFaults) return;
    const located = `${option}, character ${position + 1}: ${message}`;
    faults.push({ code, path: option, ...createExpressionFault(position, rule, located, suggestion) });
  },
});

const shownMax = 60;

/** Whatever was written, in a length that can be shown. */
export const shortenText = (text: string): string =>
  (text.length > shownMax ? `${text.slice(0, shownMax)}...` : text).toWellFormed();

/** An item of a list with commas, without the space around it, and where it begins. */
export type ListItem = { readonly text: string; readonly start: number };

export const splitAtCommas = (text: string): readonly ListItem[] => {
  let from = 0;
  return text.split(',').map((part) => {
    const item = { text: part.trim(), start: from + part.length - part.trimStart().length };
    from += part.length + 1;
    return item;
  });
};
