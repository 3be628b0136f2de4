import { expect, it } from '@jest/globals';
import { describeForTools } from '@tessera/contracts/knowledge-models';
import { fail } from '@tessera/failures';
import { callerOf } from '../testing/trial-runtime.js';
import { renamedModel, trialModel } from '../testing/trial-model.js';
import { trialServices } from '../testing/trial-services.js';
import { callerKeyOf, SeenModels } from './seen-models.js';

const trial = () => {
  const services = trialServices();
  const clock = { nowMs: 0 };
  const models = new SeenModels(services, () => clock.nowMs);
  const see = (context = callerOf('meridian')) => models.of('p2p', context, callerKeyOf(context.caller));
  return { services, clock, models, see };
};

it('asks for what a caller sees once in a second, and sends what it knows', async () => {
  const { services, clock, see } = trial();
  const first = await see();
  expect(first.model).toEqual(trialModel);
  expect(see()).toBe(first);
  clock.nowMs = 999;
  expect(see()).toBe(first);
  clock.nowMs = 1_000;
  expect(await see()).toBe(first);
  expect(services.asked.map(({ request }) => request)).toEqual([{ km_id: 'p2p' }, { km_id: 'p2p', known: 'first' }]);
});

it('shares one object among callers who see the same', async () => {
  const { see } = trial();
  const other = callerOf('meridian', { attributes: { plant: 'Bremen' } });
  expect((await see(other)).model).toBe((await see()).model);
});

it('sees a change of the model in the next second', async () => {
  const { services, clock, see } = trial();
  await see();
  services.show(renamedModel);
  clock.nowMs = 1_000;
  expect((await see()).model).toEqual(renamedModel);
});

it('lists on what it saw while the owner of models is away, and nothing that is gone', async () => {
  const { services, clock, see } = trial();
  const first = await see();
  services.answer(describeForTools, () => fail('SERVICE_UNAVAILABLE', 'away'));
  clock.nowMs = 1_000;
  expect(await see()).toBe(first);
  services.answer(describeForTools, () => fail('KM_MODEL_NOTFOUND', 'gone'));
  clock.nowMs = 2_000;
  expect(await see()).toEqual({ key: '-' });
});

it('tells the model of this moment to who asks for it', async () => {
  const { services, models, see } = trial();
  await see();
  services.show(renamedModel);
  expect(await models.ask('p2p', callerOf('meridian'))).toEqual({ ok: true, value: renamedModel });
  expect(await models.ask('none', callerOf('meridian'))).toMatchObject({ failure: { code: 'KM_MODEL_NOTFOUND' } });
});
