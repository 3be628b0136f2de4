/** The clients of the two teams, and one without a credential, as child processes. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type {
  OverloadInstruction,
  OverloadAttackResult,
  QuietTeamInstruction,
  QuietTeamResult,
} from './neighbour-instructions.js';

const program = fileURLToPath(new URL('../dist/neighbour-process.js', import.meta.url));

export type NeighbourClient = {
  readonly attack: (instruction: Omit<OverloadInstruction, 'kind' | 'firstNumber'>) => Promise<OverloadAttackResult>;
  readonly beQuiet: (instruction: Omit<QuietTeamInstruction, 'kind' | 'firstNumber'>) => Promise<QuietTeamResult>;
  readonly stop: () => void;
};

/** So far apart that no instruction sends a number of another one. */
const numbersPerInstruction = 1_000_000;
let instructions = 0;

export const startNeighbourClient = (): NeighbourClient => {
  const child = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const sendInstruction = <Result>(instruction: object): Promise<Result> =>
    new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error(`${program} has ended.`));
      child.once('exit', ended);
      child.once('message', (result: Result) => {
        child.off('exit', ended);
        resolve(result);
      });
      child.send({ ...instruction, firstNumber: ++instructions * numbersPerInstruction });
    });
  return {
    attack: (instruction) => sendInstruction<OverloadAttackResult>({ ...instruction, kind: 'attack' }),
    beQuiet: (instruction) => sendInstruction<QuietTeamResult>({ ...instruction, kind: 'quiet' }),
    stop: () => void child.kill(),
  };
};
