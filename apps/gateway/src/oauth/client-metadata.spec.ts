import { describe, expect, it } from '@jest/globals';
import { readClientMetadata } from './client-metadata.js';
import { OAuthFault } from './oauth-fault.js';

const given = { redirect_uris: ['https://app.example/callback'] };
const faultOf = (metadata: unknown): readonly string[] => {
  try {
    readClientMetadata(metadata, 'none');
    return [];
  } catch (error) {
    return error instanceof OAuthFault ? [error.error, error.description] : [String(error)];
  }
};

describe('what a client says of itself', () => {
  it('is taken with the defaults of RFC 7591', () => {
    expect(readClientMetadata(given, 'client_secret_basic')).toEqual({
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
      'none',
    );
    expect(JSON.stringify(taken)).not.toMatch(/10\.0\.0|jwks|scope|contacts/);
    expect(taken.grant_types).toEqual(['authorization_code', 'refresh_token']);
  });

  it.each([
    [['http://127.0.0.1/cb'], 'native'],
    [['http://localhost:8080/cb'], 'native'],
    [['http://[::1]:8080/cb'], 'native'],
    [['cursor://callback'], 'native'],
    [['com.example.app:/callback'], 'native'],
    [['https://vscode.dev/redirect', 'http://127.0.0.1:33418/'], 'native'],
    [['https://app.example/cb?tenant=1'], 'web'],
  ])('with the redirect addresses %j is a %s client', (redirect_uris, expected) => {
    expect(readClientMetadata({ redirect_uris, application_type: 'web' }, 'none').application_type).toBe(expected);
  });

  it('has a name on one line, whatever characters it holds', () => {
    const nameOf = (client_name: string) => readClientMetadata({ ...given, client_name }, 'none').client_name;
    expect(nameOf('  My\r\n\u202eApp\u0000 ')).toBe('My App');
    expect(nameOf('\u200b')).toBeUndefined();
    expect(nameOf('x'.repeat(300))).toHaveLength(100);
  });

  it.each([
    'http://app.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'https://app.example/cb#fragment',
    'https://user:secret@app.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'no address',
    'https://app.example/ü',
    'https://app.example/\n',
    `https://app.example/${'x'.repeat(2_000)}`,
  ])('is refused for the redirect address %j', (address) => {
    expect(faultOf({ redirect_uris: [address] })[0]).toBe('invalid_redirect_uri');
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
