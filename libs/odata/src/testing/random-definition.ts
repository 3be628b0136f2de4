/** Random models for the specs: every type, relationships of every cardinality, ids and texts of everything. */
import { cardinalities, type KnowledgeModelDefinition, valueTypes } from '@tessera/contracts/knowledge-models';
import fc from 'fast-check';

/** The converter that is compared with has objects for maps. */
const isPlainId = (id: string): boolean => !(id in {});

const ids = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/),
    fc.stringMatching(/^[AB_][x_-]{0,3}$/),
    fc.constantFrom('Container', 'Label', 'Format', '_x0041_', 'A-B', 'A_x002D_B', `A${'-'.repeat(63)}`),
  )
  .filter(isPlainId);

/** Any characters, those that XML cannot say as well. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom(
    '&lt;',
    '&#10;',
    ']]>',
    '<!--',
    '"\'',
    '\u0000\ud800\uffff',
    '\r\n\t',
    '\u{1f600}',
    ' a ',
    '&amp;amp;',
  ),
);

const field = fc.record(
  {
    id: ids,
    column: fc.constant('c'),
    type: fc.constantFrom(...valueTypes),
    name: anyText,
    description: anyText,
    unit: anyText,
    format: anyText,
    exact: fc.boolean(),
    filterable: fc.boolean(),
    sortable: fc.boolean(),
    nullable: fc.boolean(),
  },
  { requiredKeys: ['id', 'column', 'type'] },
);

const record = fc
  .record(
    {
      id: ids,
      table: fc.constant('t'),
      name: anyText,
      description: anyText,
      attributes: fc.uniqueArray(field, { selector: ({ id }) => id, minLength: 1, maxLength: 6 }),
      keys: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ['id', 'table', 'attributes', 'keys'] },
  )
  .map(({ keys, ...made }) => ({
    ...made,
    identifier: made.attributes.slice(0, keys).map(({ id }) => id),
    attributes: made.attributes.map((one, at) => (at < keys ? { ...one, nullable: false } : one)),
  }));

const choice = fc.nat({ max: 1_000 });
const link = fc.record({ from: choice, to: choice, left: choice, cardinality: fc.constantFrom(...cardinalities) });

type SampleRecord = typeof record extends fc.Arbitrary<infer Value> ? Value : never;
type Link = typeof link extends fc.Arbitrary<infer Value> ? Value : never;

/** Of attributes of the same type; none when there are no such. */
const relationshipsOf = (records: readonly SampleRecord[], links: readonly Link[]) =>
  links.flatMap((chosen) => {
    const from = records[chosen.from % records.length];
    const to = records[chosen.to % records.length];
    const left = from?.attributes[chosen.left % from.attributes.length];
    const right = to?.attributes.find(({ type }) => type === left?.type);
    if (!from || !to || !left || !right) return [];
    return [{ from: from.id, to: to.id, on: { [left.id]: right.id }, cardinality: chosen.cardinality }];
  });

/** The same attributes are related once. */
const nameOfLink = ({ from, to, on }: ReturnType<typeof relationshipsOf>[number]): string => {
  const ends = Object.entries(on).flatMap(([left, right]) => [`${from}.${left}`, `${to}.${right}`]);
  return ends.sort().join(' ');
};

export const randomDefinition: fc.Arbitrary<KnowledgeModelDefinition> = fc
  .record({
    name: anyText,
    description: anyText,
    records: fc.uniqueArray(record, { selector: ({ id }) => id, maxLength: 5 }),
    links: fc.array(link, { maxLength: 5 }),
  })
  .map(({ links, ...made }) => {
    const named = new Map(relationshipsOf(made.records, links).map((one) => [nameOfLink(one), one]));
    return {
      kind: 'KnowledgeModel',
      id: 'random',
      source: { schema: 's' },
      ...made,
      relationships: [...named.values()],
    };
  });
