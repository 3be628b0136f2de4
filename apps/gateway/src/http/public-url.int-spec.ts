import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => stack?.stop());

const publicUrl = async (headers: Record<string, string>, gateway = stack.gateway) => {
  const { body } = await stack.request(contentRestPath('/facets'), { headers, gateway });
  return body;
};

describe('the address in answers', () => {
  it('is the forwarded one behind a trusted proxy', async () => {
    const forwarded = { 'X-Forwarded-Host': 'tessera.example:8443', 'X-Forwarded-Proto': 'https' };
    expect(await publicUrl(forwarded)).toMatchObject({ frame: { publicUrl: 'https://tessera.example:8443' } });
  });

  it('is our own when the forwarded host is invalid', async () => {
    for (const host of ['evil.example/path', 'a b', '"><script>', 'user@evil.example'])
      expect(await publicUrl({ 'X-Forwarded-Host': host })).toMatchObject({
        frame: { publicUrl: `http://localhost:${stack.gateway.port}` },
      });
  });

  it('is our own when the proxy is not trusted, and always the configured one if set', async () => {
    const forwarded = { 'X-Forwarded-Host': 'evil.example' };
    const stranger = await stack.startGateway({ TRUST_PROXY: '10.1.2.3' });
    expect(await publicUrl(forwarded, stranger)).toMatchObject({
      frame: { publicUrl: `http://localhost:${stranger.port}` },
    });
    const configured = await stack.startGateway({ PUBLIC_URL: 'https://tessera.example/' });
    expect(await publicUrl(forwarded, configured)).toMatchObject({ frame: { publicUrl: 'https://tessera.example' } });
  });
});
