/**
 * What the specs of one Jest run share: a folder for their servers, removed at the end, also after a kill. Plain
 * JavaScript, because it runs before anything is compiled.
 */
import { fork } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const guardReadyMs = 5_000;
/** A whole product may have requests to finish. */
const stopWithinMs = 30_000;

const readText = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Ends the process named first in `text` when its command line or its environment still names `place`. */
const endServer = async (text, place, signal) => {
  const pid = Number.parseInt(text, 10);
  const isOurs = () =>
    process.platform !== 'linux' ||
    ['cmdline', 'environ'].some((file) => readText(`/proc/${pid}/${file}`).includes(place));
  if (!(pid > 1) || !isRunning(pid) || !isOurs()) return;
  process.kill(pid, signal);
  for (const until = Date.now() + stopWithinMs; isRunning(pid) && Date.now() < until;) await sleep(20);
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
};

/** Stops every server below the folder of a run and removes it. */
export const endRun = async (folder) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = join(folder, entry.name);
    if (entry.isDirectory()) await endServer(readText(join(place, 'process')), place, 'SIGTERM');
  }
  // For root the data may be in the cache folder.
  const data = readText(join(folder, 'postgres-data')) || join(folder, 'postgres', 'data');
  await endServer(readText(join(data, 'postmaster.pid')), data, 'SIGINT');
  rmSync(data, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
};

let guard;
let runFolder;

/** Makes the folder and a small process that clears it when this one is gone without having done so. */
export const beginRun = async () => {
  runFolder = mkdtempSync(join(tmpdir(), 'tessera-test-'));
  // PostgreSQL runs under another account when the tests run as root.
  chmodSync(runFolder, 0o711);
  guard = fork(fileURLToPath(import.meta.url), [runFolder], { detached: true, stdio: 'ignore', execArgv: [] });
  await Promise.race([
    new Promise((resolve) => guard.once('message', resolve)),
    sleep(guardReadyMs, undefined, { ref: false }),
  ]);
  guard.channel?.unref();
  guard.unref();
  return runFolder;
};

/** Removes what `beginRun` has made here. */
export const finishRun = async () => {
  if (runFolder === undefined) return;
  await endRun(runFolder);
  guard.ref();
  const gone = new Promise((resolve) => guard.once('exit', resolve));
  guard.disconnect();
  await gone;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  process.on('disconnect', () => {
    void endRun(folder)
      .catch(() => undefined)
      .finally(() => process.exit(0));
  });
  process.send('ready');
}
