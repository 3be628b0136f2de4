/** Formulas of every form, whatever they mean: for what must hold before names and types are looked at. */
import { valueTypes } from '@tessera/contracts/knowledge-models';
import fc from 'fast-check';
import { aggregateFunctions, dateParts, type Formula, type FormulaNode } from '../expression/formula.js';

const noPosition = { start: 0, end: 0 };
const at = (node: FormulaNode): Formula => ({ ...noPosition, ...node });
const texts = fc.string({ unit: 'binary', maxLength: 10 }).map((text) => text.replaceAll('\0', '').toWellFormed());
const ids = fc.oneof(
  fc.constantFrom('AMOUNT', 'date', 'sum', 'case', 'AND', 'filter', 'order-no', 'a"b', "a'b", 'Größe', '_x', '1st'),
  texts,
);
const operandKinds = fc.constantFrom('not' as const, 'negate' as const);
const optional = <T>(name: string, value: T | undefined): Record<string, T> =>
  value === undefined ? {} : { [name]: value };

const leaf: fc.Arbitrary<Formula> = fc.oneof(
  fc.constantFrom('0', '12', '3.25', '1e9', '2E-3', '00.5').map((text) => at({ kind: 'number', text })),
  texts.map((text) => at({ kind: 'string', text })),
  fc.boolean().map((value) => at({ kind: 'boolean', value })),
  fc.constant(at({ kind: 'null' })),
  fc
    .record({ type: fc.constantFrom('date', 'time', 'datetime', 'timestamp', 'interval'), text: texts })
    .map(({ type, text }) => at({ kind: 'moment', type, text })),
  ids.map((id) => at({ kind: 'name', id })),
  fc.tuple(ids, ids).map(([record, id]) => at({ kind: 'name', record, id })),
  ids.map((record) => at({ kind: 'rows', record })),
  ids.map((id) => at({ kind: 'parameter', id })),
);

export const anyFormula: fc.Arbitrary<Formula> = fc.letrec<{ tree: Formula }>((tie) => {
  const tree = tie('tree');
  const some = fc.array(tree, { minLength: 1, maxLength: 3 });
  const negated = fc.boolean();
  return {
    tree: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'formula' },
      leaf,
      fc.tuple(operandKinds, tree).map(([kind, operand]) => at({ kind, operand })),
      fc
        .tuple(fc.constantFrom('+', '-', '*', '/', '%', '||'), tree, tree)
        .map(([operator, left, right]) => at({ kind: 'arithmetic', operator, left, right })),
      fc
        .tuple(fc.constantFrom('=', '<>', '<', '<=', '>', '>='), tree, tree)
        .map(([operator, left, right]) => at({ kind: 'comparison', operator, left, right })),
      fc
        .tuple(fc.constantFrom('and', 'or'), tree, some)
        .map(([kind, first, others]) => at({ kind, operands: [first, ...others] })),
      fc.tuple(tree, negated).map(([operand, not]) => at({ kind: 'isNull', operand, negated: not })),
      fc.tuple(tree, some, negated).map(([operand, items, not]) => at({ kind: 'in', operand, items, negated: not })),
      fc
        .tuple(tree, tree, tree, negated)
        .map(([operand, low, high, not]) => at({ kind: 'between', operand, low, high, negated: not })),
      fc
        .tuple(tree, tree, negated)
        .map(([operand, pattern, not]) => at({ kind: 'like', operand, pattern, negated: not })),
      fc
        .tuple(fc.option(tree, { nil: undefined }), some, tree, fc.option(tree, { nil: undefined }))
        .map(([operand, whens, then, otherwise]) =>
          at({
            kind: 'case',
            branches: whens.map((when) => ({ when, then })),
            ...optional('operand', operand),
            ...optional('otherwise', otherwise),
          }),
        ),
      fc.tuple(tree, fc.constantFrom(...valueTypes)).map(([operand, type]) => at({ kind: 'cast', operand, type })),
      fc.tuple(tree, fc.constantFrom(...dateParts)).map(([operand, part]) => at({ kind: 'extract', part, operand })),
      fc
        .tuple(fc.constantFrom('coalesce', 'date', 'nosuch'), fc.array(tree, { maxLength: 3 }))
        .map(([name, values]) => at({ kind: 'call', function: name, arguments: values })),
      fc
        .tuple(fc.constantFrom(...aggregateFunctions), fc.boolean(), tree, fc.option(tree, { nil: undefined }))
        .map(([name, distinct, argument, filter]) =>
          at({
            kind: 'aggregate',
            function: name,
            distinct,
            argument,
            ...optional('filter', filter),
          }),
        ),
    ),
  };
}).tree;

/** The formula without positions. */
export const removePositions = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'start' || key === 'end' ? undefined : member)));
