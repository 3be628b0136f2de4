/** What a process meets on a disk that is full. */
import { execFileSync } from 'node:child_process';

/** From now on a write of the process fails that makes a file longer than so many bytes; until the answer is called. */
export const limitFileSize = (pid: number, bytes: number): (() => void) => {
  const set = (limit: number | 'unlimited'): void =>
    void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${limit}:`], { stdio: 'pipe' });
  set(bytes);
  return () => set('unlimited');
};
