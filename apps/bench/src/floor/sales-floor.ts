/**
 * The floor of knowledge models: the same addresses, handwritten SQL for each query, named statements, rows as JSON.
 */
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { prepareStatements } from './statements.js';

const path = '/intelligence/api/knowledge-models/bench.sales-km';
const service = '/intelligence/api/odata/bench.sales-km.svc';

/** Numbers as numbers and days as they are written; what pg makes of them unasked would cost the floor time. */
const readers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.BOOL, (text) => text === 't'],
  // The server of the product keeps UTC.
  [pg.types.builtins.TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`],
]);
const types: pg.CustomTypesConfig = { getTypeParser: (oid: number) => readers.get(oid) ?? ((text: string) => text) };

type Query = Readonly<Record<string, string>>;
type SalesRequest = { readonly Querystring: Query };

const lastNumber = (text = ''): number => Number(/(\d+(?:\.\d+)?)$/.exec(text)?.[1] ?? 0);
const textsIn = (condition = ''): readonly string[] =>
  [...condition.matchAll(/'([^']*)'/g)].map(([, value = '']) => value);
const placeOf = ({ page = '0', pageSize = '50' }: Query) => ({ page: Number(page), pageSize: Number(pageSize) });

/** Documents at hand: what was put at an address is sent from memory. */
export const addDocumentRoutes = (app: FastifyInstance): void => {
  const documents = new Map<string, string>();
  app.put<{ readonly Body: { readonly text: string } }>('/documents/*', (request, reply) => {
    documents.set(request.url, request.body.text);
    return reply.send({});
  });
  app.get('/documents/*', (request, reply) => reply.type('application/json').send(documents.get(request.url)));
};

export const addSalesRoutes = (app: FastifyInstance, pool: pg.Pool): void => {
  const rows = prepareStatements(pool, 'sales.sql', types);
  const readPage = (query: Query) => {
    const { page, pageSize } = placeOf(query);
    const place = [pageSize, page * pageSize];
    return query['filterExpr'] === undefined
      ? rows('wide', place)
      : rows('page', ['DE', lastNumber(query['filterExpr']), ...place]);
  };
  const readKpis = ({ filterExpr, fields = '' }: Query) => {
    const values = textsIn(filterExpr);
    return values.length > 0
      ? rows('kpis-of-plants', [values.slice(0, -1), values.at(-1)])
      : rows(fields, [lastNumber(filterExpr)]);
  };
  app.get<SalesRequest>(`${path}/records/SALE/query`, async ({ query }, reply) =>
    reply.send({ ...placeOf(query), content: await readPage(query) }),
  );
  // Below it all rows are counted for each page.
  app.get<SalesRequest>(`/counting${path}/records/SALE/query`, async ({ query }, reply) => {
    const counting = rows('count', ['DE', lastNumber(query['filterExpr'])]);
    const [content, [counted]] = await Promise.all([readPage(query), counting]);
    return reply.send({ ...placeOf(query), total: counted?.['total'], content });
  });
  app.get<SalesRequest>(`${path}/query`, async ({ query }, reply) =>
    reply.send({ ...placeOf(query), content: await readKpis(query) }),
  );
  const entries = `${service}/SALE_entries`;
  app.get<SalesRequest>(entries, async ({ query, headers, host }, reply) => {
    const context = `http://${host}${service}/$metadata#SALE_entries`;
    if (query['$filter'] !== undefined) {
      const value = await rows('entries', ['DE', lastNumber(query['$filter']), Number(query['$top'])]);
      return reply.send({ '@odata.context': context, value });
    }
    const size = lastNumber(String(headers['prefer']));
    const found = await rows('pull', [query['$skiptoken'] ?? '0', size + 1]);
    const value = found.slice(0, size);
    const next = found.length > size && `http://${host}${entries}?$skiptoken=${String(value.at(-1)?.['ID'])}`;
    return reply.send({ '@odata.context': context, value, ...(next && { '@odata.nextLink': next }) });
  });
};
