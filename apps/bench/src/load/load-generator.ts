import { startChild } from '../child.js';
import type { RequestLoadOptions, RequestLoadResult } from './send-load.js';

export type LoadGenerator = {
  readonly pid: number;
  /** Rejects when an answer has a status that is not among `expected`. */
  readonly send: (order: RequestLoadOptions, expected?: readonly number[]) => Promise<RequestLoadResult>;
  readonly stop: () => Promise<void>;
};

export const startLoadGenerator = (): LoadGenerator => {
  const child = startChild('./load/load-process.js');
  return {
    pid: child.pid,
    send: async (order, expected = [200]) => {
      child.send(order);
      const result = (await child.next()) as RequestLoadResult;
      const other = Object.keys(result.statuses).filter((status) => !expected.includes(Number(status)));
      if (other.length > 0)
        throw new Error(
          `${order.origin} answered ${JSON.stringify(result.statuses)}; expected ${expected.join(', ')}.`,
        );
      return result;
    },
    stop: child.stop,
  };
};
