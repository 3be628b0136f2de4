/** The two operations of a query, by parameters and by body, and the schemas that they refer to. */
import { KmQueryDataRequest, KmQueryRecordDataRequest } from '@tessera/contracts/knowledge-models';
import { createColumnSchema } from './column-schema.js';
import {
  queryParameterSchemas,
  failureResponseRefs,
  toQueryParameter,
  rateLimitHeaderRefs,
  listSharedParameterRefs,
} from './common-components.js';
import type { QueryTarget } from './query-subjects.js';
import { memberSchemasOf, propertiesOf, createComponentRef, type Schema } from './schema.js';

type IdList = 'Field' | 'Kpi' | 'Sort' | 'Filter';

/** No ending of a name ends like another, so no two records share one. */
const schemaName = ({ name }: QueryTarget, part: IdList | 'Row' | 'Page' | 'Question'): string => `${name}${part}`;

export const createPathItem = (subject: QueryTarget): Schema => ({
  get: {
    ...operationTexts(subject, 'query', 'Query'),
    parameters: [...ownParameters(subject), ...listSharedParameterRefs(subject.searchable.length > 0)],
    responses: responsesOf(subject),
  },
  post: {
    ...operationTexts(subject, 'postQuery', 'Query with a body'),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: createComponentRef('schemas', schemaName(subject, 'Question')) } },
    },
    responses: responsesOf(subject),
  },
});

const operationTexts = (subject: QueryTarget, prefix: string, verb: string): Schema => ({
  operationId: `${prefix}${subject.name}`,
  tags: [subject.tag],
  summary: `${verb}: ${subject.title}`,
  ...(subject.description !== '' && { description: subject.description }),
});

const responsesOf = (subject: QueryTarget): Schema => ({
  '200': {
    description: 'The page of rows that was asked for.',
    headers: rateLimitHeaderRefs,
    content: { 'application/json': { schema: createComponentRef('schemas', schemaName(subject, 'Page')) } },
  },
  ...failureResponseRefs,
});

const ownParameters = (subject: QueryTarget): readonly Schema[] => {
  const listOf = (name: string, items: Schema): Schema => {
    const { description, maxItems } = queryParameterSchemas[name] ?? {};
    return toQueryParameter(name, {
      description,
      type: 'array',
      ...(maxItems !== undefined && { maxItems }),
      items,
    });
  };
  const ids = (part: IdList): Schema => createComponentRef('schemas', schemaName(subject, part));
  return [
    ...(subject.fields.length > 0 ? [listOf('fields', ids('Field'))] : []),
    ...(subject.kpis.length > 0 ? [listOf('kpis', ids('Kpi'))] : []),
    ...(subject.sortable.length > 0 ? [listOf('sort', ids('Sort'))] : []),
    ...(subject.filters.length > 0 ? [listOf('filters', ids('Filter'))] : []),
    ...(subject.searchable.length > 0 ? [listOf('searchField', { type: 'string', enum: subject.searchable })] : []),
  ];
};

export const createQueryTargetSchemas = (subject: QueryTarget): Readonly<Record<string, Schema>> => {
  const { fields, kpis, sortable, filters, columns } = subject;
  const rows = columns.map((described) => [described.column.id, createColumnSchema(described)] as const);
  const ids = (part: IdList, values: readonly string[]) =>
    values.length === 0 ? {} : { [schemaName(subject, part)]: { type: 'string', enum: values } };
  return {
    ...ids('Field', fields),
    ...ids('Kpi', kpis),
    ...ids(
      'Sort',
      sortable.flatMap((id) => [id, `-${id}`]),
    ),
    ...ids('Filter', filters),
    [schemaName(subject, 'Row')]: {
      type: 'object',
      description: 'A member for each field and KPI that was asked for.',
      properties: Object.fromEntries(rows),
    },
    [schemaName(subject, 'Page')]: pageSchema(createComponentRef('schemas', schemaName(subject, 'Row'))),
    [schemaName(subject, 'Question')]: queryBodySchema(subject),
  };
};

const countSchema = { type: 'integer', format: 'int64', minimum: 0 };

const pageSchema = (row: Schema): Schema => ({
  type: 'object',
  required: ['page', 'pageSize', 'total', 'sort', 'content'],
  properties: {
    page: countSchema,
    pageSize: countSchema,
    total: { ...countSchema, description: 'Rows of all pages.' },
    sort: { type: 'array', items: { type: 'string' } },
    content: { type: 'array', items: row },
  },
});

const recordProjection = memberSchemasOf(KmQueryRecordDataRequest.shape.projection);
const modelProjection = memberSchemasOf(KmQueryDataRequest.shape.projection);

/** The body of the contract, with the ids of this model where it takes a list of them. */
const queryBodySchema = (subject: QueryTarget): Schema => {
  const {
    filters = {},
    fields = {},
    kpis = {},
    ...members
  } = subject.kpis.length > 0 ? modelProjection : recordProjection;
  const { kmFilterNames, filterExpr = {} } = propertiesOf(filters);
  const { explode: _, ...expressions } = filterExpr;
  const listOf = (list: Schema | undefined, part: IdList): Schema => ({
    ...list,
    items: createComponentRef('schemas', schemaName(subject, part)),
  });
  const textOrListOf = ({ description }: Schema, part: IdList): Schema => ({
    description,
    anyOf: [{ type: 'string' }, { type: 'array', items: createComponentRef('schemas', schemaName(subject, part)) }],
  });
  const filterMembers = {
    ...(subject.filters.length > 0 && { kmFilterNames: listOf(kmFilterNames, 'Filter') }),
    filterExpr: expressions,
  };
  const properties = {
    ...(subject.fields.length > 0 && { fields: textOrListOf(fields, 'Field') }),
    ...members,
    filters: { type: 'object', properties: filterMembers },
    ...(subject.kpis.length > 0 && { kpis: textOrListOf(kpis, 'Kpi') }),
  };
  return {
    type: 'object',
    required: ['projection'],
    properties: { projection: { type: 'object', properties } },
  };
};
