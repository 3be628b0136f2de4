/** The operations of groups A to D with the members of their requests and answers, from the contracts. */
import { pathParameterNames, type HttpOperation } from '@tessera/contracts';
import * as agents from '@tessera/contracts/agents';
import * as toolGateway from '@tessera/contracts/tool-gateway';
import { findOperations } from '@tessera/testing';
import { contentOperations } from '../group-a.js';
import { knowledgeModelOperations } from '../group-d.js';

export const toolOperations = findOperations(toolGateway, 'B');
export const agentOperations = findOperations(agents, 'C');
export const documentedOperations: readonly HttpOperation[] = [
  ...contentOperations,
  ...toolOperations,
  ...agentOperations,
  ...knowledgeModelOperations,
];

export type DocumentedMember = {
  /** As the contract names it; in a body the path, e.g. `elements[].id`. */
  readonly name: string;
  /** As the client does: `api-version`, `$filter`, `elementId`. */
  readonly written: string;
  readonly place: 'path' | 'query' | 'header' | 'body' | 'answer';
  readonly meaning: string;
};

type Schema = { readonly [member: string]: unknown };
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemaAt = (schema: Schema, member: string): Schema => (isSchema(schema[member]) ? schema[member] : {});

const known = new WeakMap<object, readonly DocumentedMember[]>();

/** Made once for each schema. */
const memoizeMembers = (schema: object, make: () => readonly DocumentedMember[]): readonly DocumentedMember[] => {
  const members = known.get(schema) ?? make();
  known.set(schema, members);
  return members;
};

export const requestMembersOf = ({
  request,
  http,
}: Pick<HttpOperation, 'request' | 'http'>): readonly DocumentedMember[] =>
  memoizeMembers(request, () => {
    const document = request.toJSONSchema({ io: 'input' });
    if (!isSchema(document)) return [];
    return Object.entries(schemaAt(document, 'properties')).flatMap(([name, schema]): readonly DocumentedMember[] => {
      if (!isSchema(schema)) return [];
      if (name === http.body) return http.isTextBody ? [] : documentMembers({ document, place: 'body' }, schema, '');
      const header = http.headers?.[name];
      const inPath = pathParameterNames(http).includes(name);
      const place = header !== undefined ? 'header' : inPath ? 'path' : 'query';
      return [{ name, written: header ?? name, place, meaning: meaningOf(document, schema) }];
    });
  });

/** Members with free names and recursive schemas are not expanded. */
export const answerMembersOf = ({ reply }: HttpOperation): readonly DocumentedMember[] => {
  const schema = 'kind' in reply ? reply.schema : reply;
  return memoizeMembers(schema, () => {
    const document = schema.toJSONSchema({ io: 'output', unrepresentable: 'any' });
    const members = isSchema(document) ? documentMembers({ document, place: 'answer' }, document, '') : [];
    return [...new Map(members.map((member) => [member.name, member])).values()];
  });
};

type Reading = {
  readonly document: Schema;
  readonly place: DocumentedMember['place'];
  readonly inside?: readonly string[];
};

/** The members of an object, of the items of a list and of each alternative. */
const documentMembers = (reading: Reading, declared: Schema, prefix: string): readonly DocumentedMember[] => {
  const { document, place, inside = [] } = reading;
  const reference = typeof declared['$ref'] === 'string' ? declared['$ref'] : undefined;
  if (reference !== undefined && inside.includes(reference)) return [];
  const within = { document, place, inside: reference === undefined ? inside : [...inside, reference] };
  const schema = resolved(document, declared);
  const own = Object.entries(schemaAt(schema, 'properties')).flatMap(([member, each]) => {
    if (!isSchema(each)) return [];
    const name = prefix === '' ? member : `${prefix}.${member}`;
    return [{ name, written: name, place, meaning: meaningOf(document, each) }, ...documentMembers(within, each, name)];
  });
  const alternatives = ['anyOf', 'oneOf', 'allOf'].flatMap((kind) => schema[kind] ?? []).filter(isSchema);
  return [
    ...own,
    ...(isSchema(schema['items']) ? documentMembers(within, schema['items'], `${prefix}[]`) : []),
    ...alternatives.flatMap((each) => documentMembers(within, each, prefix)),
  ];
};

/** What a reference leads to. */
const resolved = (document: Schema, schema: Schema): Schema => {
  const reference = schema['$ref'];
  if (reference === '#') return document;
  return typeof reference === 'string'
    ? schemaAt(schemaAt(document, '$defs'), reference.split('/').at(-1) ?? '')
    : schema;
};

const meaningOf = (document: Schema, schema: Schema): string => {
  const description = schema['description'] ?? resolved(document, schema)['description'];
  return typeof description === 'string' ? description : '';
};
