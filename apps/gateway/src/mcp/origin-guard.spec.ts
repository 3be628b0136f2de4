import { describe, expect, it } from '@jest/globals';
import { createOriginCheck } from './origin.guard.js';

const local = 'http://localhost:8080';
const remote = 'https://tessera.example';

/** Whether a request with these headers may enter. */
const enters = (publicUrl: string, headers: { origin?: string; host?: string }, allowed?: readonly string[]): boolean =>
  createOriginCheck(allowed)({ host: new URL(publicUrl).host, ...headers }, publicUrl) === undefined;

describe('the origin of a page', () => {
  it.each([
    ['http://localhost:3000'],
    ['http://127.0.0.1:8080'],
    ['http://[::1]'],
    ['https://localhost'],
    ['HTTP://LOCALHOST'],
  ])('may be %s when the public host is this machine', (origin) => {
    expect(enters(local, { origin })).toBe(true);
    expect(enters('http://[::1]:8080', { origin })).toBe(true);
    expect(enters(remote, { origin })).toBe(false);
  });

  it('may be the public host with any scheme and port', () => {
    for (const origin of ['https://tessera.example', 'http://tessera.example:81'])
      expect(enters(remote, { origin })).toBe(true);
  });

  it.each([
    ['null'],
    [''],
    ['http://evil.example'],
    ['http://localhost.evil.example'],
    ['http://localhost@evil.example'],
    ['http://evil.example#localhost'],
    ['http://tessera.example.evil.example'],
    ['http://localhost, http://evil.example'],
    ['localhost'],
    ['file://'],
    ['http://192.168.0.1'],
  ])('is refused when it is %j', (origin) => {
    expect(enters(local, { origin })).toBe(false);
    expect(enters(remote, { origin })).toBe(false);
  });

  it('may be an origin that the operator allows, or an allowed host with any scheme and port', () => {
    const allowed = ['https://app.example:444', 'Pages.Example', 'vscode-webview://abc', 'null'];
    for (const origin of ['https://app.example:444', 'http://pages.example:1', 'vscode-webview://abc'])
      expect(enters(remote, { origin }, allowed)).toBe(true);
    for (const origin of ['https://app.example', 'http://app.example:444', 'https://x.pages.example', 'null', '', 'x'])
      expect(enters(remote, { origin }, allowed)).toBe(false);
  });

  it('is not required of programs, which send none', () => {
    expect(enters(local, {})).toBe(true);
    expect(enters(remote, {})).toBe(true);
  });
});

describe('the host of a request', () => {
  it('must be a local name, or one that the operator allows, when the public host is local', () => {
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:8080', '[::1]:8080'])
      expect(enters(local, { host })).toBe(true);
    for (const host of ['evil.example', 'evil.example:8080', 'localhost.evil.example', '', '::1', 'localhost:80:x'])
      expect(enters(local, { host })).toBe(false);
    expect(enters(local, { host: 'gateway:8080' }, ['gateway'])).toBe(true);
  });

  it('may be that of a proxy when the public host is another machine', () => {
    expect(enters(remote, { host: 'inner-7:8080' })).toBe(true);
  });

  it('follows a public host that changes with the proxy of the request', () => {
    const guard = createOriginCheck();
    expect(guard({ host: 'evil.example' }, remote)).toBeUndefined();
    expect(guard({ host: 'evil.example' }, local)).toMatchObject({ code: 'MCP_ORIGIN_REFUSED' });
    expect(guard({ host: 'evil.example' }, remote)).toBeUndefined();
  });
});
