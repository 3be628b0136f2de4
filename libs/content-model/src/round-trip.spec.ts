/** What must hold for every element that passes the checks: generated ones, with hostile texts among them. */
import { describe, expect, it } from '@jest/globals';
import type { ElementDocument } from '@tessera/contracts';
import fc from 'fast-check';
import { parse } from 'yaml';
import { toDocumentAttributes, fillAttributes, omitComputedAttributes } from './attributes.js';
import { toCanonicalElement } from './canonical.js';
import { checkElement } from './check-element.js';
import { toElementRows } from './element-rows.js';
import { digestPlan, planElement } from './plan-element.js';
import { printElementLine, printElements } from './print-workspace.js';
import { collectReferences } from './references.js';
import { renderVersion } from './render-version.js';
import { parseElementDocument } from './schema-faults.js';
import { versionStates } from './states.js';
import { findType } from './storage-model.js';
import { sampleStorage } from './testing/sample-storage.js';

const process = findType(sampleStorage, 'process');
if (!process) throw new Error('The trial storage has no process.');

/** Texts that YAML, JSON, SQL or the placeholder of the public URL could stumble over. */
const hostileTexts = [
  '',
  ' ',
  '\n',
  'a\nb\n',
  '\tx',
  'null',
  'true',
  '~',
  '1.0',
  '0x1f',
  '2026-06-30',
  '1033',
  '- a',
  'a: b',
  '# no comment',
  '"',
  "'",
  "it''s",
  '{a',
  '[b',
  '&x',
  '*x',
  '!tag',
  '%',
  '@',
  '`',
  '\\',
  '\u0001',
  '\u0001/x',
  '\u2028',
  '\ufeff',
  '\u0085',
  '😀',
  'ß',
  '<',
  '---',
  '...',
  '$1',
  "'; --",
  '__proto__',
];
const text = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.includes('\u0000')),
);
const key = fc.constantFrom(
  'a',
  'b.c',
  'D-1',
  '7',
  '0197b5e2-0000-7000-8000-000000000001',
  'constructor',
  'null',
  '1e3',
);
const localised = fc.oneof(text, fc.record({ 1033: text, 1031: text }, { requiredKeys: ['1033'] }));
const link = fc.record({ title: text, url: text }, { requiredKeys: ['url'] });
const attributes = fc.record(
  {
    name: localised,
    weight: fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    ),
    validFrom: fc.constantFrom('2026-06-30T00:00:00', '9999-12-31T00:00:00'),
    documents: fc.array(link, { maxLength: 3 }),
    authorNote: text,
  },
  { requiredKeys: [] },
);
const targets = fc.uniqueArray(key, { maxLength: 4 });
const relations = fc.record(
  { owner: targets.map((list) => list.slice(0, 1)), uses: targets, author: targets },
  { requiredKeys: [] },
);
const content = fc.uniqueArray(fc.record({ id: key, type: fc.constant('symbol') }), {
  maxLength: 3,
  selector: ({ id }) => id,
});
const version = fc.record(
  {
    version: fc.constantFrom('0.1', '1.0', '1.1', '2.0'),
    state: fc.constantFrom(...versionStates.filter((state) => state !== 'released')),
    attributes,
    relations,
    content,
  },
  { requiredKeys: ['version'] },
);
const elements: fc.Arbitrary<ElementDocument> = fc.record(
  {
    id: key,
    type: fc.constantFrom('process', 'PROCESS'),
    stereotype: fc.constant('core'),
    creationId: key,
    versions: fc.uniqueArray(version, { minLength: 1, maxLength: 3, selector: ({ version: number }) => number }),
  },
  { requiredKeys: ['id', 'type', 'versions'] },
);

/** Documents without what only a complete version must have. */
const withoutFaults = (document: ElementDocument): boolean => checkElement(sampleStorage, document).length === 0;
const whole = elements.filter(withoutFaults);

const digestOf = (document: ElementDocument): string =>
  digestPlan(planElement(sampleStorage, process, document)).toString('hex');
const asRead = (value: unknown): ElementDocument => {
  const parsed = parseElementDocument(value);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value;
};
const holds = (property: (document: ElementDocument) => void): void =>
  fc.assert(fc.property(whole, property), { numRuns: 150, seed: 42 });

describe('every element', () => {
  it('has the same digest in canonical form, which is idempotent', () =>
    holds((document) => {
      const canonical = toCanonicalElement(sampleStorage, document);
      expect(digestOf(canonical)).toBe(digestOf(document));
      expect(printElementLine(toCanonicalElement(sampleStorage, canonical))).toBe(printElementLine(canonical));
      expect(withoutFaults(canonical)).toBe(true);
    }));

  it('survives printing and parsing as YAML and as a JSON line', () =>
    holds((document) => {
      const canonical = toCanonicalElement(sampleStorage, document);
      expect(printElementLine(canonical).indexOf('\n')).toBe(printElementLine(canonical).length - 1);
      expect(asRead(JSON.parse(printElementLine(canonical)))).toEqual(canonical);
      const [fromYaml] = parse(printElements([canonical])).elements;
      expect(printElementLine(asRead(fromYaml))).toBe(printElementLine(canonical));
    }));

  it('has attributes that can be restored from its stored rows, in any order of members', () =>
    holds((document) => {
      const plan = planElement(sampleStorage, process, document);
      const { versions } = toElementRows(sampleStorage, plan, [], new Date('2026-06-30T00:00:00.123Z'));
      versions.forEach((row, index) => {
        const shuffled = Object.fromEntries(Object.entries(row.attributes).reverse());
        const given = omitComputedAttributes(shuffled, row);
        expect(JSON.stringify(toDocumentAttributes(process, given))).toBe(
          JSON.stringify(toDocumentAttributes(process, plan.versions[index]?.attributes ?? {})),
        );
      });
    }));

  it('is rendered as JSON of its stored values, with the placeholder only before addresses', () =>
    holds((document) => {
      const plan = planElement(sampleStorage, process, document);
      for (const planned of plan.versions) {
        const facts = { elementId: 'e', versionId: 'v', ...planned, createdAt: new Date(0), changedAt: new Date(0) };
        const stored = fillAttributes(sampleStorage, process, planned.attributes, facts);
        const text = renderVersion(sampleStorage, {
          ...facts,
          creationId: 'e',
          facet: 'processes',
          type: 'process',
          attributes: stored,
          references: {},
          content: [],
        });
        expect(text.attributes.split('\u0001')).toHaveLength(2);
        const shown: { attributes: Record<string, unknown> } = JSON.parse(
          `{${text.attributes.slice(1).replace('\u0001', '')}}`,
        );
        expect(shown.attributes).toMatchObject(JSON.parse(JSON.stringify(planned.attributes)));
      }
    }));

  it('has identifiers derived only from its key, version and content', () =>
    holds((document) => {
      const rows = () => toElementRows(sampleStorage, planElement(sampleStorage, process, document), [], new Date(0));
      expect(rows()).toEqual(rows());
      const owners = new Set([
        ...rows().versions.map(({ versionId }) => versionId),
        ...rows().content.map(({ contentId }) => contentId),
      ]);
      expect(owners.size).toBe(rows().versions.length + new Set(rows().content.map(({ contentId }) => contentId)).size);
      expect(rows().relations.every(({ ownerId }) => owners.has(ownerId))).toBe(true);
      expect(rows().relations).toHaveLength(collectReferences(document).length);
    }));
});
