import { describe, expect, it } from '@jest/globals';
import { toHttpStatus } from '@tessera/failures';
import { type AnswerKind, chooseRepresentation, type RepresentationRequest } from './choose-representation.js';

/** The content type, or the code. */
const sent = (kind: AnswerKind, request: RepresentationRequest): string => {
  const result = chooseRepresentation(kind, request);
  return result.ok ? result.value.contentType : String(toHttpStatus(result.failure));
};
const minimal = 'application/json;odata.metadata=minimal;charset=utf-8';
const csdl = 'application/xml;charset=utf-8';
const feed = 'application/atom+xml;charset=utf-8';
const service = 'application/atomsvc+xml;charset=utf-8';
const plain = 'text/plain;charset=utf-8';

describe('$format', () => {
  it.each<readonly [AnswerKind, string, string]>([
    ['entries', 'json', minimal],
    ['entries', 'JSON', minimal],
    ['entries', ' json ', minimal],
    ['entries', 'atom', feed],
    ['entry', 'Atom', feed],
    ['service', 'atom', service],
    ['metadata', 'atom', '415'],
    ['entries', 'xml', csdl],
    ['service', 'xml', csdl],
    ['metadata', 'xml', csdl],
    ['metadata', 'json', 'application/json;charset=utf-8'],
    ['service', 'json', minimal],
    ['entries', 'application/json', minimal],
    ['entries', 'Application/JSON', minimal],
    ['entries', 'application/atom xml', feed],
    ['entries', 'application/atom xml;type=feed', 'application/atom+xml;type=feed;charset=utf-8'],
    ['entries', 'application/atom+xml;type=entry', '415'],
    ['entry', 'application/atom+xml;type=entry', 'application/atom+xml;type=entry;charset=utf-8'],
    ['service', 'application/atomsvc xml', service],
    ['entries', 'application/json;odata.metadata=full', 'application/json;odata.metadata=full;charset=utf-8'],
    ['entries', 'application/json;metadata=none', 'application/json;odata.metadata=none;charset=utf-8'],
    ['entries', 'json;odata.metadata=full', 'application/json;odata.metadata=full;charset=utf-8'],
    [
      'entries',
      'application/json;odata.metadata=full;IEEE754Compatible=true;odata.streaming=true',
      'application/json;odata.metadata=full;odata.streaming=true;IEEE754Compatible=true;charset=utf-8',
    ],
    ['entries', 'application/json;IEEE754Compatible=false;streaming=false;charset=UTF-8', minimal],
    ['entries', 'application/json;ExponentialDecimals=true', minimal],
    ['entries', 'application/json;odata.metadata="none"', 'application/json;odata.metadata=none;charset=utf-8'],
    ['entries', 'application/json;odata.metadata=verbose', '415'],
    ['entries', 'application/json;odata=verbose', '415'],
    ['entries', 'application/json;IEEE754Compatible=yes', '415'],
    ['entries', 'application/json;charset=iso-8859-1', '415'],
    ['entries', 'application/json;q=0', '415'],
    ['entries', 'application/xml;version=2', '415'],
    ['entries', 'text/html', '415'],
    ['entries', '*/*', '415'],
    ['entries', '', '415'],
    ['count', 'json', plain],
    ['count', 'text/plain', plain],
    ['count', 'text/plain;charset=latin1', '415'],
    ['count', 'xml', '415'],
    ['value', 'json', plain],
    ['value', 'text/plain', plain],
    ['value', 'xml', '415'],
    ['property', 'json', minimal],
    ['property', 'xml', csdl],
    ['property', 'atom', '415'],
    ['references', 'application/json', minimal],
    ['references', 'xml', '415'],
  ])('of %s: %s is %s', (kind, $format, expected) => expect(sent(kind, { $format })).toBe(expected));

  it('takes precedence over Accept', () => {
    expect(sent('entries', { $format: 'json', accept: 'application/atom+xml' })).toBe(minimal);
    expect(sent('entries', { $format: 'html', accept: 'application/json' })).toBe('415');
  });
});

describe('Accept', () => {
  it.each<readonly [AnswerKind, string | undefined, string]>([
    ['entries', undefined, minimal],
    ['entries', '', minimal],
    ['entries', '*/*', minimal],
    ['entries', 'application/*', minimal],
    ['metadata', '*/*', csdl],
    ['metadata', undefined, csdl],
    ['metadata', 'application/json', 'application/json;charset=utf-8'],
    ['metadata', 'application/json, application/xml', csdl],
    ['entries', 'application/atom+xml, application/json', minimal],
    ['entries', 'application/atom+xml, */*', feed],
    ['entries', 'application/atom+xml;q=0.9, application/json;q=0.8', feed],
    ['entries', 'application/atom+xml, application/xml', feed],
    ['service', 'application/atomsvc+xml;q=0.8, application/json;q=0.5, */*;q=0.1', service],
    ['entries', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', csdl],
    ['entries', '*/*, application/json;q=0', feed],
    ['entries', 'application/*;q=0, */*', '415'],
    ['entries', 'application/json;q=0', '415'],
    ['entries', '*/*;q=0', '415'],
    ['entries', 'text/html', '415'],
    ['entries', 'nonsense, application/json;q=2', minimal],
    [
      'entries',
      'application/json;odata.metadata=full, application/json',
      'application/json;odata.metadata=full;charset=utf-8',
    ],
    ['entries', 'application/json;odata.metadata=full;q=0.5, application/json', minimal],
    ['entries', 'application/json;odata=verbose, application/json;q=0.1', minimal],
    ['entries', 'application/json;odata=verbose', '415'],
    ['entries', 'application/json;metadata="full, whole", application/atom+xml;q=0.1', feed],
    ['count', undefined, plain],
    ['count', '*/*', plain],
    ['count', 'text/*', plain],
    ['count', 'text/plain', plain],
    ['count', 'application/json', plain],
    ['count', 'text/plain;q=0', '415'],
    ['count', 'text/plain;q=0, */*', '415'],
    ['count', '*/*;q=0', '415'],
  ])('of %s: %s is %s', (kind, accept, expected) => expect(sent(kind, { accept })).toBe(expected));

  it('of clients of version 4.0 selects XML for metadata whenever it allows XML', () => {
    const metadata = (accept: string, odataMaxVersion: string) => sent('metadata', { accept, odataMaxVersion });
    const both = 'application/json;odata.metadata=minimal;q=1.0,application/atom+xml;q=0.8,application/xml;q=0.7';
    expect(metadata(both, '4.0')).toBe(csdl);
    expect(metadata('application/json, */*;q=0.1', '4.0')).toBe(csdl);
    expect(metadata('application/json', '4.0')).toBe('application/json;charset=utf-8');
    expect(metadata('application/json, application/xml;q=0', '4.0')).toBe('application/json;charset=utf-8');
    expect(metadata(both, '4.01')).toBe('application/json;charset=utf-8');
  });

  it('reports what was expected and what was found', () => {
    expect(chooseRepresentation('metadata', { accept: 'text/html' })).toMatchObject({
      failure: {
        code: 'ODATA_FORMAT_UNSUPPORTED',
        detail: expect.stringMatching(/^Accept asks for "text\/html", .*application\/xml or application\/json/),
        faults: [{ in: 'header', path: 'Accept' }],
      },
    });
    expect(chooseRepresentation('entries', { $format: 'csv', accept: 'text/html' })).toMatchObject({
      failure: {
        detail: expect.stringContaining('$format asks for "csv"'),
        faults: [{ in: 'query', path: '$format' }],
      },
    });
  });
});

it('chooseRepresentation returns the format with its metadata level', () => {
  const $format = 'application/json;metadata=full;ieee754compatible=TRUE';
  expect(chooseRepresentation('entry', { $format })).toMatchObject({
    value: { format: { kind: 'json', metadata: 'full', ieee754Compatible: true } },
  });
  expect(chooseRepresentation('count', {})).toMatchObject({ value: { format: { kind: 'text' } } });
  expect(chooseRepresentation('metadata', {})).toMatchObject({ value: { format: { kind: 'xml' } } });
});

describe('the OData version', () => {
  it.each([
    [undefined, '4.01'],
    ['4.0', '4.0'],
    [' 4.0 ', '4.0'],
    ['4.00', '4.0'],
    ['4', '4.0'],
    ['4.001', '4.0'],
    ['4.01', '4.01'],
    ['4.1', '4.01'],
    ['5.0', '4.01'],
  ])('for OData-MaxVersion %s is %s', (odataMaxVersion, version) =>
    expect(chooseRepresentation('entries', { odataMaxVersion })).toMatchObject({ value: { version } }),
  );

  it.each(['3.0', '3.0;NetFx', '0', '', 'x', '-4.0', '4.0.1', '4,01', 'Infinity'])(
    'is refused for OData-MaxVersion %s',
    (odataMaxVersion) =>
      expect(chooseRepresentation('entries', { odataMaxVersion })).toMatchObject({
        failure: { code: 'GENERAL_PARAMETER_ILLEGAL', faults: [{ in: 'header', path: 'OData-MaxVersion' }] },
      }),
  );

  it.each(['3.0', '4', '4.02', 'x', ''])('of a request cannot be %s', (odataVersion) =>
    expect(chooseRepresentation('entries', { odataVersion })).toMatchObject({
      failure: { code: 'GENERAL_PARAMETER_ILLEGAL', faults: [{ in: 'header', path: 'OData-Version' }] },
    }),
  );

  it('of a request can be 4.0 or 4.01', () => {
    for (const odataVersion of ['4.0', '4.01']) expect(sent('entries', { odataVersion })).toBe(minimal);
  });
});
