/** The types of case and cast. */
import { valueTypes } from '@tessera/contracts/knowledge-models';
import {
  allDefinedOrUndefined,
  type CheckContext,
  type CheckResult,
  type CheckSubformula,
  expectType,
  refuseFormula,
  unifyTypes,
  convertToType,
  withArticle,
} from './check-context.js';
import type { Formula } from './formula.js';
import {
  isAnyNullable,
  createTypedExpression,
  type TypedCaseBranch,
  type TypedExpression,
  type TypedNode,
} from './typed-expression.js';
import { canCast } from './types.js';

type FormulaOf<Kind extends Formula['kind']> = Formula & { readonly kind: Kind };

/** How often the SQL looks at a text before it reads it. */
const textCopies = 5;

export const checkCast = (context: CheckContext, formula: FormulaOf<'cast'>, check: CheckSubformula): CheckResult => {
  const operand = check(context, formula.operand);
  if (!operand) return undefined;
  const { type } = formula;
  if (!canCast(operand.type, type)) {
    const possible = valueTypes.filter((candidate) => candidate !== operand.type && canCast(operand.type, candidate));
    const hint =
      operand.type === 'interval'
        ? '; extract(epoch from ...) gives its seconds'
        : `; it can become ${possible.join(', ')}`;
    return refuseFormula(
      context,
      formula,
      'type',
      `${withArticle(operand.type)} cannot become ${withArticle(type)}${hint}.`.replace(/^./, (first) =>
        first.toUpperCase(),
      ),
    );
  }
  if (operand.type === type) return operand;
  const fits = operand.type === 'string';
  const node: TypedNode = { kind: 'cast', operand };
  return operand.type === 'null'
    ? convertToType(operand, type)
    : createTypedExpression(
        node,
        type,
        fits || operand.nullable,
        fits ? Array.from({ length: textCopies }, () => operand) : [operand],
      );
};

export const checkCase = (context: CheckContext, formula: FormulaOf<'case'>, check: CheckSubformula): CheckResult => {
  const { branches, otherwise } = formula;
  const whens = branches.map(({ when }) => check(context, when));
  const conditions = formula.operand
    ? unifyTypes(
        context,
        [formula.operand, ...branches.map(({ when }) => when)],
        [check(context, formula.operand), ...whens],
      )
    : allDefinedOrUndefined(branches.map(({ when }, at) => expectType(context, when, 'boolean', 'when')(whens[at])));
  const results = [...branches.map(({ then }) => then), ...(otherwise ? [otherwise] : [])];
  const values = unifyTypes(
    context,
    results,
    results.map((part) => check(context, part)),
  );
  if (!conditions || !values) return undefined;
  const operand = formula.operand ? conditions[0] : undefined;
  const made = pairBranches(operand ? conditions.slice(1) : conditions, values);
  const last = otherwise && values.at(-1);
  const type = values.some((value) => value.type === 'float') ? 'float' : (values[0]?.type ?? 'null');
  const node: TypedNode = {
    kind: 'case',
    branches: made,
    ...(operand && { operand }),
    ...(last && { otherwise: last }),
  };
  return createTypedExpression(node, type, !last || isAnyNullable(values), [...conditions, ...values]);
};

const pairBranches = (
  whens: readonly TypedExpression[],
  thens: readonly TypedExpression[],
): readonly TypedCaseBranch[] =>
  whens.flatMap((when, at) => {
    const then = thens[at];
    return then ? [{ when, then }] : [];
  });
