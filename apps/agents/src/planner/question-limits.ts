/** Limits on the length of questions: the rules scan the words repeatedly, and the process answers nobody else meanwhile. */

/** What people ask is a third of it. */
export const maxQuestionCharacters = 500;

export const isWithinQuestionLimit = (question: string): boolean => question.length <= maxQuestionCharacters;

/** That one may go on with. */
const earlierMax = 6;
const earlierCharactersMax = 1_000;

/** The newest of those that were asked before, as many as are short together. */
export const selectRecentQuestions = (earlier: readonly string[]): readonly string[] => {
  const newest: string[] = [];
  let left = earlierCharactersMax;
  for (const question of earlier.filter(isWithinQuestionLimit).slice(-earlierMax).toReversed()) {
    left -= question.length;
    if (left < 0) break;
    newest.unshift(question);
  }
  return newest;
};
