import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkDefinition, checkElement } from '@tessera/content-model';
import { generateDemo } from './generate-demo.js';
import {
  digestFiles,
  readWorkspace,
  collectRelations,
  findTreeFaults,
  type TestWorkspace,
} from './testing/read-workspace.js';

const sizes = ['tiny', 'demo', 'load'] as const;
const teams = ['meridian', 'northgate', 'tinyco'] as const;

let root = '';
const read = new Map<string, TestWorkspace>();
const folderOf = (name: string): string => join(root, name);
const workspacesOf = (size: string): readonly TestWorkspace[] =>
  teams.flatMap((team) => read.get(`${size} ${team}`) ?? []);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tessera-demo-'));
  for (const size of sizes)
    for (const { team, folder } of await generateDemo({ size, folder: folderOf(size) }))
      read.set(`${size} ${team}`, await readWorkspace(folder));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('the demo', () => {
  it.each(sizes)('in the size %s is one workspace per team, byte-identical in every run', async (size) => {
    const workspaces = await generateDemo({ size, folder: folderOf('again') });
    expect(workspaces).toMatchObject(teams.map((team) => ({ team, folder: join(folderOf('again'), team) })));
    // The folder held another size before; nothing of it may be left.
    expect(await digestFiles(folderOf('again'))).toEqual(await digestFiles(folderOf(size)));
  });

  it('is empty in the size none', async () => {
    expect(await generateDemo({ size: 'none', folder: folderOf('none') })).toEqual([]);
    expect(await readdir(root)).not.toContain('none');
  });

  it.each(sizes)('in the size %s passes the schemas and the content checks', (size) => {
    expect(workspacesOf(size)).toHaveLength(teams.length);
    for (const { faults, definition, model, elements } of workspacesOf(size)) {
      expect(faults).toEqual([]);
      expect(checkDefinition(definition)).toEqual([]);
      expect(elements.flatMap((element) => checkElement(model, element))).toEqual([]);
    }
  });

  it.each(sizes)('in the size %s has references only to existing elements of an allowed type', (size) => {
    for (const { model, elements, byId } of workspacesOf(size)) {
      expect(byId.size).toBe(elements.length);
      const wrong = elements.flatMap((element) =>
        collectRelations(element).filter(({ relation, target }) => {
          const type = byId.get(target)?.type;
          const allowed = model.relationByName.get(relation.toLowerCase())?.to;
          return type === undefined || (allowed !== undefined && !allowed.includes(type));
        }),
      );
      expect(wrong).toEqual([]);
    }
  });

  it.each(sizes)('in the size %s lists each facet in tree order, under parents of allowed types', (size) => {
    expect(workspacesOf(size).flatMap(findTreeFaults)).toEqual([]);
  });

  it('shares element ids but no names between northgate and meridian', () => {
    const [meridian, northgate] = workspacesOf('demo');
    const shared = [...(northgate?.byId.keys() ?? [])].filter((id) => meridian?.byId.has(id));
    expect(shared).toEqual(expect.arrayContaining(['p2p', 'p2p.invoice-verification', 'p2p.order-to-receipt']));
    const names = new Set(meridian?.elements.flatMap(namesOf));
    expect(northgate?.elements.flatMap(namesOf).filter((name) => names.has(name))).toEqual([]);
  });

  it('has a user type in the users facet of every storage', () => {
    for (const { model } of workspacesOf('demo')) expect(model.userType?.facet).toBe('users');
  });

  it('gives tinyco a handful of elements in two facets', () => {
    const tinyco = workspacesOf('demo')[2];
    expect(tinyco?.definition.facets.map(({ name }) => name)).toEqual(['processes', 'users']);
    expect(tinyco?.elements).toHaveLength(7);
  });
});

const namesOf = (element: TestWorkspace['elements'][number]): readonly string[] =>
  (element.versions ?? [element]).flatMap(({ attributes }) => Object.values(Object(attributes?.['name'])).map(String));
