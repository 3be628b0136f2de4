/** Files that are applied to what was written over the API, on a real PostgreSQL. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { elementIdOf } from '@tessera/content-model';
import { StorageDefinition, type ElementDocument } from '@tessera/contracts';
import { writeElements } from '@tessera/contracts/content-repo';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { CreateVersionHandler } from '../release/create-version.handler.js';
import { PerformTransitionHandler } from '../release/perform-transition.handler.js';
import { companyContent } from '../testing/company.js';
import { openImportClient, type ImportClient } from '../testing/import-client.js';
import { WriteElementsHandler } from '../writing/write-elements.handler.js';
import {
  readJsonReply,
  type Json,
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

let service: TestService;
let importing: ImportClient;
beforeEach(async () => {
  service = await openTestService([]);
  importing = openImportClient(service, 'meridian', definition);
  await importing.applied(files);
});
afterEach(() => service.end());

const definition = StorageDefinition.parse(companyContent.definition);
const files: readonly ElementDocument[] = companyContent.elements;
const unchanged = { created: 0, changed: 0, unchanged: files.length, versions: 0 };
const context = createWriterContext('meridian');
const idOf = (key: string) => elementIdOf({ collection: 'Meridian', id: 'p2p' }, key);

const filesWith = (key: string, edit: (element: Json) => object): readonly ElementDocument[] =>
  files.map((element) => (element.id === key ? { ...element, ...edit(structuredClone(element)) } : element));
const renamed = (key: string, name: string) => filesWith(key, () => ({ attributes: { name: { 1033: name } } }));

const createVersion = (elementId: string) =>
  readJsonReply(
    service.get(CreateVersionHandler).create({ ...testStorageNames, elementId, apiVersion: '4.0' }, context),
  );
const perform = (elementId: string, transitionId: string) =>
  readJsonReply(
    service
      .get(PerformTransitionHandler)
      .perform({ ...testStorageNames, elementId, transitionId, ignoreWarnings: true, apiVersion: '4.0' }, context),
  );
const write = (elements: readonly object[]) =>
  readJsonReply(
    service.get(WriteElementsHandler).write(
      writeElements.request.parse({
        ...testStorageNames,
        facetId: 'processes',
        viewId: 'detail',
        batch: { elements },
      }),
      context,
    ),
  );
const remove = (key: string, elementId = idOf(key), facetId = 'processes') =>
  readJsonReply(
    service
      .get(DeleteElementHandler)
      .delete({ ...testStorageNames, facetId, viewId: 'detail', elementId, apiVersion: '2.0' }, context),
  );

const stored = () =>
  service.rows(
    `select 'element' as what, element_id::text as id, xmin::text, to_jsonb(e) as row from content_repo.element e
     union all select 'version', version_id::text, xmin::text, to_jsonb(v) from content_repo.element_version v
     union all select 'rendition', version_id::text, xmin::text, to_jsonb(r) from content_repo.rendition r
     union all select 'relation', concat_ws(' ', owner_id, relation, position), xmin::text, to_jsonb(l) from content_repo.relation l
     union all select 'content', content_id::text, xmin::text, to_jsonb(c) from content_repo.content_element c
     order by 1, 2`,
  );
const versionsOf = (key: string) =>
  service.rows(
    `select major || '.' || minor as number, state, version_id::text as id, changed_at, revision from content_repo.element_version
     where element_id = $1 order by major, minor`,
    [idOf(key)],
  );
const bin = () =>
  service.rows(
    `select element_id::text as element, document #>> '{version,state}' as state from content_repo.deleted_version`,
  );
const faultsOf = async (elements: readonly ElementDocument[]) =>
  (await readFailure(importing.apply(elements)))?.faults?.map(({ path, message, rule }) => [path, rule, message]);

describe('unchanged files', () => {
  it('keep changes and deletions made over the API', async () => {
    await perform(idOf('sign'), 'InProcessToInReview');
    await remove('top');
    await remove('ann', idOf('ann'), 'users');
    const before = await stored();
    expect(await importing.applied(files)).toEqual(unchanged);
    expect(await stored()).toEqual(before);
    expect(await importing.exported()).not.toContain('"top"');
  });

  it('keep moves made over the API', async () => {
    await write([{ id: idOf('approve'), parentId: 'paying' }]);
    const before = await stored();
    expect(await importing.applied(files)).toEqual(unchanged);
    expect(await stored()).toEqual(before);
  });

  it('publish no change event', async () => {
    await remove('top');
    await importing.applied(files);
    expect(await service.rows('select operation from content_repo.change order by sequence')).toEqual([
      { operation: 'content.imports.commit' },
      { operation: 'content.elements.delete' },
    ]);
  });
});

describe('changed files', () => {
  const draftOf = (edit: (draft: Json) => object) =>
    filesWith('order', ({ versions: [expired, released, draft] }) => ({
      versions: [expired, released, { ...draft, ...edit(draft) }],
    }));

  it('replace only the versions that differ', async () => {
    const before = await stored();
    const changed = draftOf(() => ({ attributes: { name: { 1033: 'Order goods, best' } } }));
    expect(await importing.applied(changed)).toEqual({
      created: 0,
      changed: 1,
      unchanged: files.length - 1,
      versions: 1,
    });
    const after = await stored();
    const differing = after.filter((row, index) => row['xmin'] !== before[index]?.['xmin']);
    const [draft] = (await versionsOf('order')).slice(-1);
    expect(differing.map(({ what, id }) => [what, id])).toEqual([
      ['element', idOf('order')],
      ['rendition', draft?.['id']],
      ['version', draft?.['id']],
    ]);
    expect(await importing.applied(changed)).toEqual(unchanged);
  });

  it('re-render versions that show the release history, without writing them', async () => {
    const before = await versionsOf('order');
    const released = draftOf(() => ({ version: '3.0', state: 'released' }));
    const [, , draft] = released.find(({ id }) => id === 'order')?.versions ?? [];
    expect(draft?.state).toBe('released');
    const expired = released.map((element) =>
      element.id === 'order'
        ? {
            ...element,
            versions: element.versions?.map((each) => ({ ...each, state: each === draft ? 'released' : 'expired' })),
          }
        : element,
    );
    expect(await importing.applied(expired)).toMatchObject({ changed: 1, versions: 2 });
    const after = await versionsOf('order');
    expect(after[0]).toEqual(before[0]);
    expect(after.map(({ number, state }) => [number, state])).toEqual([
      ['1.0', 'expired'],
      ['2.0', 'expired'],
      ['3.0', 'released'],
    ]);
    const renditions = await service.rows(
      `select related from content_repo.rendition where element_id = $1 order by major`,
      [idOf('order')],
    );
    for (const { related } of renditions) expect(String(related).match(/"state":/g)).toHaveLength(3);
  });

  it('move an element without writing its versions', async () => {
    const [before] = await versionsOf('sign');
    expect(await importing.applied(filesWith('sign', () => ({ parent: 'buying' })))).toMatchObject({
      changed: 1,
      versions: 0,
    });
    expect(await versionsOf('sign')).toEqual([before]);
    const [row] = await service.rows(
      `select parent_id::text as parent from content_repo.rendition where element_id = $1`,
      [idOf('sign')],
    );
    expect(row).toEqual({ parent: idOf('buying') });
  });

  it('count as applied when they equal the stored elements, whose identifiers are kept', async () => {
    await perform(idOf('sign'), 'InProcessToInReview');
    await createVersion((await released('order')).id);
    await remove('top');
    const before = await stored();
    const exported = (await importing.exported())
      .trimEnd()
      .split('\n')
      .map((line): ElementDocument => JSON.parse(line));
    expect(await importing.applied(exported)).toMatchObject({ created: 0, changed: 0, unchanged: files.length - 1 });
    const after = await stored();
    const versions = (rows: typeof before) => rows.filter(({ what }) => what !== 'element');
    expect(versions(after)).toEqual(versions(before));
    const edited = exported.map((element) => (element.id === 'sign' ? { ...element, stereotype: 'core' } : element));
    expect(await importing.applied(edited)).toMatchObject({ changed: 1, versions: 0 });
    const contentOf = () => service.rows('select content_id, creation_id from content_repo.content_element order by 1');
    const content = await contentOf();
    const again = edited.map((element) =>
      element.id === 'order'
        ? { ...element, versions: element.versions?.map((version) => ({ ...version, attributes: { note: 'x' } })) }
        : element,
    );
    expect(await importing.applied(again)).toMatchObject({ changed: 1, versions: 3 });
    expect(await contentOf()).toEqual(content);
    await importing.applied(edited);
    expect(await importing.exported()).toBe(edited.map((element) => `${JSON.stringify(sorted(element))}\n`).join(''));
  });

  /** The draft of the files goes first. */
  const released = async (key: string): Promise<{ readonly id: string }> => {
    const draft = (await versionsOf(key)).at(-1);
    await remove(key, String(draft?.['id']));
    return { id: idOf(key) };
  };
  const sorted = ({ id, type, stereotype, ...rest }: ElementDocument) => ({
    id,
    type,
    ...(stereotype && { stereotype }),
    ...rest,
  });
});

describe('changes of the same element in files and over the API', () => {
  it('are reported as a conflict naming the caller, and nothing is stored', async () => {
    await perform(idOf('sign'), 'InProcessToInReview');
    await remove('top');
    const before = await stored();
    const both = renamed('sign', 'Sign now').map((element) =>
      element.id === 'top' ? { ...element, attributes: { name: { 1033: 'Higher' } } } : element,
    );
    const text = expect.stringMatching(
      /^"sign" was changed over the API by ann at 2\S+Z, after .*; export it first, or apply with --overwrite$/,
    );
    expect(await faultsOf([...both, { id: 'new', type: 'area' }])).toEqual([
      ['3.id', 'changed', text],
      [
        '7.id',
        'changed',
        expect.stringMatching(/^"top" was deleted over the API by ann at .* apply with --overwrite to bring it back$/),
      ],
    ]);
    expect(await stored()).toEqual(before);
  });

  it('conflict for an element created over the API until the file is equal to it', async () => {
    await write([{ key: 'fresh', type: 'area', attributes: { name: { 1033: 'Fresh' } } }]);
    const fresh = { id: 'fresh', type: 'area', attributes: { name: { 1033: 'Fresher' } } };
    expect(await faultsOf([...files, fresh])).toEqual([
      ['10.id', 'changed', expect.stringContaining('"fresh" was made over the API by ann')],
    ]);
    const [made] = (await importing.exported()).split('\n').filter((line) => line.includes('"fresh"'));
    const said: ElementDocument = JSON.parse(String(made));
    expect(await importing.applied([...files, said])).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: files.length + 1,
    });
    expect(await importing.applied([...files, fresh])).toMatchObject({ changed: 1, unchanged: files.length });
  });

  it('are resolved in favour of the files with "overwrite", and elements missing from the files go to the bin', async () => {
    await perform(String((await versionsOf('order')).at(-1)?.['id']), 'InProcessToReleased');
    await createVersion(idOf('order'));
    await remove('top');
    const overwritten = filesWith('order', () => ({ stereotype: 'other' })).map((element) =>
      element.id === 'top' ? { ...element, attributes: { name: { 1033: 'Higher' } } } : element,
    );
    expect(await faultsOf(overwritten)).toHaveLength(2);
    expect(await importing.applied(overwritten, { overwrite: true })).toMatchObject({ created: 0, changed: 2 });
    expect((await versionsOf('order')).map(({ number, state }) => [number, state])).toEqual([
      ['1.0', 'expired'],
      ['2.0', 'released'],
      ['2.1', 'inProcess'],
    ]);
    expect(await bin()).toEqual([{ element: idOf('order'), state: 'inProcess' }]);
    expect(await importing.applied(overwritten)).toEqual(unchanged);
    const entries = await service.rows(
      `select action, detail from content_repo.change_entry
       where sequence = (select max(sequence) from content_repo.change) order by ordinal`,
    );
    expect(entries).toMatchObject([
      { action: 'imported', detail: { changed: 2 } },
      { action: 'deleted', detail: { version: '3.1', state: 'inProcess' } },
    ]);
    expect(await importing.exported()).toContain('"Higher"');
  });

  it('keep the identifier of a version that the API released under another number', async () => {
    const before = (await versionsOf('order')).at(-1);
    await perform(String(before?.['id']), 'InProcessToReleased');
    const changed = filesWith('order', ({ versions }) => ({
      versions: [...versions, { version: '3.0', state: 'expired', attributes: { name: { 1033: 'Order v3' } } }],
    }));
    await importing.applied(changed, { overwrite: true });
    const after = await versionsOf('order');
    expect(after.map(({ number }) => number)).toEqual(['1.0', '2.0', '2.1', '3.0']);
    expect(after.find(({ number }) => number === '3.0')?.['id']).toBe(before?.['id']);
    expect(new Set(after.map(({ id }) => id)).size).toBe(4);
    expect(await importing.applied(changed)).toEqual(unchanged);
  });
});

describe('files that reference elements deleted over the API', () => {
  it('are rejected with a fault at the reference or parent', async () => {
    await remove('sign');
    await remove('approve');
    await remove('ann', idOf('ann'), 'users');
    const changed = filesWith('receive', () => ({ parent: 'approve' })).map((element) =>
      element.id === 'pay' ? { ...element, relations: { owner: ['ann'] } } : element,
    );
    expect(await faultsOf(changed)).toEqual([
      ['4.parent', 'deleted', 'the element "approve" was deleted; restore it first'],
      ['6.relations.owner.0', 'deleted', 'the element "ann" was deleted; restore it first'],
    ]);
  });
});
