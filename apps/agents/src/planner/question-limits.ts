/** Limits on the length of questions: the rules scan the words repeatedly, and the process answers nobody else meanwhile. */

import type { EarlierTurn } from './read-prompt.js';

/** What people ask is a third of it. */
export const maxQuestionCharacters = 500;

export const isWithinQuestionLimit = (question: string): boolean => question.length <= maxQuestionCharacters;

/** That one may go on with. */
const earlierMax = 6;
const earlierCharactersMax = 1_000;

/** The newest of those that were asked before, with their answers, as many as are short together. */
export const selectRecentQuestions = (earlier: readonly EarlierTurn[]): readonly EarlierTurn[] => {
  const newest: EarlierTurn[] = [];
  let left = earlierCharactersMax;
  for (const turn of earlier
    .filter(({ question }) => isWithinQuestionLimit(question))
    .slice(-earlierMax)
    .toReversed()) {
    left -= turn.question.length;
    if (left < 0) break;
    newest.unshift(turn);
  }
  return newest;
};
