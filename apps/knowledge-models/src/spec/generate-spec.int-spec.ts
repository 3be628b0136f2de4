/** Specifications as callers get them, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSpec } from '@tessera/contracts/knowledge-models';
import { parse } from 'yaml';
import { CallerModels } from '../catalog/caller-models.js';
import { companyModel, finance, hiddenWords } from '../testing/company.js';
import {
  jsonAnswer,
  bodyText,
  callerOf,
  openFixture,
  refused,
  type Fixture,
  type TestCaller,
} from '../testing/fixture.js';
import { GenerateSpecHandler } from './generate-spec.handler.js';

let fixture: Fixture;
let handler: GenerateSpecHandler;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish('meridian', companyModel);
  handler = new GenerateSpecHandler(new CallerModels(fixture.catalogs));
});
afterAll(() => fixture?.end());

const ask = (query: object = {}, who?: TestCaller, team = 'meridian') =>
  handler.generate(generateSpec.request.parse({ km_id: 'p2p.base-km', ...query }), callerOf(team, who));

describe('the specification of a model', () => {
  it('is JSON or YAML of the same content, as the caller accepts', async () => {
    const json = await ask({ accept: '*/*' });
    const yaml = await ask({ accept: 'text/yaml, application/json;q=0.9' });
    if (!json.ok || !yaml.ok) throw new Error('No specification.');
    expect(json.value.contentType).toBe('application/json; charset=utf-8');
    expect(yaml.value.contentType).toBe('application/yaml; charset=utf-8');
    expect(parse(await bodyText(yaml.value))).toEqual(JSON.parse(await bodyText(json.value)));
  });

  it('has the address that the caller used and the published version', async () => {
    const { servers, info } = await jsonAnswer(ask());
    expect([servers, info.version]).toEqual([[{ url: 'https://tessera.example:8443' }], '1']);
  });

  it('shows what the caller sees', async () => {
    expect(JSON.stringify(await jsonAnswer(ask()))).not.toMatch(hiddenWords);
    expect(JSON.stringify(await jsonAnswer(ask({}, finance)))).toMatch(/"BANK_ACCOUNT".*"ACCOUNTS_AGAIN"/);
  });

  it('has only curated records when they are requested', async () => {
    const { paths } = await jsonAnswer(ask({ curated: true }));
    expect(Object.keys(paths)).toHaveLength(2);
  });

  it('is not found for a model that the team does not have', async () => {
    expect(await refused(ask({ km_id: 'p2p.base_km' }))).toEqual({
      code: 'KM_MODEL_NOTFOUND',
      detail: 'There is no knowledge model p2p.base_km. Did you mean p2p.base-km?',
    });
    expect((await refused(ask({}, {}, 'northgate')))?.detail).toBe('There is no knowledge model p2p.base-km.');
  });
});
