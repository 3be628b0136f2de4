import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from './configuration.js';
import { createTestFolder, type TestFolder } from './testing/test-workspace.js';

let home: TestFolder;
beforeEach(
  () =>
    void (home = createTestFolder({ env: "export GATEWAY_URL=http://a:1\nADMIN_KEY='it'\\''s'\n# note\nlower=1\n" })),
);
afterEach(() => home.remove());

describe('the configuration', () => {
  it('is read from the file of the data folder', () => {
    const { gatewayUrl, adminKey, environmentFile } = readConfiguration({ TESSERA_HOME: home.path });
    expect(environmentFile).toBe(`${home.path}/env`);
    expect(gatewayUrl).toEqual({ value: 'http://a:1', origin: `GATEWAY_URL of ${home.path}/env` });
    expect(adminKey?.value).toBe("it's");
  });

  it('prefers the environment over the file', () => {
    const { gatewayUrl, adminKey } = readConfiguration({
      TESSERA_HOME: home.path,
      GATEWAY_URL: ' http://b:2 ',
      ADMIN_KEY: '  ',
    });
    expect(gatewayUrl).toEqual({ value: 'http://b:2', origin: 'GATEWAY_URL of the environment' });
    expect(adminKey?.origin).toContain('/env');
  });

  it('takes DATABASE_URL from the environment and keeps keys out of it', () => {
    const { environment } = readConfiguration({ TESSERA_HOME: home.path, DATABASE_URL: 'postgres://a@b/c' });
    expect(environment['DATABASE_URL']).toBe('postgres://a@b/c');
    expect(environment['ADMIN_KEY']).toBeUndefined();
  });

  it('is empty without environment and file, and locates the data folder below the checkout', () => {
    const { gatewayUrl, adminKey, environmentFile } = readConfiguration({ TESSERA_HOME: 'no/such/folder' });
    expect([gatewayUrl, adminKey]).toEqual([undefined, undefined]);
    expect(environmentFile).toMatch(/^\/.*\/no\/such\/folder\/env$/);
    expect(readConfiguration({}).environmentFile).toMatch(/\/\.tessera\/env$/);
  });
});
