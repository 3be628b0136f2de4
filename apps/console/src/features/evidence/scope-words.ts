/** Words for parts of a record: of which rows an answer is, and what policies do. */
import type { Say } from '../../language/catalogue.js';
import type { evidenceMessages } from '../../messages/evidence/catalogue.js';
import type { Evidence } from './addresses.js';

export type EvidenceSay = Say<typeof evidenceMessages.en>;
type Question = Evidence['statement']['question'];

/** The reader who is not told what is searched for sees `…`. */
export const searchWords = ({ search }: Question, say: EvidenceSay): string | undefined =>
  search && say('searchedFor', { text: search.term ?? '…' });

/** All that narrows the rows down, by the ids of the model. */
export const scopeWords = (question: Question, say: EvidenceSay): string => {
  const search = searchWords(question, say);
  const { filters, conditions, groupConditions } = question;
  const parts = [...filters, ...conditions, ...groupConditions, ...(search === undefined ? [] : [search])];
  return parts.length === 0 ? say('allRows') : parts.join('; ');
};

/** `rows of ITEM` and `fields of ITEM`, in the language of the page; what is neither as it is. */
export const policyWords = (policy: string, say: EvidenceSay): string => {
  const [, kind, record = ''] = /^(rows|fields) of (.+)$/s.exec(policy) ?? [];
  if (kind === undefined) return policy;
  return say(kind === 'rows' ? 'policy_rows' : 'policy_fields', { record });
};
