/** A small company, as much of it as the specs of reading need: every shape of element once, with gaps. */
import type { TestContent } from './load-content.js';

export const companyDefinition: TestContent['definition'] = {
  kind: 'Storage',
  collection: 'Meridian',
  id: 'p2p',
  title: 'Purchase to pay',
  cultures: [1033, 1031, 3082],
  defaultCulture: 1033,
  facets: [
    {
      name: 'processes',
      displayNames: { 1033: 'Processes', 1031: 'Prozesse' },
      views: [
        { name: 'areas', displayNames: { 1033: 'Areas' }, isHierarchical: true, types: ['area', 'process'] },
        { name: 'steps', displayNames: { 1033: 'Steps' }, isHierarchical: false, types: ['step'] },
        { name: 'steps', displayNames: { 1033: 'Steps as a tree' }, isHierarchical: true, types: ['step'] },
      ],
    },
    { name: 'users', displayNames: { 1033: 'Users' } },
    { name: 'empty', displayNames: { 1033: 'Empty' } },
  ],
  types: [
    {
      name: 'area',
      facet: 'processes',
      displayNames: { 1033: 'Area', 1031: 'Bereich' },
      attributes: [{ name: 'name', localised: true }],
      childTypes: ['area', 'process', 'step'],
    },
    {
      name: 'process',
      facet: 'processes',
      versioned: true,
      displayNames: { 1033: 'Process' },
      attributes: [
        { name: 'name', localised: true },
        { name: 'cost', type: 'number' },
        { name: 'critical', type: 'boolean' },
        { name: 'validFrom', type: 'date-time' },
        { name: 'links', type: 'link' },
        { name: 'note' },
      ],
      childTypes: ['process', 'step', 'area'],
      contentTypes: ['symbol'],
    },
    {
      name: 'step',
      facet: 'processes',
      displayNames: { 1033: 'Step' },
      attributes: [{ name: 'name', localised: true }],
      childTypes: ['process'],
    },
    {
      name: 'symbol',
      facet: 'processes',
      displayNames: { 1033: 'Symbol' },
      attributes: [{ name: 'name', localised: true }],
    },
    { name: 'user', facet: 'users', displayNames: { 1033: 'User' }, attributes: [{ name: 'name' }] },
  ],
  relations: [{ name: 'owner', to: ['user'], many: false }, { name: 'uses' }],
  userType: 'user',
};

export const companyElements: TestContent['elements'] = [
  { id: 'buying', type: 'area', attributes: { name: { 1033: 'Buying', 1031: 'Einkauf' } } },
  {
    id: 'order',
    type: 'process',
    stereotype: 'core',
    parent: 'buying',
    versions: [
      { version: '1.0', state: 'expired', attributes: { name: { 1033: 'Order v1' }, cost: 10 } },
      {
        version: '2.0',
        state: 'released',
        attributes: {
          name: { 1033: 'Order goods', 1031: 'Ware "bestellen"' },
          cost: 12.5,
          critical: true,
          validFrom: '2026-05-07T08:30:00',
          links: [{ title: 'Guide', url: 'https://guide.example/100%' }],
          note: '   ',
        },
        relations: { owner: ['ann'], uses: ['approve', 'pay'] },
        content: [
          { id: 'start', type: 'symbol', attributes: { name: { 1033: 'Start' } }, relations: { owner: ['bob'] } },
          { id: 'end', type: 'symbol' },
        ],
      },
      { version: '2.1', state: 'inProcess', attributes: { name: { 1033: 'Order goods, better' }, cost: 13 } },
    ],
  },
  { id: 'approve', type: 'step', parent: 'order', attributes: { name: { 1033: 'Approve 100%_sure' } } },
  { id: 'sign', type: 'process', parent: 'approve', attributes: { name: { 1033: 'Sign' }, cost: 1 } },
  {
    id: 'receive',
    type: 'process',
    parent: 'buying',
    attributes: { name: { 1033: 'Receive' }, cost: 200, critical: false },
  },
  { id: 'paying', type: 'area', attributes: { name: { 1033: 'Paying', 3082: 'Pago' } } },
  { id: 'pay', type: 'step', parent: 'paying', attributes: { name: { 1033: 'Pay' } } },
  { id: 'top', type: 'step', attributes: { name: { 1033: 'Top step' } } },
  { id: 'ann', type: 'user', attributes: { name: 'Ann' }, relations: { uses: ['bob'] } },
  { id: 'bob', type: 'user', attributes: { name: 'Bob' } },
];

export const companyContent: TestContent = {
  team: 'meridian',
  definition: companyDefinition,
  elements: companyElements,
};
