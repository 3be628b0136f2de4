import { describe, expect, it } from '@jest/globals';
import { readClientMetadata } from './client-metadata.js';
import { OAuthFault } from './oauth-fault.js';
import { redirectFault } from './redirect-address.js';

const given = { redirect_uris: ['https://app.example/callback'] };
/** Browsers, mail programs or operating systems act on these themselves, or pages may claim them. */
const addressesOfOthers = [
  ...['javascript:alert(1)', 'JavaScript://a.example/%0aalert(1)', 'vbscript:x', 'data:text/html,x', 'about:blank'],
  ...[
    'blob:https://a.example/x',
    'file:///etc/passwd',
    'filesystem:https://a.example/temporary/x',
    'ftp://a.example/x',
  ],
  ...['jar:https://a.example/x!/y', 'view-source:https://a.example/', 'ws://a.example/', 'wss://a.example/', 'tel:1'],
  ...[
    'mailto:a@b.example',
    'intent://x#Intent;end',
    'intent:x',
    'ms-msdt:/id',
    'search-ms:query=x',
    'web+app:callback',
  ],
];
const faultOf = (metadata: unknown): readonly string[] => {
  try {
    readClientMetadata(metadata, { otherwise: 'none' });
    return [];
  } catch (error) {
    return error instanceof OAuthFault ? [error.error, error.description] : [String(error)];
  }
};

describe('what a client says of itself', () => {
  it('is taken with the defaults of RFC 7591', () => {
    expect(readClientMetadata(given, { otherwise: 'client_secret_basic' })).toEqual({
      ...{ redirect_uris: given.redirect_uris, application_type: 'web', grant_types: ['authorization_code'] },
      ...{ response_types: ['code'], token_endpoint_auth_method: 'client_secret_basic' },
    });
  });

  it('leaves out what plays no part here, above all addresses', () => {
    const taken = readClientMetadata(
      {
        ...given,
        ...{ jwks_uri: 'http://10.0.0.1/', logo_uri: 'http://10.0.0.1/', sector_identifier_uri: 'https://x/' },
        ...{ scope: 'tools:execute', grant_types: ['client_credentials', 'refresh_token'], contacts: ['a@b.example'] },
      },
      { otherwise: 'none' },
    );
    expect(JSON.stringify(taken)).not.toMatch(/10\.0\.0|jwks|scope|contacts/);
    expect(taken.grant_types).toEqual(['authorization_code', 'refresh_token']);
  });

  it.each([
    [['http://127.0.0.1/cb'], 'native'],
    [['http://localhost:8080/cb'], 'native'],
    [['http://[::1]:8080/cb'], 'native'],
    [['com.example.my-app://callback'], 'native'],
    [['com.example.app:/callback'], 'native'],
    [['https://vscode.dev/redirect', 'http://127.0.0.1:33418/'], 'native'],
    [['https://app.example/cb?tenant=1'], 'web'],
  ])('with the redirect addresses %j is a %s client', (redirect_uris, expected) => {
    const taken = readClientMetadata({ redirect_uris, application_type: 'web' }, { otherwise: 'none' });
    expect(taken.application_type).toBe(expected);
  });

  it('has a name on one line, whatever characters it holds', () => {
    const nameOf = (client_name: string) =>
      readClientMetadata({ ...given, client_name }, { otherwise: 'none' }).client_name;
    expect(nameOf('  My\r\n\u202eApp\u0000 ')).toBe('My App');
    expect(nameOf('\u200b')).toBeUndefined();
    expect(nameOf('x'.repeat(300))).toHaveLength(100);
  });

  it.each([
    'http://app.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'https://app.example/cb#fragment',
    'https://user:secret@app.example/cb',
    ...addressesOfOthers,
    'editor://callback',
    'x:/callback',
    '.com:/callback',
    'com.:/callback',
    'no address',
    'https://app.example/ü',
    'https://app.example/\n',
    'https://app.example\\@other.example/cb',
    `https://app.example/${'x'.repeat(2_000)}`,
  ])('is refused for the redirect address %j', (address) => {
    expect(faultOf({ redirect_uris: [address] })[0]).toBe('invalid_redirect_uri');
  });

  it.each(addressesOfOthers)('is refused for %j also when the operator has listed it', (address) => {
    expect(redirectFault(address, true)).toBeDefined();
  });

  it('may have a scheme without a dot when the operator has listed it', () => {
    expect(redirectFault('editor://callback', true)).toBeUndefined();
    expect(redirectFault('http://app.example/cb', true)).toMatch(/neither https, nor http on this machine/);
  });

  it.each<[unknown, string, RegExp]>([
    [{}, 'invalid_redirect_uri', /1 to 20 addresses/],
    [{ redirect_uris: [] }, 'invalid_redirect_uri', /1 to 20/],
    [{ redirect_uris: Array.from({ length: 21 }, () => 'https://a.example') }, 'invalid_redirect_uri', /1 to 20/],
    [undefined, 'invalid_client_metadata', /JSON object/],
    ['text', 'invalid_client_metadata', /JSON object/],
    [{ ...given, client_name: 7 }, 'invalid_client_metadata', /client_name/],
    [{ ...given, response_types: ['token'] }, 'invalid_client_metadata', /response_types/],
    [
      { ...given, token_endpoint_auth_method: 'client_secret_post' },
      'invalid_client_metadata',
      /none, client_secret_basic/,
    ],
  ])('is refused when it is %j', (metadata, error, description) => {
    expect(faultOf(metadata)).toEqual([error, expect.stringMatching(description)]);
  });
});
