import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestOf } from '@tessera/contracts';
import { deleteElement, FindContentResult, type findContent } from '@tessera/contracts/content-repo';
import pg from 'pg';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { companyContent, companyDefinition, companyElements } from '../testing/company.js';
import { createPoolReader } from '../database/tenant-reader.js';
import { FindContentHandler } from './find-content.handler.js';
import { readResponsibleRows } from './find.repository.js';
import { foldText } from './fold-text.js';
import {
  readJsonReply,
  createReaderContext,
  openTestService,
  testPublicUrl,
  readFailure,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

type Arguments = Partial<RequestOf<typeof findContent>['arguments']>;

const typed = {
  ...companyDefinition,
  types: companyDefinition.types.map((type) =>
    type.name === 'area'
      ? { ...type, attributes: [...(type.attributes ?? []), { name: 'about', localised: true }] }
      : type,
  ),
};
const area = (id: string, name: Readonly<Record<number, string>>, about?: Readonly<Record<number, string>>) => ({
  id,
  type: 'area',
  attributes: { name, ...(about && { about }) },
});

const found = [
  area('invoice', { 1033: 'Invoice', 1031: 'Rechnung' }),
  area('invoice-approval', { 1033: 'Invoice approval', 1031: 'Rechnungsprüfung' }),
  area('approve-invoice', { 1033: 'Approve an invoice', 1031: 'Rechnung freigeben' }),
  area('preinvoices', { 1033: 'Preinvoices' }),
  area('supplier', { 1033: 'Supplier', 1031: 'Größe über Maß' }, { 1033: 'Who sends each invoice', 1031: 'Kreditor' }),
  area('twin-b', { 1033: 'Twin of another' }),
  area('twin-a', { 1033: 'Twin of another' }),
  area('quoted', { 1033: 'He said "50%_off\\now"' }),
];

const withRoles = {
  ...companyDefinition,
  types: [
    ...companyDefinition.types,
    ...['post', 'controlEvent'].map((name) => ({
      ...{ name, facet: 'users', displayNames: { 1033: name } },
      attributes: [{ name: 'name', localised: true }],
    })),
  ],
  relations: [
    ...(companyDefinition.relations ?? []),
    { name: 'fills', from: ['user'], to: ['post'] },
    { name: 'executes', from: ['post'], to: ['process'] },
    { name: 'checks', from: ['controlEvent'], to: ['process'] },
  ],
};
const everyPost = Array.from({ length: 30 }, (_, at) => `Post ${String(at).padStart(2, '0')}`);
const roleElements = [
  { id: 'audit', type: 'controlEvent', attributes: { name: { 1033: 'Audit' } }, relations: { checks: ['order'] } },
  ...everyPost.map((name) => ({
    ...{ id: name.replace(' ', '-'), type: 'post', attributes: { name: { 1033: name } } },
    relations: { executes: name === 'Post 00' ? ['order', 'receive'] : ['order'] },
  })),
];

let service: TestService;
let handler: FindContentHandler;
beforeAll(async () => {
  service = await openTestService([
    companyContent,
    { team: 'finders', definition: typed, elements: [...companyElements, ...found] },
    { team: 'roles', definition: withRoles, elements: [...companyElements, ...roleElements] },
    { team: 'northgate', definition: typed, elements: [area('secret', { 1033: 'Secret invoice' })] },
  ]);
  handler = service.get(FindContentHandler);
});
afterAll(() => service.end());

const ask = (query: string, more: Arguments = {}, team = 'finders') =>
  handler.find({ ...testStorageNames, arguments: { query, limit: 20, ...more } }, createReaderContext(team));
const names = async (query: string, more?: Arguments, team?: string): Promise<readonly string[]> =>
  FindContentResult.parse(await readJsonReply(ask(query, more, team))).elements.map(({ name }) => name);

describe('find-content', () => {
  it('ranks exact names first, then prefixes, words, parts of words, and other texts', async () => {
    expect(await names('invoice')).toEqual([
      'Invoice',
      'Invoice approval',
      'Approve an invoice',
      'Preinvoices',
      'Supplier',
    ]);
  });

  it.each([
    ['invioce', 'Invoice'],
    ['aprove an invoise', 'Approve an invoice'],
    ['approvl of invoices', 'Invoice approval'],
    ['how do I approve an invoice', 'Approve an invoice'],
    ['Rechnugn freigeben', 'Rechnung freigeben'],
    ['rechnungsprufung', 'Rechnungsprüfung'],
    ['RECHNUNGSPRUEFUNG', 'Rechnungsprüfung'],
    ['größe', 'Größe über Maß'],
    ['groesse ueber mass', 'Größe über Maß'],
    ['Einkauff', 'Einkauf'],
  ])('for the query %j finds the element %j', async (query, name) => {
    const found = await names(query);
    const german = await names(query, { culture: 1031 });
    expect([found[0], german[0]]).toContain(name);
  });

  it('returns elements in the format of other reads, with working addresses', async () => {
    const [order] = FindContentResult.parse(await readJsonReply(ask('order goods'))).elements;
    expect(order).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      versionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Order goods',
      type: 'process',
      state: 'released',
      facetName: 'processes',
      expandUri: `${testPublicUrl}/Meridian/p2p/_api/rest/facets/processes/reporting/${order?.id}`,
      responsible: expect.arrayContaining([{ relation: expect.any(String), name: 'Ann', type: 'user' }]),
    });
    const [ann] = FindContentResult.parse(await readJsonReply(ask('ann'))).elements;
    expect(ann).toMatchObject({ name: 'Ann', facetName: 'users', type: 'user' });
    expect(ann).not.toHaveProperty('versionId');
  });

  it('tells who is responsible by what the definition says of types, at most twenty of an element', async () => {
    const find = async (query: string) =>
      FindContentResult.parse(await readJsonReply(ask(query, {}, 'roles'))).elements.find(({ name }) => name === query);
    const receive = await find('Receive');
    expect(receive?.responsible).toEqual([{ relation: 'executes', name: 'Post 00', type: 'post' }]);
    const { responsible = [] } = (await find('Order goods')) ?? {};
    expect(responsible).toHaveLength(20);
    expect(new Set(responsible.map(({ type }) => type))).toEqual(new Set(['post']));
    expect((await find('Post 01'))?.responsible).toBeUndefined();
  });

  it('reads no more of them than it tells', async () => {
    const reader = createPoolReader(service.pools.light, 'roles');
    const [row] = await service.rows(
      `select r.storage_id, r.version_id from content_repo.rendition r
      join content_repo.element_version v using (tenant, storage_id, version_id)
      where tenant = 'roles' and r.tree_path is not null and v.attributes -> 'name' ->> '1033' = 'Order goods'`,
    );
    const [storageId, versionId] = [String(row?.storage_id), String(row?.version_id)];
    const asked = { versionIds: [versionId], ledTo: [versionId], leading: ['executes'], types: ['post', 'user'] };
    expect(await readResponsibleRows(reader, storageId, { ...asked, rowsMax: 20 })).toHaveLength(20);
    expect(await readResponsibleRows(reader, storageId, { ...asked, rowsMax: 100 })).toHaveLength(31);
    expect(await readResponsibleRows(reader, storageId, { ...asked, ledTo: [], rowsMax: 20 })).toHaveLength(1);
  });

  it('returns the released version, not its draft', async () => {
    expect(await names('better')).toEqual([]);
    expect(await names('Order v1')).not.toContain('Order v1');
    expect(await names('sign')).toContain('Sign');
  });

  it('searches names and texts of the requested culture only', async () => {
    expect((await names('rechnung', { culture: 1031 }))[0]).toBe('Rechnung');
    expect(await names('rechnung', { culture: 1033 })).toEqual([]);
    expect((await names('rechnung'))[0]).toBe('Invoice');
    expect(await names('kreditor', { culture: 1031 })).toEqual(['Größe über Maß']);
    expect(await names('kreditor', { culture: 1033 })).toEqual([]);
    expect(await names('ann', { culture: 1031 })).toEqual(['Ann']);
    expect((await names('preinvoices'))[0]).toBe('Preinvoices');
  });

  it('finds elements by misspelt words in texts other than names', async () => {
    expect(await names('kreditorr')).toEqual(['Supplier']);
  });

  it('does not search non-text or system attributes', async () => {
    expect(await names('guide.example')).toEqual([]);
    expect(await names('2026-05-07T08:30:00')).toEqual([]);
    expect(await names('reporting')).toEqual([]);
    expect(await names('released')).toEqual([]);
  });

  it('searches one facet given in any letter case, and suggests the nearest name for an unknown one', async () => {
    expect(await names('ann', { facet: 'USERS' })).toEqual(['Ann']);
    expect(await names('ann', { facet: 'processes' })).not.toContain('Ann');
    expect(await readFailure(ask('ann', { facet: 'user' }))).toMatchObject({
      code: 'TOOL_ARGUMENTS_INVALID',
      faults: [
        { path: 'facet', rule: 'enum', message: 'unknown facet "user"; did you mean "users"?', suggestion: 'users' },
      ],
    });
    expect(await readFailure(ask('ann', { facet: 'zzzzzzzz' }))).toMatchObject({
      faults: [{ message: 'unknown facet "zzzzzzzz"; expected one of processes, users, empty' }],
    });
  });

  it('limits the results and orders equal ones consistently', async () => {
    expect(await names('invoice', { limit: 2 })).toEqual(['Invoice', 'Invoice approval']);
    const twins = async () =>
      (await readJsonReply(ask('twin of another'))).elements.map(({ id }: { id: string }) => id);
    const first = await twins();
    expect(first).toEqual([...first].sort());
    expect(first).toHaveLength(2);
    expect(await twins()).toEqual(first);
  });

  it('treats wildcard characters literally', async () => {
    expect(await names('He said "50%_off\\now"')).toEqual(['He said "50%_off\\now"']);
    expect((await names('he said "50%_'))[0]).toBe('He said "50%_off\\now"');
    expect((await names('100%_sure'))[0]).toBe('Approve 100%_sure');
    for (const query of ['%', '_', "'", '\\', '"', '%%%%', '_____', '": "', '{', '(((', '*', '\u{1F600}', ' \t '])
      expect(await names(query)).toEqual([]);
    for (const query of ["'; drop table content_repo.element; --", 'x'.repeat(500)])
      expect(await names(query)).toEqual([]);
    expect(Array.isArray(await names('invoice '.repeat(62)))).toBe(true);
  });

  it('finds words by their first two letters', async () => {
    expect((await names('an'))[0]).toBe('Ann');
    expect(await names('an')).toContain('Approve an invoice');
  });

  it('does not find deleted elements', async () => {
    const { elements } = FindContentResult.parse(await readJsonReply(ask('preinvoices')));
    expect(elements.map(({ name }) => name)).toEqual(['Preinvoices']);
    const where = { ...testStorageNames, facetId: 'processes', viewId: 'detail', elementId: elements[0]?.id };
    await readJsonReply(
      service.get(DeleteElementHandler).delete(deleteElement.request.parse(where), createWriterContext('finders')),
    );
    expect(await names('preinvoices')).not.toContain('Preinvoices');
  });

  it("finds only elements of the caller's team", async () => {
    expect(await names('secret invoice')).not.toContain('Secret invoice');
    expect(await names('secret invoice', {}, 'northgate')).toEqual(['Secret invoice']);
    expect(await names('invoice', {}, 'meridian')).toEqual([]);
    expect(await readFailure(ask('invoice', {}, 'strangers'))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });

  it('scans indexes only for the tenant of the transaction', async () => {
    const connection = new pg.Client({ connectionString: service.serviceUrl });
    await connection.connect();
    const foreign = `select count(*)::integer as count from content_repo.renditions_with_names_containing(
      (select storage_id from content_repo.storage), array['%invoice%'], null, 100)`;
    const countAs = async (team: string, tenant: string) => {
      await connection.query(`begin`);
      await connection.query(`select set_config('app.tenant', $1, true)`, [team]);
      const { rows } = await connection.query<{ storage_id: string }>('select storage_id from content_repo.storage');
      await connection.query(`select set_config('app.tenant', $1, true)`, [tenant]);
      const counted = await connection.query<{ count: number }>(
        foreign.replace('(select storage_id from content_repo.storage)', '$1::uuid'),
        [rows[0]?.storage_id],
      );
      await connection.query('rollback');
      return counted.rows[0]?.count;
    };
    expect(await countAs('northgate', 'northgate')).toBe(1);
    expect(await countAs('northgate', 'finders')).toBe(0);
    expect(await countAs('northgate', '')).toBe(0);
    await connection.end();
  });
});

describe('text folding', () => {
  it('is the same in the service and in the database', async () => {
    const texts = [
      'Straße ÄÖÜ äöüß',
      'u\u0308ber A\u030Angstro\u0308m',
      'Łódź Žižkov Ñandú',
      'ΑΒΓ Привет 漢字',
      'a%_\\"\'',
      '',
    ];
    for (const text of texts) {
      const rows = await service.rows('select content_repo.folded($1) as folded', [text]);
      expect(foldText(text)).toBe(rows[0]?.folded);
    }
  });
});
