import type { ToolKnowledgeModel } from '@tessera/contracts/knowledge-models';

const field = (
  id: string,
  name: string,
  type: ToolKnowledgeModel['records'][number]['fields'][number]['type'],
  unit?: string,
) => ({
  id,
  name,
  description: '',
  type,
  ...(unit && { unit }),
  filterable: true,
  sortable: true,
});

export const testModel: ToolKnowledgeModel = {
  id: 'p2p',
  name: 'Purchase to pay',
  description: 'Orders and their suppliers.',
  records: [
    {
      id: 'ORDER',
      name: 'Order',
      description: '',
      identifier: ['ORDER.NO'],
      fields: [
        field('ORDER.NO', 'Number', 'string'),
        field('ORDER.AMOUNT', 'Amount', 'float', 'EUR'),
        field('ORDER.DAY', 'Day', 'date'),
        { ...field('ORDER.NOTE', 'Note', 'string'), filterable: false, sortable: false },
      ],
    },
  ],
  kpis: [
    {
      id: 'ORDER_VALUE',
      name: 'Order value',
      description: 'The sum of all orders.',
      type: 'float',
      unit: 'EUR',
      direction: 'None',
      records: ['ORDER'],
    },
  ],
  filters: [{ id: 'LARGE', name: 'Large orders', description: 'More than 10,000 EUR.' }],
};

/** The model after a column got another name. */
export const testModelWithRenamedField: ToolKnowledgeModel = {
  ...testModel,
  records: testModel.records.map((record) => ({
    ...record,
    fields: record.fields.map((each) => (each.id === 'ORDER.AMOUNT' ? { ...each, id: 'ORDER.TOTAL' } : each)),
  })),
};
