/**
 * Loaded into the services of a measured product by NODE_OPTIONS: tells how long the event loop was blocked at most.
 * The first SIGUSR2 begins, each further one writes what was seen since and begins anew. Costs nothing before the first.
 * The launcher and npm load it too and are left alone; only a service has SERVICE in its environment.
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
