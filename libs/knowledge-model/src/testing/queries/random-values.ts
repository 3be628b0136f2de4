/** Random conditions of OData over what is computed from fields, parsed; their values are exact. */
import { parseDataFilter, parseDataOrder } from '@tessera/filter';
import type { ComputedOrderValue, ParsedFilter } from '../../query/data-query.js';
import type { RandomChoices } from './choices.js';
import type { ConditionOptions, FilterOperand } from './random-conditions.js';
import { sampleValuesByType } from './random-rows.js';

export const createRandomComputedFilter = (
  choices: RandomChoices,
  operands: readonly FilterOperand[],
  options: ConditionOptions,
): ParsedFilter => {
  const condition = (): string => computedCondition(choices, operands, options);
  const form = choices.below(6);
  const text = form < 3 ? condition() : form < 5 ? `not (${condition()})` : `(${condition()}) or ${condition()}`;
  const names = new Set(operands.map(({ name }) => name));
  const parsed = parseDataFilter(text, { dialect: 'odata', isField: (name) => names.has(name) });
  if (!parsed.ok) throw new Error(`${text}: ${parsed.fault.message}`);
  return { parameter: '$filter', text, expression: parsed.value };
};

/** A value to order by, of the record or of what is one row away by one step. */
export const createRandomComputedOrder = (
  choices: RandomChoices,
  operands: readonly FilterOperand[],
): ComputedOrderValue => {
  const names = new Set(operands.map(({ name }) => name));
  const form = choices.below(4);
  const text =
    form === 0
      ? choices.oneOf(operands).name
      : form === 1
        ? numberOf(choices, operands, 1)
        : form === 2
          ? textOf(choices, operands, 1)
          : `${numberOf(choices, operands, 2)} gt ${numberOf(choices, operands, 2)}`;
  const parsed = parseDataOrder(text, { isField: (name) => names.has(name) });
  if (!parsed.ok) throw new Error(`${text}: ${parsed.fault.message}`);
  return { id: '#1', parameter: '$orderby', text, value: parsed.value };
};

const computedCondition = (
  choices: RandomChoices,
  operands: readonly FilterOperand[],
  { areTextsUnordered = false }: ConditionOptions,
): string => {
  const order = (isOrdered: boolean) => choices.oneOf(isOrdered ? ['lt', 'eq', 'ne', 'ge', 'gt', 'le'] : ['eq', 'ne']);
  const [number, text] = [() => numberOf(choices, operands, 0), () => textOf(choices, operands, 0)];
  switch (choices.below(7)) {
    case 0:
    case 1:
      return `${number()} ${order(true)} ${number()}`;
    case 2:
      return `${text()} ${order(!areTextsUnordered)} ${text()}`;
    case 3:
      return `${choices.oneOf(['contains', 'startswith', 'endswith'])}(${text()}, ${text()})`;
    case 4:
      return `${choices.oneOf([number, text])()} ${choices.oneOf(['eq', 'ne'])} null`;
    case 5:
      return `${dateOf(choices, operands)} ${order(true)} ${dateOf(choices, operands)}`;
    default:
      return `${number()} in (0, 1, -1.5, 2)`;
  }
};

const nameOf = (choices: RandomChoices, operands: readonly FilterOperand[], ...types: readonly string[]) => {
  const fitting = operands.filter(({ type }) => types.includes(type));
  return fitting.length > 0 && choices.chance(80) ? choices.oneOf(fitting).name : undefined;
};

const numberOf = (choices: RandomChoices, operands: readonly FilterOperand[], depth: number): string => {
  const inner = (): string => numberOf(choices, operands, depth + 1);
  const leaf = (): string => nameOf(choices, operands, 'integer', 'float') ?? choices.oneOf(['0', '1', '-2', '2.5']);
  switch (depth > 2 ? 0 : choices.below(9)) {
    case 0:
    case 1:
      return leaf();
    case 2:
      return `(${inner()} ${choices.oneOf(['add', 'sub', 'mul', 'mod'])} ${inner()})`;
    case 3:
      return `${inner()} add ${inner()} mul ${inner()}`;
    case 4:
      return `(${inner()} divby ${choices.oneOf(['0', '2', '-4', '0.5'])})`;
    case 5:
      return `-(${inner()})`;
    case 6:
      return `${choices.oneOf(['round', 'floor', 'ceiling'])}(${inner()})`;
    case 7:
      return `length(${textOf(choices, operands, depth + 1)}) div ${choices.oneOf(['0', '2', '-3'])}`;
    default:
      return `indexof(${textOf(choices, operands, depth + 1)}, ${textOf(choices, operands, depth + 1)})`;
  }
};

const textOf = (choices: RandomChoices, operands: readonly FilterOperand[], depth: number): string => {
  const inner = (): string => textOf(choices, operands, depth + 1);
  const leaf = (): string =>
    nameOf(choices, operands, 'string') ?? `'${choices.oneOf(sampleValuesByType.string).replaceAll("'", "''")}'`;
  switch (depth > 2 ? 0 : choices.below(6)) {
    case 0:
    case 1:
      return leaf();
    case 2:
      return `concat(${inner()}, ${inner()})`;
    case 3:
      return `${choices.oneOf(['tolower', 'toupper', 'trim'])}(${inner()})`;
    case 4:
      return `substring(${inner()}, ${choices.oneOf(['0', '1', '-1', '5'])})`;
    default:
      return `substring(${inner()}, ${choices.oneOf(['0', '1', '-1'])}, ${choices.oneOf(['0', '1', '3'])})`;
  }
};

const dateOf = (choices: RandomChoices, operands: readonly FilterOperand[]): string =>
  nameOf(choices, operands, 'date') ?? choices.oneOf(['2024-02-29', '2025-01-01']);
