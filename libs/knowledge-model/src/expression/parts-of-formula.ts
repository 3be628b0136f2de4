/** What a formula is made of, one level down, and the names in it. */
import type { Formula } from './formula.js';

type FormulaNameNode = Formula & { readonly kind: 'name' };

export const subformulasOf = (formula: Formula): readonly (Formula | undefined)[] => {
  switch (formula.kind) {
    case 'number':
    case 'string':
    case 'boolean':
    case 'null':
    case 'moment':
    case 'name':
    case 'rows':
    case 'parameter':
      return [];
    case 'not':
    case 'negate':
    case 'isNull':
    case 'cast':
    case 'extract':
      return [formula.operand];
    case 'arithmetic':
    case 'comparison':
      return [formula.left, formula.right];
    case 'and':
    case 'or':
      return formula.operands;
    case 'in':
      return [formula.operand, ...formula.items];
    case 'between':
      return [formula.operand, formula.low, formula.high];
    case 'like':
      return [formula.operand, formula.pattern];
    case 'case':
      return [formula.operand, ...formula.branches.flatMap(({ when, then }) => [when, then]), formula.otherwise];
    case 'call':
      return formula.arguments;
    case 'aggregate':
      return [formula.argument, formula.filter];
  }
};

export const findNameNodes = (formula: Formula | undefined): readonly FormulaNameNode[] => {
  const names: FormulaNameNode[] = [];
  const collect = (part: Formula | undefined): void => {
    if (part?.kind === 'name') names.push(part);
    else if (part) subformulasOf(part).forEach(collect);
  };
  collect(formula);
  return names;
};
