/** What is worth saying of a load that is listed, and of faults that were found. */
import type { AnswerFor } from '../../../api/operations.js';
import type { Tone } from '../../../ui/badge.js';
import type { LoadFault } from './run-load.js';

export type ListedLoad = AnswerFor<'listLoads'>['loads'][number];
type LoadState = ListedLoad['state'];

export const stateTones: Readonly<Record<LoadState, Tone>> = {
  loading: 'accent',
  committing: 'accent',
  committed: 'success',
  refused: 'danger',
};

const watchedMs = 10 * 60_000;
const lookAgainMs = 3_000;

/**
 * After how many milliseconds a list of loads is asked for again; false when nothing goes on. What has been loading for long was left by
 * somebody who went away.
 */
export const lookAgainAfter = (
  loads: readonly Pick<ListedLoad, 'state' | 'startedAt'>[],
  now: number,
): number | false =>
  loads.some(
    ({ state, startedAt }) =>
      state === 'committing' || (state === 'loading' && now - new Date(startedAt).getTime() < watchedMs),
  ) && lookAgainMs;

export type LineFaults = { readonly line: number | undefined; readonly faults: readonly LoadFault[] };

/** Line by line; those without one come first, since they are about the file. */
export const groupByLine = (faults: readonly LoadFault[]): readonly LineFaults[] => {
  const lines = Map.groupBy(faults, ({ line }) => line);
  return [...lines]
    .map(([line, ofLine]) => ({ line, faults: ofLine }))
    .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
};

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size in bytes as a number and how it is written: `formats.number(...sizeOf(9_300))` -> 9.3 kB. */
export const sizeOf = (bytes: number): readonly [value: number, options: Intl.NumberFormatOptions] => {
  const step = Math.min(sizeUnits.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const unit = sizeUnits[step] ?? 'byte';
  const unitDisplay = step === 0 ? 'long' : 'short';
  return [bytes / 1_000 ** step, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }];
};
