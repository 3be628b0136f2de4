/** The texts that a formula can come to, as far as they are known without its rows. */
import type { TypedExpression } from './typed-expression.js';

/** Where all of them stand in the formula as they are; undefined where one comes from rows. */
export const possibleTexts = (formula: TypedExpression): readonly string[] | undefined => {
  switch (formula.kind) {
    case 'literal':
      return typeof formula.value === 'string' ? [formula.value] : [];
    case 'derived':
      return possibleTexts(formula.formula);
    case 'case': {
      const results = [...formula.branches.map(({ then }) => then), ...(formula.otherwise ? [formula.otherwise] : [])];
      const texts = results.map(possibleTexts);
      const known = texts.filter((each) => each !== undefined);
      return known.length === texts.length ? [...new Set(known.flat())] : undefined;
    }
    default:
      return undefined;
  }
};
