/**
 * The floor of knowledge models: the same addresses, handwritten SQL for each query, named statements, rows as JSON.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import pg from 'pg';

/** Below it the floor counts all rows for each page. */
export const countingFloorPrefix = '/counting';

export const documentFloorPrefix = '/documents';

const path = '/intelligence/api/knowledge-models/bench.sales-km';
const sales = '"meridian.bench".sale';
const matches = `from ${sales} where country = $1 and amount > $2`;
const pageColumns = 'id, country, plant, customer, product, status, quantity, amount, express, sold_on';

const pageStatement = {
  name: 'page',
  text: `select ${pageColumns} ${matches} order by sold_on desc, id desc limit $3 offset $4`,
};
const countStatement = { name: 'count', text: `select count(*) as total ${matches}` };
const wideStatement = { name: 'wide', text: `select * from ${sales} order by id limit $1 offset $2` };
/** By the fields of the question. */
const kpiStatements: Readonly<Record<string, pg.QueryConfig>> = {
  'SALE.PLANT': {
    name: 'kpis-by-plant',
    text: `select plant, sum(amount) as revenue, avg(case when express then 1.0 else 0.0 end) as express_rate, count(*) as sales
      from ${sales} where amount > $1 group by plant order by plant`,
  },
  'SALE.SOLD_ON:month': {
    name: 'kpis-by-month',
    text: `select date_trunc('month', sold_on)::date as month, sum(amount) as revenue, count(distinct customer) as customers
      from ${sales} where amount > $1 group by 1 order by 1`,
  },
  'ARTICLE.FAMILY': {
    name: 'kpis-by-article-family',
    text: `select a.family, sum(s.amount) as revenue, count(*) as sales
      from ${sales} s left join "meridian.bench".article a on a.id = s.product where s.amount > $1 group by a.family order by a.family`,
  },
};

const kpisOfPlantsStatement = {
  name: 'kpis-of-plants',
  text: `select plant, sum(amount) as revenue, avg(case when express then 1.0 else 0.0 end) as express_rate, count(*) as sales
    from ${sales} where plant = any($1) and country <> $2 group by plant order by plant`,
};

const properties = (names: string): string =>
  names
    .split(', ')
    .map((name) => `${name} as "${name.toUpperCase()}"`)
    .join(', ');
const allColumns =
  'id, country, plant, customer, product, category, channel, status, currency, quantity, price, amount, discount, tax, express, sold_on, shipped_on, created_at, contract, note';
const entriesStatement = {
  name: 'entries',
  text: `select ${properties(pageColumns)} ${matches} order by sold_on desc, id desc limit $3`,
};
/** Behind the entry before, as the product pages. */
const pullStatement = {
  name: 'pull',
  text: `select ${properties(allColumns)} from ${sales} where id > $1 order by id limit $2`,
};

/** Numbers as numbers and days as they are written; what pg makes of them unasked would cost the floor time. */
const readers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.BOOL, (text) => text === 't'],
  // The server of the product keeps UTC.
  [pg.types.builtins.TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`],
]);
const types: pg.CustomTypesConfig = { getTypeParser: (oid: number) => readers.get(oid) ?? ((text: string) => text) };

type SalesRequest = { readonly Querystring: Readonly<Record<string, string>> };
type Rows = (statement: pg.QueryConfig, values: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;

const lastNumber = (text = ''): number => Number(/(\d+(?:\.\d+)?)$/.exec(text)?.[1] ?? 0);
const textsIn = (condition = ''): readonly string[] =>
  [...condition.matchAll(/'([^']*)'/g)].map(([, value = '']) => value);
const pageOf = ({ page, pageSize }: SalesRequest['Querystring']) => ({
  page: Number(page ?? 0),
  pageSize: Number(pageSize ?? 50),
});

/** Documents at hand: what was put at an address is sent from memory. */
export const addDocumentRoutes = (app: FastifyInstance): void => {
  const documents = new Map<string, string>();
  app.put<{ readonly Body: { readonly text: string } }>(`${documentFloorPrefix}/*`, (request, reply) => {
    documents.set(request.url, request.body.text);
    return reply.send({});
  });
  app.get(`${documentFloorPrefix}/*`, (request, reply) =>
    reply.type('application/json').send(documents.get(request.url)),
  );
};

export const addSalesRoutes = (app: FastifyInstance, pool: pg.Pool): void => {
  const rows: Rows = async (statement, values) =>
    (await pool.query<Record<string, unknown>>({ ...statement, values: [...values], types })).rows;
  const answer = (reply: FastifyReply, query: SalesRequest['Querystring'], content: unknown, total?: unknown) =>
    reply.send({ ...pageOf(query), ...(total !== undefined && { total }), content });
  const page = ({ filterExpr, ...query }: SalesRequest['Querystring']) => {
    const { page: number, pageSize } = pageOf(query);
    return rows(pageStatement, ['DE', lastNumber(filterExpr), pageSize, number * pageSize]);
  };

  app.get<SalesRequest>(`${path}/records/SALE/query`, async ({ query }, reply) =>
    query['filterExpr'] === undefined
      ? answer(
          reply,
          query,
          await rows(wideStatement, [pageOf(query).pageSize, pageOf(query).page * pageOf(query).pageSize]),
        )
      : answer(reply, query, await page(query)),
  );
  app.get<SalesRequest>(`${countingFloorPrefix}${path}/records/SALE/query`, async ({ query }, reply) => {
    const [content, [counted]] = await Promise.all([
      page(query),
      rows(countStatement, ['DE', lastNumber(query['filterExpr'])]),
    ]);
    return answer(reply, query, content, counted?.['total']);
  });
  const entries = '/intelligence/api/odata/bench.sales-km.svc/SALE_entries';
  app.get<SalesRequest>(entries, async ({ query, headers, host }, reply) => {
    const context = `http://${host}/intelligence/api/odata/bench.sales-km.svc/$metadata#SALE_entries`;
    if (query['$filter'] !== undefined) {
      const value = await rows(entriesStatement, ['DE', lastNumber(query['$filter']), Number(query['$top'])]);
      return reply.send({ '@odata.context': context, value });
    }
    const size = lastNumber(String(headers['prefer']));
    const found = await rows(pullStatement, [query['$skiptoken'] ?? '0', size + 1]);
    const value = found.slice(0, size);
    const next = found.length > size && `http://${host}${entries}?$skiptoken=${String(value.at(-1)?.['ID'])}`;
    return reply.send({ '@odata.context': context, value, ...(next && { '@odata.nextLink': next }) });
  });
  app.get<SalesRequest>(`${path}/query`, async ({ query }, reply) => {
    const values = textsIn(query['filterExpr']);
    if (values.length > 0)
      return answer(reply, query, await rows(kpisOfPlantsStatement, [values.slice(0, -1), values.at(-1)]));
    const statement = kpiStatements[query['fields'] ?? ''];
    if (!statement) return reply.code(404).send({ message: 'There is no SQL for these fields.' });
    return answer(reply, query, await rows(statement, [lastNumber(query['filterExpr'])]));
  });
};
