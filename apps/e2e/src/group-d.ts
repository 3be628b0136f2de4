/**
 * Queries of knowledge models over HTTP, and valid calls of every operation of group D, made from the contracts: a new
 * operation is called here or fails by name.
 */
import { fillPath, type HttpOperation } from '@tessera/contracts';
import * as knowledgeModels from '@tessera/contracts/knowledge-models';
import { findOperations } from '@tessera/testing';
import { parseJson } from './json.js';
import { testModelId } from './test-model.js';

export const knowledgeModelOperations: readonly HttpOperation[] = findOperations(knowledgeModels, 'D');

export type QueryRequest = {
  /** Behind the address of knowledge models, or a whole one. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent by POST, in JSON unless it is a text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type QueryAnswer = {
  readonly status: number;
  readonly document: unknown;
  readonly text: string;
  readonly headers: Headers;
};

const api = '/intelligence/api';
export const odataPathOf = (model: string): string => `${api}/odata/${model}.svc`;

/** Asks one gateway with one key. */
export const createQueryClient =
  (gateway: string, key: string) =>
  async ({ path, query = {}, body, headers }: QueryRequest): Promise<QueryAnswer> => {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    );
    const search = new URLSearchParams(pairs).toString();
    const address = path.startsWith(api) ? path : `${api}/knowledge-models${path}`;
    const response = await fetch(`${gateway}${address}${search && `?${search}`}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { AppKey: key, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return { status: response.status, text, document: isJson ? parseJson(text) : undefined, headers: response.headers };
  };

export type QueryClient = ReturnType<typeof createQueryClient>;

const record = `/${testModelId}/records/SALE`;

/** What makes the operation answer rows; of operations that need nothing it is empty. */
const requiredParts: Readonly<Record<string, Pick<QueryRequest, 'query' | 'body'>>> = {
  'knowledge.models.data': { query: { fields: 'SALE.SALE_NO' } },
  'knowledge.models.query': { query: { kpis: 'REVENUE' } },
  'knowledge.models.queryData': { body: { projection: { fields: 'SALE.SALE_NO' } } },
  'knowledge.models.postQuery': { body: { projection: { kpis: ['REVENUE'] } } },
  'knowledge.records.data': { query: { fields: 'SALE_NO,AMOUNT' } },
  'knowledge.records.queryData': { body: { projection: { fields: 'SALE_NO,AMOUNT' } } },
  'knowledge.records.postQuery': { body: { projection: {} } },
  'knowledge.queries.explainOwn': { body: { query: { projection: { kpis: ['REVENUE'] } } } },
  'gateway.odata.batch': { body: { requests: [{ id: '1', method: 'get', url: 'SALE_entries?$top=1' }] } },
  'knowledge.odata.metadata': { query: { $format: 'json' } },
};
const pathParameters: Readonly<Record<string, string>> = {
  record_id: 'SALE',
  key: '(1)',
  step: 'CUSTOMER',
  part: 'SALE',
};

/** Other links than that from a sale to its customer. */
const furtherPathParameters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'knowledge.odata.link': { record_id: 'CUSTOMER', step: 'SALE' },
  'knowledge.odata.linkCount': { record_id: 'CUSTOMER', step: 'SALE' },
  'knowledge.odata.value': { step: 'AMOUNT' },
};

/** The request of an operation for a model and its record SALE. */
export const validRequestFor = ({ name, http }: HttpOperation, model = testModelId): QueryRequest => ({
  path: fillPath(
    http,
    (member) => furtherPathParameters[name]?.[member] ?? pathParameters[member] ?? encodeURIComponent(model),
  ),
  ...requiredParts[name],
});

export const saleQueryRequest = (query: QueryRequest['query'] = {}): QueryRequest => ({
  path: `${record}/query`,
  query,
});
export const saleDataRequest = (query: QueryRequest['query'] = {}): QueryRequest => ({ path: `${record}/data`, query });
export const modelQueryRequest = (query: QueryRequest['query'] = {}): QueryRequest => ({
  path: `/${testModelId}/query`,
  query,
});
export const modelDataRequest = (query: QueryRequest['query'] = {}): QueryRequest => ({
  path: `/${testModelId}/data`,
  query,
});
