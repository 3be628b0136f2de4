/** OData at the edge: how paths and options may be written, and how failures look. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestStack, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

const service = '/intelligence/api/odata/p2p.base-km.svc';
const items = `${service}/ITEM_entries`;
const requestReceived = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const { body } = await stack.request(path, { headers: { accept: 'application/json', ...headers } });
  return { operation: body?.['operation'], request: body?.['request'] };
};

describe('a path of OData', () => {
  const ofModel = { km_id: 'p2p.base-km' };
  const ofSet = { ...ofModel, record_id: 'ITEM' };
  it.each([
    [service, 'service', ofModel],
    [`${service}/`, 'service', ofModel],
    [`${service}/?$format=json`, 'service', { ...ofModel, $format: 'json' }],
    [`${service}/$metadata`, 'metadata', ofModel],
    [`${service}/%24metadata?%24format=xml`, 'metadata', { ...ofModel, $format: 'xml' }],
    [items, 'entries', ofSet],
    [`${items}/$count`, 'count', ofSet],
    [`${items}/%24count?%24filter=A%20eq%20'/%24'`, 'count', { ...ofSet, $filter: "A eq '/$'" }],
    [
      `${items}?$filter=A eq @p and B in (@Q)&@p='x%26y'&%40Q=7&$top=1`,
      'entries',
      { ...ofSet, $filter: 'A eq @p and B in (@Q)', aliases: { '@p': "'x&y'", '@Q': '7' }, $top: 1 },
    ],
    [`${items}(ORDER_NO='4,''7',ITEM_NO=10)`, 'entry', { ...ofSet, key: "(ORDER_NO='4,''7',ITEM_NO=10)" }],
    [`${items}('a%2Fb%3F(c)%2525')?$select=A`, 'entry', { ...ofSet, key: "('a/b?(c)%25')", $select: 'A' }],
    [`${items}('1')/ORDER?$top=1`, 'link', { ...ofSet, key: "('1')", step: 'ORDER', $top: 1 }],
    [`${items}('a%2Fb')/PART('c%2Fd')/$ref`, 'part', { ...ofSet, key: "('a/b')", step: "PART('c/d')", part: '$ref' }],
    [`${items}('1')/NAME/$value`, 'value', { ...ofSet, key: "('1')", step: 'NAME' }],
    [`${items}('1')/ORDER/$count`, 'linkCount', { ...ofSet, key: "('1')", step: 'ORDER' }],
    [`${service}/A%2FB%20(c)_entries`, 'entries', { ...ofModel, record_id: 'A/B (c)' }],
  ])('%s reaches its operation', async (path, operation, request) => {
    const answer = await requestReceived(path);
    expect(answer.operation).toBe(`knowledge.odata.${operation}`);
    expect(answer.request).toMatchObject(request);
  });

  it.each([
    `${service}/ITEM`,
    `${service}/ITEM_entries('1')/A/B/$value`,
    `${service}/ITEM_entries1`,
    `${service}/$entity`,
  ])('%s is not found', async (path) => {
    const answer = await stack.request(path);
    const message = expect.stringMatching(/^There is no GET .*RECORD_entries/);
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'GENERAL_NOTFOUND_PATH', message } } });
    expect(answer.headers.get('odata-version')).toBe('4.01');
  });

  it('is 405 for another method, as an error of OData', async () => {
    const { status, headers, body } = await stack.request(`${service}/$batch`);
    expect([status, headers.get('allow'), headers.get('odata-version')]).toEqual([405, 'POST', '4.01']);
    expect(body).toMatchObject({ error: { code: 'GENERAL_METHOD_NOTALLOWED', details: [] }, faults: [] });
  });
});

describe('a query option of OData', () => {
  it.each([
    ['$top=5&$skip=2&$count=true', { $top: 5, $skip: 2, $count: true }],
    ['top=5&SKIP=2&Count=TRUE', { $top: 5, $skip: 2, $count: true }],
    ['$TOP=%205%20&%24count=%20false', { $top: 5, $count: false }],
    ['Filter=A%20eq%201&$OrderBy=B', { $filter: 'A eq 1', $orderby: 'B' }],
    ['FilterId=F,G&filterid=H', { filterid: ['F', 'G', 'H'] }],
    ['Expand=A(select=B,C),D-E', { $expand: 'A(select=B,C),D-E' }],
    ['$expand=A(%24select=B)%2CD&$top=1', { $expand: 'A($select=B),D', $top: 1 }],
    ['$select=A,B&format=json&SKIPTOKEN=x', { $select: 'A,B', $format: 'json', $skiptoken: 'x' }],
    ['$filter=A+gt+2026-05-07T08:30:00.25+02:00', { $filter: 'A gt 2026-05-07T08:30:00.25+02:00' }],
    ['$filter=A+gt+2026-05-07T08%3A30%3A00+02%3A00+or+B', { $filter: 'A gt 2026-05-07T08:30:00+02:00 or B' }],
    ["$filter=A+in+(2026-05-07T08:30+02:00,'a+b')", { $filter: "A in (2026-05-07T08:30+02:00,'a b')" }],
    ['utm_source=x&_=1', {}],
  ])('is read as %s', async (query, expected) => {
    const { request } = await requestReceived(`${items}?${query}`);
    expect(request).toEqual({
      km_id: 'p2p.base-km',
      record_id: 'ITEM',
      accept: 'application/json',
      $count: false,
      ...expected,
    });
  });

  it('is passed on with the headers', async () => {
    const headers = { prefer: 'odata.maxpagesize=7', 'odata-version': '4.0', 'odata-maxversion': '4.01' };
    const { request } = await requestReceived(items, headers);
    expect(request).toMatchObject({ prefer: headers.prefer, odataVersion: '4.0', odataMaxVersion: '4.01' });
  });

  it.each([
    ['$top=-1', 'query $top: expected at least 0.'],
    ['top=1.5', 'query $top: expected a whole number.'],
    ['$skip=x', 'query $skip: expected a number.'],
    ['$count=yes', 'query $count: expected true or false.'],
    ['$top=1&$top=2', 'query $top: is given more than once; expected a number.'],
    ['$top=1&TOP=1', 'query $top: is given more than once; expected a number.'],
    ['$filter=A&filter=B', 'query $filter: is given more than once; expected one text.'],
    ['$filer=A', 'query $filer: is not known; did you mean "$filter"?'],
    ['filer=A', 'query filer: is not known; did you mean "filter"?'],
    ['$filterid=A', 'query $filterid: is not known; did you mean "filterid"?'],
    ['$ordrby=A&pagesize=1', 'query $ordrby: is not known; did you mean "$orderby"?'],
    ['sap-client=100', 'query sap-client: is not known here.'],
    ['$foo=1', 'query $foo: is not known here.'],
    ['timezone=Europe/Berlin', 'query timezone: is not known here.'],
    ['km_id=other', 'query km_id: is not known here.'],
    ['prefer=y', 'query prefer: is not known'],
  ])('is refused with what was expected: %s', async (query, detail) => {
    const { status, headers, body } = await stack.request(`${items}?${query}`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errorCode: 'GENERAL_PARAMETER_ILLEGAL', error: { code: 'GENERAL_PARAMETER_ILLEGAL' } },
    });
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body?.['detail']).toContain(detail);
    expect(body?.['error']).toMatchObject({ message: body?.['detail'] });
  });

  it.each([
    ...['$compute', '$levels', '$index', '$id', '$deltatoken', '$schemaversion'],
    ...['levels', 'COMPUTE', 'Compute', '$COMPUTE'],
  ])('that is not supported is refused with its name and the supported ones: %s', async (name) => {
    const { status, body } = await stack.request(`${items}?$top=1&${name}=x`);
    expect({ status, body }).toMatchObject({
      status: 501,
      body: {
        errorCode: 'ODATA_OPTION_UNSUPPORTED',
        detail: `${name} is not supported here; there are $format, $apply, $filter, $search, filterid, $select, $expand, $orderby, $top, $skip, $count, $skiptoken.`,
      },
    });
  });

  it('of another operation is refused', async () => {
    const { status, body } = await stack.request(`${service}/$metadata?$filter=A&top=1&$format=xml`);
    expect({ status, detail: body?.['detail'] }).toEqual({
      status: 501,
      detail: '$filter, top are not supported here; there is $format.',
    });
  });

  it('cannot set a member from another part of the request', async () => {
    const { request } = await requestReceived(`${items}?__proto__=z`);
    expect(request).toMatchObject({ km_id: 'p2p.base-km', record_id: 'ITEM' });
  });
});

describe('a failure on a path of OData', () => {
  it('has the requested version', async () => {
    const version = async (headers: Readonly<Record<string, string>>) =>
      (await stack.request(`${items}?$top=x`, { headers })).headers.get('odata-version');
    expect(await version({})).toBe('4.01');
    expect(await version({ 'odata-maxversion': '4.0' })).toBe('4.0');
    expect(await version({ 'odata-maxversion': '4.01' })).toBe('4.01');
  });

  it('is of type JSON when that is requested by name', async () => {
    const type = async (accept: string) =>
      (await stack.request(`${items}?$top=x`, { headers: { accept } })).headers.get('content-type');
    for (const accept of [
      'application/json',
      'application/json;odata.metadata=full',
      'text/html, Application/JSON;q=0.9',
    ])
      expect(await type(accept)).toBe('application/json; charset=utf-8');
    for (const accept of ['*/*', 'application/problem+json', 'application/atom+xml'])
      expect(await type(accept)).toBe('application/problem+json; charset=utf-8');
  });

  it('of a service has the OData error member', async () => {
    const { status, body } = await stack.request(items, { key: stack.keys.northgate });
    const detail = 'storage of team northgate is none';
    expect({ status, body }).toMatchObject({
      status: 404,
      body: {
        status: 404,
        detail,
        errorCode: 'KM_MODEL_NOTFOUND',
        error: { code: 'KM_MODEL_NOTFOUND', message: detail },
      },
    });
  });

  it('without a credential has the error format of knowledge models', async () => {
    const { status, headers, body } = await stack.request(service, { key: undefined });
    expect({ status, body }).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
    expect(headers.get('www-authenticate')).toContain('AppKey');
  });
});
