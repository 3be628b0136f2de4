import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import {
  findTarget,
  limitLookupsPerTeam,
  findAllowedHost,
  type LookUpOptions,
  createTrustedTarget,
  findUnlistedHostFault,
} from './find-target.js';

const publicAddress = '93.184.215.14';
const url = new URL('https://erp.example/');

const lookUpOf = (more: Partial<LookUpOptions> = {}): LookUpOptions => ({
  team: 'meridian',
  resolve: () => Promise.reject(new Error('no such name')),
  lookupMs: 20,
  onRefused: () => undefined,
  ...more,
});

/** Answers these addresses, and keeps the names that were looked up. */
const resolverOf = (...addresses: readonly string[]) => {
  const asked: string[] = [];
  const resolve = (hostName: string) => {
    asked.push(hostName);
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
  return { resolve, asked };
};

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

describe('a host that is not listed', () => {
  it.each(literals)('is not reached by the address %s', async (host) => {
    const inside = new URL(`https://${host}/`);
    expect(findUnlistedHostFault(inside)).toBe('expected a host of the public Internet');
    expect(await findTarget(inside, undefined, lookUpOf())).toBeUndefined();
  });

  it.each([
    ['http://erp.example/', 'expected https'],
    ['https://erp.example:8443/', 'expected no port; only 443 of a host that the operator has not listed is reached'],
  ])('is not reached by the address %s', async (address, fault) => {
    const { resolve, asked } = resolverOf(publicAddress);
    expect(findUnlistedHostFault(new URL(address))).toBe(fault);
    expect(await findTarget(new URL(address), undefined, lookUpOf({ resolve }))).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it.each(resolved)('is not reached when its name resolves to %s', async (address) => {
    for (const addresses of [[address], [publicAddress, address], [address, publicAddress]])
      expect(await findTarget(url, undefined, lookUpOf(resolverOf(...addresses)))).toBeUndefined();
  });

  it.each([publicAddress, '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '64:ff9b::808:808'])(
    'is reached when its name resolves to %s',
    async (address) => {
      const { resolve, asked } = resolverOf(address);
      expect(await findTarget(new URL('https://ERP.example/'), undefined, lookUpOf({ resolve }))).toMatchObject({
        ...{ host: 'erp.example', hostName: 'erp.example', isTls: true, port: 443 },
        connectTo: [{ address }],
      });
      expect(asked).toEqual(['erp.example']);
    },
  );

  it('is refused only after the full look-up time, whether its name resolves to a private address, to no address, or not in time', async () => {
    jest.useFakeTimers();
    try {
      const found: Record<string, unknown> = {};
      const refused: string[] = [];
      const resolvers = {
        inside: resolverOf('10.0.0.1').resolve,
        partly: resolverOf(publicAddress, '127.0.0.1').resolve,
        nowhere: resolverOf().resolve,
        unknown: () => Promise.reject(new Error('ENOTFOUND')),
        silent: () => new Promise<never>(() => undefined),
        slow: () => new Promise<never>((_, reject) => void setTimeout(reject, 3_500, new Error('late'))),
      };
      const finding = Object.entries(resolvers).map(async ([name, resolve]) => {
        const onRefused = (host: string, why: string) => void refused.push(`${name} ${host} ${why}`);
        found[name] = await findTarget(url, undefined, lookUpOf({ resolve, onRefused, lookupMs: 3_000 }));
      });
      await jest.advanceTimersByTimeAsync(2_999);
      expect(found).toEqual({});
      await jest.advanceTimersByTimeAsync(1);
      await Promise.all(finding);
      expect(found).toEqual(Object.fromEntries(Object.keys(resolvers).map((name) => [name, undefined])));
      expect(refused.toSorted()).toEqual([
        'inside erp.example leads to an address that is not public',
        'nowhere erp.example has no address',
        'partly erp.example leads to an address that is not public',
        'silent erp.example was not found in time',
        'slow erp.example was not found in time',
        'unknown erp.example has no address',
      ]);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a host that the operator has listed', () => {
  const hosts = { 'erp.example': { teams: ['meridian'], address: 'http://127.0.0.1:4711' } };

  it('is found only for its teams', () => {
    expect(findAllowedHost({ hosts, team: 'meridian' }, url)).toBe(hosts['erp.example']);
    expect(findAllowedHost({ hosts, team: 'northgate' }, url)).toBeUndefined();
    expect(findAllowedHost({ hosts, team: 'meridian' }, new URL('https://constructor/'))).toBeUndefined();
  });

  it('is reached at the address that the operator has set, without TLS and without a look-up', async () => {
    const { resolve, asked } = resolverOf(publicAddress);
    expect(await findTarget(url, new URL('http://127.0.0.1:4711'), lookUpOf({ resolve }))).toEqual({
      ...{ host: 'erp.example', hostName: 'erp.example', isTls: false, port: 4711 },
      connectTo: [{ address: '127.0.0.1', family: 4 }],
    });
    expect(asked).toEqual([]);
  });

  it('may have an address whose name resolves to a private address', async () => {
    const { resolve, asked } = resolverOf('10.0.0.7');
    const found = await findTarget(url, new URL('https://erp.internal:8443'), lookUpOf({ resolve }));
    expect(found).toMatchObject({
      ...{ hostName: 'erp.example', port: 8443, isTls: true },
      connectTo: [{ address: '10.0.0.7' }],
    });
    expect(asked).toEqual(['erp.internal']);
  });

  it('is looked up by Node.js when it is trusted', () => {
    expect(createTrustedTarget(url)).toEqual({
      ...{ host: 'erp.example', hostName: 'erp.example', isTls: true, port: 443, connectTo: 'erp.example' },
    });
    expect(createTrustedTarget(url, new URL('http://[::1]:8000'))).toMatchObject({
      ...{ host: 'erp.example', isTls: false, port: 8000, connectTo: '::1' },
    });
  });
});

describe('limitLookupsPerTeam', () => {
  const slow = () => {
    const asked: string[] = [];
    const answers: PromiseWithResolvers<never[]>[] = [];
    const resolve = limitLookupsPerTeam((hostName) => {
      asked.push(hostName);
      const answer = Promise.withResolvers<never[]>();
      answers.push(answer);
      return answer.promise;
    });
    return { asked, answers, resolve };
  };

  it('makes one look-up of a team at a time and does not delay other teams', async () => {
    const { asked, answers, resolve } = slow();
    const first = resolve('a', 'meridian');
    const second = resolve('b', 'meridian');
    const other = resolve('c', 'northgate');
    await nextTurn();
    expect(asked).toEqual(['a', 'c']);
    answers[0]?.reject(new Error('no such name'));
    await expect(first).rejects.toThrow('no such name');
    await nextTurn();
    expect(asked).toEqual(['a', 'c', 'b']);
    answers[1]?.resolve([]);
    answers[2]?.resolve([]);
    expect(await Promise.all([second, other])).toEqual([[], []]);
    const later = resolve('d', 'meridian');
    await nextTurn();
    answers[3]?.resolve([]);
    expect(await later).toEqual([]);
  });

  it('rejects a look-up when 50 look-ups of the team are already waiting', async () => {
    const { asked, resolve } = slow();
    const waiting = Array.from({ length: 51 }, (_, index) => resolve(`h${index}`, 'meridian'));
    await expect(resolve('one more', 'meridian')).rejects.toMatchObject({ reason: 'full' });
    expect([asked, waiting.length]).toEqual([['h0'], 51]);
  });
});
