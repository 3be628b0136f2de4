import { expect, it } from '@jest/globals';
import { type CallerView, createCallerView, checkModel, type QueryableModel } from '@tessera/knowledge-model';
import { companyModel } from '../testing/company.js';
import { entityModelForView } from './view-entities.js';

const checkedWith = (description: string): QueryableModel => {
  const policies = [...(companyModel.policies ?? []), { record: 'PO_ITEM', rows: 'CITY eq caller.city' }];
  const checked = checkModel({ ...companyModel, description, policies }, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked;
};
const viewOf = (model: QueryableModel, city: string, scopes: readonly string[] = []): CallerView =>
  createCallerView(model, { scopes, attributes: { city } });

it('entityModelForView shares one entity model among callers who see the same fields', () => {
  const model = checkedWith('one');
  const [here, there] = [viewOf(model, 'Bonn'), viewOf(model, 'Roma')];
  expect(entityModelForView(here)).toBe(entityModelForView(there));
  const [ofFinance, alsoOfFinance] = [viewOf(model, 'Bonn', ['finance:read']), viewOf(model, 'Roma', ['finance:read'])];
  expect(entityModelForView(ofFinance)).toBe(entityModelForView(alsoOfFinance));
});

it('entityModelForView creates another entity model for callers without row policies', () => {
  const definition = {
    ...companyModel,
    policies: [{ record: 'PO_ITEM', rows: "CITY eq 'Bonn'", unless: { scope: 'all' } }],
  };
  const checked = checkModel(definition, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  expect(entityModelForView(viewOf(checked, 'Bonn'))).not.toBe(entityModelForView(viewOf(checked, 'Bonn', ['all'])));
});

it('entityModelForView creates another entity model for other fields and for another knowledge model', () => {
  const model = checkedWith('one');
  const nameless = entityModelForView(viewOf(model, 'Bonn'));
  const ofFinance = entityModelForView(viewOf(model, 'Bonn', ['finance:read']));
  const idsOf = ({ typeByRecord }: typeof nameless) => typeByRecord.get('PO_ITEM')?.properties.map(({ id }) => id);
  expect(idsOf(nameless)).not.toContain('BANK_ACCOUNT');
  expect(idsOf(ofFinance)).toContain('BANK_ACCOUNT');
  expect(entityModelForView(viewOf(checkedWith('two'), 'Bonn')).description).toBe('two');
  expect(nameless.description).toBe('one');
});
