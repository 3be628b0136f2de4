import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ClientDocuments } from './client-documents.js';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const clientId = 'https://clients.example/app.json';
const document = { client_id: clientId, client_name: 'App', redirect_uris: ['https://app.example/cb'], jwks_uri: 'x' };

const serve = async (answer: RequestListener) => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const [refused, sources]: [string[], string[]] = [[], []];
  const documents = new ClientDocuments({
    hosts: { 'clients.example': { address: `http://127.0.0.1:${port}` } },
    onRefused: (host, why) => void refused.push(`${host} ${why}`),
    resolve: async (host, source) => {
      sources.push(source);
      return [{ address: host === 'public.example' ? '93.184.215.14' : '127.0.0.1', family: 4 }];
    },
  });
  return { documents, refused, sources, asked: () => asked };
};
const network = '192.0.2.7';
const serveDocument = (body: unknown, headers: Record<string, string> = {}) =>
  serve((_request, response) => {
    response.writeHead(200, headers).end(JSON.stringify(body));
  });

describe('the document about a client', () => {
  it('is fetched at its address, and holds what is taken of it', async () => {
    const { documents } = await serveDocument(document, { 'cache-control': 'max-age=600', 'set-cookie': 'a=b' });
    const response = await documents.fetch(clientId, network);
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'cache-control': 'max-age=600' });
    expect(response.headers.has('set-cookie')).toBe(false);
    expect(await response.json()).toEqual({
      ...{ client_id: clientId, client_name: 'App', redirect_uris: ['https://app.example/cb'] },
      ...{ application_type: 'web', grant_types: ['authorization_code'], response_types: ['code'] },
      token_endpoint_auth_method: 'none',
    });
  });

  it.each<[string, RequestListener, string]>([
    [
      'that leads elsewhere',
      (_request, response) => void response.writeHead(302, { location: 'https://other.example/' }).end(),
      'its address leads elsewhere, and no redirect is followed',
    ],
    [
      'that is not there',
      (_request, response) => void response.writeHead(404).end(),
      'its host answered with status 404',
    ],
    [
      'that is too large',
      (_request, response) => void response.end(JSON.stringify({ ...document, more: 'x'.repeat(70_000) })),
      'it is larger than 64 KB',
    ],
    ['that is no JSON', (_request, response) => void response.end('<html>'), 'it is no JSON'],
    [
      'that is compressed',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      'it is compressed',
    ],
    [
      'without redirect addresses',
      (_request, response) => void response.end(JSON.stringify({ client_id: clientId })),
      'The member redirect_uris has to be 1 to 20 addresses.',
    ],
    ['of a host that breaks off', (request) => void request.socket.destroy(), 'its host could not be read'],
    ['of a slow host', () => undefined, 'its host took too long'],
  ])('%s is refused, and not asked for again for a while', async (_, answer, fault) => {
    const { documents, asked } = await serve(answer);
    for (let turn = 0; turn < 2; turn++) await expect(documents.fetch(clientId, network)).rejects.toThrow(fault);
    expect(asked()).toBe(1);
  });

  it.each(['https://inside.example/app.json', 'https://127.0.0.1/app.json', 'https://10.0.0.1/a', 'https://[::1]/a'])(
    'at %s, which is not public, is not asked for',
    async (address) => {
      const { documents, asked, refused, sources } = await serveDocument(document);
      await expect(documents.fetch(address, network)).rejects.toThrow('its host is none of the public Internet');
      expect(asked()).toBe(0);
      // Slow name servers keep those waiting who named them.
      expect(sources).toEqual(address.includes('inside') ? [network] : []);
      expect(refused).toEqual(
        address.includes('inside') ? ['inside.example leads to an address that is not public'] : [],
      );
    },
  );

  it.each(['http://public.example/a', 'https://public.example:8443/a'])(
    'at %s is not asked for: only https on its own port is',
    async (address) => {
      const { documents } = await serveDocument(document);
      await expect(documents.fetch(address, network)).rejects.toThrow('reached by https');
    },
  );
});
