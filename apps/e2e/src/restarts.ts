/**
 * Watches the processes of a product: which run, and whether new ones have replaced ended ones. The launcher restarts
 * them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProduct } from './product.js';

export const pidsOf = async (product: RunningProduct, name: string): Promise<readonly number[]> => {
  const pids = (await product.pids())[name];
  if (!pids?.length) throw new Error(`No process ${name} in ${JSON.stringify(await product.pids())}`);
  return pids;
};

const timeoutMs = 60_000;

/** Waits for what must become so; a failure shows the last words of the product. */
export const waitForCondition = async (
  product: RunningProduct,
  holds: () => boolean | Promise<boolean>,
): Promise<void> => {
  for (const began = performance.now(); !(await holds()); await sleep(20))
    if (performance.now() - began > timeoutMs)
      throw new Error(`${holds.toString()}:\n${product.output().slice(-3_000)}`);
};

/** Resolves when others run in place of the processes that are `gone` and are ready: the restart, after which all must be well. */
export const waitForRestart = (
  product: RunningProduct,
  name: string,
  before: readonly number[],
  gone = before,
): Promise<void> =>
  waitForCondition(product, async () => {
    const now = await pidsOf(product, name).catch(() => []);
    const others = now.filter((pid) => !before.includes(pid));
    const isBack = now.length >= before.length && !now.some((pid) => gone.includes(pid));
    return isBack && others.every((pid) => product.output().includes(`is back (process ${pid})`));
  });
