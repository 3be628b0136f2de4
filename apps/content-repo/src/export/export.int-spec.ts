/** Exports on a real PostgreSQL: what was imported comes back as the files said it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toCanonicalElement, normaliseDefinition, printStorageDefinition, printElements } from '@tessera/content-model';
import { StorageDefinition, type ElementDocument } from '@tessera/contracts';
import { companyContent } from '../testing/company.js';
import { createAdminContext, readBodyText, openTestService, type TestService } from '../testing/open-service.js';
import { ExportHandler } from './export.handler.js';

let service: TestService;
let handler: ExportHandler;

const definition = StorageDefinition.parse(companyContent.definition);
const model = normaliseDefinition(definition);
const place = { team: 'meridian', collection: 'Meridian', storage: 'p2p' };
const left = new AbortController();
const context = createAdminContext('meridian');

const uuid = '0197b5e2-0000-7000-8000-000000000001';
const many = 600;

/** Every way in which an element can be said, in canonical order. */
const documents: readonly ElementDocument[] = [
  { id: 'hidden', type: 'area', state: 'hide' },
  {
    id: uuid,
    type: 'process',
    parent: 'hidden',
    creationId: 'order',
    state: 'inReview',
    attributes: { createdOn: '2020-02-29T12:00:00.5', authorNote: 'copied' },
  },
  {
    id: 'order',
    type: 'process',
    stereotype: 'core',
    versions: [
      {
        version: '1.0',
        state: 'expired',
        attributes: { name: { 1033: 'One' }, links: [{ title: 'a', url: 'https://x.example' }] },
        content: [{ id: 's', type: 'symbol' }],
      },
      {
        version: '2.0',
        state: 'requestToExpire',
        attributes: { cost: 0, critical: false, validFrom: '9999-12-31T00:00:00' },
        relations: { owner: ['ann'], uses: [uuid, 'order'] },
        content: [
          { id: 's', type: 'symbol', state: 'hide', relations: { uses: ['ann', uuid] } },
          {
            id: '0197b5e2-0000-7000-8000-0000000000aa',
            type: 'symbol',
            creationId: '0197b5e2-0000-7000-8000-0000000000ab',
          },
        ],
      },
      { version: '2.1', state: 'inProcess' },
    ],
  },
  {
    id: 'numbered',
    type: 'process',
    version: '3.0',
    state: 'released',
    attributes: { name: { 1031: 'Drei', 1033: 'Three' } },
  },
  ...Array.from({ length: many }, (_, index) => ({ id: `step.${index}`, type: 'step', parent: 'numbered' })),
  { id: 'ann', type: 'user', attributes: { name: 'Ann' } },
];

beforeAll(async () => {
  const loaded = { team: 'meridian', definition };
  service = await openTestService([
    { ...loaded, elements: [...documents].reverse() },
    { ...loaded, elements: documents },
  ]);
  handler = service.get(ExportHandler);
});

afterAll(() => service?.end());

const linesOf = async (): Promise<readonly string[]> => {
  const reply = await handler.elements(place, context);
  if (!reply.ok || reply.value.body instanceof Uint8Array) throw new Error('The export did not stream.');
  return (await readBodyText(reply.value)).trimEnd().split('\n');
};

describe('an export', () => {
  it('returns every element as in its file, facet by facet in tree order', async () => {
    const exported = (await linesOf()).map((line): ElementDocument => JSON.parse(line));
    const canonical = documents.map((document) => toCanonicalElement(model, document));
    expect(canonical).toEqual(documents);
    expect(printElements(exported)).toBe(printElements(documents));
  });

  it('returns the definition with members in the order of its file', async () => {
    const reply = await handler.definition(place, context);
    expect(reply.ok && printStorageDefinition(reply.value)).toBe(printStorageDefinition(definition));
    expect(await handler.definition({ ...place, storage: 'other' }, context)).toMatchObject({
      failure: { code: 'CONTENT_NOTFOUND' },
    });
  });

  it('lists the storages of a team', async () => {
    const reply = await handler.list({ team: 'meridian' }, context);
    expect(reply).toMatchObject({
      value: {
        storages: [{ collection: 'Meridian', storage: 'p2p', title: 'Purchase to pay', elements: documents.length }],
      },
    });
  });

  it('releases its connection when the reader disconnects midway', async () => {
    const reply = await handler.elements(place, { ...context, signal: left.signal });
    if (!reply.ok || reply.value.body instanceof Uint8Array) throw new Error('The export did not stream.');
    for await (const piece of reply.value.body) {
      expect(piece.length).toBeGreaterThan(0);
      left.abort();
    }
    const reader = await handler.elements(place, context);
    if (!reader.ok || reader.value.body instanceof Uint8Array) throw new Error('The export did not stream.');
    for await (const piece of reader.value.body) if (piece.length > 0) break;
    expect(service.pools.writes.totalCount).toBe(service.pools.writes.idleCount);
  });
});
