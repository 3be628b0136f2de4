/** Objects in a bucket, and what is told when the store fails. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startObjectStore, type ObjectStoreServer } from '../testing/object-store-server.js';
import type { ListedObject, ObjectStore, ObjectStoreOptions } from './object-store.js';

const never = new AbortController().signal;
let server: ObjectStoreServer;
beforeAll(async () => {
  server = await startObjectStore();
});
afterAll(() => server?.end());

const textIn = async (store: ObjectStore, name: string): Promise<string | undefined> => {
  const found = await store.get(name, never);
  return found && textOf(found.body);
};
const namesOf = (listed: readonly ListedObject[]): readonly string[] => listed.map(({ name }) => name).sort();
const put = (store: ObjectStore, name: string, text: string): Promise<void> =>
  store.put(name, Readable.from([Buffer.from(text)]), Buffer.byteLength(text), never);

describe('a bucket', () => {
  it('keeps what was put there last, under names of all kinds', async () => {
    const store = server.open();
    for (const name of ['plain.json', 'team-a%2Fb/v1.5.6-1/0.duckdb', 'team-für zwei + drei/x']) {
      expect(await textIn(store, name)).toBeUndefined();
      await put(store, name, 'first');
      await put(store, name, 'and last');
      expect([await textIn(store, name), (await store.get(name, never))?.bytes]).toEqual(['and last', 8]);
      await store.remove(name, never);
      await store.remove(name, never);
      expect(await textIn(store, name)).toBeUndefined();
    }
  });

  it('lists the objects below its prefix alone', async () => {
    const [store, other, whole] = [server.open(), server.open({ prefix: 'tessera-2' }), server.open({ prefix: '' })];
    await put(store, 'b/2', 'x');
    await put(store, 'a/1', 'x');
    await put(other, 'c/3', 'x');
    const listed = await store.list(never);
    expect(namesOf(listed)).toEqual(['a/1', 'b/2']);
    expect(Math.abs((listed[0]?.putAtMs ?? 0) - Date.now())).toBeLessThan(600_000);
    expect(namesOf(await whole.list(never))).toEqual(['tessera-2/c/3', 'tessera/a/1', 'tessera/b/2']);
    await store.remove('a/1', never);
    expect(namesOf(await store.list(never))).toEqual(['b/2']);
  });

  it('is listed page by page', async () => {
    const pages = new Map([
      ['', ['tessera/a/1', '<NextContinuationToken>next</NextContinuationToken>']],
      ['next', ['tessera/b/2', '']],
    ]);
    const asked: string[] = [];
    const foreign = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://store.example');
      asked.push(`${searchParams.get('prefix')} ${searchParams.get('continuation-token')}`);
      const [key, token] = pages.get(searchParams.get('continuation-token') ?? '') ?? [];
      const object = `<Contents><Key>${key}</Key><LastModified>2026-11-27T00:00:00.000Z</LastModified></Contents>`;
      response.setHeader('content-type', 'application/xml');
      response.end(`<ListBucketResult>${object}${token}</ListBucketResult>`);
    });
    await once(foreign.listen(0, '127.0.0.1'), 'listening');
    const address = foreign.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const store = server.open({ endpoint: `http://127.0.0.1:${port}` });
    const putAtMs = Date.UTC(2026, 10, 27);
    expect(await store.list(never)).toEqual([
      { name: 'a/1', putAtMs },
      { name: 'b/2', putAtMs },
    ]);
    expect(asked).toEqual(['tessera/ null', 'tessera/ next']);
    await store.close();
    foreign.close();
  });
});

describe('a store that fails', () => {
  const secretAccessKey = 'top-secret';
  const failures: readonly (readonly [string, Partial<ObjectStoreOptions>])[] = [
    ['denied', { keys: { accessKeyId: 'STRANGER', secretAccessKey } }],
    ['no-bucket', { bucket: 'nobodys' }],
    ['unreachable', { endpoint: 'http://127.0.0.1:1' }],
  ];

  it.each(failures)('says that it is %s, and neither keys nor addresses', async (reason, options) => {
    const store = server.open(options);
    const failed = [store.get('x', never), put(store, 'x', 'y'), store.list(never), store.remove('x', never)];
    for (const one of await Promise.allSettled(failed)) {
      expect(one).toMatchObject({ status: 'rejected', reason: { name: 'StoreFailure', reason } });
      const told = one.status === 'rejected' ? `${String(one.reason)} ${JSON.stringify(one.reason)}` : '';
      expect(told).not.toMatch(/STRANGER|top-secret|127\.0\.0\.1/);
    }
  });

  it('is left when nobody waits any more', async () => {
    const store = server.open();
    await put(store, 'x', 'y');
    await expect(store.get('x', AbortSignal.abort())).rejects.toMatchObject({ name: 'StoreFailure' });
    expect(await textIn(store, 'x')).toBe('y');
  });
});
