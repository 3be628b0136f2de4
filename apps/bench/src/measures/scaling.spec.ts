import { describe, expect, it } from '@jest/globals';
import { capacitiesOf, describeCapacities } from './scaling.js';

const cpuUs = { gateway: 200, postgres: 250, 'content-repo': 500, agents: 2, 'nats-server': 100 };

describe('what one processor of each would answer', () => {
  it('is told of all that have a part in a request, and first of what is busy first', () => {
    expect(capacitiesOf(cpuUs)).toEqual([
      { name: 'content-repo', requestsPerSecond: 2_000 },
      { name: 'postgres', requestsPerSecond: 4_000 },
      { name: 'gateway', requestsPerSecond: 5_000 },
      { name: 'nats-server', requestsPerSecond: 10_000 },
    ]);
  });

  it('is one line', () => {
    expect(describeCapacities(capacitiesOf({ gateway: 200, postgres: 300 }))).toBe(
      'postgres 3333, gateway 5000 a second; first: postgres',
    );
  });
});
