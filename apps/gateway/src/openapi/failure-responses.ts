/** The failures of an operation as responses: one per status, in the shape of its group, with an example per code. */
import { fillPath, acceptsIdempotencyKey, type HttpBinding, type HttpOperation } from '@tessera/contracts';
import { examples as recorded } from '@tessera/contracts/examples';
import { failureCatalogue, toJsonRpcErrorData, type Failure, type FailureCode } from '@tessera/failures';
import { toFailureAnswer } from '../http/send-failure.js';
import type { ResponseObject, Schema, SchemaCollection } from './schemas.js';

const jsonType = 'application/json';
const textSchema = { type: 'string' };
const faultSchema = {
  type: 'object',
  required: ['in', 'path', 'message'],
  properties: {
    in: { type: 'string', description: 'Where: path, query, header or body.' },
    path: { type: 'string', description: 'The member, as a dotted path.' },
    message: textSchema,
    rule: textSchema,
    suggestion: textSchema,
    values: { type: 'array', items: textSchema, description: 'What would be right, the first of it when it is much.' },
    position: { type: 'integer', description: 'Zero-based character in the text of the member.' },
  },
};
const commonMembers = {
  errorCode: { type: 'string', description: 'The code of the failure; programs decide by it.' },
  faults: {
    type: 'array',
    items: { $ref: '#/components/schemas/Fault' },
    description: 'Empty when it is of no member.',
  },
};
const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri-reference', default: 'about:blank' },
    title: textSchema,
    status: { type: 'integer', minimum: 100, maximum: 599 },
    detail: textSchema,
    instance: { type: 'string', format: 'uri-reference' },
    code: { type: 'string', description: 'The code of the failure; programs decide by it.' },
    next: { type: 'string', description: 'What to do about it.' },
    ...commonMembers,
  },
};
const errorDtoSchema = {
  type: 'object',
  required: ['title', 'status', 'detail', 'errorCode', 'type'],
  properties: {
    title: textSchema,
    status: { type: 'integer' },
    detail: textSchema,
    ...commonMembers,
    type: { type: 'string', format: 'uri-reference' },
    error: { type: 'string', description: 'With 401 only.' },
  },
};
const odataErrorSchema = {
  ...errorDtoSchema,
  required: [...errorDtoSchema.required, 'error'],
  properties: {
    ...errorDtoSchema.properties,
    error: {
      description: 'With 401 a text.',
      oneOf: [
        {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: textSchema,
            message: textSchema,
            details: {
              type: 'array',
              items: {
                type: 'object',
                required: ['code', 'message'],
                properties: { code: textSchema, message: textSchema, target: textSchema },
              },
              description: 'The faults, as the standard writes them.',
            },
          },
        },
        textSchema,
      ],
    },
  },
};
const operationResultSchema = {
  type: 'object',
  required: ['message', 'output', 'type', 'data'],
  properties: {
    message: textSchema,
    output: { type: 'string', enum: ['Volatile', 'Permanent', 'Dialog', 'Inline'] },
    type: { type: 'string', enum: ['Critical', 'Error', 'Warning', 'Success', 'Unauthorized'] },
    data: { type: 'object', required: ['error'], properties: { error: { type: 'string', description: 'The code.' } } },
    ...commonMembers,
  },
};
const validationErrorsSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['error'],
    properties: {
      ...faultSchema.properties,
      error: textSchema,
      attribute: { ...textSchema, default: '' },
      errorCode: { ...textSchema, default: '' },
      additionalInfo: { ...textSchema, default: '' },
    },
  },
};

const jsonRpcErrorSchema = {
  type: 'object',
  required: ['jsonrpc', 'id', 'error'],
  properties: {
    jsonrpc: { type: 'string', const: '2.0' },
    id: { type: ['string', 'integer', 'null'], description: 'Of the request; null when it could not be read.' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer' },
        message: textSchema,
        data: { type: 'object', properties: commonMembers },
      },
    },
  },
};

const completionErrorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: textSchema,
        type: textSchema,
        param: { type: ['string', 'null'], description: 'The member of the request.' },
        code: { type: 'string', description: 'The code of the failure; programs decide by it.' },
        ...commonMembers,
      },
    },
  },
};

export const addFailureSchemas = (schemas: SchemaCollection): void => {
  schemas.set('Fault', JSON.stringify(faultSchema));
  schemas.set('Problem', JSON.stringify(problemSchema));
  schemas.set('ErrorDto', JSON.stringify(errorDtoSchema));
  schemas.set('ODataError', JSON.stringify(odataErrorSchema));
  schemas.set('OperationResult', JSON.stringify(operationResultSchema));
  schemas.set('JsonRpcError', JSON.stringify(jsonRpcErrorSchema));
  schemas.set('CompletionError', JSON.stringify(completionErrorSchema));
  schemas.set('ValidationErrors', JSON.stringify(validationErrorsSchema));
};

const schemaNameOf = ({ group, isOData, isCompletion }: HttpBinding, status: number): string => {
  if (isCompletion) return 'CompletionError';
  if (group === 'A') return 'OperationResult';
  if (group === 'D') return isOData ? 'ODataError' : 'ErrorDto';
  return group === 'B' && status === 422 ? 'ValidationErrors' : 'Problem';
};

/** What every operation can answer. */
const commonFailures: readonly FailureCode[] = [
  'GENERAL_PARAMETER_MISSING',
  'GENERAL_PARAMETER_ILLEGAL',
  'ACCESS_UNAUTHORIZED',
  'ADMIN_ACCESS_ERROR',
  'LIMIT_RATE_EXCEEDED',
  'ADMIN_FATAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const bodyFailures: readonly FailureCode[] = [
  'GENERAL_BODY_MALFORMED',
  'GENERAL_CONSTRAINT_VIOLATION',
  'GENERAL_BODY_TOOLARGE',
  'GENERAL_MEDIATYPE_UNSUPPORTED',
];
const textBodyFailures: readonly FailureCode[] = ['GENERAL_BODY_TOOLARGE', 'GENERAL_MEDIATYPE_UNSUPPORTED'];
type JsonRpcFailure = {
  readonly status: number;
  readonly name: string;
  readonly code: number;
  readonly message: string;
};
/** What MCP servers answer to requests that are no messages of the protocol; other faults are an `error` with 200. */
const jsonRpcFailures: readonly JsonRpcFailure[] = [
  {
    ...{ status: 400, name: 'NO_JSON', code: -32_700 },
    message:
      'Parse error: the body is no JSON, nested deeper than 64 levels, or has an object of more than 10,000 members',
  },
  {
    ...{ status: 400, name: 'NO_MESSAGE', code: -32_600 },
    message: 'Bad Request: the request body is not a valid JSON-RPC message',
  },
  {
    ...{ status: 400, name: 'UNSUPPORTED_VERSION', code: -32_000 },
    message:
      'Bad Request: Unsupported protocol version: 1999-01-01 (supported versions: 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07)',
  },
  {
    ...{ status: 406, name: 'NOT_ACCEPTABLE', code: -32_000 },
    message: 'Not Acceptable: the answer is application/json or text/event-stream, and Accept allows neither',
  },
  {
    ...{ status: 415, name: 'NO_JSON_TYPE', code: -32_000 },
    message: 'Unsupported Media Type: Content-Type must be application/json',
  },
];
/** To pages of other origins, and to other methods of the path. */
const mcpFailures: readonly FailureCode[] = ['MCP_ORIGIN_REFUSED', 'GENERAL_METHOD_NOTALLOWED'];
const idempotencyFailures: readonly FailureCode[] = ['GENERAL_IDEMPOTENCY_MISMATCH', 'GENERAL_IDEMPOTENCY_RUNNING'];

const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

export const responseHeadersOf = (status: number, isIdempotent: boolean): Record<string, Schema> => {
  const names = ['X-Request-Id', ...(status === 401 ? ['WWW-Authenticate'] : rateHeaders)];
  if (status === 429 || status === 503 || (status === 409 && isIdempotent)) names.push('Retry-After');
  if (status === 200 && isIdempotent) names.push('Idempotency-Replayed');
  if (status === 405) names.push('Allow');
  return createHeaderReferences(...names);
};

/** Headers by the names of their components. */
export const createHeaderReferences = (...names: readonly string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const failureResponsesOf = (operation: HttpOperation): Record<string, ResponseObject> => {
  const { http } = operation;
  const codes = new Set([
    // An MCP server has no parameter that could be missing.
    ...commonFailures.filter((code) => !http.isMcp || code !== 'GENERAL_PARAMETER_MISSING'),
    ...(http.group === 'D' && !http.isOData ? (['GENERAL_PARAMETER_MISSMATCH'] as const) : []),
    ...(http.body === undefined ? [] : http.isTextBody ? textBodyFailures : bodyFailures),
    ...(http.isMcp ? mcpFailures : []),
    ...(acceptsIdempotencyKey(operation) ? idempotencyFailures : []),
    ...operation.failures,
  ]);
  const byStatus = Map.groupBy(codes, (code) => failureCatalogue[code].status);
  const responses = Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [status, responseOf(operation, status, ofStatus)]),
  );
  return {
    ...responses,
    ...(http.isMcp && jsonRpcResponses(responses)),
    ...(http.group === 'C' && { default: http.isCompletion ? anyOtherCompletionError : anyOtherFailure }),
  };
};

/** Beside the problem documents of the same status. */
const jsonRpcResponses = (problems: Readonly<Record<string, ResponseObject>>): Record<string, ResponseObject> =>
  Object.fromEntries(
    [...Map.groupBy(jsonRpcFailures, ({ status }) => status)].map(([status, failures]) => {
      const examples = failures.map(({ name, code, message }): [string, object] => [
        name,
        {
          summary: 'Correct the message.',
          value: { jsonrpc: '2.0', error: { code, message, data: toJsonRpcErrorData(code, message) }, id: null },
        },
      ]);
      const { description, headers, content } = problems[status] ?? { description: 'Not acceptable' };
      const jsonRpc = {
        schema: { $ref: '#/components/schemas/JsonRpcError' },
        examples: Object.fromEntries<object>(examples),
      };
      return [
        status,
        {
          description: `${description}; with \`application/json\` an error of JSON-RPC.`,
          headers: headers ?? responseHeadersOf(status, false),
          content: { ...(typeof content === 'object' && content), [jsonType]: jsonRpc },
        },
      ];
    }),
  );

const anyOtherFailure: ResponseObject = {
  description: 'Any other failure.',
  headers: createHeaderReferences('X-Request-Id'),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const anyOtherCompletionError: ResponseObject = {
  ...anyOtherFailure,
  content: { [jsonType]: { schema: { $ref: '#/components/schemas/CompletionError' } } },
};

const responseOf = (operation: HttpOperation, status: number, codes: readonly FailureCode[]): ResponseObject => {
  const { http } = operation;
  const path = fillPath(http, (member) => {
    const value = recorded[operation.name]?.parameters[member];
    return typeof value === 'string' ? value : member;
  });
  const answers = codes.map((code) => ({ code, ...toFailureAnswer(exampleOf(code), http, path) }));
  const examples = answers.map(({ code, body }) => {
    const value: unknown = JSON.parse(body);
    return [code, { summary: failureCatalogue[code].next, value }] as const;
  });
  const content = {
    schema: { $ref: `#/components/schemas/${schemaNameOf(http, status)}` },
    examples: Object.fromEntries(examples),
  };
  const mediaTypes = [answers[0]?.contentType.split(';')[0] ?? jsonType, ...(http.isOData ? [jsonType] : [])];
  return {
    description: codes.map((code) => failureCatalogue[code].title).join(', '),
    headers: {
      ...responseHeadersOf(status, acceptsIdempotencyKey(operation)),
      ...(http.isOData && createHeaderReferences('OData-Version')),
    },
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, content])),
  };
};

const exampleOf = (code: FailureCode): Failure => ({ code, detail: `${failureCatalogue[code].title}.` });
