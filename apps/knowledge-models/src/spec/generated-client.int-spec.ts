/** A client that a generator makes of a specification, against the handlers behind a small HTTP server. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateModelSpec } from '@tessera/contracts/knowledge-models';
import { toErrorDto, toHttpStatus } from '@tessera/failures';
import { callGeneratedClient, type ClientAnswer, type ClientCall, type GeneratedClientRun } from '@tessera/testing';
import { CallerModels } from '../catalog/caller-models.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { companyModel, companyTables } from '../testing/company.js';
import { readJsonAnswer, readBodyText, callerContextOf, openFixture, type Fixture } from '../testing/fixture.js';
import { GenerateSpecHandler } from './generate-spec.handler.js';

const asker = { team: 'meridian' };
const folder = mkdtempSync(join(tmpdir(), 'generated-client-'));

let fixture: Fixture;
let queryClient: QueryClient;
let server: Server;
let specification: string;
const seen: string[] = [];

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish('meridian', companyModel);
  await fixture.load('meridian', ...companyTables);
  queryClient = openQueryClient(fixture);
  server = createServer((request, response) => {
    answer(request).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const publicUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const handler = new GenerateSpecHandler(new CallerModels(fixture.catalogs));
  const request = generateModelSpec.request.parse({ km_id: 'p2p.base-km' });
  const document = await readJsonAnswer(handler.generate(request, { ...callerContextOf('meridian'), publicUrl }));
  specification = join(folder, 'specification.json');
  writeFileSync(specification, JSON.stringify(document));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  server?.close();
  await fixture?.end();
});

/** As the gateway reads a query: lists with commas, but for the one that is repeated. */
const parametersOf = (query: URLSearchParams): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const value = query.get(name) ?? '';
      if (name === 'filterExpr') return [name, query.getAll(name)];
      if (['fields', 'kpis', 'filters', 'options'].includes(name)) return [name, value.split(',')];
      return [name, ['page', 'pageSize', 'searchPrecision'].includes(name) ? Number(value) : value];
    }),
  );

const answer = async (request: IncomingMessage) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const { method, headers } = request;
  const credential = headers.authorization ?? `AppKey ${String(headers['appkey'])}`;
  seen.push(`${credential} ${method} ${request.url}`);
  const [, record] = /\/records\/(\w+)\/query$/.exec(pathname) ?? [];
  const result =
    method === 'GET'
      ? await queryClient.query(asker, 'p2p.base-km', record, parametersOf(searchParams))
      : await queryClient.postQuery(asker, 'p2p.base-km', record, JSON.parse(await text(request)).projection);
  if (result.ok) return { status: 200, type: result.value.contentType, body: await readBodyText(result.value) };
  const body = JSON.stringify(toErrorDto(result.failure));
  return { status: toHttpStatus(result.failure), type: 'application/problem+json', body };
};

const run = (
  credential: GeneratedClientRun['credential'],
  ...calls: readonly ClientCall[]
): Promise<readonly ClientAnswer[]> =>
  callGeneratedClient({ specification, folder: join(folder, credential.header), credential, calls });

describe('a client that is generated from a specification', () => {
  it('reads rows and KPIs, by parameters and by body', async () => {
    const [rows, posted, kpis] = await run(
      { header: 'Authorization', value: 'a-token' },
      {
        operation: 'queryPoItem',
        options: {
          query: {
            fields: ['ORDER_NO', 'AMOUNT', 'BOOKED'],
            sort: ['-AMOUNT'],
            filters: ['GERMAN'],
            filterExpr: ["CITY in ('Bonn', 'Roma')", 'AMOUNT gt 1'],
            pageSize: 1,
          },
        },
      },
      {
        operation: 'postQueryPoItem',
        options: {
          body: {
            projection: {
              fields: 'CITY',
              sort: '+CITY',
              options: ['distinct'],
              filters: { kmFilterNames: ['GERMAN'], filterExpr: ['AMOUNT gt 1'] },
            },
          },
        },
      },
      {
        operation: 'queryModel',
        options: { query: { fields: ['PURCHASE_ORDER.COUNTRY'], kpis: ['ORDER_VALUE'], sort: ['-ORDER_VALUE'] } },
      },
    );
    expect(rows).toMatchObject({
      status: 200,
      data: {
        total: 2,
        sort: ['-AMOUNT'],
        content: [{ ORDER_NO: 'A', AMOUNT: 120.5, BOOKED: '2026-01-31T07:30:00Z' }],
      },
    });
    expect(posted).toMatchObject({ status: 200, data: { content: [{ CITY: 'Bonn' }] } });
    expect(kpis).toMatchObject({
      status: 200,
      data: {
        content: [
          { 'PURCHASE_ORDER.COUNTRY': 'DE', ORDER_VALUE: 220 },
          { 'PURCHASE_ORDER.COUNTRY': 'IT', ORDER_VALUE: 0.5 },
        ],
      },
    });
    expect(seen.map((line) => line.split('?')[0])).toEqual([
      'Bearer a-token GET /intelligence/api/knowledge-models/p2p.base-km/records/PO_ITEM/query',
      'Bearer a-token POST /intelligence/api/knowledge-models/p2p.base-km/records/PO_ITEM/query',
      'Bearer a-token GET /intelligence/api/knowledge-models/p2p.base-km/query',
    ]);
  });

  it('sends the key in its header, and receives faults', async () => {
    seen.length = 0;
    const [refused] = await run(
      { header: 'AppKey', value: 'a-key' },
      { operation: 'queryPoItem', options: { query: { fields: ['AMUONT'] } } },
    );
    expect(refused).toMatchObject({
      status: 400,
      error: {
        errorCode: 'KM_FIELD_NOTFOUND',
        detail: 'There is no field AMUONT in PO_ITEM. Did you mean AMOUNT?',
      },
    });
    expect(seen[0]).toMatch(/^AppKey a-key GET /);
  });
});
