/** Key sets as no issuer should answer them, over HTTP. */
import { createServer, type RequestListener } from 'node:http';
import type { SigningKey } from './token-issuer.js';

const text =
  (body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(body);

export const createKeySetListener = (...keys: readonly SigningKey[]): RequestListener =>
  text(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));

export const createFaultyKeySetListeners = ({ jwk }: SigningKey): Readonly<Record<string, RequestListener>> => ({
  'an error': (_request, response) => void response.writeHead(500).end('no'),
  'no JSON': text('<html>'),
  null: text('null'),
  'keys that are null': text('{"keys":null}'),
  'a key that is null': text('{"keys":[null]}'),
  'a key without its parts': text('{"keys":[{"kid":"first","kty":"RSA","use":"sig","alg":"RS256"}]}'),
  'a key whose parts are wrong': text(JSON.stringify({ keys: [{ ...jwk, n: { a: 1 } }] })),
  'a connection that breaks': (request) => void request.socket.destroy(),
  'half of an answer': (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"keys":[');
    setTimeout(() => response.destroy(), 20);
  },
  'a byte now and then': (_request, response) => {
    const drip = setInterval(() => response.write(' '), 200);
    response.once('close', () => clearInterval(drip));
  },
});

export type FaultyServer = {
  readonly url: string;
  readonly answered: () => number;
  readonly answerWith: (listener: RequestListener) => void;
  readonly stop: () => Promise<void>;
};

export const startFaultyServer = async (): Promise<FaultyServer> => {
  let [answered, listener]: [number, RequestListener] = [0, text('{"keys":[]}')];
  const server = createServer((request, response) => {
    answered++;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`,
    answered: () => answered,
    answerWith: (next) => void (listener = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
