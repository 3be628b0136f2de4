import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '@tessera/service-kit';
import { knowledgeModelsSettings } from './settings.js';

const read = (value?: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return readConfiguration(knowledgeModelsSettings.pick({ EXTERNAL_DATABASES: true }), { EXTERNAL_DATABASES: text });
};
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
