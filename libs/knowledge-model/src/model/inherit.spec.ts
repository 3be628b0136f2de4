import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createFaultList } from '@tessera/failures';
import { resolveInheritance } from './inherit.js';

type Members = Partial<KnowledgeModelDefinition>;
const model = (id: string, parent: string | null, members: Members): KnowledgeModelDefinition => ({
  kind: 'KnowledgeModel',
  id,
  extends: parent,
  ...members,
});

/** The first model with the others as its bases, nearest first. */
const merged = (...members: readonly Members[]): KnowledgeModelDefinition => {
  const models = members.map((own, at) => model(`m${at}`, at + 1 < members.length ? `m${at + 1}` : null, own));
  const list = createFaultList('definition');
  const [first] = models;
  const whole = first && resolveInheritance(first, new Map(models.map((each) => [each.id, each])), list);
  if (!whole) throw new Error(JSON.stringify(list.faults));
  return whole;
};

describe('resolveInheritance', () => {
  it('keeps a model without a base as it is', () => {
    expect(merged({ name: 'N', records: [{ id: 'A', table: 'a' }] })).toMatchObject({
      id: 'm0',
      name: 'N',
      records: [{ id: 'A', table: 'a' }],
    });
  });

  it('applies all bases, with the nearest base last', () => {
    const whole = merged(
      { kpis: [{ id: 'K', unit: 'c' }] },
      { kpis: [{ id: 'K', unit: 'b', format: 'b' }], description: 'b' },
      { kpis: [{ id: 'K', unit: 'a', format: 'a', expression: 'a' }], description: 'a', source: { schema: 'a' } },
    );
    expect(whole).toMatchObject({
      id: 'm0',
      description: 'b',
      source: { schema: 'a' },
      kpis: [{ id: 'K', unit: 'c', format: 'b', expression: 'a' }],
    });
  });

  it('inherits synonyms unless the definition has its own', () => {
    const attributes = [
      { id: 'X', synonyms: ['ex'] },
      { id: 'Y', synonyms: ['why'] },
    ];
    const own = [
      { id: 'X', name: 'Ix' },
      { id: 'Y', synonyms: ['Ypsilon'] },
    ];
    const whole = merged({ records: [{ id: 'A', attributes: own }] }, { records: [{ id: 'A', attributes }] });
    expect(whole.records?.[0]?.attributes).toEqual([
      { id: 'X', name: 'Ix', synonyms: ['ex'] },
      { id: 'Y', synonyms: ['Ypsilon'] },
    ]);
  });

  it('keeps the order of the base and appends new entries', () => {
    const whole = merged(
      { filters: [{ id: 'C' }, { id: 'B', name: 'new' }] },
      { filters: [{ id: 'A' }, { id: 'B', name: 'old', expression: 'x' }] },
    );
    expect(whole.filters).toEqual([{ id: 'A' }, { id: 'B', name: 'new', expression: 'x' }, { id: 'C' }]);
  });

  it('merges fields by id, also when the kind of a field changes', () => {
    const whole = merged(
      {
        records: [
          {
            id: 'A',
            attributes: [{ id: 'X', unit: 'EUR' }],
            augmentedAttributes: [{ id: 'Y', expression: 'X' }],
            flags: [{ id: 'Z', expression: 'true' }],
          },
        ],
      },
      {
        records: [
          {
            id: 'A',
            table: 'a',
            attributes: [
              { id: 'X', column: 'x' },
              { id: 'Y', column: 'y' },
            ],
            augmentedAttributes: [{ id: 'Z', expression: 'Y' }],
          },
        ],
      },
    );
    expect(whole.records).toEqual([
      {
        id: 'A',
        table: 'a',
        attributes: [{ id: 'X', column: 'x', unit: 'EUR' }],
        augmentedAttributes: [{ id: 'Y', expression: 'X' }],
        flags: [{ id: 'Z', expression: 'true' }],
      },
    ]);
  });

  it('merges the parameters of a KPI', () => {
    const whole = merged(
      { kpis: [{ id: 'K', parameters: [{ id: 'p', value: '2' }] }] },
      {
        kpis: [
          {
            id: 'K',
            parameters: [
              { id: 'p', value: '1', name: 'P' },
              { id: 'q', value: '1' },
            ],
          },
        ],
      },
    );
    expect(whole.kpis?.[0]?.parameters).toEqual([
      { id: 'p', value: '2', name: 'P' },
      { id: 'q', value: '1' },
    ]);
  });

  it('adds relationships and policies to those of the base, so that no restriction can be removed', () => {
    const relationship = { from: 'A', to: 'B', on: { X: 'X' }, cardinality: 'one-to-one' } as const;
    const whole = merged(
      { policies: [{ record: 'A', hide: ['Y'] }], relationships: [] },
      { policies: [{ record: 'A', rows: "X eq '1'" }], relationships: [relationship] },
    );
    expect(whole.policies).toEqual([
      { record: 'A', rows: "X eq '1'" },
      { record: 'A', hide: ['Y'] },
    ]);
    expect(whole.relationships).toEqual([relationship]);
  });

  it('keeps the first of two entries with the same id', () => {
    const whole = merged({
      filters: [
        { id: 'F', name: 'first' },
        { id: 'F', name: 'second' },
      ],
    });
    expect(whole.filters).toEqual([{ id: 'F', name: 'first' }]);
  });
});
