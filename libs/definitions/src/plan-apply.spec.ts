import { describe, expect, it } from '@jest/globals';
import { digestDefinition } from '@tessera/contracts';
import type { StoredDefinitionRow } from '@tessera/persistence';
import { planApply } from './plan-apply.js';
import { parseStoredDefinitions } from './definition.js';
import { testDefinitionKind, createTestDefinition, type TestDefinition } from './testing/test-kind.js';

const { parse, compare } = testDefinitionKind;

type Row = { readonly published?: TestDefinition; readonly version?: number; readonly draft?: TestDefinition };
const rowOf = (id: string, { published, version = 1, draft }: Row): StoredDefinitionRow => ({
  id,
  ...(published && { published: { version, digest: digestDefinition(published), definition: published } }),
  ...(draft && { draft: { digest: digestDefinition(draft), definition: draft } }),
});
const planned = async (asked: readonly TestDefinition[], rows: readonly StoredDefinitionRow[], isDraft = false) =>
  planApply(asked, { stored: await parseStoredDefinitions(rows, parse), compare, isDraft });

describe('a publication', () => {
  it('creates a new definition', async () => {
    const a = createTestDefinition('a');
    expect(await planned([a], [])).toEqual({
      applied: [{ kind: 'TestDefinition', id: 'a', state: 'created', version: 1, changes: [] }],
      versions: [{ definition: a, digest: digestDefinition(a), version: 1 }],
      drafts: [],
    });
  });

  it('gives a changed definition the next version, and lists the changes', async () => {
    const plan = await planned(
      [createTestDefinition('a', 'new')],
      [rowOf('a', { published: createTestDefinition('a', 'old'), version: 7 })],
    );
    expect(plan.applied).toEqual([
      {
        ...{ kind: 'TestDefinition', id: 'a', state: 'changed', version: 8 },
        changes: [{ path: 'text', change: 'changed', breaks: true }],
      },
    ]);
    expect(plan.versions).toMatchObject([{ version: 8 }]);
  });

  it('creates no version for an unchanged definition, even when its draft differs', async () => {
    const row = rowOf('a', {
      published: createTestDefinition('a'),
      version: 3,
      draft: createTestDefinition('a', 'next'),
    });
    expect(await planned([createTestDefinition('a')], [row])).toEqual({
      applied: [{ kind: 'TestDefinition', id: 'a', state: 'unchanged', version: 3, changes: [] }],
      versions: [],
      drafts: [],
    });
  });

  it('creates a definition that existed only as a draft', async () => {
    const plan = await planned([createTestDefinition('a')], [rowOf('a', { draft: createTestDefinition('a') })]);
    expect(plan.applied).toMatchObject([{ state: 'created', version: 1, changes: [] }]);
  });

  it('numbers the next version after a stored one that does not parse', async () => {
    const row: StoredDefinitionRow = {
      id: 'a',
      published: { version: 4, digest: 'ab', definition: { kind: 'Older' } },
    };
    expect((await planned([createTestDefinition('a')], [row])).applied).toMatchObject([
      { state: 'changed', version: 5, changes: [] },
    ]);
  });

  it('returns the definitions in the order of the request', async () => {
    const plan = await planned(
      [createTestDefinition('b'), createTestDefinition('c', 'x'), createTestDefinition('a')],
      [rowOf('c', { published: createTestDefinition('c') })],
    );
    expect(plan.applied.map(({ id, state }) => `${id} ${state}`)).toEqual(['b created', 'c changed', 'a created']);
    expect(plan.versions.map(({ definition }) => definition.id)).toEqual(['b', 'c', 'a']);
  });
});

describe('a draft', () => {
  it('gets no version number', async () => {
    const plan = await planned([createTestDefinition('a')], [], true);
    expect(plan).toMatchObject({
      applied: [{ state: 'created', changes: [] }],
      versions: [],
      drafts: [{ isDropped: false }],
    });
    expect(plan.applied[0]).not.toHaveProperty('version');
  });

  it('is compared with the previous draft, else with the published version', async () => {
    const published = createTestDefinition('a');
    const changesAfter = async (draft?: TestDefinition) =>
      (await planned([createTestDefinition('a', 'new')], [rowOf('a', { published, ...(draft && { draft }) })], true))
        .applied[0]?.changes;
    expect(await changesAfter()).toMatchObject([{ path: 'text', change: 'added' }]);
    expect(await changesAfter(createTestDefinition('a', 'old'))).toMatchObject([{ path: 'text', change: 'changed' }]);
  });

  it('is reported unchanged when it equals the stored draft', async () => {
    const plan = await planned(
      [createTestDefinition('a', 'x')],
      [rowOf('a', { published: createTestDefinition('a'), draft: createTestDefinition('a', 'x') })],
      true,
    );
    expect(plan).toMatchObject({ applied: [{ state: 'unchanged' }], drafts: [] });
  });

  it('is dropped when it equals the published version', async () => {
    const row = rowOf('a', { published: createTestDefinition('a'), draft: createTestDefinition('a', 'x') });
    expect(await planned([createTestDefinition('a')], [row], true)).toMatchObject({
      applied: [{ state: 'changed', changes: [{ path: 'text', change: 'removed' }] }],
      drafts: [{ isDropped: true }],
    });
    expect(
      (await planned([createTestDefinition('a')], [rowOf('a', { published: createTestDefinition('a') })], true)).drafts,
    ).toEqual([]);
  });
});
