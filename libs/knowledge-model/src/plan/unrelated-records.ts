/** The failure of records that no way of the model connects: what is related, and which relationship is missing. */
import { fail } from '@tessera/failures';
import type { KnowledgeModel } from '../model/knowledge-model.js';
import { joinPathBetween } from './join-paths.js';

const namesMax = 5;

export const failUnrelated = ({ records, relationships }: KnowledgeModel, from: string, to: readonly string[]) => {
  const unrelated = [...new Set(to)];
  const related = (record: string): readonly string[] =>
    records.map(({ id }) => id).filter((id) => joinPathBetween(relationships, record, id) !== undefined);
  const [first = from] = unrelated;
  return fail(
    'KM_JOIN_NOTFOUND',
    `${from} and ${listed(unrelated, 'and')} are not related. A relationship would be needed ` +
      `between ${listed(related(from), 'or')} and ${listed(related(first), 'or')}.`,
  );
};

const listed = (names: readonly string[], word: 'and' | 'or'): string => {
  const shown =
    names.length > namesMax ? [...names.slice(0, namesMax - 1), `${names.length - namesMax + 1} others`] : names;
  const last = shown.at(-1) ?? '';
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} ${word} ${last}` : last;
};
