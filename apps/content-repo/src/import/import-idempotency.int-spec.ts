/** Steps of an import that are sent again under an Idempotency-Key, on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StorageDefinition, type ByteReply } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { openTenantTransaction } from '@tessera/persistence';
import { companyContent } from '../testing/company.js';
import { ImportCommits } from './import-commits.js';
import { ImportHandler } from './import.handler.js';
import { lockImport, type ImportKey } from './imports.repository.js';
import {
  createAdminContext,
  readJsonReply,
  readBodyText,
  openTestService,
  type TestService,
  noopEventPublishing,
} from '../testing/open-service.js';

let service: TestService;
let handler: ImportHandler;
let otherReplica: ImportHandler;

beforeAll(async () => {
  service = await openTestService([]);
  const open = () =>
    new ImportHandler(
      service.pools,
      service.source,
      new ImportCommits(service.pools, service.source, noopEventPublishing),
    );
  [handler, otherReplica] = [open(), open()];
});
afterAll(() => service?.end());

const context = createAdminContext('operators');
const definition = StorageDefinition.parse(companyContent.definition);

type Keyed = { readonly idempotencyKey?: string };

const begin = (team: string, keyed: Keyed = {}, title = definition.title) =>
  handler.begin(
    { team, collection: 'Meridian', storage: 'p2p', begin: { definition: { ...definition, title } }, ...keyed },
    context,
  );
const beginImport = async (team: string): Promise<ImportKey> => {
  const { importId } = await readJsonReply(begin(team));
  return { team, collection: 'Meridian', storage: 'p2p', importId };
};
const stage = (key: ImportKey, ids: readonly string[], keyed: Keyed = {}, firstOrdinal = 0) =>
  handler.stage(
    { ...key, batch: { firstOrdinal, elements: ids.map((id) => ({ id, type: 'area' })) }, ...keyed },
    context,
  );

const importsOf = async (team: string): Promise<number> =>
  (await service.rows('select from content_repo.import where tenant = $1', [team])).length;

/** The bytes and whether they were kept. */
const shown = async (answer: Result<ByteReply>) =>
  answer.ok ? [await readBodyText(answer.value), answer.value.headers?.['idempotency-replayed']] : answer.failure.code;

describe('starting an import with an Idempotency-Key', () => {
  it('creates one import and repeats its reply', async () => {
    const keyed = { idempotencyKey: randomUUID() };
    const [text, first] = await shown(await begin('begun', keyed));
    expect(await shown(await begin('begun', keyed))).toEqual([text, 'true']);
    expect(first).toBeUndefined();
    expect(await importsOf('begun')).toBe(1);
    expect(await shown(await begin('begun', keyed, 'Another'))).toBe('GENERAL_IDEMPOTENCY_MISMATCH');
    expect((await shown(await begin('neighbour', keyed)))[0]).not.toBe(text);
  });

  it('creates one import for twenty concurrent calls', async () => {
    const keyed = { idempotencyKey: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => begin('many', keyed)));
    const texts = new Set<unknown>();
    for (const answer of answers) {
      if (answer.ok) texts.add(await readBodyText(answer.value));
      else expect(answer.failure).toMatchObject({ code: 'GENERAL_IDEMPOTENCY_RUNNING', retryAfterSeconds: 1 });
    }
    expect([texts.size, await importsOf('many')]).toEqual([1, 1]);
  });

  it('returns 404 without the admin right for the team', async () => {
    const keyed = { idempotencyKey: randomUUID() };
    await begin('closed', keyed);
    const stranger = { ...context, caller: { ...context.caller, team: 'stranger' } };
    const request = { team: 'closed', collection: 'Meridian', storage: 'p2p', begin: { definition }, ...keyed };
    expect(await shown(await handler.begin(request, stranger))).toBe('CONTENT_NOTFOUND');
  });
});

describe('staging with an Idempotency-Key', () => {
  it('repeats the reply even after the import continued', async () => {
    const key = await beginImport('staged');
    const keyed = { idempotencyKey: randomUUID() };
    const [text] = await shown(await stage(key, ['a', 'b'], keyed));
    await readJsonReply(handler.commit(key, context));
    expect(await shown(await stage(key, ['a', 'b'], keyed))).toEqual([text, 'true']);
    expect(await shown(await stage(key, ['a', 'c'], keyed))).toBe('GENERAL_IDEMPOTENCY_MISMATCH');
    expect(await shown(await stage(key, ['a', 'b']))).toBe('CONTENT_CONFLICT');
  });

  it('does not store failures, and a rejected batch leaves no rows', async () => {
    const key = await beginImport('refused');
    await readJsonReply(stage(key, ['a']));
    const keyed = { idempotencyKey: randomUUID() };
    // The second of the batch is there under another ordinal; the first would fit.
    expect(await shown(await stage(key, ['b', 'a'], keyed, 1))).toBe('GENERAL_CONSTRAINT_VIOLATION');
    const rows = await service.rows(`select ordinal from content_repo.import_element where tenant = 'refused'`);
    expect(rows).toEqual([{ ordinal: '0' }]);
    expect(await readJsonReply(stage(key, ['a'], keyed))).toEqual({ staged: 1 });
  });
});

describe('committing with an Idempotency-Key', () => {
  it('returns the same bytes in every replica, even after the import was deleted', async () => {
    const key = await beginImport('committed');
    await readJsonReply(stage(key, ['a', 'b']));
    const keyed = { idempotencyKey: randomUUID() };
    const [text, first] = await shown(await handler.commit({ ...key, ...keyed }, context));
    expect([JSON.parse(String(text)), first]).toEqual([
      { importId: key.importId, state: 'committed', created: 2, changed: 0, unchanged: 0, versions: 2 },
      undefined,
    ]);
    expect(await shown(await otherReplica.commit({ ...key, ...keyed }, context))).toEqual([text, 'true']);
    await service.rows(`delete from content_repo.import where tenant = 'committed'`);
    expect(await shown(await handler.commit({ ...key, ...keyed }, context))).toEqual([text, 'true']);
    expect(await shown(await handler.commit(key, context))).toBe('CONTENT_NOTFOUND');
  });

  it('rejects the key for another import', async () => {
    const [one, other] = [await beginImport('two'), await beginImport('two')];
    const keyed = { idempotencyKey: randomUUID() };
    await readJsonReply(handler.commit({ ...one, ...keyed }, context));
    expect(await shown(await handler.commit({ ...other, ...keyed }, context))).toBe('GENERAL_IDEMPOTENCY_MISMATCH');
  });

  it('stores the reply under the key of each concurrent call, and asks callers of another replica to retry', async () => {
    const key = await beginImport('joined');
    await readJsonReply(stage(key, ['a']));
    const holder = await openTenantTransaction(service.pools.writes, key.team);
    await lockImport(holder.client, key);
    const [mine, theirs] = [{ idempotencyKey: randomUUID() }, { idempotencyKey: randomUUID() }];
    const joined = [mine, mine, theirs, {}].map((keyed) => handler.commit({ ...key, ...keyed }, context));
    await untilWaiting();
    expect(await otherReplica.commit({ ...key, ...mine }, context)).toMatchObject({
      failure: { code: 'GENERAL_IDEMPOTENCY_RUNNING', retryAfterSeconds: 1 },
    });
    await holder.rollback();
    for (const answer of joined) expect(await readJsonReply(answer)).toMatchObject({ state: 'committed', created: 1 });
    for (const keyed of [mine, theirs])
      expect((await shown(await otherReplica.commit({ ...key, ...keyed }, context)))[1]).toBe('true');
  });

  it('does not store failures', async () => {
    const key = await beginImport('unfit');
    const lost = { id: 'a', type: 'area', parent: 'nobody' };
    await readJsonReply(handler.stage({ ...key, batch: { firstOrdinal: 0, elements: [lost] } }, context));
    const keyed = { idempotencyKey: randomUUID() };
    for (const each of [handler, otherReplica])
      expect(await shown(await each.commit({ ...key, ...keyed }, context))).toBe('GENERAL_CONSTRAINT_VIOLATION');
    const other = await beginImport('unfit');
    expect(await readJsonReply(handler.commit({ ...other, ...keyed }, context))).toMatchObject({ state: 'committed' });
  });
});

/** Resolves when the job waits for the lock of its import. */
const untilWaiting = async (): Promise<void> => {
  for (;;) {
    const { length } = await service.rows(
      `select from pg_stat_activity where datname = current_database() and application_name = 'content-repo-writes'
       and wait_event_type = 'Lock'`,
    );
    if (length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
