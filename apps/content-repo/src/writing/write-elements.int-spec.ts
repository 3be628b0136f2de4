import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findDraftVersionId, testElementIdOf, openWriteClient, type WriteClient } from '../testing/write-client.js';
import { readJsonReply, type Json } from '../testing/open-service.js';

let content: WriteClient;
beforeAll(async () => {
  content = await openWriteClient();
});
afterAll(() => content?.end());

const ids = (elements: readonly Json[]): readonly string[] => elements.map(({ id }) => id);
const draftOfOrder = () => findDraftVersionId(content, 'order');

describe('a write with match=key', () => {
  const match = 'key' as const;

  it('creates missing elements and updates existing ones, with the id derived from the key', async () => {
    const named = (key: string, name: string) => ({ key, type: 'area', attributes: { name: { 1033: name } } });
    const made = await content.write([named('upsert-a', 'A'), named('upsert-b', 'B')], { match });
    expect(ids(made)).toEqual([testElementIdOf('upsert-a'), testElementIdOf('upsert-b')]);
    const changed = [named('upsert-b', 'B again'), { ...named('upsert-c', 'C'), parentId: 'upsert-b' }];
    const again = await content.write(changed, { match });
    expect(ids(again)).toEqual([testElementIdOf('upsert-b'), testElementIdOf('upsert-c')]);
    expect(again.map((element: Json) => element.attributes.name[1033])).toEqual(['B again', 'C']);
    const entries = await content.entries();
    expect(await content.write(changed, { match })).toEqual(again);
    expect(await content.entries()).toEqual(entries);
  });

  it('writes the draft of an element that has a released version too', async () => {
    const draft = await draftOfOrder();
    const [written] = await content.write([{ key: 'order', attributes: { cost: 71 } }], { match });
    expect(written).toMatchObject({ versionId: draft, state: 'inProcess', attributes: { cost: { 127: 71 } } });
  });

  it('accepts ids beside keys, and requires one of the two', async () => {
    const elements = [
      { id: testElementIdOf('pay'), attributes: { name: { 1033: 'Pay' } } },
      { key: 'upsert-d', type: 'area' },
      { type: 'area' },
    ];
    expect(await content.faults(elements, { match })).toEqual([
      'elements.2.key: is missing; with match=key each element has a key, or an id',
    ]);
    expect(ids(await content.write(elements.slice(0, 2), { match }))).toHaveLength(2);
  });

  it('is all or nothing, and rejects keys that are duplicate, of deleted elements, or of other types or facets', async () => {
    expect(
      await content.faults(
        [
          { key: 'order', type: 'step' },
          { key: 'ann' },
          { key: 'upsert-e', type: 'area' },
          { key: 'upsert-e', type: 'area' },
        ],
        { match },
      ),
    ).toEqual([
      'elements.0.type: an element keeps its type, "process"',
      'elements.1.key: elements of the type "user" belong to the facet "users", not to "processes"',
      `elements.3.key: the element "upsert-e" is given twice`,
    ]);
    expect((await content.refusal([{ key: 'upsert-e' }], { match })).faults).toMatchObject([
      { path: 'elements.0.type', rule: 'required' },
    ]);
  });

  it('respects If-Match', async () => {
    const ifMatch = await content.etagOf(testElementIdOf('upsert-a'));
    const rename = (name: string) => [{ key: 'upsert-a', attributes: { name: { 1033: name } } }];
    await content.write(rename('First'), { match, ifMatch });
    const refused = await content.refusal(rename('Second'), { match, ifMatch });
    expect(refused).toMatchObject({ code: 'CONTENT_CHANGED', faults: [{ path: 'elements.0.key' }] });
    const onlyNew = await content.faults([{ key: 'upsert-f', type: 'area' }], { match, ifMatch: '*' });
    expect(onlyNew).toEqual(['if-match: is for updates, and the body only makes new elements']);
  });
});

describe('a read-only value in a write', () => {
  it('is ignored, and named in the message of the response when it differs', async () => {
    const draft = await draftOfOrder();
    const { attributes, related } = await content.read(draft);
    const changed = { createdOn: '2020-01-01T00:00:00', version: '9.9', gotoUrl: null, state1: null };
    const written: Json = await readJsonReply(
      content.send([
        {
          id: draft,
          attributes: { ...attributes, ...changed, authorNote: { 1033: 'mine' } },
          related: { ...related, createdBy: ['bob'], releaseHistory: [] },
        },
        { type: 'area', attributes: { changedOn: '2020-01-01T00:00:00', name: { 1033: 'Area' } } },
      ]),
    );
    expect(written.message).toBe(
      'Ignored, since only the server writes it: elements.0.attributes.createdOn, elements.0.attributes.state1, ' +
        'elements.0.attributes.gotoUrl, elements.0.attributes.version, elements.0.related.releaseHistory, ' +
        'elements.0.related.createdBy, elements.1.attributes.changedOn.',
    );
    const [order, area] = written.elements;
    for (const name of Object.keys(changed)) expect(order.attributes[name]).toEqual(attributes[name]);
    expect(order.attributes.authorNote).toEqual({ 1033: 'mine' });
    expect(order.related.createdBy).toEqual(related.createdBy);
    expect(area.attributes.changedOn[127]).not.toContain('2020');
  });

  it('is listed among at most ten names, with the number of the others', async () => {
    const elements = Array.from({ length: 12 }, () => ({ type: 'area', attributes: { version: '1.0' } }));
    const { message }: Json = await readJsonReply(content.send(elements));
    expect(message).toMatch(/elements\.9\.attributes\.version and 2 more\.$/);
    const { message: none }: Json = await readJsonReply(content.send([{ type: 'area' }]));
    expect(none).toBeUndefined();
  });
});

describe('a new element', () => {
  it('of a type with versions starts as version 0.1 in process, created by the caller', async () => {
    const [made] = await content.write([
      {
        key: 'ship',
        type: 'Process',
        stereotype: 'core',
        parentId: 'buying',
        attributes: { name: { 1033: 'Ship', 1031: 'Liefern' }, cost: 7 },
        related: { owner: ['bob'], uses: [testElementIdOf('pay'), { id: 'approve' }] },
        content: [
          { key: 'start', type: 'symbol', attributes: { name: { 1033: 'Start' } }, related: { uses: ['ship'] } },
          { type: 'symbol', state: 'hide' },
        ],
      },
    ]);
    const caller = [{ id: testElementIdOf('ann') }];
    expect(made).toMatchObject({
      facetName: 'processes',
      id: testElementIdOf('ship'),
      creationId: testElementIdOf('ship'),
      type: 'process',
      state: 'inProcess',
      stereotype: 'core',
      attributes: { name: { 1031: 'Liefern' }, cost: { 127: 7 }, version: { 127: '0.1' }, isReleased: { 127: false } },
      related: {
        owner: [{ id: testElementIdOf('bob') }],
        uses: [{ id: testElementIdOf('pay') }, { id: testElementIdOf('approve') }],
        createdBy: caller,
        changedBy: caller,
        author: caller,
      },
      content: [
        { type: 'symbol', state: 'show', related: { uses: [{ id: testElementIdOf('ship') }] } },
        { type: 'symbol', state: 'hide' },
      ],
    });
    expect(await content.read(testElementIdOf('ship'))).toEqual(made);
    expect(ids((await content.read(testElementIdOf('buying'))).children)).toEqual([
      testElementIdOf('order'),
      testElementIdOf('receive'),
      testElementIdOf('ship'),
    ]);
    expect((await content.entries()).at(-1)).toMatchObject({
      action: 'created',
      element_id: made.id,
      version_id: made.versionId,
      detail: { key: 'ship', changed: ['name', 'cost', 'owner', 'uses', 'content', 'stereotype', 'parent'] },
    });
  });

  it('of a type without versions can be referenced by key in the same request, in any order', async () => {
    const made = await content.write([
      { key: 'leaf', type: 'step', parentId: 'branch', attributes: { name: { 1033: 'Leaf' } } },
      { key: 'branch', type: 'process', parentId: 'trunk', related: { uses: ['leaf', 'twig'] } },
      { key: 'trunk', type: 'area' },
      { key: 'twig', type: 'step', parentId: 'branch' },
    ]);
    expect(ids(made)).toEqual(['leaf', 'branch', 'trunk', 'twig'].map(testElementIdOf));
    expect(made[0]).toMatchObject({ state: 'show', attributes: { state1: { 127: 'show' } } });
    expect(made[0]).not.toHaveProperty('versionId');
    expect(ids(made[1].children)).toEqual([testElementIdOf('leaf'), testElementIdOf('twig')]);
    expect(made[1].related.uses.map(({ id }: Json) => id)).toEqual([testElementIdOf('leaf'), testElementIdOf('twig')]);
  });

  it('without a key gets a generated identifier, and may name the element that it copies', async () => {
    const made = await content.write([{ type: 'area', creationId: 'buying' }, { type: 'area' }]);
    expect(new Set(ids(made)).size).toBe(2);
    expect(made[0].creationId).toBe(testElementIdOf('buying'));
    expect(made[1].creationId).toBe(made[1].id);
  });

  it("may be the caller's own user element", async () => {
    const other = await openWriteClient('zoe');
    const [made] = await other.write([{ key: 'zoe', type: 'user', attributes: { name: 'Zoe' } }], { facetId: 'users' });
    expect(made).toMatchObject({
      attributes: { name: { 127: 'Zoe' } },
      related: { createdBy: [{ id: testElementIdOf('zoe') }] },
    });
    await other.end();
  });
});

describe('an update', () => {
  it('replaces the given members and keeps the rest', async () => {
    const draft = await draftOfOrder();
    const before = await content.read(draft);
    const [after] = await content.write([
      { id: draft, attributes: { COST: 14, critical: true, name: { 1031: 'Bestellen' } }, related: { owner: ['ann'] } },
    ]);
    expect(after.attributes).toMatchObject({
      cost: { 127: 14 },
      critical: { 127: true },
      name: { 1031: 'Bestellen' },
      createdOn: before.attributes.createdOn,
    });
    expect(after.attributes.name).not.toHaveProperty('1033');
    expect(after.related).toMatchObject({
      owner: [{ id: testElementIdOf('ann') }],
      changedBy: [{ id: testElementIdOf('ann') }],
    });
    expect(after.related).not.toHaveProperty('createdBy');
    expect(await content.read(draft)).toEqual(after);
    const [later] = await content.write([
      { versionId: draft, attributes: { critical: null, cost: null }, related: { owner: [] } },
    ]);
    expect(later.attributes).not.toHaveProperty('critical');
    expect(later.attributes.name).toEqual(after.attributes.name);
    expect(later.related).not.toHaveProperty('owner');
  });

  it('with a whole element as it was read and one changed culture changes only that culture', async () => {
    const [made] = await content.write([
      {
        key: 'sent-back',
        type: 'process',
        attributes: {
          name: { 1033: 'Sent', 1031: 'Gesendet' },
          links: [{ title: 'Guide', url: 'https://guide.example' }],
        },
        related: { owner: ['bob'], uses: ['pay', 'approve'] },
        content: [
          { key: 'start', type: 'symbol', attributes: { name: { 1033: 'Start' } }, related: { owner: ['bob'] } },
        ],
      },
    ]);
    const { children: _children, ...read } = await content.read(testElementIdOf('sent-back'));
    read.attributes.name[1031] = 'Zurück';
    const [after] = await content.write([read]);
    const { changedOn: changedBefore, ...attributesBefore } = made.attributes;
    const { changedOn, ...attributes } = after.attributes;
    expect(changedOn).not.toEqual(changedBefore);
    expect(attributes).toEqual({ ...attributesBefore, name: { 1033: 'Sent', 1031: 'Zurück' } });
    expect({ ...after, attributes: 0 }).toEqual({ ...made, attributes: 0 });
    expect((await content.entries()).at(-1)).toMatchObject({ action: 'updated', detail: { changed: ['name'] } });
  });

  it('ignores read-only members: type names, addresses, parents and versions', async () => {
    const beside = { displayNames: { 1033: 'Other' }, expandUri: 'https://elsewhere.example/' };
    const [made] = await content.write([
      { key: 'beside', type: 'process', ...beside, content: [{ key: 'a', type: 'symbol', ...beside }] },
    ]);
    const [after] = await content.write([
      {
        id: made.id,
        facetName: 'Processes',
        attributes: { cost: 5 },
        ...beside,
        rootPath: [{ id: testElementIdOf('pay') }],
        versions: [{ id: testElementIdOf('pay') }],
        content: made.content.map((symbol: Json) => ({ ...symbol, ...beside })),
      },
    ]);
    const { changedOn: _changedOn, cost, ...kept } = after.attributes;
    const { changedOn: _before, ...before } = made.attributes;
    expect(cost).toEqual({ 127: 5 });
    expect(kept).toEqual(before);
    expect({ ...after, attributes: 0 }).toEqual({ ...made, attributes: 0 });
    expect(made).toMatchObject({ displayNames: { 1033: 'Process' }, content: [{ displayNames: { 1033: 'Symbol' } }] });
  });

  it('without changes returns the element and records nothing', async () => {
    const { children: _children, ...read } = await content.read(testElementIdOf('pay'));
    const etag = await content.etagOf(read.id);
    const entries = await content.entries();
    const [after] = await content.write([{ ...read, parentId: 'paying', stereotype: null }]);
    expect(after).toEqual(read);
    expect(await content.entries()).toEqual(entries);
    expect(await content.etagOf(read.id)).toBe(etag);
  });

  it('keeps hidden references to deleted elements, which a restore shows again', async () => {
    await content.write([
      { key: 'gone', type: 'step' },
      { key: 'refers', type: 'step', related: { uses: ['gone', 'pay'] } },
    ]);
    await content.rows('update content_repo.element set deleted_at = now() where element_id = $1', [
      testElementIdOf('gone'),
    ]);
    await content.write([
      { id: testElementIdOf('refers'), attributes: { name: { 1033: 'Refers' } }, related: { uses: ['pay'] } },
    ]);
    const kept = await content.rows(
      `select target_id from content_repo.relation r
      join content_repo.element_version v on v.version_id = r.owner_id where v.element_id = $1 and relation = 'uses'`,
      [testElementIdOf('refers')],
    );
    expect(kept.map((row) => row['target_id'])).toContain(testElementIdOf('gone'));
  });

  it('of the stereotype appears in every version of the element', async () => {
    const draft = await draftOfOrder();
    await content.write([{ id: draft, stereotype: 'support' }]);
    expect((await content.read(draft)).stereotype).toBe('support');
    expect((await content.read(testElementIdOf('order'))).stereotype).toBe('support');
    await content.write([{ id: draft, stereotype: null }]);
    expect(await content.read(testElementIdOf('order'))).not.toHaveProperty('stereotype');
  });

  it('of the stereotype appears in every reference to the element, also from content', async () => {
    await content.write([
      {
        key: 'payer',
        type: 'process',
        related: { uses: ['pay', 'sign'] },
        content: [{ key: 'a', type: 'symbol', related: { uses: ['pay'] } }],
      },
    ]);
    const payOf = async () => {
      const { related, content: parts } = await content.read(testElementIdOf('payer'));
      return [related.uses[0], parts[0].related.uses[0]];
    };
    const before = await payOf();
    const revision = await content.etagOf(testElementIdOf('payer'));
    await content.write([{ id: testElementIdOf('pay'), stereotype: 'support' }]);
    expect(await payOf()).toEqual(before.map((reference) => ({ ...reference, stereotype: 'support' })));
    expect(await content.etagOf(testElementIdOf('payer'))).toBe(revision);
    await content.write([{ id: testElementIdOf('pay'), stereotype: null }]);
    expect(await payOf()).toEqual(before);
  });
});

describe('the content of a version', () => {
  it('is replaced by the given list, and existing entries in it keep their identifiers', async () => {
    const [made] = await content.write([
      {
        key: 'diagram',
        type: 'process',
        content: [
          { key: 'a', type: 'symbol', attributes: { name: { 1033: 'A' } }, related: { uses: ['pay'], owner: ['bob'] } },
          { key: 'b', type: 'symbol' },
          { type: 'symbol', attributes: { name: { 1033: 'C' } } },
        ],
      },
    ]);
    const [a, b, c] = made.content;
    const [after] = await content.write([
      {
        id: made.id,
        content: [
          { id: c.id, type: 'symbol' },
          { key: 'a', type: 'symbol', stereotype: 'round', related: { uses: [] } },
          { id: '00000000-0000-4000-8000-000000000001', type: 'symbol', creationId: b.id },
        ],
      },
    ]);
    expect(ids(after.content)).toEqual([c.id, a.id, expect.any(String)]);
    expect(after.content[0]).toEqual(c);
    expect(after.content[1]).toMatchObject({
      stereotype: 'round',
      attributes: a.attributes,
      related: { owner: [{ id: testElementIdOf('bob') }] },
    });
    expect(after.content[1].related).not.toHaveProperty('uses');
    expect(after.content[2]).toMatchObject({ creationId: b.id });
    expect([a.id, b.id, c.id, '00000000-0000-4000-8000-000000000001']).not.toContain(after.content[2].id);
    const [untouched] = await content.write([{ id: made.id, attributes: { cost: 3 } }]);
    expect(untouched.content).toEqual(after.content);
    const [emptied] = await content.write([{ id: made.id, content: [] }]);
    expect(emptied).not.toHaveProperty('content');
    expect((await content.entries()).at(-1)?.detail).toEqual({ changed: ['content'] });
    const left = await content.rows(`select from content_repo.relation where owner_id = any($1)`, [
      [a.id, c.id, after.content[2].id],
    ]);
    expect(left).toEqual([]);
  });
});

describe('a request', () => {
  it('returns the elements in the order of its body, and an ETag for a single element', async () => {
    const answer = await content.send([{ key: 'one', type: 'area' }], { apiVersion: '1.0' });
    expect(answer).toMatchObject({
      ok: true,
      value: { headers: { etag: await content.etagOf(testElementIdOf('one')) } },
    });
    const two = await content.send([
      { key: 'two', type: 'area' },
      { id: testElementIdOf('one'), attributes: { name: { 1033: 'One' } } },
    ]);
    expect(two).not.toHaveProperty('value.headers.etag');
  });

  it('stores nothing when one of its elements has a fault', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ key: `many-${index}`, type: 'area', parentId: 'paying' }));
    const [{ count: before }] = (await content.rows('select count(*) from content_repo.element')) as [Json];
    const faults = await content.faults([...many.slice(0, 49), { ...many[49], attributes: { name: { 9999: 'x' } } }]);
    expect(faults).toEqual([expect.stringMatching(/^elements\.49\.attributes\.name\.9999: unknown culture "9999"/)]);
    const [{ count: after }] = (await content.rows('select count(*) from content_repo.element')) as [Json];
    expect(after).toBe(before);
    expect(await content.write(many)).toHaveLength(50);
  });

  it('repeats its reply under its Idempotency-Key', async () => {
    const send = () => content.write([{ type: 'area' }], { idempotencyKey: 'write-once' });
    const [first] = await send();
    expect(await send()).toEqual([first]);
  });

  it('returns 404 under an unknown facet or view', async () => {
    for (const more of [{ facetId: 'nowhere' }, { viewId: 'nowhere' }, { storageId: 'other' }])
      expect((await content.refusal([{ type: 'area' }], more)).code).toBe('CONTENT_NOTFOUND');
  });
});
