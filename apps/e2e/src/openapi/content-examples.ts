/** Requests of the content repository that a reader of /docs can send to the demo. */
import { memberOf, textOf } from '../json.js';
import type { ExampleContext, NamedRequest } from './send-examples.js';

const storage = { collectionId: 'meridian', storageId: 'p2p' };
const view = { ...storage, facetId: 'processes', viewId: 'detail' };
/** "Verify invoices", which has three versions. */
const invoices = 'a2aa78b1-d83a-8151-b082-396aa5ed6600';
/** "Purchase to pay", the area that both stand in. */
const area = '4aad9c0e-1ebb-8236-878b-cf8c284531e5';
/** "Create purchase order", which is released and has no draft. */
const ordering = '36350d90-5f76-8c50-b869-bdd4040c366a';
/** Whose answer would be left out: nobody has it. */
const unmatched = '"0-0.0-0"';
const instants = { further: { asOf: () => new Date().toISOString() } };
const read = { 'api-version': '4.0', 'if-none-match': unmatched };
const chosen = {
  $expandRelated: ['owner'],
  $resources: ['attributes', 'related'],
  $select: ['name', 'owner'],
};
const element = { ...view, elementId: invoices, ...read };
const filter = "type -eq 'process' AND Contains(name, 'invoice')";
const facet = '/meridian/p2p/_api/rest/facets/processes';
/** The key that a page of one element ends with. */
const pageKey =
  (list: string) =>
  async ({ get }: ExampleContext): Promise<string> => {
    const { headers } = await get(`${facet}/${list}?$pageSize=1`);
    return headers.get('x-page-selection-key') ?? '';
  };

export const contentExamples: readonly NamedRequest[] = [
  ['content.storages.listReadable', { parameters: { $page: 1, $pageSize: 2, 'api-version': '4.0' } }],
  ['content.types.list', { parameters: { ...storage, facetId: 'processes', ...read } }],
  [
    'content.elements.search',
    {
      parameters: {
        ...{ ...storage, $search: 'invoice', $facet: 'processes', $culture: 1033 },
        ...{ $page: 1, $pageSize: 2, 'api-version': '4.0' },
      },
    },
  ],
  ['content.facets.list', { parameters: { ...storage, ...read, 'accept-language': 'en' } }],
  ['content.views.list', { parameters: { ...storage, facetId: 'processes', ...read, 'accept-language': 'en' } }],
  [
    'content.elements.list',
    {
      parameters: {
        ...{ ...view, viewId: 'released-list', ...read, ...chosen },
        ...{ $filter: filter, $page: 1, $pageSize: 2 },
      },
      further: { ...instants.further, $pageSelectionKey: pageKey('views/released-list/elements') },
    },
  ],
  ['content.elements.read', { parameters: { ...element, ...chosen }, ...instants }],
  [
    'content.reporting.facet',
    {
      parameters: { ...storage, facetId: 'processes', viewId: 'reporting', ...read, ...chosen, $filter: filter },
      ...instants,
    },
  ],
  [
    'content.reporting.element',
    {
      parameters: {
        ...{ ...storage, facetId: 'processes', elementId: invoices, viewId: 'reporting', ...read, ...chosen },
        $filter: "type -eq 'process'",
      },
      ...instants,
    },
  ],
  ['content.storages.describe', { parameters: { ...storage, 'api-version': '1.0', 'if-none-match': unmatched } }],
  [
    'content.elements.describe',
    { parameters: { ...element, 'api-version': '1.0', 'accept-language': 'en' }, ...instants },
  ],
  [
    'content.attributes.list',
    {
      parameters: { ...element, 'api-version': '1.0', $select: ['name', 'critical'], $filter: "type -eq 'process'" },
      ...instants,
    },
  ],
  ['content.attributes.read', { parameters: { ...element, 'api-version': '1.0', attributeName: 'name' }, ...instants }],
  [
    'content.relations.list',
    {
      parameters: {
        ...{ ...element, 'api-version': '1.0', $select: ['owner', 'uses'], $expandRelated: ['owner'] },
        $filter: "type -eq 'user'",
      },
      ...instants,
    },
  ],
  [
    'content.relations.read',
    {
      parameters: {
        ...{ ...element, 'api-version': '1.0', relationName: 'owner', $expandRelated: ['owner'] },
        ...{ $filter: "type -eq 'user'", $page: 1, $pageSize: 2 },
      },
      ...instants,
    },
  ],
  [
    'content.children.list',
    {
      parameters: { ...element, ...chosen, $filter: "type -eq 'activity'", $page: 1, $pageSize: 2 },
      further: { ...instants.further, $pageSelectionKey: pageKey(`views/detail/elements/${invoices}/children`) },
    },
  ],
  ['content.content.list', { parameters: { ...element, $page: 1, $pageSize: 1 }, ...instants }],
  [
    'content.versions.list',
    { parameters: { ...element, $resources: ['attributes'], $select: ['name', 'version'] }, ...instants },
  ],
  ['content.transitions.list', { parameters: { ...storage, elementId: invoices, 'api-version': '1.0' } }],
];

const adminStorage = { team: 'meridian', collection: 'meridian', storage: 'p2p' };

/** What was written first: its second element is a process in process. */
const written = ({ answer }: ExampleContext): string => textOf(answer('content.elements.write'), 'elements', 1, 'id');

export const contentWriteExamples: readonly NamedRequest[] = [
  [
    'content.elements.write',
    ({ uuid }) => ({
      parameters: { ...view, match: 'key', 'api-version': '4.0', 'idempotency-key': uuid(), 'if-match': '*' },
      body: {
        elements: [
          { id: area, attributes: { description: { 1033: 'From the need to the payment.' } } },
          {
            ...{ type: 'process', key: 'report-emissions', parentId: area },
            attributes: { name: { 1033: 'Report emissions', 1031: 'Emissionen berichten' }, critical: true },
          },
        ],
      },
    }),
  ],
  [
    'content.versions.create',
    ({ uuid }) => ({
      parameters: { ...storage, elementId: ordering, 'api-version': '4.0', 'idempotency-key': uuid() },
    }),
  ],
  [
    'content.elements.delete',
    (earlier) => ({
      parameters: { ...view, elementId: written(earlier), 'api-version': '2.0', 'idempotency-key': earlier.uuid() },
    }),
  ],
  [
    'content.bin.list',
    {
      parameters: { ...adminStorage, pageSize: 10 },
      further: {
        after: ({ answer }) => {
          const deleted = memberOf(answer('content.bin.list'), 'deleted', 0);
          return `${textOf(deleted, 'deletedAt')}~${textOf(deleted, 'id')}`;
        },
      },
    },
  ],
  [
    'content.bin.restore',
    (earlier) => ({ parameters: { ...adminStorage, id: written(earlier), 'idempotency-key': earlier.uuid() } }),
  ],
  [
    'content.transitions.perform',
    (earlier) => ({
      parameters: {
        ...{ ...storage, elementId: written(earlier), transitionId: 'InProcessToInReview', ignoreWarnings: true },
        ...{ 'api-version': '4.0', 'idempotency-key': earlier.uuid() },
      },
    }),
  ],
  [
    'content.bin.purge',
    ({ uuid }) => ({ parameters: { ...adminStorage, 'idempotency-key': uuid() }, body: { olderThanDays: 30 } }),
  ],
];

const handbook = { ...adminStorage, storage: 'handbook' };
const handbookDefinition = {
  ...{
    kind: 'Storage',
    collection: 'meridian',
    id: 'handbook',
    title: 'Handbook',
    cultures: [1033],
    defaultCulture: 1033,
  },
  facets: [{ name: 'documents', displayNames: { 1033: 'Documents' } }],
  types: [
    {
      ...{ name: 'page', facet: 'documents', displayNames: { 1033: 'Page' } },
      attributes: [{ name: 'name', localised: true, mandatory: true }],
    },
  ],
};
const anImport = ({ answer }: ExampleContext) => ({
  ...handbook,
  importId: textOf(answer('content.imports.begin'), 'importId'),
});
const begin: NamedRequest = [
  'content.imports.begin',
  ({ uuid }) => ({ parameters: { ...handbook, 'idempotency-key': uuid() }, body: { definition: handbookDefinition } }),
];

export const contentAdminExamples: readonly NamedRequest[] = [
  ['content.storages.list', { parameters: { team: 'meridian' } }],
  ['content.storages.definition', { parameters: adminStorage }],
  ['content.elements.export', { parameters: adminStorage }],
  [
    'content.changes.list',
    (earlier) => ({
      parameters: {
        ...{ ...adminStorage, elementId: written(earlier), order: 'oldest', pageSize: 2 },
        ...{ from: '2026-01-01T00:00:00Z', to: '9999-12-31T00:00:00Z', after: '0' },
      },
      further: {
        versionId: ({ answer }) => textOf(answer('content.elements.write'), 'elements', 1, 'versionId'),
        subject: ({ answer }) => textOf(answer('content.changes.list'), 'changes', 0, 'subject'),
      },
    }),
  ],
  begin,
  [
    'content.imports.stage',
    (earlier) => ({
      parameters: { ...anImport(earlier), 'idempotency-key': earlier.uuid() },
      body: {
        firstOrdinal: 0,
        elements: [{ id: 'page.welcome', type: 'page', attributes: { name: { 1033: 'Welcome' } } }],
      },
    }),
  ],
  ['content.imports.read', (earlier) => ({ parameters: anImport(earlier) })],
  [
    'content.imports.commit',
    (earlier) => ({
      parameters: { ...anImport(earlier), 'idempotency-key': earlier.uuid() },
      body: { overwrite: false },
    }),
  ],
  begin,
  ['content.imports.cancel', (earlier) => ({ parameters: anImport(earlier) })],
];
