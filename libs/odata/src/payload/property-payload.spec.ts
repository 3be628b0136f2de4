/** A property as a document of its own and as plain text; references to entries. */
import { describe, expect, it } from '@jest/globals';
import type { MetadataLevel, Representation } from '../query/choose-representation.js';
import { findXmlFault } from '../testing/read-feed.js';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import type { PayloadLayout, Row } from './payload.js';
import { printPropertyDocument, propertyValueText } from './property-payload.js';
import { createReferencesSerializer } from './references-payload.js';

const model = createSampleModel({
  ITEM: { fields: { ID: 'string', NO: 'integer', DUE: 'date', RATE: 'float' }, key: ['ID'] },
  BIN: { fields: { NAME: 'string' } },
});
const root = 'https://host/m.svc/';
const row: Row = ["a'b", '7', '2026-01-31', null];
const places = new Map(['ID', 'NO', 'DUE', 'RATE'].map((id, place) => [id, place]));

const jsonOf = (metadata: MetadataLevel, ieee754Compatible = false): Representation['format'] => ({
  kind: 'json',
  metadata,
  ieee754Compatible,
});
const subjectOf = (format: Representation['format'], name = 'ITEM') => ({
  ...{ root, type: findSampleType(model, name), places },
  representation: { version: '4.01', contentType: '', format } as const,
});
const propertyOf = (name: string, type = 'ITEM') => {
  const property = findSampleType(model, type).propertyByName.get(name);
  if (!property) throw new Error(`There is no ${name}.`);
  return property;
};
const bodyOf = (name: string, format: Representation['format']) =>
  printPropertyDocument(propertyOf(name), subjectOf(format), row);

describe('a property', () => {
  it('is an object with its value and the requested metadata', () => {
    expect(JSON.parse(bodyOf('NO', jsonOf('minimal')) ?? '')).toEqual({
      '@odata.context': `${root}$metadata#ITEM_entries(${encodeURIComponent("'a''b'")})/NO`,
      value: 7,
    });
    expect(bodyOf('NO', jsonOf('none'))).toBe('{"value":7}');
    expect(bodyOf('NO', jsonOf('none', true))).toBe('{"value":"7"}');
    expect(JSON.parse(bodyOf('DUE', jsonOf('full')) ?? '')).toMatchObject({
      '@odata.type': '#Date',
      value: '2026-01-31',
    });
  });

  it('of an entry without a key has its type as the context', () => {
    const name = propertyOf('NAME', 'BIN');
    const subject = { ...subjectOf(jsonOf('minimal'), 'BIN'), places: new Map([['NAME', 0]]) };
    expect(JSON.parse(printPropertyDocument(name, subject, ['x']) ?? '')).toEqual({
      '@odata.context': `${root}$metadata#Edm.String`,
      value: 'x',
    });
  });

  it('is an XML element with its type', async () => {
    const text = bodyOf('NO', { kind: 'xml' }) ?? '';
    expect(await findXmlFault(text)).toBeUndefined();
    expect(text).toMatch(/<m:value [^>]*m:type="Int64">7<\/m:value>/);
    expect(bodyOf('ID', { kind: 'xml' })).toMatch(/<m:value (?![^>]*m:type)[^>]*>a'b<\/m:value>/);
  });

  it('has neither a document nor a text when it is null', () => {
    expect(bodyOf('RATE', jsonOf('minimal'))).toBeUndefined();
    expect(propertyValueText(propertyOf('RATE'), { places }, row)).toBeUndefined();
    expect(propertyValueText(propertyOf('DUE'), { places }, row)).toBe('2026-01-31');
    expect(propertyValueText(propertyOf('DUE'), { places: new Map() }, row)).toBeUndefined();
  });
});

describe('references', () => {
  const textOf = (more: Partial<PayloadLayout>, metadata: MetadataLevel = 'minimal', rows: readonly Row[] = [row]) => {
    const type = findSampleType(model, 'ITEM');
    const asked = { shown: type.key, isSelected: true, expanded: [], linked: [], isOne: false, ...more };
    const format = { metadata, ieee754Compatible: false };
    const { head, writer, separator, tail } = createReferencesSerializer(
      { ...subjectOf(jsonOf(metadata)), ...asked },
      format,
    );
    return JSON.parse(head() + rows.map(writer()).join(separator) + tail());
  };
  const id = { '@odata.id': `${root}ITEM_entries(${encodeURIComponent("'a''b'")})` };

  it('are the addresses of entries', () => {
    expect(textOf({})).toEqual({ '@odata.context': `${root}$metadata#Collection($ref)`, value: [id] });
    expect(textOf({}, 'minimal', [row, row])).toMatchObject({ value: [id, id] });
    expect(textOf({}, 'none', [])).toEqual({ value: [] });
  });

  it('of one entry are its address', () =>
    expect(textOf({ isOne: true })).toEqual({ '@odata.context': `${root}$metadata#$ref`, ...id }));
});
