import { describe, expect, it } from '@jest/globals';
import { checkHttpRequest } from './check-request.js';
import { definitionOf, surroundingsOf } from './testing/surroundings-of.js';

const secrets = {
  ERP_TOKEN: { teams: ['meridian'], hosts: ['erp.example'], value: 'a-long-secret' },
  CRM_TOKEN: { teams: ['meridian'], hosts: ['crm.example'], value: 'a-long-secret' },
  NORTHGATE_TOKEN: { teams: ['northgate'], hosts: ['erp.example'], value: 'a-long-secret' },
};
const faultsOf = (definition: Parameters<typeof definitionOf>[0]) =>
  checkHttpRequest(definitionOf(definition), surroundingsOf({ secrets })).map(
    ({ path, message }) => `${path}: ${message}`,
  );

const withProperties = (
  properties: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  inputSchema: { type: 'object', properties, ...more },
});
const withHeaders = (headers: Record<string, string>) => ({ request: { headers } });

describe('the check of an http-request tool', () => {
  it('finds nothing wrong with what is right', () => {
    expect(
      faultsOf({
        request: {
          method: 'POST',
          url: 'https://erp.example/invoices/{invoice_no}/lines/{line}?lang=de&state={state}',
          headers: {
            Authorization: 'Bearer {secret:ERP_TOKEN}',
            'Content-Type': 'application/merge-patch+json',
            Cookie: 'a=b',
          },
        },
        inputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          required: ['invoice_no', 'line', 'state'],
          properties: {
            invoice_no: { type: 'string', pattern: '^\\d{10}$', maxLength: 10 },
            line: { type: 'integer', minimum: 1 },
            state: { type: 'string', enum: ['open', 'paid'] },
            due: { type: 'string', format: 'date', default: '2026-06-30' },
            tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
            address: { $ref: '#/$defs/address' },
            pattern: { type: 'string', title: 'A property of this name', examples: [{ pattern: '(' }] },
          },
          $defs: { address: { type: 'object', properties: { city: { type: 'string' } } } },
          additionalProperties: false,
        },
        outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
      }),
    ).toEqual([]);
  });

  it.each([
    [
      'https://erp.example/{invoice}',
      withProperties({ invoices: { type: 'string' } }),
      /request\.url: unknown argument "invoice"; did you mean "invoices"\?/,
    ],
    ['https://erp.example/{a}', withProperties({ a: { type: 'string' } }), /inputSchema\.required: expected "a"/],
    [
      'https://erp.example/{a}',
      withProperties({ a: { type: 'array' } }, { required: ['a'] }),
      /inputSchema\.properties\.a\.type: expected one of string, integer/,
    ],
    ['https://erp.example/{a}', withProperties({ a: {} }, { required: ['a'] }), /inputSchema\.properties\.a\.type/],
    [
      'https://erp.example/?a=1',
      withProperties({ a: { type: 'string' } }),
      /inputSchema\.properties\.a: expected another name/,
    ],
    [
      'https://erp.example/',
      withProperties({ a: { type: 'object' } }),
      /inputSchema\.properties\.a\.type: expected no object/,
    ],
    ['https://erp.example/?{a}=1', {}, /no placeholder in the name/],
    ['https://erp.example/{a b}', {}, /percent-encoded/],
    ['https://erp.example/{}', {}, /placeholders like/],
    ['https://erp.example/{secret:ERP_TOKEN}', {}, /placeholders like/],
    ['https://erp.example/a/../b', {}, /without \. and \.\./],
    ['https://erp.example/a/%2e%2E/b', {}, /without \. and \.\./],
    ['https://erp.example/100%', {}, /followed by two digits/],
    ['https://erp.example/?%zz=1', {}, /followed by two digits/],
    ['https://erp.example/ä', {}, /percent-encoded/],
    ['https://erp.example/a#b', {}, /expected an address/],
  ])('finds what is wrong with the arguments of %s', (url, more, expected) => {
    expect(faultsOf({ request: { url }, ...more }).join('\n')).toMatch(expected);
  });

  it.each([
    [{ Host: 'erp.example' }, /request\.headers\.Host: the header Host is set by the platform/],
    [{ 'Transfer-Encoding': 'chunked' }, /is set by the platform/],
    [{ 'content-length': '5' }, /is set by the platform/],
    [{ 'X-Request-ID': '5' }, /is set by the platform/],
    [{ Accept: 'a', accept: 'b' }, /is there twice/],
    [{ 'Content-Type': 'text/xml' }, /expected application\/json/],
    [{ 'X-Name': 'a\r\nHost: b' }, /printable ASCII/],
    [{ 'X-Name': 'größer' }, /printable ASCII/],
    [{ 'X-Name': '{invoiceNo}' }, /expected no argument/],
    [
      { Authorization: 'Bearer {secret:ERP_TOKN}' },
      /there is no secret "ERP_TOKN" for the team; did you mean "ERP_TOKEN"\?/,
    ],
    [{ Authorization: 'Bearer {secret:CRM_TOKEN}' }, /the secret "CRM_TOKEN" is not for the host erp\.example/],
    [{ Authorization: 'Bearer {secret:}' }, /there is no secret ""/],
    [{ Authorization: 'Bearer {secret:constructor}' }, /there is no secret "constructor"/],
  ])('finds what is wrong with the headers %j', (headers, expected) => {
    expect(faultsOf(withHeaders(headers)).join('\n')).toMatch(expected);
  });

  it('tells nothing of the secrets of other teams', () => {
    const [fault] = faultsOf(withHeaders({ Authorization: '{secret:NORTHGATE_TOKEN}' }));
    expect(fault).toBe('request.headers.Authorization: there is no secret "NORTHGATE_TOKEN" for the team');
  });
});

const nested = (levels: number): object => (levels === 0 ? {} : { items: nested(levels - 1) });
const doubling = Object.fromEntries(
  Array.from({ length: 30 }, (_, level) => [
    `l${level}`,
    { allOf: [1, 2].map(() => ({ $ref: `#/$defs/l${level + 1}` })) },
  ]),
);

describe('the check of a schema', () => {
  it.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['another type', { type: 'array' }, /^inputSchema\.type: expected "object"/],
    ['no type', {}, /^inputSchema\.type: expected "object"/],
    [
      'a type that is none',
      { type: 'object', properties: { a: { type: 'txt' } } },
      /^inputSchema\.properties\.a\.type: unknown type "txt"/,
    ],
    [
      'a keyword that is none',
      { type: 'object', requierd: ['a'] },
      /^inputSchema\.requierd: unknown keyword "requierd"; did you mean "required"/,
    ],
    ['a format that is none', { type: 'object', properties: { a: { format: 'datum' } } }, /datum/],
    [
      'a dangerous pattern',
      { type: 'object', properties: { a: { pattern: '(a)\\1' } } },
      /^inputSchema\.properties\.a\.pattern: the pattern refers back/,
    ],
    [
      'one under a name',
      { type: 'object', properties: { properties: { pattern: '(?=a)' } } },
      /properties\.properties\.pattern: the pattern looks/,
    ],
    [
      'one of names',
      { type: 'object', patternProperties: { '(': {} } },
      /patternProperties\.\(: the pattern is no regular/,
    ],
    [
      'a remote reference',
      { type: 'object', properties: { a: { $ref: 'https://evil.example/schema' } } },
      /\$ref: expected a part of this schema/,
    ],
    ['a reference to nothing', { type: 'object', $ref: '#/$defs/nothing' }, /\$ref: expected a part of this schema/],
    [
      'a circle',
      { type: 'object', $defs: { a: { items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' },
      /refers to itself/,
    ],
    [
      'a reference to the whole',
      { type: 'object', properties: { a: { $ref: '#' } } },
      /\$ref: expected a part of this schema/,
    ],
    ['a dynamic reference', { type: 'object', $dynamicRef: '#a' }, /expected no \$dynamicRef/],
    ['an id', { type: 'object', $id: 'https://json-schema.org/draft/2020-12/schema' }, /expected no \$id/],
    ['too many levels', { type: 'object', properties: { a: nested(40) } }, /expected at most 32 levels/],
    [
      'too much once it is written out',
      { type: 'object', $defs: { ...doubling, l30: {} }, $ref: '#/$defs/l0' },
      /at most 2000 members/,
    ],
    [
      'items that are compared each with each',
      { type: 'object', properties: { a: { uniqueItems: true } } },
      /uniqueItems: expected items/,
    ],
  ])('finds %s', (_, inputSchema, expected) => {
    expect(faultsOf({ inputSchema }).join('\n')).toMatch(expected);
  });

  it('tells every name that is none, where it stands and with the nearest right one', () => {
    const { inputSchema } = withProperties({
      a: { type: 'strng' },
      b: { type: 'array', uniqItems: true, items: { type: ['integer', 'nul'] } },
      c: { anyOf: [{ type: 'string', format: 'emial' }], default: { typ: 'x' } },
    });
    expect(faultsOf({ inputSchema })).toEqual([
      'inputSchema.properties.a.type: unknown type "strng"; did you mean "string"?',
      'inputSchema.properties.b.uniqItems: unknown keyword "uniqItems"; did you mean "uniqueItems"?',
      'inputSchema.properties.b.items.type: unknown type "nul"; did you mean "null"?',
      'inputSchema.properties.c.anyOf.0.format: unknown format "emial"; did you mean "email"?',
    ]);
  });

  it('tells no more of them than help', () => {
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`a${index}`, { requird: [] }]));
    expect(faultsOf(withProperties(properties))).toHaveLength(100);
  });

  it('tells a value that is none of its keyword at the value', () => {
    for (const [keyword, value, message] of [
      ['minimum', 'x', 'must be number'],
      ['required', 'a', 'must be array'],
      ['additionalProperties', 5, 'must be object,boolean'],
    ])
      expect(faultsOf(withProperties({ 'a/b': { [String(keyword)]: value } }))).toEqual([
        `inputSchema.properties.a/b.${keyword}: expected a JSON Schema (2020-12): ${message}`,
      ]);
  });

  it('looks at the output schema as well', () => {
    expect(faultsOf({ outputSchema: { type: 'string' } })).toEqual(['outputSchema.type: expected "object"']);
  });
});
