import { expect, it } from '@jest/globals';
import { callerVisibilityKey } from '@tessera/contracts';
import { describeModelForTools } from '@tessera/contracts/knowledge-models';
import { fail } from '@tessera/failures';
import { createFakeServices } from '../testing/fake-services.js';
import { testModelWithRenamedField, testModel } from '../testing/test-model.js';
import { createContext } from '../testing/test-replicas.js';
import { AssetTools, VisibleModelCache } from './asset-tools.js';
import { createModelToolSource } from './model-tools.js';

const setup = () => {
  const services = createFakeServices();
  const clock = { nowMs: 0 };
  const models = new VisibleModelCache(services, () => clock.nowMs);
  const see = (context = createContext('meridian')) => models.find('p2p', context, callerVisibilityKey(context.caller));
  return { services, clock, models, see };
};

it('requests the model of a caller once per second, and sends the key of the known version', async () => {
  const { services, clock, see } = setup();
  const first = await see();
  expect(first.model).toEqual(testModel);
  expect(see()).toBe(first);
  clock.nowMs = 999;
  expect(see()).toBe(first);
  clock.nowMs = 1_000;
  expect(await see()).toBe(first);
  expect(services.requests.map(({ request }) => request)).toEqual([{ km_id: 'p2p' }, { km_id: 'p2p', known: 'first' }]);
});

it('shares one object among callers who see the same version of the model', async () => {
  const { see } = setup();
  const other = createContext('meridian', { attributes: { plant: 'Bremen' } });
  expect((await see(other)).model).toBe((await see()).model);
});

it('returns a changed model within a second', async () => {
  const { services, clock, see } = setup();
  await see();
  services.show(testModelWithRenamedField);
  clock.nowMs = 1_000;
  expect((await see()).model).toEqual(testModelWithRenamedField);
});

it('keeps a model while the service that owns models is unavailable, and drops a deleted one', async () => {
  const { services, clock, see } = setup();
  const first = await see();
  services.answer(describeModelForTools, () => fail('SERVICE_UNAVAILABLE', 'away'));
  clock.nowMs = 1_000;
  expect(await see()).toBe(first);
  services.answer(describeModelForTools, () => fail('KM_MODEL_NOTFOUND', 'gone'));
  clock.nowMs = 2_000;
  expect(await see()).toEqual({ key: '-' });
});

it('reports how much longer a cached model is fresh', async () => {
  const { services, clock, models, see } = setup();
  const tools = new AssetTools(models);
  const source = { kind: 'load-data', id: 'load-data', knowledgeModel: 'p2p' } as const;
  const asset = {
    ...{ assetId: 'p2p', version: 1, digest: '', name: 'P2P', description: '', callsPerMinute: 1 },
    tools: [createModelToolSource(source, { services, models })],
  };
  const context = createContext('meridian');
  const viewOf = () => tools.visibleTo(asset, context);
  const first = await viewOf();
  clock.nowMs = 400;
  expect(tools.freshForMs(first, context.caller)).toBe(600);
  expect(tools.freshForMs(first, createContext('northgate').caller)).toBe(0);
  services.show(testModelWithRenamedField);
  clock.nowMs = 1_100;
  await see();
  // Made before the look that has found another model.
  expect(tools.freshForMs(first, context.caller)).toBe(0);
  expect(tools.freshForMs(await viewOf(), context.caller)).toBe(1_000);
});

it('describes the current model without using the cache', async () => {
  const { services, models, see } = setup();
  await see();
  services.show(testModelWithRenamedField);
  expect(await models.describe('p2p', createContext('meridian'))).toEqual({
    ok: true,
    value: testModelWithRenamedField,
  });
  expect(await models.describe('none', createContext('meridian'))).toMatchObject({
    failure: { code: 'KM_MODEL_NOTFOUND' },
  });
});
