/** Conditions and questions in words, in the language of the page. */
import type { Say } from '../../language/catalogue.js';
import type { Language } from '../../language/languages.js';
import { typeNumber } from '../../language/typed-number.js';
import type { figuresMessages } from '../../messages/figures/catalogue.js';
import { parseCondition } from './condition.js';
import type { Question } from './question.js';
import { nameIn, typeOf, type FieldType, type Schema } from './schema.js';
import { cellFormat } from './value-format.js';

type FiguresSay = Say<typeof figuresMessages.en>;

/** Undefined where only the expression itself says it. */
export const conditionWords = (
  expression: string,
  schema: Schema,
  say: FiguresSay,
  language: Language,
): string | undefined => {
  const condition = parseCondition(expression);
  if (condition === undefined) return undefined;
  const { field, operator, values } = condition;
  const type = typeOf(schema, field);
  const written = values.map((value) => valueWords(value, type, say, language));
  return [nameIn(schema, field), say(`operator_${operator}`), written.join(operator === 'between' ? ' – ' : ', ')]
    .filter((part) => part !== '')
    .join(' ');
};

const valueWords = (value: string, type: FieldType, say: FiguresSay, language: Language): string => {
  if (type === 'boolean') return value === 'true' ? say('yes') : value === 'false' ? say('no') : value;
  if (type === 'integer' || type === 'float') return typeNumber(value, language);
  if (type === 'date') return cellFormat({ type }, language, { yes: '', no: '' })(value);
  return value === '' ? '""' : value;
};

/** Of which rows a figure is: no figure stands without it. */
export const scopeWords = (question: Question, schema: Schema, say: FiguresSay, language: Language): string => {
  const { filters, conditions, period, search } = question;
  const day = (text: string): string => valueWords(text, 'date', say, language);
  const parts = [
    ...filters.map((id) => nameIn(schema, id)),
    ...conditions.map((expression) => conditionWords(expression, schema, say, language) ?? expression),
    ...(period === undefined || period.from + period.to === ''
      ? []
      : [
          `${nameIn(schema, period.field)} ${period.from === '' ? '…' : day(period.from)} – ${period.to === '' ? '…' : day(period.to)}`,
        ]),
    ...(search === '' ? [] : [say('searchedFor', { text: search })]),
  ];
  return parts.length === 0 ? say('allRows') : parts.join('; ');
};
