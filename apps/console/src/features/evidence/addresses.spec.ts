import { describe, expect, it } from '@jest/globals';
import { addressHere, documentAddress, questionAddress, rowsAddress, type Evidence } from './addresses.js';
import { maverickEvidence as evidence, question } from './testing/maverick-evidence.js';

const asking = (changed: Partial<Evidence['statement']['question']>): Evidence => ({
  ...evidence,
  statement: { ...evidence.statement, question: { ...question, ...changed } },
});
const [{ href } = { href: '' }] = evidence.rows;

describe('the question in Figures', () => {
  it('has its KPIs, fields, filters, conditions and order', () => {
    const columns = ['ITEM.PLANT', 'RATE'];
    const asked = asking({ columns, groupConditions: ['RATE gt 0.1'], sort: ['-RATE', '+ITEM.PLANT'] });
    expect(questionAddress(asked)).toEqual({
      path: '/figures/$modelId',
      params: { modelId: 'p2p.base-km' },
      search: {
        ...{ kpis: 'RATE', fields: 'ITEM.PLANT', filters: 'LARGE', sort: '-RATE,ITEM.PLANT' },
        where: ["ITEM.PLANT eq '2010'", 'RATE gt 0.1'],
      },
    });
    expect(questionAddress(asking({ conditions: [] }))?.search).not.toHaveProperty('where');
  });

  it.each<[string, Evidence]>([
    ['of one record', asking({ record: 'ITEM' })],
    ['of a search', asking({ search: { term: 'x', precision: 50 } })],
    ['whose values are not told', { ...evidence, rows: [] }],
    ['of insights', { ...evidence, statement: { ...evidence.statement, kind: 'insights' } }],
  ])('is not there for a question %s', (_, found) => {
    expect(questionAddress(found)).toBeUndefined();
  });
});

describe('the rows behind an answer', () => {
  it('are shown in Figures by their key and other fields, narrowed down as the address is', () => {
    const fields = ['PLANT', 'ITEM_NO', ...Array.from({ length: 20 }, (_, at) => `F${at}`)].map((id) => ({ id }));
    const record = { id: 'ITEM', identifier: ['ITEM_NO', 'HIDDEN'], fields } as never;
    const { params, search } = rowsAddress('p2p.base-km', record, href);
    expect(params).toEqual({ modelId: 'p2p.base-km' });
    expect(search).toMatchObject({ filters: 'LARGE', where: ["ITEM.PLANT eq '2010'"] });
    const shown = String(search?.['fields']).split(',');
    expect([shown.slice(0, 3), shown.length]).toEqual([['ITEM.ITEM_NO', 'ITEM.PLANT', 'ITEM.F0'], 10]);
  });

  it('are read as data at the origin of the page', () => {
    expect(addressHere(href)).toMatch(/^\/intelligence\/api\/.*\/query\?filters=LARGE&filterExpr=ITEM\.PLANT/);
  });
});

describe('a document', () => {
  it('is a page of the process house, in the version of then', () => {
    expect(evidence.documents?.map(documentAddress)).toEqual([
      {
        path: '/processes/$collectionId/$storageId/$facetId/$elementId',
        params: { collectionId: 'meridian', storageId: 'p2p', facetId: 'processes new', elementId: 'e1' },
        search: { version: 'v2' },
      },
    ]);
  });

  it('elsewhere has no page', () => {
    const element = { id: 'e', name: 'n', href: 'https://other.example/e' };
    expect(documentAddress({ figure: 'RATE', versionId: 'v', version: '1.0', element })).toBeUndefined();
  });
});
