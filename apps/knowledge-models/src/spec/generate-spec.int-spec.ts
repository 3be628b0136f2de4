/** Specifications as callers get them, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshForHeader } from '@tessera/contracts';
import { generateModelSpec } from '@tessera/contracts/knowledge-models';
import { waitUntil } from '@tessera/testing';
import { parse } from 'yaml';
import { CallerModels } from '../catalog/caller-models.js';
import { companyModel, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import {
  readJsonAnswer,
  readBodyText,
  callerContextOf,
  openFixture,
  readFailure,
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
  handler.generate(generateModelSpec.request.parse({ km_id: 'p2p.base-km', ...query }), callerContextOf(team, who));

describe('the specification of a model', () => {
  it('is JSON or YAML with the same content, depending on Accept', async () => {
    const json = await ask({ accept: '*/*' });
    const yaml = await ask({ accept: 'text/yaml, application/json;q=0.9' });
    if (!json.ok || !yaml.ok) throw new Error('No specification.');
    expect(json.value.contentType).toBe('application/json; charset=utf-8');
    expect(yaml.value.contentType).toBe('application/yaml; charset=utf-8');
    expect(parse(await readBodyText(yaml.value))).toEqual(JSON.parse(await readBodyText(json.value)));
  });

  it('has the address that the caller used and the published version', async () => {
    const { servers, info } = await readJsonAnswer(ask());
    expect([servers, info.version]).toEqual([[{ url: 'https://tessera.example:8443' }], '1']);
  });

  it('shows only what the caller can see', async () => {
    expect(JSON.stringify(await readJsonAnswer(ask()))).not.toMatch(hiddenWordsPattern);
    expect(JSON.stringify(await readJsonAnswer(ask({}, financeCaller)))).toMatch(/"BANK_ACCOUNT".*"ACCOUNTS_AGAIN"/);
  });

  it('has only curated records when they are requested', async () => {
    const { paths } = await readJsonAnswer(ask({ curated: true }));
    expect(Object.keys(paths)).toHaveLength(2);
  });

  it('has an ETag, and is answered with 304 for it until the model is published again', async () => {
    await fixture.publish('tagged', companyModel);
    const answerOf = async (query: object = {}) => {
      const answer = await ask(query, {}, 'tagged');
      if (!answer.ok) throw new Error('No specification.');
      return answer.value;
    };
    const { headers, status } = await answerOf();
    const ifNoneMatch = headers?.['etag'];
    expect(ifNoneMatch).toMatch(/^W\/"[\w-]{43}"$/);
    expect(status).toBeUndefined();
    await waitUntil(async () => Number((await answerOf()).headers?.[freshForHeader]) > 0);
    expect(await answerOf({ ifNoneMatch })).toMatchObject({ status: 304, headers: { etag: ifNoneMatch } });
    expect((await answerOf({ ifNoneMatch, curated: true })).status).toBeUndefined();
    await fixture.publish('tagged', { ...companyModel, name: 'Another name' });
    const renewed = await answerOf({ ifNoneMatch });
    expect(renewed.status).toBeUndefined();
    expect(renewed.headers?.['etag']).not.toBe(ifNoneMatch);
  });

  it('is not found for a model that the team does not have', async () => {
    expect(await readFailure(ask({ km_id: 'p2p.base_km' }))).toEqual({
      code: 'KM_MODEL_NOTFOUND',
      detail: 'There is no knowledge model p2p.base_km. Did you mean p2p.base-km?',
    });
    expect((await readFailure(ask({}, {}, 'northgate')))?.detail).toBe('There is no knowledge model p2p.base-km.');
  });
});
