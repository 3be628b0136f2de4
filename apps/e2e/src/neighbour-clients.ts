/** The clients of the two teams as child processes. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { AttackOrder, AttackResult, QuietTeamOrder, QuietTeamResult } from './neighbour-orders.js';

const program = fileURLToPath(new URL('../dist/neighbour-process.js', import.meta.url));

export type NeighbourClient = {
  readonly attack: (order: Omit<AttackOrder, 'kind' | 'firstNumber'>) => Promise<AttackResult>;
  readonly beQuiet: (order: Omit<QuietTeamOrder, 'kind' | 'firstNumber'>) => Promise<QuietTeamResult>;
  readonly stop: () => void;
};

/** So far apart that no order sends a number of another one. */
const numbersOfOrder = 1_000_000;
let orders = 0;

export const startNeighbourClient = (): NeighbourClient => {
  const child = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const sendOrder = <Result>(order: object): Promise<Result> =>
    new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error(`${program} has ended.`));
      child.once('exit', ended);
      child.once('message', (result: Result) => {
        child.off('exit', ended);
        resolve(result);
      });
      child.send({ ...order, firstNumber: ++orders * numbersOfOrder });
    });
  return {
    attack: (order) => sendOrder<AttackResult>({ ...order, kind: 'attack' }),
    beQuiet: (order) => sendOrder<QuietTeamResult>({ ...order, kind: 'quiet' }),
    stop: () => void child.kill(),
  };
};
