#!/usr/bin/env node
/**
 * `tessera`: runs the built command line on the Node of the product. Plain JavaScript for Node 20; without a build it
 * says how to make one.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const nodeMajorNeeded = 24;
const exitWithoutBuild = 2;
const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const main = new URL('../dist/main.js', import.meta.url);

const runsHere = () => Number(process.versions.node.split('.')[0]) >= nodeMajorNeeded;

/** The same command in a Node that is new enough; its end is our end. */
const runElsewhere = (node) => {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => giveUp(error.message));
  child.once('exit', (code) => process.exit(code ?? 1));
};

const giveUp = (message) => {
  console.error(`tessera: ${message}`);
  process.exitCode = exitWithoutBuild;
};

if (!existsSync(main)) giveUp('it is not built yet; run "npm run build" (or "npm start") in the checkout first.');
else if (runsHere()) await import(main.href);
else {
  const node = join(checkout, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(node)) runElsewhere(node);
  else giveUp(`Node ${nodeMajorNeeded} is needed, and it is not in node_modules; run "npm ci" in the checkout first.`);
}
