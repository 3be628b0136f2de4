import { expect, it } from '@jest/globals';
import { browserName } from './browser-name.js';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/153.0.0.0 Safari/537.36`, 'Chrome 153 · Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`,
    'Edge 150 · Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox 128 · macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari 17 · iOS',
  ],
  [`Mozilla/5.0 (Linux; Android 14) ${webkit} Chrome/150.0.0.0 Mobile Safari/537.36`, 'Chrome 150 · Android'],
  ['Firefox/3', 'Firefox 3'],
])('of %s is %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

it('is what it says where nobody knows it, and nothing where it says nothing', () => {
  expect(browserName(' <b>curl</b>/8 ')).toBe('<b>curl</b>/8');
  expect(browserName(' ')).toBeUndefined();
});
