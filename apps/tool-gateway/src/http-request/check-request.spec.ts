import { describe, expect, it } from '@jest/globals';
import { checkHttpRequest } from './check-request.js';
import { createHttpRequestDefinition, createRequestContext } from './testing/test-context.js';

const secrets = {
  ERP_TOKEN: { teams: ['meridian'], hosts: ['erp.example'], value: 'a-long-secret' },
  CRM_TOKEN: { teams: ['meridian'], hosts: ['crm.example'], value: 'a-long-secret' },
  NORTHGATE_TOKEN: { teams: ['northgate'], hosts: ['erp.example'], value: 'a-long-secret' },
};
const faultsOf = (definition: Parameters<typeof createHttpRequestDefinition>[0]) =>
  checkHttpRequest(createHttpRequestDefinition(definition), createRequestContext({ secrets })).map(
    ({ path, message }) => `${path}: ${message}`,
  );

const withProperties = (
  properties: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  inputSchema: { type: 'object', properties, ...more },
});
const withHeaders = (headers: Record<string, string>) => ({ request: { headers } });

describe('checkHttpRequest', () => {
  it('returns no faults for a valid definition', () => {
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
  ])('returns the faults of the arguments of %s', (url, more, expected) => {
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
  ])('returns the faults of the headers %j', (headers, expected) => {
    expect(faultsOf(withHeaders(headers)).join('\n')).toMatch(expected);
  });

  it('does not suggest secrets of other teams', () => {
    const [fault] = faultsOf(withHeaders({ Authorization: '{secret:NORTHGATE_TOKEN}' }));
    expect(fault).toBe('request.headers.Authorization: there is no secret "NORTHGATE_TOKEN" for the team');
  });
});

describe('the schemas of a request', () => {
  it('are checked at their paths', () => {
    expect(faultsOf({ inputSchema: { type: 'object', requierd: ['a'] } })).toEqual([
      'inputSchema.requierd: unknown keyword "requierd"; did you mean "required"?',
    ]);
    expect(faultsOf({ outputSchema: { type: 'string' } })).toEqual(['outputSchema.type: expected "object"']);
  });
});

describe('the host of an http-request tool', () => {
  const hosts = { 'erp.example': { teams: ['meridian'], address: 'http://127.0.0.1:4711' } };

  it.each([
    ...[
      'https://[fe80::1%25eth0]/',
      'https://[fe80::1%eth0]/',
      'https://256.1.1.1/',
      'https://0x100000000/',
      'https://1.2.3.4.5/',
    ],
    ...[
      'https:///x',
      'https://',
      '//erp.example/',
      'file:///etc/passwd',
      'gopher://erp.example/',
      'ftp://erp.example/',
    ],
    ...['http://erp.example/', 'https://erp.example:8443/', 'https://erp.example:80/', 'https://me@erp.example/'],
    ...[
      'https://me:pass@erp.example/',
      'https://erp.example@10.0.0.1/',
      'https://erp.example\\@10.0.0.1/',
      'https://erp.example#@10.0.0.1/',
    ],
    ...[
      'https://{host}/',
      'https://erp.{domain}/',
      'https://erp.example:{port}/',
      '{scheme}://erp.example/',
      'https://erp%2eexample/',
    ],
    ...[
      'https://erp.example /',
      'https://erp.example\t/',
      'https://erp.exa\nmple/',
      'https://127.0.0.1%00.erp.example/',
    ],
    ...['https://127.0.0.1/', 'https://[fd00:ec2::254]/'],
  ])('rejects %j', (url) => {
    const faults = checkHttpRequest(createHttpRequestDefinition({ request: { url } }), createRequestContext());
    expect(faults.map(({ path }) => path)).toEqual(expect.arrayContaining(['request.url']));
  });

  it('accepts http for a host that the operator has listed for the team', () => {
    const definition = createHttpRequestDefinition({ request: { url: 'http://erp.example/' } });
    expect(checkHttpRequest(definition, createRequestContext({ hosts }))).toEqual([]);
    expect(checkHttpRequest(definition, createRequestContext({ hosts, team: 'northgate' }))).toMatchObject([
      { path: 'request.url', message: 'expected https' },
    ]);
  });

  it('rejects a port for a host that the operator has listed', () => {
    const definition = createHttpRequestDefinition({ request: { url: 'https://erp.example:8443/' } });
    expect(checkHttpRequest(definition, createRequestContext({ hosts }))).toMatchObject([
      { path: 'request.url', rule: 'host' },
    ]);
  });
});
