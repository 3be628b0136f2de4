import { describe, expect, it } from '@jest/globals';
import { digestDefinition } from '@tessera/contracts';
import type { StoredRow } from '@tessera/persistence';
import { planApply } from './plan-apply.js';
import { storedDefinitions } from './definition.js';
import { testKind, testDefinition, type TestDefinition } from './testing/test-kind.js';

const { parse, compare } = testKind;

type Row = { readonly published?: TestDefinition; readonly version?: number; readonly draft?: TestDefinition };
const rowOf = (id: string, { published, version = 1, draft }: Row): StoredRow => ({
  id,
  ...(published && { published: { version, digest: digestDefinition(published), definition: published } }),
  ...(draft && { draft: { digest: digestDefinition(draft), definition: draft } }),
});
const planned = async (asked: readonly TestDefinition[], rows: readonly StoredRow[], isDraft = false) =>
  planApply(asked, { stored: await storedDefinitions(rows, parse), compare, isDraft });

describe('a publication', () => {
  it('creates a new definition', async () => {
    const a = testDefinition('a');
    expect(await planned([a], [])).toEqual({
      applied: [{ kind: 'TestDefinition', id: 'a', state: 'created', version: 1, changes: [] }],
      versions: [{ definition: a, digest: digestDefinition(a), version: 1 }],
      drafts: [],
    });
  });

  it('changes a changed definition to the next version, and lists the changes', async () => {
    const plan = await planned(
      [testDefinition('a', 'new')],
      [rowOf('a', { published: testDefinition('a', 'old'), version: 7 })],
    );
    expect(plan.applied).toEqual([
      {
        ...{ kind: 'TestDefinition', id: 'a', state: 'changed', version: 8 },
        changes: [{ path: 'text', change: 'changed', breaks: true }],
      },
    ]);
    expect(plan.versions).toMatchObject([{ version: 8 }]);
  });

  it('leaves an unchanged definition alone, whatever its draft', async () => {
    const row = rowOf('a', { published: testDefinition('a'), version: 3, draft: testDefinition('a', 'next') });
    expect(await planned([testDefinition('a')], [row])).toEqual({
      applied: [{ kind: 'TestDefinition', id: 'a', state: 'unchanged', version: 3, changes: [] }],
      versions: [],
      drafts: [],
    });
  });

  it('creates a definition that was only a draft', async () => {
    const plan = await planned([testDefinition('a')], [rowOf('a', { draft: testDefinition('a') })]);
    expect(plan.applied).toMatchObject([{ state: 'created', version: 1, changes: [] }]);
  });

  it('continues after a version that does not parse', async () => {
    const row: StoredRow = { id: 'a', published: { version: 4, digest: 'ab', definition: { kind: 'Older' } } };
    expect((await planned([testDefinition('a')], [row])).applied).toMatchObject([
      { state: 'changed', version: 5, changes: [] },
    ]);
  });

  it('keeps the order of the request', async () => {
    const plan = await planned(
      [testDefinition('b'), testDefinition('c', 'x'), testDefinition('a')],
      [rowOf('c', { published: testDefinition('c') })],
    );
    expect(plan.applied.map(({ id, state }) => `${id} ${state}`)).toEqual(['b created', 'c changed', 'a created']);
    expect(plan.versions.map(({ definition }) => definition.id)).toEqual(['b', 'c', 'a']);
  });
});

describe('a draft', () => {
  it('has no version', async () => {
    const plan = await planned([testDefinition('a')], [], true);
    expect(plan).toMatchObject({
      applied: [{ state: 'created', changes: [] }],
      versions: [],
      drafts: [{ isDropped: false }],
    });
    expect(plan.applied[0]).not.toHaveProperty('version');
  });

  it('is compared with the previous draft, else with the published version', async () => {
    const published = testDefinition('a');
    const changesAfter = async (draft?: TestDefinition) =>
      (await planned([testDefinition('a', 'new')], [rowOf('a', { published, ...(draft && { draft }) })], true))
        .applied[0]?.changes;
    expect(await changesAfter()).toMatchObject([{ path: 'text', change: 'added' }]);
    expect(await changesAfter(testDefinition('a', 'old'))).toMatchObject([{ path: 'text', change: 'changed' }]);
  });

  it('is unchanged when it exists already', async () => {
    const plan = await planned(
      [testDefinition('a', 'x')],
      [rowOf('a', { published: testDefinition('a'), draft: testDefinition('a', 'x') })],
      true,
    );
    expect(plan).toMatchObject({ applied: [{ state: 'unchanged' }], drafts: [] });
  });

  it('is dropped when it equals the published version', async () => {
    const row = rowOf('a', { published: testDefinition('a'), draft: testDefinition('a', 'x') });
    expect(await planned([testDefinition('a')], [row], true)).toMatchObject({
      applied: [{ state: 'changed', changes: [{ path: 'text', change: 'removed' }] }],
      drafts: [{ isDropped: true }],
    });
    expect(
      (await planned([testDefinition('a')], [rowOf('a', { published: testDefinition('a') })], true)).drafts,
    ).toEqual([]);
  });
});
