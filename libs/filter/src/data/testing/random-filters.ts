/**
 * Random rows of the trial table and random filters that have a type for them, near enough to each other to match often,
 * and the text of such a filter in one of its spellings.
 */
import fc from 'fast-check';
import type { MatchFunction } from '../../expression.js';
import type { FieldType } from '../typed-filter.js';
import type { SampleFilter, SampleLiteral } from './evaluate-filter.js';
import { sampleFields, type SampleRow } from './sample-table.js';

const texts = fc.oneof(
  fc.constantFrom('', 'Rome', 'rome', 'DE', "O'Neil", '100%_\\', 'null', 'true', '5', '2015-05-07', 'é💥日'),
  fc
    .array(fc.constantFrom('a', 'A', 'b', 'Z', 'é', 'É', '💥', '日', '%', '_', '\\', "'", ' ', '"'), { maxLength: 5 })
    .map((all) => all.join('')),
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.replaceAll('\0', '').replaceAll(/\p{L}/gu, 'x')),
);
const days = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('2015-05-07', '2015-05-08') },
  { weight: 1, arbitrary: fc.constantFrom('0001-01-01', '1969-12-31', '2015-05-06', '2016-02-29', '9999-12-31') },
);
/** What one literal ends with, another begins with. */
const clocks = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('08:30:00', '08:30:59', '08:31:00') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('00:00:00', '08:30:00.5', '08:30:00.123456', '22:30:15.499', '23:59:59.999999'),
  },
);
const moments = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('07T00:00:00', '07T08:30:00', '07T08:30:01', '07T08:31:00', '07T22:00:00', '08T00:00:00')
      .map((text) => `2015-05-${text}.000000`),
  },
  { weight: 1, arbitrary: fc.tuple(days, clocks).map(([day, clock]) => `${day}T${padClock(clock)}`) },
);
const padClock = (clock: string): string => (clock.includes('.') ? clock.padEnd(15, '0') : `${clock}.000000`);

const values: Readonly<Record<FieldType, fc.Arbitrary<string>>> = {
  string: texts,
  integer: fc.constantFrom('0', '1', '-1', '7', '12', '2147483647', '-2147483648'),
  float: fc.constantFrom('0', '0.1', '0.30000000000000004', '-2.5', '12.5', '100', '3'),
  boolean: fc.constantFrom('true', 'false'),
  date: days,
  time: clocks.map(padClock),
  datetime: moments,
  timestamp: moments,
};
const wideIntegers = fc.constantFrom(
  '9007199254740993',
  '9007199254740992',
  '-9223372036854775808',
  '9223372036854775807',
);
const exactDecimals = fc.constantFrom(
  '12345678901234567890.123456789',
  '12345678901234567890.123456788',
  '1e-20',
  '1e30',
);

const valueOfField = (name: string): fc.Arbitrary<string> => {
  const { type, sqlType } = sampleFields.get(name) ?? { type: 'string', sqlType: '' };
  if (sqlType === 'bigint') return fc.oneof(values.integer, wideIntegers);
  return sqlType === 'numeric' ? fc.oneof(values.float, exactDecimals) : values[type];
};

export const sampleRowsArbitrary: fc.Arbitrary<readonly SampleRow[]> = fc
  .array(
    fc.record(
      Object.fromEntries(
        [...sampleFields].map(([name, { nullable }]) => [
          name,
          nullable ? fc.option(valueOfField(name), { nil: null, freq: 3 }) : valueOfField(name),
        ]),
      ),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) => rows.map((row, id) => ({ ...row, id })));

const zones = fc.constantFrom('', '', '', 'Z', '+02:00', '-05:30', '+14:00');
const momentLiterals = fc
  .tuple(moments, fc.constantFrom(10, 10, 16, 16, 19, 19, 21, 23, 26, 27, 32), zones)
  // The day before the first one has no date.
  .map(([moment, length, zone]) =>
    length === 10 || moment.startsWith('0001') ? moment.slice(0, length) : withDigits(moment, length) + zone,
  );
/** Beyond six digits of a second a 5 and zeros. */
const withDigits = (moment: string, length: number): string => moment.slice(0, length).padEnd(length, '500000');
const literalTexts = (name: string): fc.Arbitrary<string> => {
  const { type, sqlType } = sampleFields.get(name) ?? { type: 'string', sqlType: '' };
  switch (type) {
    case 'datetime':
    case 'timestamp':
      return momentLiterals;
    case 'time':
      return fc
        .tuple(clocks.map(padClock), fc.constantFrom(5, 5, 8, 10, 12, 15, 16))
        .map(([clock, length]) => withDigits(clock, length));
    case 'integer':
      return fc.oneof(valueOfField(name), wideIntegers, fc.constantFrom('1.0', '7.5', '1e0', '+12', '1e25', '-0'));
    case 'float':
      return fc.oneof(valueOfField(name), fc.constantFrom('1e2', '-25e-1', ...(sqlType === 'numeric' ? ['3.00'] : [])));
    case 'date':
      return fc.oneof({ weight: 3, arbitrary: valueOfField(name) }, { weight: 1, arbitrary: momentLiterals });
    case 'string':
    case 'boolean':
      return valueOfField(name);
  }
};
const spellings = fc.nat({ max: 3 });
const literalOf = (text: fc.Arbitrary<string>): fc.Arbitrary<SampleLiteral> =>
  fc.record({ text, isQuoted: fc.boolean() });

const equalities = ['eq', 'ne'] as const;
const comparisonOperators = [...equalities, 'gt', 'ge', 'lt', 'le'] as const;

/** A field, perhaps in a function, with texts of literals that it compares with. */
const randomComparison = fc.constantFrom(...sampleFields.keys()).chain((field) => {
  const { type } = sampleFields.get(field) ?? { type: 'string' };
  const plain = fc.constant({ field, texts: literalTexts(field), type });
  const numbers = (text: fc.Arbitrary<string>, ...names: ('length' | 'year' | 'month' | 'day')[]) =>
    fc.constantFrom(...names).map((applied) => ({ field, applied, texts: text, type: 'integer' as const }));
  if (type === 'string')
    return fc.oneof(
      plain,
      fc.constantFrom('tolower' as const, 'toupper' as const).map((applied) => ({ field, applied, texts, type })),
      numbers(fc.constantFrom('0', '1', '2', '4', '4.5', '1e20'), 'length'),
    );
  const hasDays = type === 'date' || type === 'datetime' || type === 'timestamp';
  return hasDays
    ? fc.oneof(plain, numbers(fc.constantFrom('1', '5', '7', '12', '31', '2015', '9999'), 'year', 'month', 'day'))
    : plain;
});

const conditions: fc.Arbitrary<SampleFilter> = randomComparison.chain(({ texts: text, type, ...field }) => {
  const operator = fc.constantFrom(...(type === 'boolean' ? equalities : comparisonOperators));
  const ofKind = fc.oneof(
    fc.record({
      kind: fc.constant('compare' as const),
      operator,
      literal: fc.option(literalOf(text), { nil: null, freq: 8 }),
      spelling: spellings,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      literals: fc.array(literalOf(text), { minLength: 1, maxLength: 4 }),
      spelling: spellings,
    }),
    ...(type === 'string'
      ? [
          fc.record({
            kind: fc.constant('match' as const),
            function: fc.constantFrom<MatchFunction>('contains', 'startswith', 'endswith'),
            literal: literalOf(text),
            spelling: spellings,
          }),
        ]
      : []),
  );
  return ofKind.map((condition) => ({ ...field, ...condition }));
});

export const sampleFilterArbitrary: fc.Arbitrary<SampleFilter> = fc.letrec<{ filter: SampleFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'filter' },
    conditions,
    fc.record({ kind: fc.constant('not' as const), operand: tie('filter'), spelling: spellings }),
    fc.record({
      kind: fc.constantFrom('and', 'or'),
      operands: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
      spelling: spellings,
    }),
  ),
})).filter;

/** The text of a filter, in one of the ways to write it. */
export const printSampleFilter = (filter: SampleFilter): string => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands
        .map((operand) => `(${printSampleFilter(operand)})`)
        .join(filter.spelling > 1 ? `\n ${filter.kind}\t` : ` ${filter.kind} `);
    case 'not':
      return filter.spelling > 1
        ? `not(${printSampleFilter(filter.operand)})`
        : `not (${printSampleFilter(filter.operand)})`;
    case 'compare': {
      const { operator, literal, spelling } = filter;
      if (literal === null && operator === 'eq' && spelling > 1) return `${printField(filter)} is null`;
      if (literal === null && operator === 'ne' && spelling > 1) return `${printField(filter)} is not null`;
      const written = operator === 'ne' && spelling % 2 === 1 ? 'not eq' : operator;
      return `${printField(filter)} ${written} ${literal === null ? 'null' : spellLiteral(filter.field, filter.applied, literal)}`;
    }
    case 'in':
      return `${printField(filter)} in (${filter.literals.map((literal) => spellLiteral(filter.field, filter.applied, literal)).join(filter.spelling > 1 ? ',' : ' , ')})`;
    case 'match':
      return `${filter.function}(${printField(filter)},${spellLiteral(filter.field, filter.applied, filter.literal)})`;
  }
};

const printField = ({ field, applied }: { readonly field: string; readonly applied?: string }): string =>
  applied === undefined ? field : `${applied}(${field})`;

const spellLiteral = (field: string, applied: string | undefined, { text, isQuoted }: SampleLiteral): string => {
  const isText = sampleFields.get(field)?.type === 'string' && applied !== 'length';
  const needsQuotes = isText && !/^(?!null$|true$|and$)[A-Za-z]{2,}$/.test(text);
  return isQuoted || needsQuotes ? `'${text.replaceAll("'", "''")}'` : text;
};
