/** Descriptions of models for tools, as the tool gateway gets them, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeModelForTools, listModelNames, ToolKnowledgeModel } from '@tessera/contracts/knowledge-models';
import { CallerModels } from '../catalog/caller-models.js';
import { companyModel, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import { adminContextOf, openSalesClient, salesModel } from '../testing/definition-client.js';
import { callerContextOf, openFixture, readFailure, type Fixture, type TestCaller } from '../testing/fixture.js';
import { DescribeForToolsHandler } from './describe-for-tools.handler.js';

let fixture: Fixture;
let handler: DescribeForToolsHandler;
const child = { kind: 'KnowledgeModel', id: 'p2p.de-km', name: 'Ankauf', extends: 'p2p.base-km' } as const;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish('meridian', companyModel, child);
  await fixture.publish('northgate', companyModel);
  handler = new DescribeForToolsHandler(new CallerModels(fixture.catalogs), fixture.pools);
});
afterAll(() => fixture.end());

const ask = (
  who: TestCaller = {},
  { km_id = 'p2p.base-km', known = undefined as string | undefined, team = 'meridian' } = {},
) => handler.describe(describeModelForTools.request.parse({ km_id, known }), callerContextOf(team, who));
const told = async (...asked: Parameters<typeof ask>) => {
  const result = await ask(...asked);
  if (!result.ok) throw new Error(result.failure.detail);
  return result.value;
};

describe('the description of a model for tools', () => {
  it('shows what the caller can see, by the ids that tools accept', async () => {
    const { model } = await told(financeCaller);
    expect(ToolKnowledgeModel.parse(model)).toEqual(model);
    expect(model?.records.map(({ id, identifier }) => [id, ...identifier])).toEqual([
      ['PO_ITEM', 'PO_ITEM.ORDER_NO', 'PO_ITEM.ITEM_NO'],
      ['PURCHASE_ORDER', 'PURCHASE_ORDER.ORDER_NO'],
      ['CURRENCY', 'CURRENCY.CODE'],
    ]);
    expect(model?.records.map(({ leadsTo }) => leadsTo)).toEqual([['PURCHASE_ORDER'], undefined, undefined]);
    const fields = model?.records[0]?.fields ?? [];
    expect(fields).toContainEqual({
      ...{ id: 'PO_ITEM.AMOUNT', name: 'Net amount', description: '', type: 'float', unit: 'EUR', format: ',.2f' },
      ...{ filterable: true, sortable: true },
    });
    expect(fields.map(({ id, type }) => `${id} ${type}`)).toEqual(
      expect.arrayContaining(['PO_ITEM.OPEN boolean', 'PO_ITEM.SIZE string', 'PO_ITEM.BANK_ACCOUNT string']),
    );
    expect(model?.kpis[0]).toEqual({
      ...{ id: 'ORDER_VALUE', name: 'Order value', description: 'What was ordered.', type: 'float' },
      ...{ unit: 'EUR', format: ',.0f', direction: 'Up', target: '1000000', records: ['PO_ITEM'] },
    });
    expect(model?.filters).toContainEqual({ id: 'LARGE', name: 'Large items', description: 'From 100 on.' });
  });

  it('leaves out hidden fields, also from its key', async () => {
    const description = await told();
    expect(JSON.stringify(description)).not.toMatch(hiddenWordsPattern);
    expect(description.key.length).toBeLessThanOrEqual(200);
    expect(description.key).not.toBe((await told(financeCaller)).key);
  });

  it('has the same key for all callers with the same view, and is the same object for one view', async () => {
    const [one, other] = [await told({ attributes: { department: 'a' } }), await told({ scopes: ['else'] })];
    expect(other.key).toBe(one.key);
    expect(other.model).toBe(one.model);
    expect((await told({}, { team: 'northgate' })).key).not.toBe(one.key);
  });

  it('consists only of the key for a caller who sends the current key', async () => {
    const { key } = await told();
    expect(await told({}, { known: key })).toEqual({ key });
    expect((await told({}, { known: 'another' })).model?.id).toBe('p2p.base-km');
  });

  it('has a new key after each publication that changes the model or one of its bases', async () => {
    const keyOf = async (km_id: string) => (await told({}, { km_id })).key;
    const ids = ['p2p.base-km', 'p2p.de-km'];
    const keys = await Promise.all(ids.map(keyOf));
    await fixture.publish('meridian', { ...companyModel, id: 'other' });
    expect(await Promise.all(ids.map(keyOf))).toEqual(keys);
    await fixture.publish('meridian', { ...companyModel, description: 'Changed.' });
    const [base, extended] = await Promise.all(ids.map(keyOf));
    expect([base === keys[0], extended === keys[1]]).toEqual([false, false]);
  });

  it('is not found for a model that the team does not have', async () => {
    expect((await readFailure(ask({}, { team: 'northgate', km_id: 'p2p.de-km' })))?.code).toBe('KM_MODEL_NOTFOUND');
  });
});

describe('the names of models', () => {
  const names = (team: string, context = adminContextOf(team)) =>
    handler.name(listModelNames.request.parse({ team }), context);

  it('include published models and drafts', async () => {
    const applying = openSalesClient(fixture, 'drafting');
    await applying.applied([{ ...salesModel, id: 'published' }]);
    await applying.applied([{ ...salesModel, id: 'drafted' }], { mode: 'draft' });
    expect(await names('drafting')).toEqual({ ok: true, value: { published: ['published'], drafts: ['drafted'] } });
    expect(await names('empty')).toEqual({ ok: true, value: { published: [], drafts: [] } });
  });

  it('are answered with GENERAL_NOTFOUND to callers who may not administer the team', async () => {
    expect((await readFailure(names('drafting', callerContextOf('drafting'))))?.code).toBe('GENERAL_NOTFOUND');
    expect((await readFailure(names('drafting', adminContextOf('northgate'))))?.code).toBe('GENERAL_NOTFOUND');
  });
});
