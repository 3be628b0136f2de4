/** Tokens with a valid signature that hold what no issuer would sign, and forged ones; each has to be 401. */
import { createHmac } from 'node:crypto';
import { createValidClaims, sharedSecret } from './token-issuer.js';

type HostileToken = readonly [name: string, token: string];

const part = (text: string | Uint8Array): string => Buffer.from(text).toString('base64url');

/** Any header and any payload, signed by the shared secret. */
export const signTokenText = (
  payload: string | Uint8Array,
  header: string = goodHeader,
  key = sharedSecret,
): string => {
  const signed = `${part(header)}.${part(payload)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
};

const goodHeader = '{"alg":"HS256","typ":"JWT"}';
const goodPayload = (): string => JSON.stringify(createValidClaims());
/** Written as text, since JSON has numbers that JavaScript cannot say. */
const withMember = (member: string, text: string): string => {
  const { [member]: _, ...claims } = createValidClaims();
  return `${JSON.stringify(claims).slice(0, -1)},"${member}":${text}}`;
};
const withHeader = (members: string): string => signTokenText(goodPayload(), `{"alg":"HS256","typ":"JWT",${members}}`);

const nestingDepth = 2_000;
const payloads = {
  null: 'null',
  true: 'true',
  'a number': '7',
  'a number beyond all': '1e999',
  'a text': '"meridian"',
  'an empty text': '""',
  'a list': '[]',
  'a list of claims': `[${goodPayload()}]`,
  'an empty object': '{}',
  'a deep list': '['.repeat(nestingDepth) + ']'.repeat(nestingDepth),
  'a deep object without claims': '{"a":'.repeat(900) + '1' + '}'.repeat(900),
  'no JSON': 'sub=user',
  'half of a JSON': '{"sub":"user-1"',
  'bytes that are no UTF-8': Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  'a NUL': '\u0000',
  'a prototype': '{"__proto__":{"sub":"user-1","team":"meridian"}}',
};

const wrongTypes = ['null', '[]', '{}', '[1]', '{"a":1}', 'true', '""', '["user-1"]'];
const wrongTimes = ['null', '"soon"', '[]', '{}', 'true', '1e999', '-1e999', '-1', '0', '1e300', '253402300800'];

const headers = {
  null: 'null',
  'a text': '"HS256"',
  'a list': '["HS256"]',
  'no JSON': 'alg=HS256',
  'no algorithm': '{}',
  'an algorithm that is a list': '{"alg":["HS256"]}',
  'an algorithm that is null': '{"alg":null}',
  'an algorithm that is an object': '{"alg":{}}',
  'the algorithm none': '{"alg":"none"}',
  'another algorithm': '{"alg":"HS512"}',
  'an unknown algorithm': '{"alg":"toString"}',
};

/** What may stand in `crit`; whatever does, nothing of it is understood. */
const critical = ['["exp"]', '["b64"]', '["x"]', '[]', 'null', '"exp"', '{}', '7', '[null]', '[["x"]]'];

export const createHostileTokens = (): readonly HostileToken[] => [
  ...Object.entries(payloads).map(([name, text]): HostileToken => [`a payload that is ${name}`, signTokenText(text)]),
  ...Object.entries(headers).map(([name, text]): HostileToken => [
    `a header that is ${name}`,
    signTokenText(goodPayload(), text),
  ]),
  ...critical.map((text): HostileToken => [`the header crit ${text}`, withHeader(`"crit":${text},"x":1`)]),
  ['crit before everything else', signTokenText(goodPayload(), '{"crit":["x"],"x":1,"alg":"HS256"}')],
  ...['iss', 'aud', 'sub', 'team'].flatMap((member) =>
    [...wrongTypes, '7', '1e999', '"\\u0000"', '"\\ud800"', `"${'x'.repeat(3_000)}"`].map((text): HostileToken => [
      `${member} ${text.slice(0, 20)}`,
      signTokenText(withMember(member, text)),
    ]),
  ),
  ...['exp', 'nbf', 'iat'].flatMap((member) =>
    wrongTimes.map((text): HostileToken => [`${member} ${text}`, signTokenText(withMember(member, text))]),
  ),
  ['an issue in an hour', signTokenText(withMember('iat', String(Math.floor(Date.now() / 1000) + 200)))],
  [
    'an issue after its expiry',
    signTokenText(withMember('exp', String(Math.floor(Date.now() / 1000) + 5)).replace('}', ',"iat":4102444800}')),
  ],
  ['the team of the operators', signTokenText(withMember('team', '"operators"'))],
  ['another secret', signTokenText(goodPayload(), goodHeader, 'x'.repeat(40))],
  ['no secret', signTokenText(goodPayload(), goodHeader, '')],
  [
    'a signature of another token',
    `${signTokenText(goodPayload()).split('.').slice(0, 2).join('.')}.${signTokenText('{}').split('.')[2] ?? ''}`,
  ],
  ...['', '.', '..', '...', 'a', 'a.b', 'a.b.c', 'a.b.c.d', '-.-.-', 'AAAA.AAAA.AAAA', 'x'.repeat(9_000)].map(
    (text): HostileToken => [`the text ${text.slice(0, 20)}`, text],
  ),
];

/** Odd where nothing is asked of them: none of it may be taken for a right, none may end anything. */
export const createTokensWithOddClaims = (): readonly HostileToken[] => [
  ...[...wrongTypes, '7', '1e999', '[null,7,{},["admin"]]', '"admin admin"', `"${'x '.repeat(2_000)}"`].flatMap(
    (text) =>
      ['scope', 'scp', 'region'].map((member): HostileToken => [
        `${member} ${text.slice(0, 20)}`,
        signTokenText(withMember(member, text)),
      ]),
  ),
  ['a deep member', signTokenText(withMember('deep', '['.repeat(nestingDepth) + ']'.repeat(nestingDepth)))],
  ['a member __proto__', signTokenText(withMember('__proto__', '{"admin":true}'))],
  ['a member constructor', signTokenText(withMember('constructor', '"x"'))],
  ['a kid that is a list', withHeader('"kid":["a"]')],
  ['a kid that is an object', withHeader('"kid":{"toString":1}')],
  ['a kid that is null', withHeader('"kid":null')],
];
