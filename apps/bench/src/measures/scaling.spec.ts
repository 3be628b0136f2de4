import { describe, expect, it } from '@jest/globals';
import { calculateCapacities, describeCapacities } from './scaling.js';

const cpuUs = { gateway: 200, postgres: 250, 'content-repo': 500, agents: 2, 'nats-server': 100 };

describe('the capacity of one processor per process', () => {
  it('is calculated for every process that spends CPU time on a request, the bottleneck first', () => {
    expect(calculateCapacities(cpuUs)).toEqual([
      { name: 'content-repo', requestsPerSecond: 2_000 },
      { name: 'postgres', requestsPerSecond: 4_000 },
      { name: 'gateway', requestsPerSecond: 5_000 },
      { name: 'nats-server', requestsPerSecond: 10_000 },
    ]);
  });

  it('is printed in one line', () => {
    expect(describeCapacities(calculateCapacities({ gateway: 200, postgres: 300 }))).toBe(
      'postgres 3333, gateway 5000 a second; first: postgres',
    );
  });
});
