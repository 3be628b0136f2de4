/** CSDL in both notations, against the schemas of the standard and against each other. */
import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { csdlXmlToJson, validateCsdlJson, validateCsdlXml } from '@tessera/testing/csdl';
import fc from 'fast-check';
import { createEntityModel } from '../model/entity-model-of.js';
import type { EntityModel } from '../model/entity-model.js';
import { anyText, randomDefinition } from '../testing/random-definition.js';
import { ordersDefinition, createView } from '../testing/sample-views.js';
import { printCsdlJson } from './csdl-json.js';
import { printCsdlXml } from './csdl-xml.js';

const modelOf = (definition: KnowledgeModelDefinition, scopes: readonly string[] = []): EntityModel =>
  createEntityModel(createView(definition, scopes));
const orders = modelOf(ordersDefinition);
const versions = ['4.0', '4.01'] as const;

const withTexts = (text: string): KnowledgeModelDefinition => ({
  kind: 'KnowledgeModel',
  id: 'texts',
  name: text,
  description: text,
  source: { schema: 's' },
  records: [
    {
      id: 'R',
      name: text,
      description: text,
      table: 't',
      identifier: ['A'],
      attributes: [{ id: 'A', column: 'a', name: text, description: text, unit: text, format: text }],
    },
  ],
});

/** What XML cannot say, and how the converter writes line ends, in all strings of a document. */
const asXmlSays = (value: unknown): unknown => {
  if (typeof value === 'string')
    return [...value.replace(/\r\n?/g, '\n')]
      .map((character) =>
        /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u.test(character) ? character : '\ufffd',
      )
      .join('');
  if (Array.isArray(value)) return value.map(asXmlSays);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asXmlSays(inner)]));
};

const compare = (model: EntityModel): void => {
  for (const version of versions)
    expect(csdlXmlToJson(printCsdlXml(model, version))).toEqual(asXmlSays(JSON.parse(printCsdlJson(model, version))));
};

describe('CSDL', () => {
  it('conforms to the schemas of the standard, in XML and JSON and in both versions', async () => {
    const empty = modelOf({ kind: 'KnowledgeModel', id: 'empty', source: { schema: 's' } });
    const models = [
      orders,
      modelOf(ordersDefinition, ['secrets']),
      empty,
      modelOf(withTexts(']]>&lt;\u0001\u{1f600}"')),
    ];
    const documents = models.flatMap((model) => versions.map((version) => printCsdlXml(model, version)));
    expect(await validateCsdlXml(documents)).toEqual([]);
    for (const model of models)
      for (const version of versions) expect(validateCsdlJson(printCsdlJson(model, version))).toEqual([]);
  });

  it('is rejected by the validators when it is invalid', async () => {
    const xml = printCsdlXml(orders, '4.01');
    const wrong = [
      xml.replace('"Edm.Int64"', '"Edm."'),
      xml.replace('Version="4.01"', 'Version="4.1"'),
      xml.replace('<PropertyRef Name', '<PropertyRef Named'),
      xml.replace('Scale="variable"', 'Scale="some"'),
      xml.replace('Name="ITEM"', `Name="${'I'.repeat(129)}"`),
      xml.replace('Bool="true"', 'Bool="yes"'),
      xml.replace('</Schema>', ''),
    ];
    for (const document of wrong) {
      expect(document).not.toBe(xml);
      expect(await validateCsdlXml([xml, document])).not.toEqual([]);
    }
    const json = printCsdlJson(orders, '4.01');
    for (const document of [
      json.replace('"$Version":"4.01"', '"$Version":"4.1"'),
      json.replace('"$Type":"Edm.Int64"', '"$Type":"Edm."'),
      json.replace('"$Key"', '"$Keys"'),
      json.replace('"$Precision":6', '"$Precision":"6"'),
    ]) {
      expect(document).not.toBe(json);
      expect(validateCsdlJson(document)).not.toEqual([]);
    }
  });

  it('has the same content in XML and JSON', () => {
    compare(orders);
    compare(modelOf(ordersDefinition, ['secrets']));
    fc.assert(
      fc.property(randomDefinition, (definition) => compare(modelOf(definition))),
      { numRuns: 60 },
    );
    const json: unknown = JSON.parse(printCsdlJson(orders, '4.01'));
    const xml = printCsdlXml(orders, '4.01');
    expect(csdlXmlToJson(xml)).toEqual(json);
    for (const part of [' Nullable="false"', ' Precision="6"', ' Alias="Core"', '<PropertyPath>OPEN</PropertyPath>']) {
      expect(xml).toContain(part);
      expect(csdlXmlToJson(xml.replace(part, ''))).not.toEqual(json);
    }
  });

  it('is valid for any model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomDefinition, { minLength: 4, maxLength: 8 }), async (definitions) => {
        const models = definitions.map((definition) => modelOf(definition));
        expect(await validateCsdlXml(models.map((model) => printCsdlXml(model, '4.01')))).toEqual([]);
        for (const model of models) expect(validateCsdlJson(printCsdlJson(model, '4.01'))).toEqual([]);
      }),
      { numRuns: 5 },
    );
  });

  it('keeps any text, with U+FFFD for characters that XML cannot represent', () => {
    const xml = printCsdlXml(modelOf(withTexts('a\u0000b\ud800c\r\n&lt;]]>')), '4.01');
    expect(xml).toContain('String="a\ufffdb\ufffdc&#13;&#10;&amp;lt;]]&gt;"');
    fc.assert(
      fc.property(anyText, (text) => compare(modelOf(withTexts(text)))),
      { numRuns: 300 },
    );
  });
});

describe('CSDL XML', () => {
  const xml = printCsdlXml(orders, '4.01');

  it('declares keys, types and facets', () => {
    expect(xml).toContain(
      '<EntityType Name="ITEM"><Key><PropertyRef Name="ORDER_NO"/><PropertyRef Name="ITEM_x002D_NO"/></Key>',
    );
    expect(xml).toContain('<Property Name="ORDER_NO" Type="Edm.String" Nullable="false">');
    expect(xml).toContain('<Property Name="EXACT" Type="Edm.Decimal" Scale="variable"/>');
    expect(xml).toContain('<Property Name="CLOCK" Type="Edm.TimeOfDay" Precision="6"/>');
    expect(xml).toContain('<Property Name="MOMENT" Type="Edm.DateTimeOffset" Precision="6"/>');
    expect(xml).toContain('<Property Name="ID" Type="Edm.Decimal" Nullable="false" Scale="variable"/>');
  });

  it('contains no hidden fields', () => {
    expect(printCsdlXml(modelOf(ordersDefinition, ['secrets']), '4.01')).toContain('SECRET');
    expect(xml).not.toMatch(/SECRET|HINT/);
    expect(printCsdlJson(orders, '4.01')).not.toMatch(/SECRET|HINT/);
  });

  it('declares a navigation property nullable where a policy hides rows, and at both ends of a one-to-one relationship', () => {
    const policies = [{ record: 'Container', rows: "COUNTRY eq 'DE'" }];
    const hiding = printCsdlXml(modelOf({ ...ordersDefinition, policies }), '4.01');
    expect(hiding).toContain('<NavigationProperty Name="Container" Type="ODataKnowledgeModel._x0043_ontainer"/>');
    const note = '<NavigationProperty Name="DELIVERY_x002D_NOTE" Type="ODataKnowledgeModel.DELIVERY_x002D_NOTE"';
    const known = ordersDefinition.records?.map((record) => ({
      ...record,
      attributes: record.attributes?.map((attribute) => ({ ...attribute, nullable: false })),
    }));
    const sure = printCsdlXml(modelOf({ ...ordersDefinition, records: known }), '4.01');
    expect(sure).toContain(`${note}/>`);
  });

  it('declares navigation properties, their referential constraints where CSDL allows them, and their targets', () => {
    expect(xml).toContain(
      '<NavigationProperty Name="Container" Type="ODataKnowledgeModel._x0043_ontainer" Nullable="false">' +
        '<ReferentialConstraint Property="ORDER_NO" ReferencedProperty="ORDER_NO"/></NavigationProperty>',
    );
    // A float is a decimal where it is a key, so that the two are of different types.
    expect(xml).toContain('<NavigationProperty Name="_x0053_UPPLIER" Type="ODataKnowledgeModel.SUPPLIER"/>');
    expect(xml).toContain('<NavigationProperty Name="ITEM" Type="Collection(ODataKnowledgeModel.ITEM)"/>');
    // Of a key that is hidden nothing is told, nor that it is always there.
    expect(xml).toContain('<NavigationProperty Name="SUPPLIER" Type="ODataKnowledgeModel.SUPPLIER"/>');
    expect(xml).toContain('<NavigationPropertyBinding Path="Container" Target="_x0043_ontainer_entries"/>');
  });

  it('declares no constraint on a non-nullable key when another key of the relationship is nullable', () => {
    const attributes = [
      { id: 'A', column: 'a' },
      { id: 'B', column: 'b', nullable: false },
    ];
    const record = (id: string, identifier: string) => ({
      id,
      table: 't',
      identifier: [identifier],
      attributes: [...attributes, { id: identifier, column: 'i' }],
    });
    const model = modelOf({
      kind: 'KnowledgeModel',
      id: 'keys',
      source: { schema: 's' },
      records: [record('ONE', 'I'), record('TWO', 'J')],
      relationships: [{ from: 'ONE', to: 'TWO', on: { A: 'A', B: 'B' }, cardinality: 'many-to-one' }],
    });
    expect(printCsdlXml(model, '4.01')).toContain(
      '<NavigationProperty Name="TWO" Type="ODataKnowledgeModel.TWO">' +
        '<ReferentialConstraint Property="A" ReferencedProperty="A"/></NavigationProperty>',
    );
  });

  it('declares unsupported capabilities', () => {
    const sets = xml.slice(xml.indexOf('<EntitySet Name="ITEM_entries"'));
    const set = sets.slice(0, sets.indexOf('</EntitySet>'));
    expect(set).toContain(
      '<Annotation Term="Capabilities.FilterRestrictions"><Record><PropertyValue Property="Filterable" Bool="true"/>' +
        '<PropertyValue Property="NonFilterableProperties"><Collection><PropertyPath>OPEN</PropertyPath></Collection>',
    );
    expect(set).toContain(
      '<PropertyValue Property="NonSortableProperties"><Collection><PropertyPath>DAY</PropertyPath>',
    );
    for (const [term, member] of [
      ['Insert', 'Insertable'],
      ['Update', 'Updatable'],
      ['Delete', 'Deletable'],
    ])
      expect(set).toContain(
        `<Annotation Term="Capabilities.${term}Restrictions"><Record><PropertyValue Property="${member}" Bool="false"/>`,
      );
    expect(set).not.toContain('IndexableByKey');
    expect(xml).toContain('EnumMember="Capabilities.ConformanceLevelType/Minimal"');
    expect(xml).toContain('<Annotation Term="Capabilities.BatchSupported" Bool="true"/>');
    expect(xml).toContain(
      '<Annotation Term="Capabilities.BatchSupport"><Record><PropertyValue Property="Supported" Bool="true"/>' +
        '<PropertyValue Property="ContinueOnErrorSupported" Bool="true"/><PropertyValue Property="SupportedFormats">' +
        '<Collection><String>application/json</String><String>multipart/mixed</String></Collection></PropertyValue></Record></Annotation>',
    );
  });

  it('declares entity sets with filterable text properties as searchable', () => {
    const searchable = (model: typeof orders) =>
      [...printCsdlJson(model, '4.01').matchAll(/"@Capabilities.SearchRestrictions":\{"Searchable":(\w+)\}/g)].map(
        ([, is]) => is,
      );
    expect(searchable(orders)).toContain('true');
    const unfilterable = orders.types.map((type) => ({
      ...type,
      properties: type.properties.map((property) => ({ ...property, filterable: false })),
    }));
    expect(new Set(searchable({ ...orders, types: unfilterable }))).toEqual(new Set(['false']));
  });

  it('declares the functions that $filter supports', () => {
    const [, functions = ''] = /Term="Capabilities.FilterFunctions"><Collection>(.*?)<\/Collection>/.exec(xml) ?? [];
    for (const name of ['in', 'divby', 'contains', 'tolower', 'indexof', 'now', 'ceiling', 'any', 'all'])
      expect(functions).toContain(`<String>${name}</String>`);
  });

  it('declares $expand with two levels, and collections as expandable only from types with a key', () => {
    const restrictions = (record: string) => {
      const set = xml.slice(xml.indexOf(`<EntitySet Name="${record}_entries"`));
      const [, told] = /<Annotation Term="Capabilities.ExpandRestrictions"><Record>(.*?)<\/Record>/.exec(set) ?? [];
      return told;
    };
    const one = '<PropertyValue Property="Expandable" Bool="true"/>';
    const level = '<PropertyValue Property="MaxLevels" Int="2"/>';
    expect(restrictions('ITEM')).toBe(one + level);
    expect(restrictions('_x0043_ontainer')).toBe(one + level);
    const alone = printCsdlJson(
      { ...orders, types: orders.types.map((type) => ({ ...type, navigation: [] })) },
      '4.01',
    );
    expect(alone).toContain('"@Capabilities.ExpandRestrictions":{"Expandable":false}');
    const keyless = printCsdlJson({ ...orders, types: orders.types.map((type) => ({ ...type, key: [] })) }, '4.01');
    expect(keyless).toContain(
      '"@Capabilities.ExpandRestrictions":{"Expandable":true,"NonExpandableProperties":["ITEM"],"MaxLevels":2}',
    );
  });

  it('marks types without a key as not addressable', () => {
    const [first, ...others] = orders.types;
    if (!first) throw new Error('There is no type.');
    const keyless = printCsdlXml({ ...orders, types: [{ ...first, key: [] }, ...others] }, '4.01');
    expect(keyless).not.toContain('<EntityType Name="ITEM"><Key>');
    expect(keyless).toContain('<Annotation Term="Capabilities.IndexableByKey" Bool="false"/>');
  });
});

describe('CSDL JSON', () => {
  it('leaves out default values', () => {
    const json: unknown = JSON.parse(printCsdlJson(orders, '4.01'));
    expect(json).toMatchObject({
      $Version: '4.01',
      $EntityContainer: 'ODataKnowledgeModel.Container',
      ODataKnowledgeModel: {
        ITEM: {
          $Kind: 'EntityType',
          $Key: ['ORDER_NO', 'ITEM_x002D_NO'],
          '@Core.Description': 'A line of an order',
          '@ODataKnowledgeModel.Label': 'Order item',
          ORDER_NO: { '@ODataKnowledgeModel.Label': 'Order number' },
          AMOUNT: {
            $Type: 'Edm.Double',
            $Nullable: true,
            '@Core.Description': 'Net amount',
            '@Measures.Unit': 'EUR',
            '@ODataKnowledgeModel.Format': ',.2f',
          },
          EXACT: { $Type: 'Edm.Decimal', $Nullable: true },
        },
        Container: { '@Capabilities.ConformanceLevel': 'Minimal', '@Core.Description': ordersDefinition.description },
      },
    });
    expect(printCsdlJson(orders, '4.01')).toContain('"ORDER_NO":{"@ODataKnowledgeModel.Label":"Order number"}');
  });

  it('supports field names such as __proto__', () => {
    const attributes = ['__proto__', 'constructor'].map((id) => ({ id, column: 'c' }));
    const record = { id: '__proto__', table: 't', identifier: ['__proto__'], attributes };
    const model = modelOf({ kind: 'KnowledgeModel', id: 'm', source: { schema: 's' }, records: [record] });
    const json = printCsdlJson(model, '4.01');
    expect(json).toContain('"__proto__":{"$Kind":"EntityType","$Key":["__proto__"],"__proto__":{},"constructor":');
    expect(validateCsdlJson(json)).toEqual([]);
  });
});
