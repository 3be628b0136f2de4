import { expect, it } from '@jest/globals';
import { type CallerView, callerView, checkModel, type QueryableModel } from '@tessera/knowledge-model';
import { companyModel } from '../testing/company.js';
import { viewEntities } from './view-entities.js';

const checkedWith = (description: string): QueryableModel => {
  const policies = [...(companyModel.policies ?? []), { record: 'PO_ITEM', rows: 'CITY eq caller.city' }];
  const checked = checkModel({ ...companyModel, description, policies }, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked;
};
const viewOf = (model: QueryableModel, city: string, scopes: readonly string[] = []): CallerView =>
  callerView(model, { scopes, attributes: { city } });

it('shares one model among callers who see the same fields', () => {
  const model = checkedWith('one');
  const [here, there] = [viewOf(model, 'Bonn'), viewOf(model, 'Roma')];
  expect(viewEntities(here)).toBe(viewEntities(there));
  const [ofFinance, alsoOfFinance] = [viewOf(model, 'Bonn', ['finance:read']), viewOf(model, 'Roma', ['finance:read'])];
  expect(viewEntities(ofFinance)).toBe(viewEntities(alsoOfFinance));
});

it('makes another model for callers without row policies', () => {
  const definition = {
    ...companyModel,
    policies: [{ record: 'PO_ITEM', rows: "CITY eq 'Bonn'", unless: { scope: 'all' } }],
  };
  const checked = checkModel(definition, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  expect(viewEntities(viewOf(checked, 'Bonn'))).not.toBe(viewEntities(viewOf(checked, 'Bonn', ['all'])));
});

it('makes another model for other fields and for another knowledge model', () => {
  const model = checkedWith('one');
  const nameless = viewEntities(viewOf(model, 'Bonn'));
  const ofFinance = viewEntities(viewOf(model, 'Bonn', ['finance:read']));
  const idsOf = ({ typeByRecord }: typeof nameless) => typeByRecord.get('PO_ITEM')?.properties.map(({ id }) => id);
  expect(idsOf(nameless)).not.toContain('BANK_ACCOUNT');
  expect(idsOf(ofFinance)).toContain('BANK_ACCOUNT');
  expect(viewEntities(viewOf(checkedWith('two'), 'Bonn')).description).toBe('two');
  expect(nameless.description).toBe('one');
});
