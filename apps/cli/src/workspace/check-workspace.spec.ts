import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createTestFolder,
  processesText,
  storageText,
  testFiles,
  usersText,
  workspaceText,
  type TestFolder,
} from '../testing/test-workspace.js';
import { checkWorkspace } from './check-workspace.js';
import { formatFaultLine, FaultList, maxListedFaults } from './fault-list.js';
import { maxElementBytes, maxYamlBytes } from './read-elements.js';

let folder: TestFolder | undefined;
afterEach(() => folder?.remove());

/** The faults of the test workspace with some files changed; a file without text is left out. */
const faultsWith = async (changed: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> => {
  const files = Object.entries({ ...testFiles, ...changed });
  folder = createTestFolder(
    Object.fromEntries(files.flatMap(([file, text]) => (text === undefined ? [] : [[file, text]]))),
  );
  const { faultList } = await checkWorkspace(folder.path);
  return faultList.sorted().map(formatFaultLine);
};

const yamlFile = 'content/house/processes.elements.yaml';
const linesFile = 'content/house/more.elements.jsonl';

describe('checkWorkspace', () => {
  it('returns no fault for a valid workspace', async () => {
    expect(await faultsWith({})).toEqual([]);
    const { workspace, storages } = await checkWorkspace(folder?.path ?? '');
    expect(workspace?.team).toBe('meridian');
    expect(storages.map(({ definition, elements }) => [definition.id, elements])).toEqual([['house', 3]]);
  });

  it('reports five faults in YAML at five positions', async () => {
    const text = `kind: Elements
elements:
  - id: order
    tpye: process
    state: relesed
    attributes:
      nmae: Order
      weight: heavy
  - id: approve
    type: process
    parent: ordre
`;
    expect(await faultsWith({ [yamlFile]: text })).toEqual([
      `${yamlFile}:4:5 unknown member "tpye"; did you mean "type"?`,
      `${yamlFile}:5:12 unknown state "relesed"; did you mean "released"?`,
      `${yamlFile}:7:7 unknown attribute of "process" "nmae"; did you mean "name"?`,
      `${yamlFile}:8:15 expected a number, got the string "heavy"`,
      `${yamlFile}:11:13 there is no element "ordre" in the files; did you mean "order"?`,
    ]);
  });

  it('reports five faults in JSON Lines at five positions', async () => {
    const text = [
      '{"id":"bob","type":"usr"}',
      '',
      '{"id":"carl","type":"user","attributes":{"nme":"Carl"}}',
      '{"id":"anna","type":"user"}',
      '{"id":"dora","type":"user"',
      '{"id":"p","type":"process","relations":{"owner":["order"]}}',
    ].join('\n');
    expect(await faultsWith({ [linesFile]: text })).toEqual([
      `${linesFile}:1:20 unknown type "usr"; did you mean "user"?`,
      `${linesFile}:3:42 unknown attribute of "user" "nme"; did you mean "name"?`,
      `${linesFile}:5:27 is not JSON: expected a comma or }`,
      `${linesFile}:6:50 "order" is of the type "process"; "owner" leads to "user"`,
      'content/house/users.elements.yaml:3:9 the element "anna" is given twice',
    ]);
  });

  it('reports the faults of all files at once, sorted by file and line', async () => {
    const faults = await faultsWith({
      'workspace.yaml': workspaceText.replace('name:', 'nmae:'),
      'content/house/storage.yaml': storageText
        .replace('facet: users', 'facet: usres')
        .replace('to: [user]', 'to: [usr]'),
      [yamlFile]: processesText.replace('weight', 'wieght'),
    });
    expect(faults.map((line) => line.split(' ')[0])).toEqual([
      `${yamlFile}:10:7`,
      'content/house/storage.yaml:27:12',
      'content/house/storage.yaml:35:10',
      'workspace.yaml:3:1',
    ]);
  });

  it('suggests quotes where YAML reads a number', async () => {
    const text = processesText.replace('state: released', 'state: released\n    version: 1.0');
    expect(await faultsWith({ [yamlFile]: text })).toEqual([
      `${yamlFile}:6:14 expected string, received number; put it in quotes`,
    ]);
  });
});

describe('files of a workspace', () => {
  it('are reported when missing', async () => {
    expect(await faultsWith({ 'workspace.yaml': undefined, 'content/other/notes.txt': '' })).toEqual([
      'content/other/storage.yaml:1:1 is missing: every folder of content has one',
      'workspace.yaml:1:1 is missing: a workspace has one, with kind, team and name',
    ]);
  });

  it('are reported when they are YAML files whose names have no known ending', async () => {
    const faults = await faultsWith({
      'content/house/users.element.yaml': usersText,
      'content/house/README.md': 'x',
      'content/house/.hidden.yaml': 'x',
    });
    expect(faults.map((line) => line.slice(0, 60))).toEqual([
      'content/house/users.element.yaml:1:1 is not read: expected s',
    ]);
  });

  it('are rejected without being read when a YAML file is too large', async () => {
    const text = `kind: Elements\nelements: []\n#${'x'.repeat(maxYamlBytes)}`;
    expect(await faultsWith({ 'content/house/large.elements.yaml': text })).toEqual([
      'content/house/large.elements.yaml:1:1 is larger than 8 MB; put the elements into a file that ends in .elements.jsonl, one a line',
    ]);
  });

  it('are reported line by line when lines are too long or not UTF-8', async () => {
    const long = `{"id":"${'x'.repeat(maxElementBytes)}"}`;
    const [first, ...others] = await faultsWith({ [linesFile]: `${long}\n{"id":"bob","type":"user"}\n{}\n` });
    expect(first).toBe(
      `${linesFile}:1:1 is longer than ${maxElementBytes} bytes, which is the most that an element may have`,
    );
    expect(others).toEqual([
      `${linesFile}:3:1 id is missing; expected string`,
      `${linesFile}:3:1 type is missing; expected string`,
    ]);
  });

  it('are reported once for invalid YAML, without follow-up faults', async () => {
    expect(await faultsWith({ 'content/house/users.elements.yaml': 'kind: Elements\nelements: [\n' })).toEqual([
      expect.stringMatching(/^content\/house\/users\.elements\.yaml:\d+:\d+ is not YAML: /),
    ]);
  });

  it('are reported with the faults of the document together with those of its elements', async () => {
    const text = usersText.replace('kind: Elements', 'kind: Element').replace('type: user', 'type: usr');
    expect(await faultsWith({ 'content/house/users.elements.yaml': text })).toEqual([
      'content/house/users.elements.yaml:1:7 expected Elements, not "Element"; did you mean "Elements"?',
      'content/house/users.elements.yaml:4:11 unknown type "usr"; did you mean "user"?',
    ]);
    expect(await faultsWith({ 'content/house/users.elements.yaml': '', [yamlFile]: undefined })).toHaveLength(1);
  });
});

describe('the list of storages in workspace.yaml', () => {
  it('must match the folders', async () => {
    expect(await faultsWith({ 'workspace.yaml': workspaceText.replace('trial/house', 'trial/hosue') })).toEqual([
      'content/house/storage.yaml:1:1 "trial/house" is not listed among the storages of workspace.yaml',
      'workspace.yaml:4:12 no folder of content defines "trial/hosue"; did you mean "trial/house"?',
    ]);
    expect(await faultsWith({ 'content/copy/storage.yaml': storageText })).toContain(
      'content/house/storage.yaml:1:1 the storage "trial/house" is defined in content/copy/storage.yaml as well',
    );
    expect(await faultsWith({ 'workspace.yaml': workspaceText.replace(']', ', trial/house]') })).toEqual([
      'workspace.yaml:4:25 "trial/house" is listed twice',
    ]);
  });

  it('defines the order in which storages are applied; without it the order is that of the folders', async () => {
    const other = { 'content/annex/storage.yaml': storageText.replace('id: house', 'id: annex') };
    const listed = workspaceText.replace('[trial/house]', '[trial/house, trial/annex]');
    const orderOf = async () =>
      (await checkWorkspace(folder?.path ?? '')).storages.map(({ definition }) => definition.id);
    expect(await faultsWith({ ...other, 'workspace.yaml': listed })).toEqual([]);
    expect(await orderOf()).toEqual(['house', 'annex']);
    expect(await faultsWith({ ...other, 'workspace.yaml': workspaceText.replace(/storages.*\n/, '') })).toEqual([]);
    expect(await orderOf()).toEqual(['annex', 'house']);
  });

  it('may declare a storage to be partial', async () => {
    const files = { 'content/house/users.elements.yaml': undefined };
    expect(await faultsWith(files)).toEqual([`${yamlFile}:12:15 there is no element "anna" in the files`]);
    expect(await faultsWith({ ...files, 'workspace.yaml': `${workspaceText}partial: [trial/house]\n` })).toEqual([]);
  });
});

describe('FaultList', () => {
  it('keeps a bounded number of faults and counts the rest', () => {
    const faultList = new FaultList();
    for (let line = maxListedFaults + 5; line > 0; line--) faultList.add('a', { line, column: 1 }, 'x');
    faultList.countOnly(3);
    expect(faultList.count).toBe(maxListedFaults + 8);
    expect(faultList.sorted()).toHaveLength(maxListedFaults);
    expect(faultList.sorted()[0]?.line).toBe(6);
  });
});
