/** Values of a field -> those that a term may mean. */
import { columnTypes } from '@tessera/contracts/knowledge-models';
import type { ResultColumn } from '../query/data-query.js';
import { wordsOf } from './fold-text.js';
import { type ScoredHit, minScore } from './scored-hit.js';
import { TextIndex } from './text-index.js';

export type ValueIndex = { readonly values: readonly string[]; readonly index: TextIndex };

/** `column`: as it is named at the level of the model. */
export type SearchedField = { readonly column: ResultColumn; readonly recordName: string };

const valuesOfField = 5;
/** Names of things in the model come before things that are called so. */
const valueWeight = 0.95;

export const indexValues = (values: readonly string[]): ValueIndex => {
  const index = new TextIndex();
  for (const value of values) index.add(value);
  return { values, index };
};

export const searchValues = (
  { values, index }: ValueIndex,
  { column, recordName }: SearchedField,
  term: string,
): readonly ScoredHit[] =>
  [...index.match(wordsOf(term))]
    .filter(([, { score }]) => score * valueWeight >= minScore)
    .sort(([left, one], [right, other]) => other.score - one.score || left - right)
    .slice(0, valuesOfField)
    .map(([text, { score }]) => ({
      score: score * valueWeight,
      hit: {
        id: column.id,
        display_name: values[text] ?? '',
        record_display_name: recordName,
        column_type: columnTypes[column.type],
        entity_type: 'Value',
      },
    }));
