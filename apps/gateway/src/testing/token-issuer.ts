/** An issuer of tokens: key pairs, a JWKS over HTTP that can be rotated, counted and switched off. */
import { createServer } from 'node:http';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';

export const testIssuer = 'https://issuer.example';
export const testAudience = 'tessera';
export const sharedSecret = 'a secret of the specs, long enough for HS256';

type Algorithm = 'RS256' | 'PS256' | 'ES256';
export type SigningKey = {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly privateKey: KeyObject;
  readonly jwk: object;
};

export const createSigningKey = (kid: string, algorithm: Algorithm = 'RS256'): SigningKey => {
  const { privateKey, publicKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' };
  return { kid, algorithm, privateKey, jwk };
};

export const createValidClaims = (): Record<string, unknown> => ({
  iss: testIssuer,
  aud: testAudience,
  sub: 'user-1',
  team: 'meridian',
  scope: 'content:read content:write nonsense',
  exp: Math.floor(Date.now() / 1000) + 300,
});

export const signWithKey = (key: SigningKey, claims: Record<string, unknown> = createValidClaims()): string =>
  jwt.sign(claims, key.privateKey, { algorithm: key.algorithm, keyid: key.kid, noTimestamp: true });

export const signWithSharedSecret = (
  claims: Record<string, unknown> = createValidClaims(),
  key = sharedSecret,
): string => jwt.sign(claims, key, { algorithm: 'HS256', noTimestamp: true });

export type KeySetServer = {
  readonly url: string;
  readonly fetches: () => number;
  readonly publish: (...keys: readonly SigningKey[]) => void;
  readonly fail: (isAway: boolean) => void;
  readonly stop: () => Promise<void>;
};

export const startKeySetServer = async (): Promise<KeySetServer> => {
  let keys: readonly SigningKey[] = [];
  let isAway = false;
  let fetches = 0;
  const server = createServer((_request, response) => {
    fetches++;
    if (isAway) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/jwks.json`,
    fetches: () => fetches,
    publish: (...next) => void (keys = next),
    fail: (away) => void (isAway = away),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
