import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { checkHttpRequest } from './check-request.js';
import { findTarget } from './find-target.js';
import { httpRequestTool } from './http-request-tool.js';
import { contextOf, definitionOf, resolverOf, surroundingsOf } from './testing/surroundings-of.js';

const publicAddress = '93.184.215.14';

/** How the inside of a network can be written into an address. */
const literals = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
  ...['0', '0.0.0.0', '10.0.0.1', '10.1', '0xa000001', '167772161', '172.16.0.1', '172.31.255.254', '192.168.0.1'],
  ...['192.168.257', '3232235521', '0xc0a80001', '169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376'],
  ...['169.254.43518', '100.64.0.1', '100.100.100.200', '192.0.0.192', '192.0.2.1', '198.51.100.7', '203.0.113.9'],
  ...[
    '198.18.0.1',
    '192.88.99.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '１２７.0.0.1',
    '127。0。0。1',
  ],
  ...['127.0.0.1.', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:127.0.0.1]'],
  ...['[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]'],
  ...['[64:ff9b::a9fe:a9fe]', '[64:ff9b::a00:1]', '[64:ff9b:1::808:808]', '[2002:7f00:1::]', '[2002:a00:1::1]'],
  ...['[2002:a9fe:a9fe::]', '[2001:0:7f00:1::]', '[2001::1]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[fc00::1]'],
  ...[
    '[fd00:ec2::254]',
    '[fdff::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
    '[5f00::1]',
    '[2001:2::1]',
  ],
  ...['[2001:10::1]', '[2001:20::1]', '[4000::1]', '[2a00:1450:4001:81b:0:5efe:a00:1]', '[2a00::200:5efe:7f00:1]'],
];

/** What a name can lead to. */
const resolved = [
  ...['127.0.0.1', '10.2.3.4', '172.20.1.1', '192.168.1.1', '169.254.169.254', '100.100.100.200', '0.0.0.0', '::1'],
  ...[
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '::',
    '224.0.0.251',
    '198.19.1.1',
  ],
];

describe('a host that the operator has not listed', () => {
  it.each(literals)('is not reached as %s', async (host) => {
    const url = URL.parse(`https://${host}/`);
    expect(url).not.toBeNull();
    if (url === null) return;
    expect(await findTarget(url, surroundingsOf())).toMatchObject({ ok: false, failure: { code: 'TOOL_FAILED' } });
    const [fault] = checkHttpRequest(definitionOf({ request: { url: `https://${host}/` } }), surroundingsOf());
    expect(fault?.path).toBe('request.url');
  });

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
  ])('is not defined as %j', (url) => {
    const faults = checkHttpRequest(definitionOf({ request: { url } }), surroundingsOf());
    expect(faults.map(({ path }) => path)).toEqual(expect.arrayContaining(['request.url']));
  });

  it.each(resolved)('is not reached when its name leads to %s', async (address) => {
    const url = new URL('https://erp.example/');
    for (const addresses of [[address], [publicAddress, address], [address, publicAddress]]) {
      const { resolve } = resolverOf(addresses);
      expect(await findTarget(url, surroundingsOf({ resolve }))).toMatchObject({
        ok: false,
        failure: {
          code: 'TOOL_FAILED',
          detail: expect.stringMatching(/^The host of the tool was not found in the public/),
        },
      });
    }
  });

  it.each([publicAddress, '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '64:ff9b::808:808'])(
    'is reached when its name leads to %s',
    async (address) => {
      const { resolve } = resolverOf([address]);
      expect(await findTarget(new URL('https://ERP.example/'), surroundingsOf({ resolve }))).toMatchObject({
        ok: true,
        value: { host: 'erp.example', hostName: 'erp.example', isTls: true, port: 443, addresses: [{ address }] },
      });
    },
  );

  it('is refused with the same words at the same time, whether its name leads inside, nowhere, or is never answered', async () => {
    jest.useFakeTimers();
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    try {
      const told: Record<string, unknown> = {};
      const names = {
        inside: resolverOf(['10.0.0.1']),
        partly: resolverOf([publicAddress, '127.0.0.1']),
        nowhere: resolverOf([]),
        unknown: { resolve: () => Promise.reject(new Error('ENOTFOUND')) },
        silent: { resolve: () => new Promise<never>(() => undefined) },
        slow: { resolve: () => new Promise<never>((_, reject) => void setTimeout(reject, 3_500, new Error('late'))) },
      };
      const found = Object.entries(names).map(async ([name, more]) => {
        told[name] = await findTarget(new URL('https://erp.example/'), surroundingsOf({ ...more, lookupMs: 3_000 }));
      });
      await jest.advanceTimersByTimeAsync(2_999);
      expect(told).toEqual({});
      await jest.advanceTimersByTimeAsync(1);
      const same = {
        ok: false,
        failure: {
          code: 'TOOL_FAILED',
          detail: 'The host of the tool was not found in the public Internet, and the operator has not listed it.',
        },
      };
      expect(told).toEqual(Object.fromEntries(Object.keys(names).map((name) => [name, same])));
      await Promise.all(found);
      expect(warned.mock.calls.map(([line]) => String(line).replace(/^.*whose name /, '')).toSorted()).toEqual([
        ...['has no address.', 'has no address.', 'leads to an address that is not public.'],
        ...['leads to an address that is not public.', 'was not found in time.', 'was not found in time.'],
      ]);
    } finally {
      warned.mockRestore();
      jest.useRealTimers();
    }
  });

  it('is looked up once for a call, and reached where that led, whatever the name leads to then', async () => {
    const { resolve, asked } = resolverOf([publicAddress], ['127.0.0.1']);
    const reached: unknown[] = [];
    const tool = httpRequestTool(
      definitionOf(),
      surroundingsOf({
        resolve,
        exchange: (target) => {
          reached.push(target.addresses);
          return Promise.resolve({ kind: 'answer', status: 204, contentType: '', body: Buffer.alloc(0) });
        },
      }),
    );
    expect(await tool.run({}, contextOf())).toEqual({ ok: true, value: { value: {} } });
    expect(asked).toEqual(['erp.example']);
    expect(reached).toEqual([[{ address: publicAddress, family: 4 }]]);
    // The next call finds what the name leads to meanwhile, and stays away.
    expect(await tool.run({}, contextOf())).toMatchObject({ ok: false, failure: { code: 'TOOL_FAILED' } });
    expect(reached).toHaveLength(1);
  });
});

describe('a host that the operator has listed', () => {
  const hosts = { 'erp.example': { teams: ['meridian'], address: 'http://127.0.0.1:4711' } };

  it('is reached where the operator says, without TLS and without asking for its name', async () => {
    const { resolve, asked } = resolverOf([publicAddress]);
    expect(await findTarget(new URL('https://erp.example/'), surroundingsOf({ hosts, resolve }))).toEqual({
      ok: true,
      value: {
        ...{ host: 'erp.example', hostName: 'erp.example', isTls: false, port: 4711 },
        addresses: [{ address: '127.0.0.1', family: 4 }],
      },
    });
    expect(asked).toEqual([]);
  });

  it('may have a private name', async () => {
    const { resolve, asked } = resolverOf(['10.0.0.7']);
    const named = { 'erp.example': { teams: ['meridian'], address: 'https://erp.internal:8443' } };
    const found = await findTarget(new URL('https://erp.example/'), surroundingsOf({ hosts: named, resolve }));
    expect(found).toMatchObject({
      value: { hostName: 'erp.example', port: 8443, isTls: true, addresses: [{ address: '10.0.0.7' }] },
    });
    expect(asked).toEqual(['erp.internal']);
  });

  it('is like any other host for other teams', async () => {
    const { resolve } = resolverOf(['10.0.0.7']);
    const others = surroundingsOf({ team: 'northgate', hosts, resolve });
    expect(await findTarget(new URL('https://erp.example/'), others)).toMatchObject({ ok: false });
    expect(checkHttpRequest(definitionOf({ request: { url: 'http://erp.example/' } }), others)).toMatchObject([
      { path: 'request.url', message: 'expected https' },
    ]);
    expect(
      checkHttpRequest(definitionOf({ request: { url: 'http://erp.example/' } }), surroundingsOf({ hosts })),
    ).toEqual([]);
  });

  it('has no port, since the operator has said where it is', () => {
    const faults = checkHttpRequest(
      definitionOf({ request: { url: 'https://erp.example:8443/' } }),
      surroundingsOf({ hosts }),
    );
    expect(faults).toMatchObject([{ path: 'request.url', rule: 'host' }]);
  });
});
