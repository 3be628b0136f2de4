/**
 * Reads a form from a JSON Schema (2020-12). Whether arguments fit is judged by the server: a form only has to show what can be
 * entered, and everything it does not know how to show becomes a field for JSON.
 */
import { isList, isObject, type JsonObject } from '../../../api/json-values.js';
import type { Choice, FormNode, FormShape, ObjectMember } from './form-node.js';

type Context = { readonly definitions: JsonObject; readonly level: number; readonly isRequired: boolean };

/** Deeper ones are typed as JSON: nobody finds their way in such a form. */
const levelsMax = 8;
const lineLengthMax = 1_000;

/** The form of the arguments of a tool. */
export const readForm = (schema: JsonObject): FormNode =>
  readNode(schema, { definitions: objectAt(schema, '$defs'), level: 0, isRequired: true });

const readNode = (schema: unknown, context: Context): FormNode => {
  const { isRequired, level, definitions } = context;
  if (!isObject(schema) || level > levelsMax) return { kind: 'json', isRequired };
  const whole = withParts(schema, definitions);
  if (whole === undefined) return { kind: 'json', isRequired, ...wordsOf(schema) };
  const shape = shapeOf(whole, { ...context, level: level + 1 });
  return { isRequired, ...wordsOf(whole), ...explained(shape, textAt(whole, 'description')) };
};

const wordsOf = (schema: JsonObject): Pick<FormNode, 'title' | 'description' | 'standard'> => ({
  ...(textAt(schema, 'title') !== '' && { title: textAt(schema, 'title') }),
  ...(textAt(schema, 'description') !== '' && { description: textAt(schema, 'description') }),
  ...('default' in schema && { standard: schema['default'] }),
});

/** The schema with what it refers to; undefined where several schemas hold at once. */
const withParts = (schema: JsonObject, definitions: JsonObject): JsonObject | undefined => {
  const { $ref: reference, allOf, ...own } = schema;
  const parts: readonly unknown[] = isList(allOf) ? allOf : [];
  if (parts.length > 1) return undefined;
  const target = typeof reference === 'string' ? definitions[reference.replace(/^#\/\$defs\//, '')] : {};
  const [part = {}] = parts;
  if (!isObject(target) || !isObject(part)) return undefined;
  const whole = { ...target, ...part, ...own };
  // What stands behind a reference may be one itself; servers take no circles, and this reads none either.
  return target === schema || '$ref' in whole ? undefined : whole;
};

const shapeOf = (schema: JsonObject, context: Context): FormShape => {
  const choices = choicesIn(schema);
  if (choices !== undefined) return { kind: 'choice', choices };
  const options = alternativesIn(schema);
  if (options !== undefined) return alternativesOf(options, context);
  switch (schema['type']) {
    case 'string':
      return textOf(schema);
    case 'number':
    case 'integer':
      return { kind: 'number' };
    case 'boolean':
      return context.isRequired || typeof schema['default'] === 'boolean'
        ? { kind: 'flag' }
        : { kind: 'choice', choices: [toChoice(true), toChoice(false)] };
    case 'null':
      return { kind: 'choice', choices: [toChoice(null)] };
    case 'array':
      return listOf(schema, context);
    case 'object':
      return objectOf(schema, context);
    default:
      return { kind: 'json' };
  }
};

const placeholders: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD',
  time: 'hh:mm:ss',
  'date-time': 'YYYY-MM-DDThh:mm:ssZ',
  email: 'name@example.com',
  uri: 'https://example.com',
};

const textOf = (schema: JsonObject): FormShape => {
  const { examples, format, maxLength } = schema;
  const example = isList(examples) ? examples[0] : undefined;
  const placeholder = typeof example === 'string' ? example : placeholders[typeof format === 'string' ? format : ''];
  return {
    kind: 'text',
    isLong: typeof maxLength === 'number' && maxLength > lineLengthMax,
    isSecret: format === 'password' || schema['writeOnly'] === true,
    mayBeEmpty: schema['minLength'] === 0 || schema['default'] === '',
    ...(placeholder !== undefined && { placeholder }),
  };
};

const listOf = (schema: JsonObject, context: Context): FormShape =>
  isObject(schema['items']) && !('prefixItems' in schema)
    ? { kind: 'list', item: readNode(schema['items'], { ...context, isRequired: true }) }
    : { kind: 'json' };

const objectOf = (schema: JsonObject, context: Context): FormShape => {
  const properties = objectAt(schema, 'properties');
  const names = Object.keys(properties);
  const further = schema['additionalProperties'];
  const isOpen = names.length === 0 ? further !== false : further === true || isObject(further);
  if (isOpen || 'patternProperties' in schema) return { kind: 'json' };
  const { required } = schema;
  const members = names.map((name): ObjectMember => {
    const isRequired = isList(required) && required.includes(name);
    return { name, node: readNode(properties[name], { ...context, isRequired }) };
  });
  return { kind: 'object', members };
};

const toChoice = (value: unknown): Choice => ({
  id: JSON.stringify(value) ?? '',
  value,
  label: typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
});

/** Of an `enum`, a `const`, or alternatives that are nothing else. */
const choicesIn = (schema: JsonObject): readonly Choice[] | undefined => {
  if ('const' in schema) return [toChoice(schema['const'])];
  const { enum: values } = schema;
  if (isList(values)) return values.map(toChoice);
  const alternatives = listOfAlternatives(schema);
  if (alternatives === undefined || alternatives.length === 0) return undefined;
  const choices = alternatives.map((each) =>
    isObject(each) ? (choicesIn(each) ?? nullIn(each))?.map((choice) => ({ ...choice, ...named(each) })) : undefined,
  );
  return choices.every((each) => each !== undefined) ? choices.flat() : undefined;
};

const nullIn = (schema: JsonObject): readonly Choice[] | undefined =>
  schema['type'] === 'null' ? [toChoice(null)] : undefined;

/** The words of an alternative that is one value are those of the value. */
const named = (schema: JsonObject): Partial<Choice> =>
  'const' in schema
    ? {
        ...(textAt(schema, 'title') !== '' && { label: textAt(schema, 'title') }),
        ...(textAt(schema, 'description') !== '' && { description: textAt(schema, 'description') }),
      }
    : {};

const listOfAlternatives = (schema: JsonObject): readonly unknown[] | undefined => {
  const { anyOf, oneOf } = schema;
  if (isList(anyOf)) return anyOf;
  return isList(oneOf) ? oneOf : undefined;
};

/** `anyOf`, `oneOf`, or several types; what stands beside them holds for each. */
const alternativesIn = (schema: JsonObject): readonly unknown[] | undefined => {
  const { type } = schema;
  const shared = Object.fromEntries(Object.entries(schema).filter(([name]) => !ofTheWhole.has(name)));
  const alternatives = listOfAlternatives(schema);
  if (alternatives !== undefined) return alternatives.map((each) => (isObject(each) ? { ...shared, ...each } : each));
  return isList(type) ? type.map((one) => ({ ...shared, type: one })) : undefined;
};

const ofTheWhole: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'title', 'description', 'default']);

const alternativesOf = (options: readonly unknown[], context: Context): FormShape => {
  const [only, ...others] = options;
  if (others.length > 0) return { kind: 'alternatives', options: options.map((option) => readNode(option, context)) };
  return isObject(only) ? shapeOf(only, context) : { kind: 'json' };
};

/**
 * Descriptions explain choices in lines of their own (`MAVERICK_RATE: Maverick buying`): those belong to the choices. Of a list they
 * explain what its entries may be.
 */
const explained = (shape: FormShape, description: string): FormShape & Pick<FormNode, 'description'> => {
  const choices = choicesOf(shape);
  const isExplained = (line: string): boolean => choices.some(({ label }) => line.startsWith(`${label}: `));
  const lines = description.split('\n');
  const explanations = lines.filter(isExplained);
  if (explanations.length === 0) return shape;
  const rest = lines.filter((line) => !isExplained(line)).join('\n');
  const explain = (choice: Choice): Choice => {
    const line = explanations.find((each) => each.startsWith(`${choice.label}: `));
    return line === undefined ? choice : { ...choice, description: line.slice(choice.label.length + 2) };
  };
  return { ...withChoices(shape, choices.map(explain)), description: rest === '' ? undefined : rest };
};

/** Of several alternatives, one may be a choice. */
const choicesOf = (shape: FormShape): readonly Choice[] => {
  if (shape.kind === 'alternatives') return shape.options.flatMap(choicesOf);
  return shape.kind === 'list' ? choicesOf(shape.item) : shape.kind === 'choice' ? shape.choices : [];
};

const withChoices = <Shape extends FormShape>(shape: Shape, choices: readonly Choice[]): Shape => {
  if (shape.kind === 'choice')
    return { ...shape, choices: shape.choices.map((each) => choices.find(({ id }) => id === each.id) ?? each) };
  if (shape.kind === 'alternatives')
    return { ...shape, options: shape.options.map((option) => withChoices(option, choices)) };
  return shape.kind === 'list' ? { ...shape, item: withChoices(shape.item, choices) } : shape;
};

const objectAt = (schema: JsonObject, name: string): JsonObject => {
  const value = schema[name];
  return isObject(value) ? value : {};
};

const textAt = (schema: JsonObject, name: string): string => {
  const value = schema[name];
  return typeof value === 'string' ? value.trim() : '';
};
