/**
 * Loaded into the services by NODE_OPTIONS: reports the longest block of the event loop. The first SIGUSR2 starts it,
 * each further one writes the maximum since the last. Processes without SERVICE in their environment (the launcher,
 * npm) are left alone.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const folder = process.env.BENCH_WATCH_FOLDER;
const resolutionMs = 2;

if (folder && process.env.SERVICE) {
  let delay;
  process.on('SIGUSR2', () => {
    if (delay) {
      const longestMs = Math.max(0, delay.max / 1e6 - resolutionMs);
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify({ longestMs }));
      delay.disable();
    }
    delay = monitorEventLoopDelay({ resolution: resolutionMs });
    delay.enable();
  });
}
