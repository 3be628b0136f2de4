/** `$batch`: parts as requests of their own, what they depend on, where a batch is wrong, what it counts and what it may take. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { waitUntil } from '@tessera/testing';
import { echoHandlerCounts, pieceBytes, waitUntilNothingIsProduced } from '../testing/echo-service.js';
import { type Answer, openTestStack, type RequestOptions, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

const service = '/intelligence/api/odata/p2p.base-km.svc';
type Part = Readonly<Record<string, unknown>>;
type PartBody = {
  readonly operation: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly frame: Readonly<Record<'caller' | 'publicUrl', unknown>>;
  readonly error: { readonly code: string; readonly message: string };
};
type PartAnswer = {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: PartBody;
};

const send = (requests: readonly Part[], options: RequestOptions = {}): Promise<Answer> =>
  stack.request(`${service}/$batch`, { method: 'POST', body: { requests }, ...options });
const answersOf = async (requests: readonly Part[], options: RequestOptions = {}): Promise<readonly PartAnswer[]> => {
  const { status, body, text } = await send(requests, options);
  if (status !== 200) throw new Error(text);
  const responses = body?.['responses'] as readonly PartAnswer[];
  return responses.toSorted((left, right) => Number(left.id) - Number(right.id));
};
const get = (id: string, url: string, more: Part = {}): Part => ({ id, method: 'GET', url, ...more });
const statuses = async (requests: readonly Part[], options: RequestOptions = {}) =>
  (await answersOf(requests, options)).map(({ status }) => status);
const goOn = { headers: { prefer: 'odata.continue-on-error' } };

describe('a batch', () => {
  it('answers each part like a single request', async () => {
    const origin = stack.gateway.url.replace('127.0.0.1', 'localhost');
    const urls = [
      ...['ITEM_entries?$top=1&$filter=A eq 1', `${service}/ITEM_entries/$count`, "ITEM_entries('a%2Fb')", '$metadata'],
      ...[`${origin}${service}/ITEM_entries?$apply=groupby((A))`, `${service}/`, '?$format=json'],
    ];
    const answers = await answersOf(urls.map((url, at) => get(String(at), url)));
    expect(answers.map(({ status, body }) => [status, body.operation, body.request])).toMatchObject([
      [200, 'knowledge.odata.entries', { record_id: 'ITEM', $top: 1, $filter: 'A eq 1' }],
      [200, 'knowledge.odata.count', { record_id: 'ITEM' }],
      [200, 'knowledge.odata.entry', { key: "('a/b')" }],
      [200, 'knowledge.odata.metadata', {}],
      [200, 'knowledge.odata.entries', { $apply: 'groupby((A))' }],
      [200, 'knowledge.odata.service', {}],
      [200, 'knowledge.odata.service', { $format: 'json' }],
    ]);
    const { headers, body } = await stack.request(`${service}/ITEM_entries?$top=1`);
    const [alone] = await answersOf([get('1', 'ITEM_entries?$top=1', { headers: { Accept: '*/*' } })]);
    expect(alone?.headers).toMatchObject({ 'content-type': headers.get('content-type') });
    expect(alone?.headers).toHaveProperty('x-ratelimit-remaining');
    const { frame } = body as unknown as PartBody;
    expect(alone?.body.frame.caller).toEqual(frame.caller);
    expect(alone?.body.frame.publicUrl).toBe(frame.publicUrl);
  });

  it('gives each part its headers, and returns no responses for a batch without parts', async () => {
    const headers = { Prefer: 'odata.maxpagesize=7', 'OData-MaxVersion': '4.0', 'X-Request-Id': 'theirs' };
    const [part] = await answersOf([get('1', 'ITEM_entries', { headers })], { headers: { 'x-request-id': 'ours' } });
    expect(part?.body).toMatchObject({
      request: { prefer: 'odata.maxpagesize=7', odataMaxVersion: '4.0' },
      frame: { requestId: 'ours' },
    });
    expect((await send([])).body).toEqual({ responses: [] });
  });

  it('stops after a failed part, unless the client prefers continue-on-error', async () => {
    const answeredInAnyOrder = [get('1', 'ITEM_entries'), get('2', 'ITEM_entries?$top=x'), get('3', 'ITEM_entries')];
    expect((await statuses(answeredInAnyOrder)).slice(0, 2)).toEqual([200, 400]);
    const parts = [get('1', 'ITEM_entries'), get('2', '/elsewhere'), get('3', 'ITEM_entries')];
    expect(await statuses(parts)).toEqual([200, 400, 424]);
    expect(await statuses(parts, goOn)).toEqual([200, 400, 200]);
    const reply = await send(parts, { headers: { Prefer: 'continue-on-error' } });
    expect(reply.headers.get('preference-applied')).toBe('continue-on-error');
    expect(await statuses(parts, { headers: { Prefer: 'continue-on-error=false' } })).toEqual([200, 400, 424]);
  });

  it('runs a part after the parts that it depends on, if they succeeded', async () => {
    const parts = [
      get('1', 'ITEM_entries?$top=x'),
      get('2', 'ITEM_entries', { dependsOn: ['1'] }),
      get('3', 'ITEM_entries', { dependsOn: ['2'] }),
      get('4', 'ITEM_entries', { atomicityGroup: 'g' }),
      get('5', 'ITEM_entries?$skip=x', { atomicityGroup: 'g' }),
      get('6', 'ITEM_entries', { dependsOn: ['g'] }),
      get('7', 'ITEM_entries', { dependsOn: ['4'] }),
    ];
    const answers = await answersOf(parts, goOn);
    expect(answers.map(({ status }) => status)).toEqual([400, 424, 424, 200, 400, 424, 200]);
    expect(answers[1]?.body).toMatchObject({
      errorCode: 'ODATA_PART_NOT_RUN',
      error: { code: 'ODATA_PART_NOT_RUN', message: 'The part was not run: 1 failed, on which it depends.' },
    });
    expect(answers[3]).toMatchObject({ atomicityGroup: 'g' });
  });

  it('takes filters of 64 KiB, of which an address has 4,000 characters', async () => {
    const filter = (characters: number): string => `A eq '${'é'.repeat(characters - 7)}'`;
    const url = (characters: number): string => `ITEM_entries?$filter=${encodeURIComponent(filter(characters))}`;
    const answers = await answersOf([get('1', url(65_536)), get('2', url(65_537)), get('3', url(4_001))], goOn);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200]);
    expect(answers[0]?.body.request).toMatchObject({ $filter: filter(65_536) });
    expect((await stack.request(`${service}/${url(2_000)}`)).status).toBe(200);
    const alone = await stack.request(
      `${service}/ITEM_entries?$filter=${encodeURIComponent(`A eq '${'x'.repeat(4_000)}'`)}`,
    );
    expect([alone.status, alone.text]).toEqual([
      400,
      expect.stringContaining('expected at most 4000 characters; a part of a batch takes more.'),
    ]);
  });

  it('runs parts concurrently', async () => {
    const parts = Array.from({ length: 100 }, (_, at) => get(String(at), `ITEM_entries?$top=${at}`));
    const answers = await answersOf(parts);
    expect(answers.map(({ status, body }) => [status, body.request.$top])).toEqual(parts.map((_, at) => [200, at]));
  });

  it('refuses each part that does not address the service, without failing the others', async () => {
    const urls = [
      ...['https://elsewhere.example/x', '//elsewhere.example/x', '/admin/keys', '../p2p.base-km.svcx/A_entries'],
      ...[`${service}/../other.svc/ITEM_entries`, '%2e%2e/other.svc/$metadata', '/intelligence/api/km', '$1/ITEM'],
    ];
    const answers = await answersOf(
      urls.map((url, at) => get(String(at), url)),
      goOn,
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400, 501]);
    expect(answers[0]?.body.error.message).toContain(`${service}/`);
    const odd = [
      { id: '1', method: 'post', url: 'ITEM_entries' },
      { id: '2', method: 'POST', url: '$batch', body: { requests: [] } },
      get('3', 'ITEM_entries', { if: 'x' }),
      get('4', 'ITEM_entries', { headers: { AppKey: stack.keys.northgate } }),
      get('5', 'ITEM_entries', { headers: { Authorization: 'Bearer x' } }),
      get('6', 'ITEM_entries', { headers: { 'a b': 'c' } }),
      get('7', 'ITEM_entries', { headers: { a: 'b\r\nc: d' } }),
      get('8', 'ITEM/X'),
    ];
    expect(await statuses(odd, goOn)).toEqual([501, 501, 501, 400, 400, 400, 400, 404]);
  });

  it.each<readonly [parts: readonly Part[], message: string]>([
    [[get('1', 'A'), get('1', 'B')], 'requests.1.id: There is another 1'],
    [
      [get('one', 'A'), get('2', 'B', { dependsOn: ['onee'] })],
      'requests.1.dependsOn.0: There is no part or group onee',
    ],
    [[get('prices', 'A'), get('2', 'B', { dependsOn: ['price'] })], 'did you mean "prices"?'],
    [
      [get('1', 'A', { dependsOn: ['2'] }), get('2', 'B')],
      'requests.0.dependsOn.0: There is no part or group 2 before',
    ],
    [
      [get('1', 'A', { atomicityGroup: 'g' }), get('2', 'B'), get('3', 'C', { atomicityGroup: 'g' })],
      'requests.2.atomicityGroup: Parts of the group g stand behind each other',
    ],
    [[get('1', 'A'), get('2', 'B', { atomicityGroup: '1' })], 'requests.1.atomicityGroup: 1 is the id of a part'],
    [[{ id: '1', url: 'A' }], 'requests.0.method: is missing'],
    [[{ id: '1', method: 'get', ulr: 'A' }], 'requests.0.url: is missing'],
    [Array.from({ length: 101 }, (_, at) => get(String(at), 'A')), 'requests: expected at most 100 entries'],
  ])('that is wrong as a whole is refused with the place: %#', async (parts, message) => {
    const { status, body } = await send(parts);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(message) } },
    });
  });

  it('is JSON or multipart/mixed', async () => {
    const answer = await send([], { body: '--b--', headers: { 'Content-Type': 'text/plain' } });
    expect(answer).toMatchObject({
      status: 415,
      body: { error: { message: expect.stringContaining('application/json nor multipart/mixed') } },
    });
  });
});

describe('a batch of multipart/mixed', () => {
  const boundary = 'batch_36522ad7';
  const type = `multipart/mixed; boundary=${boundary}`;
  const partOf = (head: string, partHeaders: readonly string[] = []): string =>
    [
      `--${boundary}`,
      ...['Content-Type: application/http', 'Content-Transfer-Encoding: binary', ...partHeaders, '', head, '', ''],
    ].join('\r\n');
  const sendText = (body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    stack.request(`${service}/$batch`, { method: 'POST', body, headers: { 'Content-Type': type, ...headers } });
  const sendParts = (heads: readonly string[], headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    sendText(`${heads.map((head) => partOf(head)).join('')}--${boundary}--\r\n`, headers);
  /** Each answer by head of the part, head and body. */
  const partsOf = ({ status, text, headers }: Answer): readonly (readonly string[])[] => {
    if (status !== 200) throw new Error(text);
    const [, found = ''] = /^multipart\/mixed; boundary=(.*)$/.exec(headers.get('content-type') ?? '') ?? [];
    const [before, ...parts] = text.split(`--${found}`);
    expect([before, parts.pop()]).toEqual(['', '--\r\n']);
    return parts.map((part) => part.split('\r\n\r\n').map((piece) => piece.trim()));
  };
  const statusesOf = (answer: Answer) => partsOf(answer).map(([, head = '']) => Number(head.split(' ')[1]));

  it('answers each part in its order like a single request', async () => {
    const urls = ['ITEM_entries?$top=1&$filter=A eq 1', `${service}/ITEM_entries/$count`, '$metadata', 'ITEM_entries'];
    const heads = urls.map((url, at) => `GET ${url} HTTP/1.1\r\nPrefer: odata.maxpagesize=${at + 1}`);
    const answer = await sendParts(heads);
    expect(answer.headers.get('odata-version')).toBe('4.01');
    const parts = partsOf(answer);
    expect(parts.map(([partHead = '']) => /^Content-ID: (.*)$/m.exec(partHead)?.[1])).toEqual(['1', '2', '3', '4']);
    expect(parts[0]?.[0]).toContain('Content-Type: application/http\r\n');
    expect(parts[0]?.[1]).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*content-type: application\/json/);
    const bodies = parts.map(([, , body = '']) => JSON.parse(body));
    expect(bodies.map(({ operation, request }) => [operation, request])).toMatchObject([
      ['knowledge.odata.entries', { record_id: 'ITEM', $top: 1, $filter: 'A eq 1', prefer: 'odata.maxpagesize=1' }],
      ['knowledge.odata.count', { record_id: 'ITEM' }],
      ['knowledge.odata.metadata', {}],
      ['knowledge.odata.entries', { prefer: 'odata.maxpagesize=4' }],
    ]);
    expect((await sendParts(heads, { 'odata-maxversion': '4.0' })).headers.get('odata-version')).toBe('4.0');
  });

  it('is read with and without ids, preamble, quotes around the boundary and carriage returns', async () => {
    const body = [
      'A preamble.',
      partOf('GET ITEM_entries HTTP/1.1', ['Content-ID: first']),
      `--${boundary}  \r\nContent-Type: application/http;msgtype=request\r\n\r\nget ITEM_entries HTTP/1.1\r\nAccept: */*`,
      `--${boundary}--`,
      'An epilogue.',
    ].join('\r\n');
    for (const text of [body, body.replaceAll('\r', '')]) {
      const answer = await sendText(text, { 'Content-Type': `Multipart/Mixed; charset=utf-8; boundary="${boundary}"` });
      expect(statusesOf(answer)).toEqual([200, 200]);
      expect(partsOf(answer)[0]?.[0]).toContain('Content-ID: first');
    }
  });

  it('stops after a failed part, unless the client prefers continue-on-error', async () => {
    const heads = ['GET ITEM_entries HTTP/1.1', 'GET /elsewhere HTTP/1.1', 'GET ITEM_entries HTTP/1.1'];
    expect(statusesOf(await sendParts(heads))).toEqual([200, 400, 424]);
    expect(statusesOf(await sendParts(heads, { prefer: 'odata.continue-on-error' }))).toEqual([200, 400, 200]);
  });

  it('accepts its own credential in parts, and no other', async () => {
    const { meridian, northgate } = stack.keys;
    const heads = [meridian, northgate].map((key) => `GET ITEM_entries HTTP/1.1\r\nAppKey: ${key}`);
    expect(statusesOf(await sendParts(heads, { prefer: 'continue-on-error' }))).toEqual([200, 400]);
  });

  it('refuses each write without failing the other parts', async () => {
    const change = `--${boundary}\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n`;
    const text = `${change}${partOf('POST ITEM_entries HTTP/1.1\r\n\r\n{}')}${partOf('GET ITEM_entries HTTP/1.1')}--${boundary}--`;
    expect(statusesOf(await sendText(text, { prefer: 'continue-on-error' }))).toEqual([501, 501, 200]);
  });

  it.each<readonly [body: string, message: string, type?: string]>([
    ['', 'expected --batch_36522ad7 before each part'],
    [partOf('GET ITEM_entries HTTP/1.1'), '--batch_36522ad7-- behind the last'],
    [`--${boundary}\r\n\r\nGET A HTTP/1.1\r\n--${boundary}--`, 'expected Content-Type: application/http'],
    [
      `${partOf('GET ITEM_entries')}--${boundary}--`,
      'part 1 begins with "GET ITEM_entries"; expected GET URL HTTP/1.1',
    ],
    [`${partOf('GET  HTTP/1.1')}--${boundary}--`, 'expected GET URL HTTP/1.1'],
    [`${partOf(`GET ${' '.repeat(200_000)}`)}--${boundary}--`, 'part 1 is longer'],
    [`${partOf(`GET A HTTP/1.1${'\r\na:b'.repeat(101)}`)}--${boundary}--`, 'part 1 has more than 100 headers'],
    [`${partOf('GET A HTTP/1.1', ['Content-ID: ä'])}--${boundary}--`, 'visible ASCII'],
    [`${partOf('GET A HTTP/1.1', ['Content-ID: 2'])}${partOf('GET B HTTP/1.1')}--${boundary}--`, 'There is another 2'],
    [`${partOf('GET A HTTP/1.1').repeat(101)}--${boundary}--`, 'expected at most 100 entries'],
    [`--b--`, 'has no boundary', 'multipart/mixed'],
    [`--${boundary}--`, 'has no boundary of up to', `multipart/mixed; boundary=${'b'.repeat(201)}`],
  ])('that is wrong as a whole is refused: %#', async (body, message, contentType = type) => {
    const answer = await sendText(body, { 'Content-Type': contentType });
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(message) } } });
  });
});

/** The most processor time that an iteration of the event loop took during the work, in milliseconds. */
const findLongestHold = async <T>(work: () => Promise<T>): Promise<readonly [ms: number, T]> => {
  let longestMs = 0;
  let isDone = false;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  const value = await work();
  isDone = true;
  return [longestMs, value];
};

describe('parts of a batch', () => {
  it('count individually against the rate limit, also those that the gateway refuses itself', async () => {
    const tiny = { key: stack.keys.tiny, headers: { prefer: 'continue-on-error' } };
    const urls = ['/elsewhere', 'ITEM_entries', 'ITEM_entries?$top=x', '../other.svc/ITEM_entries'];
    const parts = Array.from({ length: 20 }, (_, at) => get(String(at + 1), urls[at % urls.length] ?? ''));
    const all = await statuses([get('0', '/elsewhere'), ...parts, get('21', '/', { dependsOn: ['0'] })], tiny);
    expect(all.filter((status) => status !== 429)).toHaveLength(4);
    expect((await stack.request(`${service}/ITEM_entries`, { key: stack.keys.tiny })).status).toBe(429);
  });

  it('each get an iteration of the event loop, however many the gateway refuses itself', async () => {
    const batch = Array.from({ length: 100 }, (_, at) => get(String(at), `ITEM_entries?$top=x${at}`));
    const [holdMs, answers] = await findLongestHold(() =>
      Promise.all(Array.from({ length: 20 }, () => send(batch, goOn))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // Some 15 ms on a quiet machine, and 380 when parts followed each other.
    expect(holdMs).toBeLessThan(100);
  });

  it('are authorised individually', async () => {
    expect(await send([get('1', 'ITEM_entries')], { key: undefined })).toMatchObject({ status: 401 });
    const basic = `Basic ${Buffer.from(`any:${stack.keys.meridian}`).toString('base64')}`;
    const [part] = await answersOf([get('1', 'ITEM_entries')], { key: undefined, headers: { authorization: basic } });
    expect(part).toMatchObject({ status: 200, body: { frame: { caller: { team: 'meridian' } } } });
    const [other] = await answersOf([get('1', 'ITEM_entries')], { key: stack.keys.northgate });
    expect(other).toMatchObject({ status: 404, body: { error: { code: 'KM_MODEL_NOTFOUND' } } });
  });

  it('are counted as requests in the metrics, and reach their service once', async () => {
    const before = echoHandlerCounts.served;
    await send([get('1', 'ITEM_entries'), get('2', '$metadata'), get('3', 'ITEM_entries/$count')]);
    expect(echoHandlerCounts.served - before).toBe(3);
  });
});

describe('the client of a batch', () => {
  const parts = ['2000', '3000', '4000'].map((record, at) => get(String(at), `${record}_entries`));
  const open = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { AppKey: stack.keys.meridian, 'Content-Type': 'application/json' };
      const asking = httpRequest(`${stack.gateway.url}${service}/$batch`, { method: 'POST', headers, agent: false });
      asking.on('response', resolve).on('error', reject);
      asking.end(JSON.stringify({ requests: parts }));
    });
  const producedMost = Math.ceil((64 * 1024 * 1024) / pieceBytes);

  it('that does not read makes every part wait, and ends all of them when it leaves', async () => {
    Object.assign(echoHandlerCounts, { left: 0, produced: 0 });
    const message = await open();
    message.pause();
    await waitUntilNothingIsProduced();
    expect(echoHandlerCounts.produced).toBeGreaterThan(0);
    expect(echoHandlerCounts.produced).toBeLessThan(producedMost);
    message.destroy();
    await waitUntil(() => echoHandlerCounts.left === parts.length);
    expect(echoHandlerCounts.produced).toBeLessThan(producedMost);
    expect(await statuses([get('1', 'ITEM_entries')])).toEqual([200]);
  });
});
