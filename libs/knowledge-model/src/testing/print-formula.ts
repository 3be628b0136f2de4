/** A formula -> text that parses to the same formula, with as few parentheses as that needs. */
import { type Formula, formulaReservedWords } from '../expression/formula.js';
import { bindingPowers } from '../expression/parse-formula.js';

export const printFormula = (formula: Formula): string => {
  switch (formula.kind) {
    case 'number':
      return formula.text;
    case 'string':
      return printText(formula.text);
    case 'boolean':
      return String(formula.value);
    case 'null':
      return 'null';
    case 'moment':
      return `${formula.type} ${printText(formula.text)}`;
    case 'name':
      return formula.record === undefined ? printId(formula.id) : `${printId(formula.record)}.${printId(formula.id)}`;
    case 'rows':
      return `${printId(formula.record)}.*`;
    case 'parameter':
      return `:${printId(formula.id)}`;
    case 'case':
      return printCase(formula);
    case 'cast':
      return `cast(${printFormula(formula.operand)} as ${formula.type})`;
    case 'extract':
      return `extract(${formula.part} from ${printFormula(formula.operand)})`;
    case 'call':
      return `${formula.function}(${formula.arguments.map(printFormula).join(', ')})`;
    case 'aggregate':
      return printAggregate(formula);
    case 'not':
    case 'negate':
    case 'arithmetic':
    case 'comparison':
    case 'and':
    case 'or':
    case 'isNull':
    case 'in':
    case 'between':
    case 'like':
      return printOperator(formula);
  }
};

type Operator = Formula & {
  kind: 'not' | 'negate' | 'arithmetic' | 'comparison' | 'and' | 'or' | 'isNull' | 'in' | 'between' | 'like';
};

const printOperator = (formula: Operator): string => {
  const own = powerOf(formula);
  const not = 'negated' in formula && formula.negated ? 'not ' : '';
  switch (formula.kind) {
    case 'not':
      return `not ${binding(formula.operand, own)}`;
    case 'negate':
      return `-${binding(formula.operand, own + 1)}`;
    case 'arithmetic':
      return `${binding(formula.left, own)} ${formula.operator} ${binding(formula.right, own + 1)}`;
    case 'comparison':
      return `${binding(formula.left, own + 1)} ${formula.operator} ${binding(formula.right, own + 1)}`;
    case 'and':
    case 'or':
      return formula.operands.map((operand) => binding(operand, own + 1)).join(` ${formula.kind} `);
    case 'isNull':
      return `${binding(formula.operand, own)} is ${not}null`;
    case 'in':
      return `${binding(formula.operand, own + 1)} ${not}in (${formula.items.map(printFormula).join(', ')})`;
    case 'between': {
      const [operand, low, high] = [formula.operand, formula.low, formula.high].map((item) => binding(item, own + 1));
      return `${operand} ${not}between ${low} and ${high}`;
    }
    case 'like':
      return `${binding(formula.operand, own + 1)} ${not}like ${binding(formula.pattern, own + 1)}`;
  }
};

/** In parentheses unless it binds at least as tightly as `least`. */
const binding = (formula: Formula, least: number): string =>
  powerOf(formula) >= least ? printFormula(formula) : `(${printFormula(formula)})`;

const powerOf = (formula: Formula): number => {
  switch (formula.kind) {
    case 'or':
    case 'and':
    case 'not':
    case 'comparison':
      return bindingPowers[formula.kind];
    case 'isNull':
      return bindingPowers.is;
    case 'in':
    case 'between':
    case 'like':
      return bindingPowers.range;
    case 'arithmetic':
      if (formula.operator === '||') return bindingPowers.text;
      return formula.operator === '+' || formula.operator === '-' ? bindingPowers.sum : bindingPowers.product;
    case 'negate':
      return bindingPowers.sign;
    case 'number':
    case 'string':
    case 'boolean':
    case 'null':
    case 'moment':
    case 'name':
    case 'rows':
    case 'parameter':
    case 'case':
    case 'cast':
    case 'extract':
    case 'call':
    case 'aggregate':
      return bindingPowers.operand;
  }
};

const printCase = ({ operand, branches, otherwise }: Formula & { kind: 'case' }): string =>
  [
    'case',
    ...(operand ? [printFormula(operand)] : []),
    ...branches.map(({ when, then }) => `when ${printFormula(when)} then ${printFormula(then)}`),
    ...(otherwise ? [`else ${printFormula(otherwise)}`] : []),
    'end',
  ].join(' ');

const printAggregate = (formula: Formula & { kind: 'aggregate' }): string => {
  const filter = formula.filter ? ` filter (where ${printFormula(formula.filter)})` : '';
  return `${formula.function}(${formula.distinct ? 'distinct ' : ''}${printFormula(formula.argument)})${filter}`;
};

const printText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const plainId = /^[A-Za-z_][A-Za-z0-9_]*$/;

const printId = (id: string): string =>
  plainId.test(id) && !formulaReservedWords.has(id.toLowerCase()) ? id : `"${id.replaceAll('"', '""')}"`;
