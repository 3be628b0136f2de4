/** A type and an element of it, for specs. */
import type { TypeDescription } from '../editor-fields.js';

type Attribute = TypeDescription['attributes'][number];

const attribute = (name: string, type: Attribute['type'], more: Partial<Attribute> = {}): Attribute => ({
  ...{ name, type, displayNames: {}, localised: false, mandatory: false, mandatoryCultures: [], isSystem: false },
  ...more,
});

export const processType: TypeDescription = {
  ...{ name: 'process', displayNames: { 1033: 'Process' }, versioned: true },
  ...{ states: [], transitions: [], childTypes: [], contentTypes: [] },
  attributes: [
    attribute('name', 'string', {
      ...{ localised: true, mandatory: true, mandatoryCultures: [1033] },
      displayNames: { 1033: 'Name', 1031: 'Bezeichnung' },
    }),
    attribute('critical', 'boolean'),
    attribute('casesPerYear', 'number'),
    attribute('validFrom', 'date-time'),
    attribute('links', 'link'),
    attribute('changedOn', 'date-time', { isSystem: true }),
  ],
  relations: [
    { name: 'uses', displayNames: { 1031: 'Nutzt' }, to: ['application'], many: true, isSystem: false },
    { name: 'owner', displayNames: {}, many: false, isSystem: false },
    { name: 'changedBy', displayNames: {}, many: false, isSystem: true },
  ],
};

export const storedProcess = {
  ...{ facetName: 'processes', id: 'order', versionId: 'order-1', type: 'process', state: 'inProcess' },
  attributes: {
    name: { 1033: 'Order', 3082: 'Pedido' },
    critical: { 127: true },
    casesPerYear: { 127: 1410 },
    links: { 127: [{ title: 'Page', url: 'https://a.example/', sizeBytes: 3 }, 'no item'] },
    changedOn: { 127: '2026-06-30T08:00:00' },
  },
  related: {
    uses: [{ facetName: 'it', id: 'erp', type: 'application', attributes: { name: { 1033: 'ERP' } } }],
    owner: [{ facetName: 'users', id: 'ann', type: 'user' }],
    changedBy: [{ facetName: 'users', id: 'ann', type: 'user' }],
  },
};
