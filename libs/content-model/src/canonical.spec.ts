import { describe, expect, it } from '@jest/globals';
import { toCanonicalDefinition, toCanonicalElement } from './canonical.js';
import { digestPlan, planElement } from './plan-element.js';
import { printStorageDefinition, printElementLine, printElements, printWorkspace } from './print-workspace.js';
import { findType } from './storage-model.js';
import { createProcessElement, sampleDefinition, sampleStorage } from './testing/sample-storage.js';

const digest = (document: Parameters<typeof toCanonicalElement>[1]) => {
  const type = findType(sampleStorage, document.type);
  if (!type) throw new Error('no such type');
  return digestPlan(planElement(sampleStorage, type, document)).toString('hex');
};

describe('the canonical form', () => {
  it('orders members, uses defined spellings and leaves defaults out', () => {
    const document = createProcessElement({
      type: 'PROCESS',
      versions: [
        {
          version: '1.0',
          state: 'released',
          relations: { Uses: ['b'], uSeS: ['b', 'a'], owner: ['user.anna'] },
          attributes: { WEIGHT: { 127: 3 }, name: { 1033: 'Order' } },
          content: [{ type: 'symbol', id: 's', state: 'show', attributes: {} }],
        },
      ],
    });
    delete document.attributes;
    expect(printElementLine(toCanonicalElement(sampleStorage, document))).toBe(
      '{"id":"order","type":"process","state":"released","attributes":{"name":{"1033":"Order"},"weight":3},' +
        '"relations":{"owner":["user.anna"],"uses":["b","a"]},"content":[{"id":"s","type":"symbol"}]}\n',
    );
  });

  it('has the same digest as the original document', () => {
    const document = createProcessElement({
      relations: { uses: ['a'], owner: ['user.anna'] },
      attributes: { weight: 1, name: { 1031: 'B', 1033: 'A' } },
    });
    expect(digest(toCanonicalElement(sampleStorage, document))).toBe(digest(document));
    expect(digest(createProcessElement({ relations: { uses: ['a'] } }))).not.toBe(digest(document));
  });

  it('orders the members of links, which PostgreSQL does not keep in order', () => {
    const link = { url: 'https://x.example', title: 'Guide' };
    const document = createProcessElement({ attributes: { documents: [link] } });
    expect(JSON.stringify(toCanonicalElement(sampleStorage, document).attributes)).toBe(
      '{"documents":[{"title":"Guide","url":"https://x.example"}]}',
    );
    expect(digest(toCanonicalElement(sampleStorage, document))).toBe(digest(document));
  });

  it('is idempotent', () => {
    const versions = [
      { version: '2.0', state: 'released', attributes: { name: { 1033: 'New' } } },
      { version: '1.0', state: 'expired', attributes: { name: { 1033: 'Old' } } },
    ];
    const once = toCanonicalElement(sampleStorage, { id: 'order', type: 'process', versions });
    expect(once.versions?.map(({ version }) => version)).toEqual(['1.0', '2.0']);
    expect(toCanonicalElement(sampleStorage, once)).toEqual(once);
    expect(JSON.stringify(toCanonicalDefinition(toCanonicalDefinition(sampleDefinition)))).toBe(
      JSON.stringify(toCanonicalDefinition(sampleDefinition)),
    );
  });

  it('is printed as YAML with numeric cultures and short lists on one line', () => {
    const element = toCanonicalElement(sampleStorage, createProcessElement({ relations: { uses: ['a', 'b'] } }));
    expect(printElements([element])).toBe(
      [
        'kind: Elements',
        'elements:',
        '  - id: order',
        '    type: process',
        '    state: inProcess',
        '    attributes:',
        '      name:',
        '        1031: Bestellen',
        '        1033: Order',
        '    relations:',
        '      uses: [a, b]',
        '',
      ].join('\n'),
    );
    expect(printWorkspace({ kind: 'Workspace', team: 'trial', name: 'Trial', storages: ['trial/house.one'] })).toBe(
      'kind: Workspace\nteam: trial\nname: Trial\nstorages: [trial/house.one]\n',
    );
    expect(printStorageDefinition(sampleDefinition)).toContain('cultures: [1033, 1031]');
  });
});
