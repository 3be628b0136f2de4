import { expect, it } from '@jest/globals';
import { callerKeyOf } from '@tessera/contracts';
import { describeForTools } from '@tessera/contracts/knowledge-models';
import { fail } from '@tessera/failures';
import { fakeServices } from '../testing/fake-services.js';
import { renamedModel, testModel } from '../testing/test-model.js';
import { callerOf } from '../testing/test-replicas.js';
import { AssetTools, VisibleModels } from './asset-tools.js';
import { modelToolSource } from './model-tools.js';

const setup = () => {
  const services = fakeServices();
  const clock = { nowMs: 0 };
  const models = new VisibleModels(services, () => clock.nowMs);
  const see = (context = callerOf('meridian')) => models.find('p2p', context, callerKeyOf(context.caller));
  return { services, clock, models, see };
};

it("asks for a caller's model once in a second, and sends the key that it knows", async () => {
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

it('shares one object among callers who see the same', async () => {
  const { see } = setup();
  const other = callerOf('meridian', { attributes: { plant: 'Bremen' } });
  expect((await see(other)).model).toBe((await see()).model);
});

it('sees a change of the model in the next second', async () => {
  const { services, clock, see } = setup();
  await see();
  services.show(renamedModel);
  clock.nowMs = 1_000;
  expect((await see()).model).toEqual(renamedModel);
});

it('keeps a model while the service that owns models is unavailable, and drops one that is gone', async () => {
  const { services, clock, see } = setup();
  const first = await see();
  services.answer(describeForTools, () => fail('SERVICE_UNAVAILABLE', 'away'));
  clock.nowMs = 1_000;
  expect(await see()).toBe(first);
  services.answer(describeForTools, () => fail('KM_MODEL_NOTFOUND', 'gone'));
  clock.nowMs = 2_000;
  expect(await see()).toEqual({ key: '-' });
});

it('says how much longer what is seen needs no look', async () => {
  const { services, clock, models, see } = setup();
  const tools = new AssetTools(models);
  const source = { kind: 'load-data', id: 'load-data', knowledgeModel: 'p2p' } as const;
  const asset = {
    ...{ assetId: 'p2p', version: 1, digest: '', name: 'P2P', description: '', callsPerMinute: 1 },
    tools: [modelToolSource(source, { services, models })],
  };
  const context = callerOf('meridian');
  const viewOf = () => tools.visibleTo(asset, context);
  const first = await viewOf();
  clock.nowMs = 400;
  expect(tools.freshForMs(first, context.caller)).toBe(600);
  expect(tools.freshForMs(first, callerOf('northgate').caller)).toBe(0);
  services.show(renamedModel);
  clock.nowMs = 1_100;
  await see();
  // Made before the look that has found another model.
  expect(tools.freshForMs(first, context.caller)).toBe(0);
  expect(tools.freshForMs(await viewOf(), context.caller)).toBe(1_000);
});

it('describes the model as it is now', async () => {
  const { services, models, see } = setup();
  await see();
  services.show(renamedModel);
  expect(await models.describe('p2p', callerOf('meridian'))).toEqual({ ok: true, value: renamedModel });
  expect(await models.describe('none', callerOf('meridian'))).toMatchObject({ failure: { code: 'KM_MODEL_NOTFOUND' } });
});
