import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '@tessera/service-kit';
import { knowledgeModelsSettings } from './settings.js';

const readAll = (given: Readonly<Record<string, string | undefined>>) =>
  readConfiguration(knowledgeModelsSettings, { DATABASE_URL: 'postgres://tessera@127.0.0.1/tessera', ...given });
const read = (value?: unknown) =>
  readAll({ EXTERNAL_DATABASES: typeof value === 'string' ? value : JSON.stringify(value) });
const url = 'postgres://reader:top-secret@erp.example:5432/erp';

describe('the setting of external databases', () => {
  it('is empty by default, and has a default freshness', () => {
    expect(read().EXTERNAL_DATABASES).toEqual({});
    expect(read({ erp: { url, teams: ['meridian'] } }).EXTERNAL_DATABASES).toEqual({
      erp: { url, teams: ['meridian'], freshnessSeconds: 60, connectionsMax: 4 },
    });
  });

  it.each<[unknown, RegExp]>([
    ['{', /a JSON object like/],
    ['[]', /a JSON object like/],
    [{ erp: { url, teams: [] } }, /erp\.teams should be at least one team/],
    [{ erp: { url } }, /erp\.teams should be a list of teams/],
    [{ erp: { url: 'mysql://top-secret', teams: ['a'] } }, /erp\.url should be an address that begins with postgres:/],
    [{ erp: { url, teams: ['a'], freshnessSeconds: 0 } }, /erp\.freshnessSeconds should be at least 1/],
    [{ erp: { url, teams: ['a'], freshness: 5 } }, /erp has no member freshness/],
    [{ 'e r p': { url, teams: ['a'] } }, /the name e r p should be of letters/],
  ])('stops the start for %j with what was expected, and without an address', (value, expected) => {
    const stopped = () => read(value);
    expect(stopped).toThrow(expected);
    expect(stopped).toThrow(/^EXTERNAL_DATABASES is wrong; expected a JSON object/);
    expect(stopped).not.toThrow(/top-secret/);
  });
});

describe('the setting of the store of files by columns', () => {
  const secret = 's'.repeat(32);

  it.each([
    ['s3://figures', { bucket: 'figures', prefix: '' }],
    ['s3://figures/tessera/', { bucket: 'figures', prefix: 'tessera' }],
    ['s3://figures.example/tessera/files_1', { bucket: 'figures.example', prefix: 'tessera/files_1' }],
  ])('takes %s', (given, expected) => {
    const { COLUMNAR_STORE } = readAll({ COLUMNAR_STORE: given, COLUMNAR_STORE_SIGNING_SECRET: secret });
    expect(COLUMNAR_STORE).toEqual(expected);
  });

  it.each(['https://figures', 's3://', 's3://Figures', 's3://figures//tessera', 's3://figures/../tessera'])(
    'stops the start for %s',
    (given) => {
      expect(() => readAll({ COLUMNAR_STORE: given, COLUMNAR_STORE_SIGNING_SECRET: secret })).toThrow(
        'COLUMNAR_STORE is wrong; expected a bucket and a prefix, like s3://bucket/prefix',
      );
    },
  );

  it.each<[Readonly<Record<string, string>>, RegExp]>([
    [{}, /^COLUMNAR_STORE_SIGNING_SECRET is missing; expected at least 32 characters/],
    [{ COLUMNAR_STORE_SIGNING_SECRET: 'top-secret' }, /^COLUMNAR_STORE_SIGNING_SECRET is wrong; expected at least 32/],
    [
      { COLUMNAR_STORE_SIGNING_SECRET: secret, COLUMNAR_STORE_SECRET_ACCESS_KEY: 'top-secret' },
      /^COLUMNAR_STORE_ACCESS_KEY_ID is missing; expected .* together$/,
    ],
    [
      { COLUMNAR_STORE_SIGNING_SECRET: secret, LOAD_CONNECTIONS: '2' },
      /^LOAD_CONNECTIONS is wrong; expected at least 3/,
    ],
  ])('stops the start for %j beside it', (given, expected) => {
    const stopped = () => readAll({ COLUMNAR_STORE: 's3://figures', ...given });
    expect(stopped).toThrow(expected);
    expect(stopped).not.toThrow(/top-secret/);
  });
});

describe('the setting of a columnar cluster', () => {
  const readAddress = (address: string) => readAll({ COLUMNAR_URL: address });

  it.each([
    'https://reader:top-secret@columns.example:8443/copies',
    'http://reader:top-secret@127.0.0.1:8123/copies',
    'http://reader:top-secret@[::1]:8123/copies',
    'http://localhost/copies',
  ])('is an address to which what is sent is encrypted or stays on the machine: %s', (address) => {
    expect(readAddress(address).COLUMNAR_URL).toBe(address);
  });

  it.each([
    'http://reader:top-secret@columns.example:8123/copies',
    'http://127.0.0.1.columns.example/top-secret',
    'clickhouse://reader:top-secret@columns.example/copies',
    'columns.example:8443/top-secret',
  ])('stops the start for %s, without showing it', (address) => {
    const stopped = () => readAddress(address);
    expect(stopped).toThrow(/^COLUMNAR_URL is wrong; expected an address that begins with https:/);
    expect(stopped).not.toThrow(/top-secret/);
  });

  it('leaves a connection beside the two that a making holds', () => {
    const stopped = () => readAll({ COLUMNAR_URL: 'https://columns.example/copies', LOAD_CONNECTIONS: '2' });
    expect(stopped).toThrow(/^LOAD_CONNECTIONS is wrong; expected at least 3/);
  });
});
