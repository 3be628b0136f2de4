/**
 * Random formulas that have a type, for each type, over the fields of the random table. What is divided by is a number
 * that any decimal can be divided by without a rest, so that every value is exact.
 */
import fc from 'fast-check';
import type { Formula, FormulaNode } from '../expression/formula.js';

type Any = fc.Arbitrary<Formula>;

const at = (node: FormulaNode): Formula => ({ start: 0, end: 0, ...node });
const name = (id: string): Formula => at({ kind: 'name', id });
const text = (value: string): Formula => at({ kind: 'string', text: value });
const number = (value: string): Formula => at({ kind: 'number', text: value });
const call = (of: string, ...values: readonly Any[]): Any =>
  fc.tuple(...values).map((all) => at({ kind: 'call', function: of, arguments: all }));
const cast = (operand: Any, type: 'string' | 'integer' | 'date' | 'datetime'): Any =>
  operand.map((value) => at({ kind: 'cast', operand: value, type }));
const arithmetic = (left: Any, operators: readonly ('+' | '-' | '*' | '/' | '%' | '||')[], right: Any): Any =>
  fc
    .tuple(fc.constantFrom(...operators), left, right)
    .map(([operator, first, second]) => at({ kind: 'arithmetic', operator, left: first, right: second }));

const divisors = fc.constantFrom(...['1', '2', '4', '5', '8', '10', '0'].map(number), name('QTY'));
const words = fc.string({
  unit: fc.constantFrom('a', 'B', 'é', '%', '_', '1', '7', '-', ' ', "'", '\\'),
  maxLength: 5,
});
const dates = fc.constantFrom('2024-02-29', '2026-01-31', '1999-12-31', '2026-05-07');
const patterns = words.map((word) => text(word.replaceAll('\\', '\\\\')));
const intervals = fc
  .tuple(fc.integer({ min: 0, max: 50 }), fc.constantFrom('days', 'hours', 'minutes'))
  .map(([amount, unit]) => at({ kind: 'moment', type: 'interval', text: `${amount} ${unit}` }));

/** The same forms for values of every type. */
const common = (self: Any, condition: Any): readonly Any[] => [
  call('coalesce', self, self),
  call('nullif', self, self),
  fc
    .tuple(condition, self, fc.option(self, { nil: undefined }))
    .map(([when, then, otherwise]) =>
      at({ kind: 'case', branches: [{ when, then }], ...(otherwise && { otherwise }) }),
    ),
  fc
    .tuple(self, self, self)
    .map(([operand, when, then]) => at({ kind: 'case', operand, branches: [{ when, then }], otherwise: operand })),
];

const conditionsOn = (self: Any): readonly Any[] => [
  fc
    .tuple(fc.constantFrom('=', '<>', '<', '<=', '>', '>='), self, self)
    .map(([operator, left, right]) => at({ kind: 'comparison', operator, left, right })),
  fc
    .tuple(self, self, self, fc.boolean())
    .map(([operand, low, high, negated]) => at({ kind: 'between', operand, low, high, negated })),
  fc.tuple(self, fc.boolean()).map(([operand, negated]) => at({ kind: 'isNull', operand, negated })),
];

type Kinds = { integer: Formula; float: Formula; string: Formula; boolean: Formula; date: Formula; datetime: Formula };
const depth = { maxDepth: 3, depthIdentifier: 'random' };

type FormulaGenerators = Readonly<Record<keyof Kinds, Any>>;

const integers = ({ integer, float, string, boolean, date, datetime }: FormulaGenerators): Any =>
  fc.oneof(
    depth,
    fc.oneof(
      fc.integer({ min: 0, max: 30 }).map((value) => number(String(value))),
      fc.constant(name('QTY')),
    ),
    arithmetic(integer, ['+', '-', '*'], integer),
    arithmetic(integer, ['%'], divisors),
    integer.map((operand) => at({ kind: 'negate', operand })),
    fc.oneof(call('floor', float), call('ceil', float), call('round', float), cast(float, 'integer')),
    fc.oneof(call('length', string), cast(string, 'integer'), cast(boolean, 'integer')),
    fc.oneof(arithmetic(date, ['-'], date), call('year', datetime), call('month', date), call('day', date)),
    fc
      .tuple(fc.constantFrom('hour', 'isodow', 'month'), datetime)
      .map(([part, operand]) => at({ kind: 'extract', part, operand })),
    fc.oneof(call('abs', integer), call('greatest', integer, integer), call('least', integer, integer)),
    ...common(integer, boolean),
  );

const floats = ({ integer, float, boolean }: FormulaGenerators): Any =>
  fc.oneof(
    depth,
    fc.oneof(fc.constantFrom('0.5', '12.25', '0.05').map(number), fc.constant(name('AMOUNT'))),
    arithmetic(float, ['+', '-', '*'], fc.oneof(float, integer)),
    arithmetic(fc.oneof(integer, float), ['/'], divisors),
    call('round', float, fc.constant(number('1'))),
    call('greatest', float, integer),
    ...common(float, boolean),
  );

const strings = ({ integer, string, boolean, date, datetime }: FormulaGenerators): Any =>
  fc.oneof(
    depth,
    fc.oneof(words.map(text), fc.constant(name('NAME'))),
    arithmetic(string, ['||'], string),
    fc.oneof(call('lower', string), call('upper', string), call('trim', string)),
    fc.oneof(call('substring', string, integer), call('substring', string, integer, integer)),
    call('replace', string, words.map(text), words.map(text)),
    call('concat', string, fc.oneof(integer, boolean, date)),
    fc.oneof(cast(integer, 'string'), cast(boolean, 'string'), cast(date, 'string'), cast(datetime, 'string')),
    ...common(string, boolean),
  );

const booleans = ({ integer, float, string, boolean, date, datetime }: FormulaGenerators): Any =>
  fc.oneof(
    depth,
    fc.oneof(
      fc.boolean().map((value) => at({ kind: 'boolean', value })),
      fc.constant(name('OPEN')),
    ),
    fc
      .tuple(fc.constantFrom('and', 'or'), boolean, boolean)
      .map(([kind, left, right]) => at({ kind, operands: [left, right] })),
    boolean.map((operand) => at({ kind: 'not', operand })),
    ...[integer, float, string, date, datetime].flatMap(conditionsOn),
    fc
      .tuple(string, patterns, fc.boolean())
      .map(([operand, pattern, negated]) => at({ kind: 'like', operand, pattern, negated })),
    fc
      .tuple(integer, fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([operand, all, negated]) =>
        at({ kind: 'in', operand, items: all.map((value) => number(String(value))), negated }),
      ),
    call('coalesce', boolean, boolean),
  );

const randomDates = ({ string, boolean, date, datetime }: FormulaGenerators): Any =>
  fc.oneof(
    depth,
    fc.oneof(
      dates.map((value) => at({ kind: 'moment', type: 'date', text: value })),
      fc.constant(name('DAY')),
    ),
    arithmetic(date, ['+', '-'], fc.oneof(fc.constantFrom(number('1'), number('366')), fc.constant(name('QTY')))),
    call('date_trunc', fc.constantFrom('year', 'month').map(text), date),
    fc.oneof(cast(datetime, 'date'), cast(cast(date, 'string'), 'date'), cast(string, 'date')),
    fc.oneof(call('greatest', date, date), call('least', date, date)),
    ...common(date, boolean),
  );

const datetimes = ({ date, datetime }: FormulaGenerators): Any =>
  fc.oneof(
    depth,
    fc.oneof(
      dates.map((value) => at({ kind: 'moment', type: 'datetime', text: `${value}T23:30:00` })),
      fc.constant(name('AT')),
    ),
    arithmetic(fc.oneof(date, datetime), ['+', '-'], intervals),
    call('date_trunc', fc.constant(text('day')), datetime),
    cast(date, 'datetime'),
    call('coalesce', datetime, datetime),
  );

export const randomFormulas = fc.letrec<Kinds>((tie) => {
  const ties: FormulaGenerators = {
    integer: tie('integer'),
    float: tie('float'),
    string: tie('string'),
    boolean: tie('boolean'),
    date: tie('date'),
    datetime: tie('datetime'),
  };
  return {
    integer: integers(ties),
    float: floats(ties),
    string: strings(ties),
    boolean: booleans(ties),
    date: randomDates(ties),
    datetime: datetimes(ties),
  };
});
