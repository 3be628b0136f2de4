import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeElements } from '@tessera/contracts/content-repo';
import { testElementIdOf, openWriteClient, type WriteClient } from '../testing/write-client.js';

let content: WriteClient;
beforeAll(async () => {
  content = await openWriteClient();
});
afterAll(() => content?.end());

const rename = (name: string) => [{ id: testElementIdOf('pay'), attributes: { name: { 1033: name } } }];

describe('If-Match', () => {
  it('accepts only one of two updates of the same version', async () => {
    const ifMatch = await content.etagOf(testElementIdOf('pay'));
    const answers = await Promise.all(['One', 'Two'].map((name) => content.send(rename(name), { ifMatch })));
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.failure]));
    expect(refused).toEqual([
      expect.objectContaining({
        code: 'CONTENT_CHANGED',
        faults: [
          expect.objectContaining({ path: 'elements.0.id', message: expect.stringContaining(testElementIdOf('pay')) }),
        ],
      }),
    ]);
  });

  it('is checked before the values are merged', async () => {
    const ifMatch = await content.etagOf(testElementIdOf('pay'));
    const { children: _children, ...read } = await content.read(testElementIdOf('pay'));
    await content.write(rename('Meanwhile'));
    expect((await content.refusal([read], { ifMatch })).code).toBe('CONTENT_CHANGED');
  });

  it('accepts lists, full and weak ETags, and a star', async () => {
    const bare = (await content.etagOf(testElementIdOf('pay'))).replaceAll('"', '');
    const fits = [`"0-1.1-abc", "${bare}-9.1-Zm9v"`, `W/"${bare}-9.1-Zm9v"`, '*'];
    expect((await content.refusal(rename('No'), { ifMatch: '"1-9.1-Zm9v", pay' })).code).toBe('CONTENT_CHANGED');
    await content.write([...rename('List')], { ifMatch: fits[0] });
    expect((await content.refusal(rename('Late'), { ifMatch: fits[1] })).code).toBe('CONTENT_CHANGED');
    await content.write(rename('Weak'), { ifMatch: `W/${await content.etagOf(testElementIdOf('pay'))}` });
    await content.write(rename('Star'), { ifMatch: fits[2] });
  });

  it('rejects a number without quotes as malformed, not as a conflict', () => {
    const { ifMatch } = writeElements.request.shape;
    for (const text of ['17', '', 'W/17', '"']) expect(ifMatch.safeParse(text).success).toBe(false);
    for (const text of ['*', ' * ', '"17"', 'W/"x", "17"']) expect(ifMatch.safeParse(text).success).toBe(true);
  });

  it('applies to updates in a request, not to new elements', async () => {
    const made = { key: 'beside', type: 'step' };
    expect((await content.refusal([made, ...rename('Both')], { ifMatch: '"1"' })).code).toBe('CONTENT_CHANGED');
    await content.write([made, ...rename('Both')], { ifMatch: await content.etagOf(testElementIdOf('pay')) });
  });
});

describe('twenty concurrent calls', () => {
  it('create one element per key, and get a conflict otherwise', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => content.send([{ key: 'single', type: 'step' }])),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.failure]));
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['CONTENT_CONFLICT']));
    expect(refused[0]?.faults?.[0]?.message).toContain(
      `the key "single" belongs to the element ${testElementIdOf('single')}`,
    );
  });

  it('each get their own position', async () => {
    await Promise.all(Array.from({ length: 20 }, () => content.write([{ type: 'step', parentId: 'paying' }])));
    const places = await content.rows('select distinct tree_path from content_repo.rendition where parent_id = $1', [
      testElementIdOf('paying'),
    ]);
    expect(places).toHaveLength(21);
  });
});
