/** Imports on a real PostgreSQL, through the handlers as the gateway calls them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StorageDefinition, type ByteReply, type ElementDocument } from '@tessera/contracts';
import type { ImportStatus } from '@tessera/contracts/content-repo';
import { succeed, type Result } from '@tessera/failures';
import { type OperationContext } from '@tessera/messaging';
import { runInTenantTransaction } from '@tessera/persistence';
import { companyContent } from '../testing/company.js';
import { ExportHandler } from '../export/export.handler.js';
import { ImportHandler } from './import.handler.js';
import { ImportCommits } from './import-commits.js';
import { createAdminContext, openTestService, type TestService, noopEventPublishing } from '../testing/open-service.js';

let service: TestService;
let handler: ImportHandler;
let exports: ExportHandler;

beforeAll(async () => {
  service = await openTestService([]);
  handler = new ImportHandler(
    service.pools,
    service.source,
    new ImportCommits(service.pools, service.source, noopEventPublishing),
  );
  exports = service.get(ExportHandler);
});

afterAll(() => service?.end());

const context = createAdminContext('operators');

const definition = StorageDefinition.parse(companyContent.definition);
const place = (team: string) => ({ team, collection: 'Meridian', storage: 'p2p' });
const names = { area: (id: string, more: Partial<ElementDocument> = {}) => ({ id, type: 'area', ...more }) };

const valueOf = <T>(result: Result<T>): T => {
  if (!result.ok)
    throw new Error(`${result.failure.code}: ${JSON.stringify(result.failure.faults ?? result.failure.detail)}`);
  return result.value;
};

/** The JSON of what was answered. */
const parseReply = <T>(result: Result<ByteReply>): Result<T> => {
  if (!result.ok) return result;
  if (!(result.value.body instanceof Uint8Array)) throw new Error('The answer comes in pieces.');
  return succeed<T>(JSON.parse(Buffer.from(result.value.body).toString()));
};

const beginImport = async (team: string, defined = definition): Promise<string> =>
  valueOf(
    parseReply<{ importId: string }>(await handler.begin({ ...place(team), begin: { definition: defined } }, context)),
  ).importId;

const importAll = async (
  team: string,
  elements: readonly ElementDocument[],
  defined = definition,
): Promise<Result<ImportStatus>> => {
  const key = { ...place(team), importId: await beginImport(team, defined) };
  if (elements.length > 0)
    valueOf(await handler.stage({ ...key, batch: { firstOrdinal: 0, elements: [...elements] } }, context));
  return parseReply(await handler.commit(key, context));
};

const countsOf = (result: Result<ImportStatus>) => {
  const { created, changed, unchanged, versions } = valueOf(result);
  return { created, changed, unchanged, versions };
};

const faultsOf = (result: Result<unknown>): readonly string[] =>
  result.ok
    ? []
    : (result.failure.faults ?? []).map(({ in: origin, path, message }) => `${origin} ${path}: ${message}`);

const query = async <Row extends object>(team: string, text: string): Promise<readonly Row[]> =>
  runInTenantTransaction(service.pools.writes, team, async (client) => (await client.query<Row>(text)).rows);

const treeOf = async (team: string): Promise<readonly string[]> => {
  const rows = await query<{ line: string }>(
    team,
    `select r.tree_path || ' ' || coalesce(e.key, '') as line from content_repo.rendition r
     join content_repo.element e using (tenant, storage_id, element_id) where r.tree_path is not null
     order by r.facet, r.tree_path`,
  );
  return rows.map(({ line }) => line);
};

const exportOf = async (team: string): Promise<readonly ElementDocument[]> => {
  const { body } = valueOf(await exports.elements(place(team), context));
  const pieces: Uint8Array[] = [];
  if (body instanceof Uint8Array) pieces.push(body);
  else for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces)
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line): ElementDocument => JSON.parse(line));
};

type Shown = Readonly<Record<string, unknown>> & {
  readonly related: Readonly<
    Record<string, readonly { readonly id: string; readonly state?: string; readonly expandUri: string }[]>
  >;
  readonly content: readonly { readonly related: Readonly<Record<string, readonly unknown[]>> }[];
};

const shownElement = (text: string): Shown => JSON.parse(text.replaceAll('\u0001', 'https://x'));

const everything = companyContent.elements.map((element): ElementDocument => element);

describe('an import', () => {
  it('stores elements with their versions and renders each of them', async () => {
    expect(countsOf(await importAll('first', everything))).toEqual({
      created: 10,
      changed: 0,
      unchanged: 0,
      versions: 12,
    });
    expect(await treeOf('first')).toEqual([
      '00000000 buying',
      '0000000000000000 order',
      '000000000000000000000000 approve',
      '00000000000000000000000000000000 sign',
      '0000000000000001 receive',
      '00000001 paying',
      '0000000100000000 pay',
      '00000002 top',
      '00000000 ann',
      '00000001 bob',
    ]);
    const [row] = await query<{ text: string }>(
      'first',
      `select identity || display_names || attributes || related || content || '}' as text from content_repo.rendition r
       join content_repo.element e using (tenant, storage_id, element_id) where e.key = 'order' and r.tree_path is not null`,
    );
    const element = shownElement(row?.text ?? '');
    expect(Object.keys(element)).toEqual([
      'facetName',
      'id',
      'versionId',
      'creationId',
      'type',
      'state',
      'stereotype',
      'displayNames',
      'attributes',
      'related',
      'content',
    ]);
    expect(element['state']).toBe('released');
    expect(element['attributes']).toMatchObject({
      version: { 127: '2.0' },
      isReleased: { 127: true },
      state1: { 127: 'released' },
      majorVersion: { 127: 2 },
    });
    const [owner] = element.related['owner'] ?? [];
    expect(element.related['releaseHistory']?.map(({ state }) => state)).toEqual(['expired', 'released']);
    expect(owner?.expandUri).toBe(`https://x/Meridian/p2p/_api/rest/facets/users/views/detail/elements/${owner?.id}`);
    expect(element.content[0]?.related['owner']).toHaveLength(1);
  });

  it('writes nothing when the files equal the stored elements', async () => {
    const before = await query('first', 'select xmin, * from content_repo.rendition order by version_id');
    const elements = await query('first', 'select xmin, * from content_repo.element order by element_id');
    expect(countsOf(await importAll('first', everything))).toEqual({
      created: 0,
      changed: 0,
      unchanged: 10,
      versions: 0,
    });
    expect(await query('first', 'select xmin, * from content_repo.rendition order by version_id')).toEqual(before);
    expect(await query('first', 'select xmin, * from content_repo.element order by element_id')).toEqual(elements);
  });

  it('exports the imported elements, so that importing the export changes nothing', async () => {
    const exported = await exportOf('first');
    expect(exported.map(({ id }) => id)).toEqual([
      'buying',
      'order',
      'approve',
      'sign',
      'receive',
      'paying',
      'pay',
      'top',
      'ann',
      'bob',
    ]);
    expect(countsOf(await importAll('first', exported))).toMatchObject({ changed: 0, unchanged: 10 });
    expect(countsOf(await importAll('second', exported))).toMatchObject({ created: 10 });
    expect(await exportOf('second')).toEqual(exported);
  });

  it('changes only what differs and keeps version identifiers', async () => {
    const before = await query<{ version_id: string }>(
      'first',
      `select version_id from content_repo.element_version order by 1`,
    );
    const changed = everything.map((element) =>
      element.id === 'pay' ? { ...element, attributes: { name: { 1033: 'Pay now' } } } : element,
    );
    expect(countsOf(await importAll('first', changed))).toEqual({ created: 0, changed: 1, unchanged: 9, versions: 1 });
    expect(await query('first', `select version_id from content_repo.element_version order by 1`)).toEqual(before);
    const [row] = await query<{ attributes: string }>(
      'first',
      `select r.attributes from content_repo.rendition r
      join content_repo.element e using (tenant, storage_id, element_id) where e.key = 'pay'`,
    );
    expect(row?.attributes).toContain('Pay now');
  });

  it('orders imported elements first, in the order of the files', async () => {
    await importAll('ordered', [names.area('a'), names.area('b'), names.area('c')]);
    await importAll('ordered', [names.area('c'), names.area('d'), names.area('b')]);
    expect(await treeOf('ordered')).toEqual(['00000000 c', '00000001 d', '00000002 b', '00000003 a']);
    await importAll('ordered', [names.area('d'), names.area('c', { parent: 'd' })]);
    expect(await treeOf('ordered')).toEqual(['00000000 d', '0000000000000000 c', '00000001 b', '00000002 a']);
  });

  it('re-renders references when their target changes type or stereotype', async () => {
    await importAll('retyped', [names.area('a', { relations: { uses: ['b'] } }), names.area('b')]);
    const relatedOf = async () => {
      const [row] = await query<{ related: string }>(
        'retyped',
        `select r.related from content_repo.rendition r
        join content_repo.element e using (tenant, storage_id, element_id) where e.key = 'a'`,
      );
      return row?.related;
    };
    await importAll('retyped', [{ id: 'b', type: 'process' }]);
    expect(await relatedOf()).toContain('"type":"process","expandUri"');
    await importAll('retyped', [{ id: 'b', type: 'process', stereotype: 'core' }]);
    expect(await relatedOf()).toContain('"type":"process","stereotype":"core","expandUri"');
    await importAll('retyped', [{ id: 'b', type: 'process' }]);
    expect(await relatedOf()).toContain('"type":"process","expandUri"');
  });
});

describe('an import with faults', () => {
  it('rejects elements that do not fit the definition and stages none of them', async () => {
    const key = { ...place('faulty'), importId: await beginImport('faulty') };
    const elements = [names.area('a'), { id: 'b', type: 'arae' }, names.area('a')];
    const staged = await handler.stage({ ...key, batch: { firstOrdinal: 7, elements } }, context);
    expect(faultsOf(staged)).toEqual([
      'elements 8.type: unknown type "arae"; did you mean "area"?',
      'elements 9.id: the element "a" is given twice',
    ]);
    expect(valueOf(await handler.read(key, context))).toEqual({ importId: key.importId, state: 'staged', staged: 0 });
  });

  it('rejects an element in two batches, and accepts the same batch twice', async () => {
    const key = { ...place('faulty'), importId: await beginImport('faulty') };
    const batch = { firstOrdinal: 0, elements: [names.area('a')] };
    expect(valueOf(parseReply(await handler.stage({ ...key, batch }, context)))).toEqual({ staged: 1 });
    expect(valueOf(parseReply(await handler.stage({ ...key, batch }, context)))).toEqual({ staged: 1 });
    expect(faultsOf(await handler.stage({ ...key, batch: { ...batch, firstOrdinal: 1 } }, context))).toEqual([
      'elements 1.id: the element "a" is given twice',
    ]);
  });

  it('stores nothing and names every unknown target, wrong parent and cycle', async () => {
    await importAll('whole', [names.area('there')]);
    const before = await query('whole', 'select * from content_repo.element');
    const result = await importAll('whole', [
      names.area('a', { relations: { owner: ['nobody'] } }),
      names.area('b', { relations: { owner: ['there'] } }),
      names.area('c', { parent: 'nowhere' }),
      names.area('d', { parent: 'u' }),
      { id: 'u', type: 'user' },
      { id: 's', type: 'step', content: [] },
      names.area('under-step', { parent: 's' }),
      {
        id: 'p',
        type: 'process',
        versions: [{ version: '1.0', content: [{ id: 'x', type: 'symbol', relations: { uses: ['there', 'gone'] } }] }],
      },
    ]);
    expect(faultsOf(result)).toEqual([
      'elements 0.relations.owner.0: there is no element "nobody"',
      'elements 1.relations.owner.0: "there" is of the type "area"; "owner" leads to "user"',
      'elements 2.parent: there is no element "nowhere"',
      'elements 3.parent: "u" belongs to the facet "users", expected one of "processes"',
      'elements 6.parent: elements of the type "area" may not stand under "s", which is of the type "step"',
      'elements 7.versions.0.content.0.relations.uses.1: there is no element "gone"',
    ]);
    expect(await query('whole', 'select * from content_repo.element')).toEqual(before);
    expect(
      faultsOf(await importAll('whole', [names.area('a', { parent: 'b' }), names.area('b', { parent: 'a' })])),
    ).toEqual([
      'elements 0.parent: stands in a circle: following its parents never ends at a root',
      'elements 1.parent: stands in a circle: following its parents never ends at a root',
    ]);
  });

  it('returns the faults again on the next read or commit', async () => {
    const key = { ...place('again'), importId: await beginImport('again') };
    await handler.stage({ ...key, batch: { firstOrdinal: 0, elements: [names.area('a', { parent: 'b' })] } }, context);
    const first = await handler.commit(key, context);
    expect(faultsOf(first)).toEqual(['elements 0.parent: there is no element "b"']);
    expect(await handler.commit(key, context)).toEqual(first);
    expect(valueOf(await handler.read(key, context))).toMatchObject({
      state: 'refused',
      faults: [{ path: '0.parent' }],
    });
  });

  it('rejects a definition with faults or for another address', async () => {
    const [facet, ...facets] = definition.facets;
    if (!facet) throw new Error('The definition has no facet.');
    const renamed = [{ ...facet, name: 'Proceses' }, ...facets];
    const begin = { definition: { ...definition, id: 'other', defaultCulture: 1036, facets: renamed } };
    const faults = faultsOf(await handler.begin({ ...place('faulty'), begin }, context));
    expect(faults.slice(0, 3)).toEqual([
      'definition id: expected "p2p"',
      'definition defaultCulture: 1036 is not one of the cultures',
      'definition facets.0.views.0.types.0: "area" belongs to the facet "processes", expected a type of "Proceses"',
    ]);
    expect(faults).toContain('definition types.0.facet: unknown facet "processes"; did you mean "Proceses"?');
  });
});

describe('an import with a changed definition', () => {
  const withoutType = (type: string) => ({
    ...definition,
    types: definition.types
      .filter(({ name }) => name !== type)
      .map((other) => ({ ...other, childTypes: other.childTypes?.filter((name) => name !== type) })),
    facets: definition.facets.map(({ views: _, ...facet }) => facet),
  });

  it('renders all dependent versions in the same commit', async () => {
    await importAll('renamed', everything);
    const types = definition.types.map((type) =>
      type.name === 'step' ? { ...type, displayNames: { 1033: 'Work step' } } : type,
    );
    expect(countsOf(await importAll('renamed', [], { ...definition, types }))).toEqual({
      created: 0,
      changed: 0,
      unchanged: 0,
      versions: 0,
    });
    const rows = await query<{ display_names: string }>(
      'renamed',
      `select distinct display_names from content_repo.rendition where type = 'step'`,
    );
    expect(rows).toEqual([{ display_names: ',"displayNames":{"1033":"Work step"}' }]);
    const [storage] = await query<{ revision: string }>('renamed', 'select revision from content_repo.storage');
    expect(storage?.revision).toBe('2');
    expect((await treeOf('renamed')).length).toBe(10);
  });

  it('may not remove types and attributes in use', async () => {
    await importAll('losing', everything);
    const lost = withoutType('step');
    const relations = (lost.relations ?? []).filter(({ name }) => name !== 'uses');
    const types = lost.types.map((type) =>
      type.name === 'process' ? { ...type, attributes: type.attributes?.filter(({ name }) => name !== 'cost') } : type,
    );
    expect(faultsOf(await importAll('losing', [], { ...lost, types, relations }))).toEqual([
      'definition types: the type "step" cannot go: 3 elements have it',
      'definition types: the attribute "cost" of "process" cannot go: 5 elements have it',
      'definition relations: the relation "uses" cannot go: 2 elements have it',
    ]);
    expect(countsOf(await importAll('losing', everything))).toMatchObject({ unchanged: 10 });
  });
});

describe('the right to import', () => {
  it('belongs to admins of the team and operators, while others get 404', async () => {
    const asked = { ...place('first'), begin: { definition } };
    const as = (team: string, scopes: OperationContext['caller']['scopes']) => ({
      ...context,
      caller: { team, subject: 'x', scopes },
    });
    expect(await handler.begin(asked, as('other', ['admin']))).toMatchObject({
      ok: false,
      failure: { code: 'CONTENT_NOTFOUND' },
    });
    expect(await handler.begin(asked, as('first', ['content:write']))).toMatchObject({
      ok: false,
      failure: { code: 'CONTENT_NOTFOUND' },
    });
    expect((await handler.begin(asked, as('first', ['admin']))).ok).toBe(true);
    const importId = await beginImport('first');
    const foreign = await handler.commit({ ...place('other'), importId }, as('other', ['admin']));
    expect(foreign).toMatchObject({ ok: false, failure: { code: 'CONTENT_NOTFOUND' } });
    expect(await exports.elements(place('first'), as('other', ['admin']))).toMatchObject({ ok: false });
  });
});

describe('two imports at once', () => {
  it('are committed one after the other', async () => {
    const many = (name: string) =>
      Array.from({ length: 300 }, (_, index) => names.area(`e${index}`, { attributes: { name: { 1033: name } } }));
    const results = await Promise.all([importAll('both', many('left')), importAll('both', many('right'))]);
    const counts = results.map(countsOf).sort((left, right) => Number(right.created) - Number(left.created));
    expect(counts).toEqual([
      { created: 300, changed: 0, unchanged: 0, versions: 300 },
      { created: 0, changed: 300, unchanged: 0, versions: 300 },
    ]);
    const rows = await query<{ attributes: string }>(
      'both',
      `select distinct (v.attributes #>> '{name,1033}') as attributes from content_repo.element_version v`,
    );
    expect(rows).toHaveLength(1);
  });

  it('store the elements once when both commit the same import', async () => {
    const key = { ...place('twice'), importId: await beginImport('twice') };
    await handler.stage({ ...key, batch: { firstOrdinal: 0, elements: [names.area('a')] } }, context);
    const other = new ImportHandler(
      service.pools,
      service.source,
      new ImportCommits(service.pools, service.source, noopEventPublishing),
    );
    const answers = await Promise.all([
      handler.commit(key, context),
      handler.commit(key, context),
      other.commit(key, context),
    ]);
    for (const answer of answers)
      expect(countsOf(parseReply(answer))).toEqual({ created: 1, changed: 0, unchanged: 0, versions: 1 });
    expect(valueOf(await handler.cancel(key, context))).toEqual({ cancelled: false });
  });

  it('can each be cancelled before the commit', async () => {
    const key = { ...place('given-up'), importId: await beginImport('given-up') };
    await handler.stage({ ...key, batch: { firstOrdinal: 0, elements: [names.area('a')] } }, context);
    expect(valueOf(await handler.cancel(key, context))).toEqual({ cancelled: true });
    expect(await handler.commit(key, context)).toMatchObject({ ok: false, failure: { code: 'CONTENT_NOTFOUND' } });
    expect(valueOf(await exports.list({ team: 'given-up' }, context)).storages).toEqual([]);
  });
});
