/**
 * Loaded into the services by NODE_OPTIONS: reports the longest block of the event loop, by the clock and in time of the
 * processor, which a machine without a processor to give does not add to. The first SIGUSR2 starts it, each further one
 * writes the maxima since the last. Processes without SERVICE in their environment (the launcher, npm) are left alone.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.BENCH_WATCH_FOLDER;
const resolutionMs = 5;

const threadMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Answers what reads the maxima and ends it. */
const watch = () => {
  const longest = { longestMs: 0, longestWorkMs: 0 };
  let [lastMs, lastWorkMs] = [performance.now(), threadMs()];
  const timer = setInterval(() => {
    const [nowMs, nowWorkMs] = [performance.now(), threadMs()];
    const lateMs = nowMs - lastMs - resolutionMs;
    longest.longestMs = Math.max(longest.longestMs, lateMs);
    longest.longestWorkMs = Math.max(longest.longestWorkMs, Math.min(lateMs, nowWorkMs - lastWorkMs));
    [lastMs, lastWorkMs] = [nowMs, nowWorkMs];
  }, resolutionMs).unref();
  return () => {
    clearInterval(timer);
    return longest;
  };
};

if (folder && process.env.SERVICE) {
  let end;
  process.on('SIGUSR2', () => {
    if (end) writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(end()));
    end = watch();
  });
}
