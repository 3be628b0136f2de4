/**
 * The members of an operation's request as a client writes them, with what the contract says of each.
 * Refuses: members of what has free names (attributes, relations).
 */
import { pathMembersOf, type HttpOperation } from '@tessera/contracts';

export type RequestMember = {
  /** As the contract names it; in a body the path, e.g. `elements[].id`. */
  readonly name: string;
  /** As the client does: `api-version`, `$filter`, `elementId`. */
  readonly written: string;
  readonly place: 'path' | 'query' | 'header' | 'body';
  readonly meaning: string;
};

type Schema = { readonly [member: string]: unknown };
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemaAt = (schema: Schema, member: string): Schema => (isSchema(schema[member]) ? schema[member] : {});

export const membersOf = ({ request, http }: HttpOperation): readonly RequestMember[] => {
  const document = request.toJSONSchema({ io: 'input' });
  if (!isSchema(document)) return [];
  return Object.entries(schemaAt(document, 'properties')).flatMap(([name, schema]): readonly RequestMember[] => {
    if (!isSchema(schema)) return [];
    if (name === http.body) return bodyMembers(document, schema, '');
    const header = http.headers?.[name];
    const inPath = pathMembersOf(http).includes(name);
    const place = header !== undefined ? 'header' : inPath ? 'path' : 'query';
    return [{ name, written: header ?? name, place, meaning: meaningOf(document, schema) }];
  });
};

const bodyMembers = (document: Schema, schema: Schema, prefix: string): readonly RequestMember[] =>
  Object.entries(schemaAt(resolved(document, schema), 'properties')).flatMap(([member, declared]) => {
    if (!isSchema(declared)) return [];
    const name = `${prefix}${member}`;
    const shape = resolved(document, declared);
    return [
      { name, written: name, place: 'body' as const, meaning: meaningOf(document, declared) },
      ...bodyMembers(document, schemaAt(shape, 'items'), `${name}[].`),
      ...bodyMembers(document, shape, `${name}.`),
    ];
  });

/** What a reference leads to. */
const resolved = (document: Schema, schema: Schema): Schema => {
  const reference = schema['$ref'];
  return typeof reference === 'string'
    ? schemaAt(schemaAt(document, '$defs'), reference.split('/').at(-1) ?? '')
    : schema;
};

const meaningOf = (document: Schema, schema: Schema): string => {
  const description = schema['description'] ?? resolved(document, schema)['description'];
  return typeof description === 'string' ? description : '';
};
