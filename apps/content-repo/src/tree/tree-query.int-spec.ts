import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSnapshot, type Snapshot } from '../database/snapshot.js';
import { currentTables, historicalTables, type ContentTables } from '../database/tenant-reader.js';
import { reportRootSql, elementJsonTextSql, shownElementJsonTextSql } from '../elements/element.repository.js';
import { defaultResources } from '../elements/resources.js';
import { companyContent, companyElements } from '../testing/company.js';
import {
  topLevelCountQuery,
  matchingTargetsQuery,
  versionMatchQuery,
  pageCountQuery,
  treeRowsQuery,
  versionRowsQuery,
  type Statement,
  type TreeScope,
} from './tree-query.js';
import { openTestService, testStorageNames, type TestService } from '../testing/open-service.js';

const nobody = '00000000-0000-4000-8000-000000000000';
const wanted = { resources: defaultResources, addressPrefix: '\u0001/reporting/' };
const page = { after: '00000001', offset: 0, limit: 10 };
const childrenOf = { elementId: '00000000-0000-4000-8000-000000000001', path: '00000001' };
const condition = {
  kind: 'binary',
  operator: '=',
  left: { kind: 'column', table: 'v', name: 'state' },
  right: { kind: 'parameter', value: 'show', type: 'text' },
} as const;
const all = new Set([...defaultResources, 'rootPath' as const]);

const statementsOver = (tables: ContentTables): Readonly<Record<string, Statement>> => {
  const tree: TreeScope = { tables, tenant: 'meridian', storageId: nobody, facet: 'processes', shape: 'tree' };
  return {
    'a tree': treeRowsQuery(tree, wanted),
    'the roots of a tree, a page': treeRowsQuery({ ...tree, shape: 'roots' }, { ...wanted, withChildren: true, page }),
    'below an element, with types': treeRowsQuery({ ...tree, below: '00000001', types: ['area'] }, wanted),
    'the children of an element, a page': treeRowsQuery({ ...tree, shape: 'roots', childrenOf }, { ...wanted, page }),
    'the children of an element with a filter': treeRowsQuery(
      { ...tree, shape: 'roots', childrenOf, condition },
      wanted,
    ),
    'a tree with a filter and types': treeRowsQuery({ ...tree, condition, types: ['area'] }, wanted),
    'a flat view with a filter': treeRowsQuery({ ...tree, shape: 'flat', condition }, wanted),
    'the count of a tree': topLevelCountQuery(tree),
    'the count of a tree with a filter': topLevelCountQuery({ ...tree, condition }),
    'the count of a page': pageCountQuery({ ...tree, shape: 'flat' }, page),
    'the count of a page with a filter': pageCountQuery(
      { ...tree, shape: 'roots', condition },
      { offset: 0, limit: 10 },
    ),
    'the count of children in a flat view': topLevelCountQuery({ ...tree, shape: 'flat', childrenOf }),
    'the count of children with a filter': topLevelCountQuery({ ...tree, shape: 'roots', childrenOf, condition }),
    'whether a version matches': versionMatchQuery({ ...tree, condition }, nobody),
    'which targets of references match': matchingTargetsQuery(tree, condition, [
      { elementId: nobody },
      { elementId: nobody, versionId: nobody },
    ]),
    'the versions of an element': versionRowsQuery(tree, nobody, wanted),
    'a shown element': {
      text: shownElementJsonTextSql(tables, all),
      values: ['meridian', nobody, 'processes', nobody, '/'],
    },
    'an element': { text: elementJsonTextSql(tables, all), values: ['meridian', nobody, 'processes', nobody, '/'] },
    'the root of an element report': {
      text: reportRootSql(tables, all),
      values: ['meridian', nobody, 'processes', nobody, '/'],
    },
  };
};
const statements = statementsOver(currentTables);
const pastStatements = statementsOver(historicalTables);

describe('the statements that read trees', () => {
  let service: TestService;
  let snapshot: Snapshot;
  beforeAll(async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => ({
      id: `area-${index}`,
      type: 'area',
      ...(index > 5 && { parent: `area-${Math.floor(index / 6)}` }),
      attributes: { name: { 1033: `Area ${index} ${'x'.repeat(300)}` } },
    }));
    service = await openTestService([{ ...companyContent, elements: [...companyElements, ...many] }]);
    snapshot = await openSnapshot(service.pools.reports, 'meridian', new AbortController().signal);
  });
  afterAll(async () => {
    await snapshot?.close();
    await service?.end();
  });

  it('match the golden file', () => {
    const texts = Object.entries(statements).map(([name, { text }]) => `-- ${name}\n${text.trim()}\n`);
    expect(texts.join('\n')).toBe(readFileSync(join(import.meta.dirname, 'tree-query.golden.sql'), 'utf8'));
  });

  const valuesOf = async ({ values }: Statement): Promise<readonly unknown[]> => {
    const storage = await snapshot.read<{ readonly storage_id: string }>({
      name: '',
      text: 'select storage_id from content_repo.storage where collection_name = $1',
      values: [testStorageNames.collectionId],
    });
    return values.map((value) => (value === nobody ? storage[0]?.storage_id : value));
  };
  const planOf = async (text: string, values: readonly unknown[]): Promise<string> =>
    (await snapshot.read({ name: '', text: `explain ${text}`, values })).flatMap(Object.values).join('\n');

  it.each(Object.entries(statements))('%s: runs on PostgreSQL and uses an index', async (name, statement) => {
    const values = await valuesOf(statement);
    await snapshot.read({ name: '', text: statement.text, values });
    // A count looks at every row of the facet; how it does so is up to PostgreSQL.
    if (name.startsWith('the count')) return;
    const plan = await planOf(statement.text, values);
    expect(plan).not.toMatch(/Seq Scan on rendition (r|a|ancestor|child|shown)\b/);
    expect(plan).not.toMatch(/Sort Key: r\.tree_path/);
  });

  it.each(Object.entries(statements))(
    '%s: reads the same rows from the historical views when nothing has changed',
    async (name, statement) => {
      const values = await valuesOf(statement);
      await snapshot.read({ name: '', text: `select set_config('app.as_of', '1', true)`, values: [] });
      const text = pastStatements[name]?.text ?? '';
      const rows = await snapshot.read({ name: '', text, values });
      expect(rows).toEqual(await snapshot.read({ name: '', text: statement.text, values }));
      await snapshot.read({ name: '', text: `select set_config('app.as_of', '0', true)`, values: [] });
      const earlier = await snapshot.read<Record<string, unknown>>({ name: '', text, values });
      expect(
        earlier
          .flatMap((row) => Object.values<unknown>(row))
          .filter((value) => typeof value === 'string' && value.includes('facetName')),
      ).toEqual([]);
      // A filter looks at every row; how it does so is up to PostgreSQL, but never row by row through all others.
      if (/count|filter|matches/.test(name)) return;
      expect(await planOf(text, values)).not.toMatch(/Seq Scan on rendition/);
    },
  );
});
