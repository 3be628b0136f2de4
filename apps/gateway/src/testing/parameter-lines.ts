/** The parameters of an operation of the OpenAPI document in a few lines of text: `query $page?:integer(1..1000)`. */
import type { Schema } from '../openapi/schemas.js';

/** How far members of members are shown. */
const depthMax = 4;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const recordAt = (value: unknown, ...path: readonly string[]): Schema => {
  const found = path.reduce((at, name) => (isSchema(at) ? at[name] : undefined), value);
  return isSchema(found) ? found : {};
};
const listAt = (value: unknown, name: string): readonly unknown[] => {
  const found = recordAt(value)[name];
  return Array.isArray(found) ? found : [];
};

/** The lines of one operation; none where it has no parameters. Those of the path stand in the route. */
export const parameterLines = (document: unknown, path: string, method: string): readonly string[] => {
  const resolve = (schema: unknown): Schema => {
    const [, name] = /^#\/components\/schemas\/(.+)$/.exec(String(recordAt(schema)['$ref'])) ?? [];
    return name === undefined ? recordAt(schema) : recordAt(document, 'components', 'schemas', name);
  };
  const named = (name: string, isRequired: boolean, schema: unknown, depth: number): string =>
    `${name}${isRequired ? '' : '?'}:${typeText(schema, depth)}`;
  const membersOf = (schema: Schema, depth: number): string =>
    Object.entries(recordAt(schema, 'properties'))
      .map(([name, member]) => named(name, listAt(schema, 'required').includes(name), member, depth))
      .join(' ');
  const typeText = (given: unknown, depth: number): string => {
    const schema = resolve(given);
    const { type = 'any', items, properties, minimum, minLength, minItems, maximum, maxLength, maxItems } = schema;
    if ('const' in schema) return String(schema['const']);
    if ('enum' in schema) return listAt(schema, 'enum').join('|');
    const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
    if (choices.length > 0) return [...new Set(choices.map((choice) => typeText(choice, depth)))].join('|');
    if (properties !== undefined && depth > 0) return `{${membersOf(schema, depth - 1)}}`;
    const bounds = [minimum ?? minLength ?? minItems, maximum ?? maxLength ?? maxItems].map((bound) =>
      typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? String(bound) : '',
    );
    const range = bounds.every((bound) => bound === '') ? '' : `(${bounds.join('..')})`;
    const types = Array.isArray(type) ? type : [type];
    return types.map((each) => (each === 'array' ? `${typeText(items, depth)}[]` : String(each)) + range).join('|');
  };

  const operation = recordAt(document, 'paths', path, method);
  const parameters = listAt(operation, 'parameters').map((parameter) => recordAt(parameter));
  const lines = ['query', 'header'].map((place) => [
    place,
    parameters
      .filter((parameter) => parameter['in'] === place)
      .map(({ name, required, schema }) => named(String(name), required === true, schema, depthMax))
      .join(' '),
  ]);
  const body = recordAt(operation, 'requestBody');
  const [content] = Object.values(recordAt(body, 'content'));
  const schema = resolve(recordAt(content)['schema']);
  if (content !== undefined)
    lines.push([
      body['required'] === true ? 'body' : 'body?',
      membersOf(schema, depthMax) || typeText(schema, depthMax),
    ]);
  return lines.flatMap(([place, text]) => (text === '' ? [] : `${place} ${text}`));
};
