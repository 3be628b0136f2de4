/** Memory stays flat over a hundred thousand refused requests. */
import { readResidentMb } from '../processes.js';
import { type Bench, type Figure, pidOf } from './bench.js';

const warmUp = 20_000;
const counted = 100_000;
const growthMaxMb = 16;
const connections = 16;
const expected = [401, 404];
const services = ['gateway', 'content-repo'] as const;

/** A lasting growth would show as twice the figure over twice the requests; one bound is enough to see it. */
export const measureRefusedRequestMemory = async (bench: Bench): Promise<readonly Figure[]> => {
  const { sides, generator, product, subject } = bench;
  const { gateway } = sides;
  const unknown = subject.elementPaths.map((path) => `${path.slice(0, -12)}000000000000`);
  const without = { ...gateway, headers: {} };
  const send = async (requests: number): Promise<void> => {
    for (const [side, paths] of [
      [without, subject.elementPaths],
      [gateway, [...unknown, '/no/such/path']],
    ] as const)
      await generator.send({ ...side, paths, connections, durationMs: 600_000, requestsMax: requests / 2 }, expected);
  };
  await send(warmUp);
  const before = services.map((service) => readResidentMb(pidOf(product, service)));
  await send(counted);
  return services.map((service, index) => {
    const growth = readResidentMb(pidOf(product, service)) - (before[index] ?? 0);
    return {
      what: `${counted.toLocaleString('en')} refused requests (401 and 404): growth of ${service}`,
      target: `< ${growthMaxMb} MB`,
      actual: `${growth.toFixed(0)} MB`,
      holds: growth < growthMaxMb,
    };
  });
};
