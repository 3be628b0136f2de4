/**
 * What a summary computes of each attribute: counts of all, the most frequent value of texts and moments, the figures
 * of numbers.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';

const figures = ['count', 'mean', 'std', 'min', 'max', '25_percentile', '50_percentile', '75_percentile'] as const;
export type Figure = (typeof figures)[number];

export const figuresOf = (type: ValueType): readonly Figure[] => (isNumeric(type) ? figures : ['count']);

/** Whether its values are told apart: how many there are, and which is the most frequent. */
export const isCountedByValue = (type: ValueType): boolean => !isNumeric(type) && type !== 'boolean';

export const isNumeric = (type: ValueType): boolean => type === 'integer' || type === 'float';
