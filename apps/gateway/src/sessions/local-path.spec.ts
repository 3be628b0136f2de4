import { describe, expect, it } from '@jest/globals';
import { localPathOf } from './local-path.js';

describe('localPathOf', () => {
  it.each(['/', '/docs', '/oauth2/consent/abc?a=1&b=%2F#c', '/a//b', '/?next=https://evil.example', '/@evil.example'])(
    'keeps a path of this gateway: %s',
    (path) => {
      expect(localPathOf(path)).toBe(path);
      expect(new URL(path, 'https://tessera.example').origin).toBe('https://tessera.example');
    },
  );

  it.each([
    ...[null, undefined, '', 'docs', '//evil.example', '///evil.example', '/\\evil.example', '\\/evil.example'],
    ...['https://evil.example', 'javascript:alert(1)', '/a b', '/\t/evil.example', '/\n/evil.example', '/\u00e9'],
    ...['/sign-in', '/sign-in?switch=1', '/sign-out', '/sign-out?state=/', '/sign-in/sso', '/sign-in#a'],
    // A browser and the router read these as the ones before.
    ...['/./sign-in?switch=1', '/a/../sign-in', '/a/%2e%2E/sign-out', '/%73ign-in?switch=1', '/sign%2din/sso', '/%'],
    `/${'x'.repeat(2_048)}`,
  ])('takes the front page for %j', (text) => expect(localPathOf(text)).toBe('/'));
});
