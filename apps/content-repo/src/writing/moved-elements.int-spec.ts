import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reportFacet } from '@tessera/contracts/content-repo';
import { ReportFacetHandler } from '../reports/report-facet.handler.js';
import { testElementIdOf, openWriteClient, type WriteClient } from '../testing/write-client.js';
import { readJsonReply, createReaderContext, type Json, testStorageNames } from '../testing/open-service.js';

let content: WriteClient;
let report: ReportFacetHandler;
beforeAll(async () => {
  content = await openWriteClient();
  report = content.get(ReportFacetHandler);
});
afterAll(() => content?.end());

type Tree = readonly (string | Tree)[];

/** The areas whose key begins so, as the report nests them. */
const treeOf = async (prefix: string): Promise<Tree> => {
  const body: Json = await readJsonReply(
    report.report(
      reportFacet.request.parse({ ...testStorageNames, facetId: 'processes' }),
      createReaderContext('meridian'),
    ),
  );
  const nested = (elements: readonly Json[]): Tree =>
    elements.flatMap((element): Tree => {
      const name = String(element.attributes.name?.[1033]);
      return name.startsWith(prefix) ? [name, ...(element.children ? [nested(element.children)] : [])] : [];
    });
  return nested(body.values);
};

const area = (key: string, parentId?: string) => ({
  key,
  type: 'area',
  attributes: { name: { 1033: key } },
  ...(parentId && { parentId }),
});
const move = (key: string, parentId: string | null) => ({ id: testElementIdOf(key), parentId });

/** The paths of the tables say the same as the positions. */
const pathsAreRight = async (): Promise<boolean> => {
  const wrong = await content.rows(`
    select e.key from content_repo.element e
    left join content_repo.element p on p.element_id = e.parent_id
    left join content_repo.rendition r on r.element_id = e.element_id and r.tree_path is not null
    where e.tree_path <> coalesce(p.tree_path, '') || lpad(to_hex(e.position), 8, '0')
      or r.tree_path <> e.tree_path or r.parent_id is distinct from e.parent_id`);
  return wrong.length === 0;
};

describe('a moved element', () => {
  it('is placed after its new siblings, with its whole subtree', async () => {
    await content.write([area('m-a'), area('m-b'), area('m-a1', 'm-a'), area('m-a2', 'm-a1'), area('m-b1', 'm-b')]);
    await content.write([move('m-a1', 'm-b')]);
    expect(await treeOf('m-')).toEqual(['m-a', 'm-b', ['m-b1', 'm-a1', ['m-a2']]]);
    expect((await content.entries()).at(-1)?.detail).toEqual({ changed: ['parent'] });
    await content.write([move('m-a1', null), move('m-b1', 'm-a1')]);
    expect(await treeOf('m-')).toEqual(['m-a', 'm-b', 'm-a1', ['m-a2', 'm-b1']]);
    expect(await pathsAreRight()).toBe(true);
  });

  it('can swap places with another or with one created in the same request', async () => {
    await content.write([area('x-a'), area('x-b', 'x-a'), area('x-c', 'x-b')]);
    await content.write([move('x-b', null), move('x-a', 'x-b'), area('x-d', 'x-a'), move('x-c', 'x-d')]);
    expect(await treeOf('x-')).toEqual(['x-b', ['x-a', ['x-d', ['x-c']]]]);
    expect(await pathsAreRight()).toBe(true);
  });

  it('shows its new place in all its versions', async () => {
    await content.write([area('v-a')]);
    const [draft] = await content.rows(
      `select version_id from content_repo.element_version where element_id = $1 and state = 'inProcess'`,
      [testElementIdOf('order')],
    );
    await content.write([{ id: String(draft?.['version_id']), parentId: 'v-a' }]);
    const children = (await content.read(testElementIdOf('v-a'))).children.map(({ id }: Json) => id);
    expect(children).toEqual([testElementIdOf('order')]);
    expect(await pathsAreRight()).toBe(true);
    const parents = await content.rows('select distinct parent_id from content_repo.rendition where element_id = $1', [
      testElementIdOf('order'),
    ]);
    expect(parents).toEqual([{ parent_id: testElementIdOf('v-a') }]);
  });

  it('is at its old place in reads of the past', async () => {
    const [kept] = await content.rows(
      `select parent_id from content_repo.rendition_history where element_id = $1 and tree_path is not null order by to_sequence desc limit 1`,
      [testElementIdOf('order')],
    );
    expect(kept).toEqual({ parent_id: testElementIdOf('buying') });
  });
});

describe('a move is rejected', () => {
  beforeAll(() => content.write([area('c-a'), area('c-b', 'c-a'), area('c-c', 'c-b'), area('c-d')]));

  it('under the element itself, under a descendant, and in a cycle of several moves', async () => {
    const circle = 'stands in a circle: following its parents never ends at a root';
    expect(await content.faults([move('c-a', 'c-a')])).toEqual([
      'elements.0.parentId: an element cannot stand under itself',
    ]);
    expect(await content.faults([move('c-a', 'c-c')])).toEqual([`elements.0.parentId: ${circle}`]);
    expect(await content.faults([move('c-a', 'c-d'), move('c-d', 'c-b')])).toEqual([
      `elements.0.parentId: ${circle}`,
      `elements.1.parentId: ${circle}`,
    ]);
    expect(await content.faults([area('c-e', 'c-f'), area('c-f', 'c-e')])).toEqual([
      `elements.0.parentId: ${circle}`,
      `elements.1.parentId: ${circle}`,
    ]);
    expect(await treeOf('c-')).toEqual(['c-a', ['c-b', ['c-c']], 'c-d']);
  });

  it('under an unknown parent, another facet, or a type that does not allow it', async () => {
    expect(
      await content.faults([
        { type: 'step', parentId: 'nowhere' },
        { type: 'step', parentId: 'ann' },
        { type: 'area', parentId: 'pay' },
        { key: 'odd', type: 'proces' },
        { type: 'step', parentId: 'odd' },
      ]),
    ).toEqual([
      'elements.3.type: unknown type "proces"; did you mean "process"?',
      'elements.0.parentId: there is no element "nowhere"',
      'elements.1.parentId: "ann" belongs to the facet "users", expected one of "processes"',
      'elements.2.parentId: elements of the type "area" may not stand under "pay", which is of the type "step"',
    ]);
  });
});
