/** The two operations of a query, by parameters and by body, and the schemas that they refer to. */
import { KmQueryDataRequest, KmQueryRecordDataRequest } from '@tessera/contracts/knowledge-models';
import { columnSchema } from './column-schema.js';
import {
  contractMembers,
  failureResponses,
  queryParameter,
  rateHeaders,
  sharedParameters,
} from './common-components.js';
import type { QuerySubject } from './query-subjects.js';
import { membersOf, propertiesOf, componentRef, type Schema } from './schema.js';

type IdList = 'Field' | 'Kpi' | 'Sort' | 'Filter';

/** No ending of a name ends like another, so no two records share one. */
const schemaName = ({ name }: QuerySubject, part: IdList | 'Row' | 'Page' | 'Question'): string => `${name}${part}`;

export const pathItem = (subject: QuerySubject): Schema => ({
  get: {
    ...operationTexts(subject, 'query', 'Query'),
    parameters: [...ownParameters(subject), ...sharedParameters(subject.searchable.length > 0)],
    responses: responsesOf(subject),
  },
  post: {
    ...operationTexts(subject, 'postQuery', 'Query with a body'),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: componentRef('schemas', schemaName(subject, 'Question')) } },
    },
    responses: responsesOf(subject),
  },
});

const operationTexts = (subject: QuerySubject, prefix: string, verb: string): Schema => ({
  operationId: `${prefix}${subject.name}`,
  tags: [subject.tag],
  summary: `${verb}: ${subject.title}`,
  ...(subject.description !== '' && { description: subject.description }),
});

const responsesOf = (subject: QuerySubject): Schema => ({
  '200': {
    description: 'The page of rows that was asked for.',
    headers: rateHeaders,
    content: { 'application/json': { schema: componentRef('schemas', schemaName(subject, 'Page')) } },
  },
  ...failureResponses,
});

const ownParameters = (subject: QuerySubject): readonly Schema[] => {
  const listOf = (name: string, items: Schema): Schema => {
    const { description, maxItems } = contractMembers[name] ?? {};
    return queryParameter(name, {
      description,
      type: 'array',
      ...(maxItems !== undefined && { maxItems }),
      items,
    });
  };
  const ids = (part: IdList): Schema => componentRef('schemas', schemaName(subject, part));
  return [
    ...(subject.fields.length > 0 ? [listOf('fields', ids('Field'))] : []),
    ...(subject.kpis.length > 0 ? [listOf('kpis', ids('Kpi'))] : []),
    ...(subject.sortable.length > 0 ? [listOf('sort', ids('Sort'))] : []),
    ...(subject.filters.length > 0 ? [listOf('filters', ids('Filter'))] : []),
    ...(subject.searchable.length > 0 ? [listOf('searchField', { type: 'string', enum: subject.searchable })] : []),
  ];
};

export const schemasOf = (subject: QuerySubject): Readonly<Record<string, Schema>> => {
  const { fields, kpis, sortable, filters, columns } = subject;
  const rows = columns.map((described) => [described.column.id, columnSchema(described)] as const);
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
    [schemaName(subject, 'Page')]: pageSchema(componentRef('schemas', schemaName(subject, 'Row'))),
    [schemaName(subject, 'Question')]: queryBodySchema(subject),
  };
};

const count = { type: 'integer', format: 'int64', minimum: 0 };

const pageSchema = (row: Schema): Schema => ({
  type: 'object',
  required: ['page', 'pageSize', 'total', 'sort', 'content'],
  properties: {
    page: count,
    pageSize: count,
    total: { ...count, description: 'Rows of all pages.' },
    sort: { type: 'array', items: { type: 'string' } },
    content: { type: 'array', items: row },
  },
});

const recordProjection = membersOf(KmQueryRecordDataRequest.shape.projection);
const modelProjection = membersOf(KmQueryDataRequest.shape.projection);

/** The body of the contract, with the ids of this model where it takes a list of them. */
const queryBodySchema = (subject: QuerySubject): Schema => {
  const { filters = {}, kpis, ...members } = subject.kpis.length > 0 ? modelProjection : recordProjection;
  const { kmFilterNames, filterExpr = {} } = propertiesOf(filters);
  const { explode: _, ...expressions } = filterExpr;
  const listOf = (list: Schema | undefined, part: IdList): Schema => ({
    ...list,
    items: componentRef('schemas', schemaName(subject, part)),
  });
  const filterMembers = {
    ...(subject.filters.length > 0 && { kmFilterNames: listOf(kmFilterNames, 'Filter') }),
    filterExpr: expressions,
  };
  const properties = {
    ...members,
    filters: { type: 'object', properties: filterMembers },
    ...(subject.kpis.length > 0 && { kpis: listOf(kpis, 'Kpi') }),
  };
  return {
    type: 'object',
    required: ['projection'],
    properties: { projection: { type: 'object', properties } },
  };
};
