import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '@tessera/service-kit';
import { gatewaySettings } from './configuration.js';

const required = { DATABASE_URL: 'postgres://u:p@localhost/d', NATS_URL: 'nats://localhost' };
const read = (more: Readonly<Record<string, string>>) => readConfiguration(gatewaySettings, { ...required, ...more });
const tokens = { JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'tessera' };
const secret = 's'.repeat(32);

describe('the configuration', () => {
  it('has a default for everything but the addresses of its dependencies', () => {
    expect(read({})).toMatchObject({
      GATEWAY_HOST: '127.0.0.1',
      GATEWAY_PORT: 8080,
      APP_KEY_HEADERS: ['AppKey'],
      RATE_LIMIT_PER_HOUR: 6000,
      BODY_MAX_BYTES: 1_048_576,
      URL_MAX_LENGTH: 16_384,
      REQUEST_TIMEOUT_MS: 30_000,
      TURN_TIMEOUT_MS: 125_000,
      JWT_ALGORITHMS: ['RS256', 'PS256', 'ES256'],
      JWT_TEAM_CLAIM: 'team',
    });
  });

  it('reads comma-separated lists and strips the trailing slash of addresses', () => {
    const settings = {
      APP_KEY_HEADERS: 'AppKey, X-Key',
      TRUST_PROXY: '10.0.0.0/8,::1',
      PUBLIC_URL: 'https://t.example/',
    };
    expect(read(settings)).toMatchObject({
      APP_KEY_HEADERS: ['AppKey', 'X-Key'],
      TRUST_PROXY: ['10.0.0.0/8', '::1'],
      PUBLIC_URL: 'https://t.example',
    });
  });

  it('reads the teams in which tokens may administer', () => {
    expect(read({ ...tokens, JWT_SECRET: secret, JWT_ADMIN_TEAMS: 'operators, *' })).toMatchObject({
      JWT_ADMIN_TEAMS: ['operators', '*'],
    });
    expect(read({}).JWT_ADMIN_TEAMS).toBeUndefined();
  });

  it('reads origins and host names of pages that may call MCP servers', () => {
    const words = ['https://app.example:444', 'pages.example', 'vscode-webview://abc', '[::1]', 'http://[::1]:80'];
    expect(read({ MCP_ALLOWED_ORIGINS: words.join(', ') })).toMatchObject({ MCP_ALLOWED_ORIGINS: words });
    for (const wrong of ['*', 'https://*.example', 'null,', 'https://a.example/path', 'a.example:80'])
      expect(() => read({ MCP_ALLOWED_ORIGINS: wrong })).toThrow(/MCP_ALLOWED_ORIGINS is wrong/);
  });

  it('reads origins of pages as browsers write them', () => {
    const given = 'https://App.example:443, http://app.example:81,vscode-webview://ABC , http://[::1]:80';
    const origins = ['https://app.example', 'http://app.example:81', 'vscode-webview://abc', 'http://[::1]'];
    expect(read({ CORS_ORIGINS: given })).toMatchObject({ CORS_ORIGINS: origins });
    expect(read({}).CORS_ORIGINS ?? []).toEqual([]);
    for (const wrong of ['*', 'null', 'https://*.example', 'app.example', 'https://a.example/', 'https://u@a.example'])
      expect(() => read({ CORS_ORIGINS: wrong })).toThrow(/CORS_ORIGINS is wrong/);
  });

  it.each(['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_TEAM_CLAIM', 'JWT_ADMIN_TEAMS'])(
    'refuses %s without keys that tokens are verified by',
    (name) => {
      expect(() => read({ [name]: 'team' })).toThrow(
        `${name} is set and counts for nothing; expected JWT_JWKS_URL or JWT_SECRET beside it, or neither`,
      );
    },
  );

  it('accepts only one way of verifying tokens', () => {
    const url = 'https://issuer.example/jwks.json';
    expect(read({ ...tokens, JWT_SECRET: secret })).toMatchObject({ JWT_SECRET: secret });
    expect(read({ ...tokens, JWT_JWKS_URL: url, JWT_ALGORITHMS: 'ES256' })).toMatchObject({
      JWT_ALGORITHMS: ['ES256'],
    });
    expect(() => read({ ...tokens, JWT_SECRET: secret, JWT_JWKS_URL: url })).toThrow(/JWT_SECRET .*not both/);
  });

  it.each([
    ['GATEWAY_PORT', '70000'],
    ['PUBLIC_URL', 'localhost:8080'],
    ['APP_KEY_HEADERS', 'app_key'],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['RATE_LIMIT_PER_HOUR', '0'],
    ['JWT_SECRET', 'short'],
    ['JWT_ALGORITHMS', 'HS256'],
    ['JWT_ALGORITHMS', 'none'],
    ['JWT_ADMIN_TEAMS', 'Operators'],
    ['JWT_LIFETIME_MAX_SECONDS', 'never'],
    ['BODY_MAX_BYTES', '1 MiB'],
  ])('refuses %s=%s, naming the setting but never its value', (name, value) => {
    const attempt = () => read({ ...tokens, [name]: value });
    expect(attempt).toThrow(new RegExp(`${name} is wrong`));
    if (value.length > 4) expect(attempt).not.toThrow(value);
  });

  it('requires turns of conversations to have at least the timeout of other requests', () => {
    expect(read({ REQUEST_TIMEOUT_MS: '2000', TURN_TIMEOUT_MS: '2000' })).toMatchObject({ TURN_TIMEOUT_MS: 2000 });
    expect(() => read({ TURN_TIMEOUT_MS: '29999' })).toThrow(/TURN_TIMEOUT_MS is wrong; expected at least REQUEST/);
    expect(() => read({ REQUEST_TIMEOUT_MS: '125001' })).toThrow(/TURN_TIMEOUT_MS is missing/);
  });

  it('takes an issuer of single sign-on with its client alone, and asks it for openid', () => {
    const client = { SSO_CLIENT_ID: 'tessera', SSO_CLIENT_SECRET: 'of the client' };
    const whole = { SSO_ISSUER: 'https://login.example/realms/a', ...client };
    expect(read(whole)).toMatchObject({ ...whole, SSO_NAME: 'single sign-on', SSO_SCOPES: 'openid' });
    for (const missing of Object.keys(whole))
      expect(() => read({ ...whole, [missing]: '' })).toThrow(/SSO_ISSUER.*SSO_CLIENT_SECRET together/);
    for (const scopes of ['profile', 'openid  profile', 'openid "'])
      expect(() => read({ ...whole, SSO_SCOPES: scopes })).toThrow(/SSO_SCOPES is wrong/);
  });

  it('takes clients of the operator whose redirect addresses may be used', () => {
    const listed = (redirect: string) => ({
      OAUTH_CLIENTS: JSON.stringify({ app: { name: 'App', redirects: [redirect] } }),
    });
    for (const address of ['https://app.example/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb', 'editor://cb'])
      expect(read(listed(address)).OAUTH_CLIENTS['app']?.redirects).toEqual([address]);
    for (const address of ['http://app.example/cb', 'mailto:a@b.example', 'https://app.example/cb#x', 'none'])
      expect(() => read(listed(address))).toThrow(/OAUTH_CLIENTS is wrong.*app.redirects.0.* an address that /);
  });

  it('refuses tokens without issuer and audience', () => {
    expect(() => read({ JWT_SECRET: secret })).toThrow(/JWT_ISSUER/);
  });
});
