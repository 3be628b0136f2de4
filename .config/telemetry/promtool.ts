/** Runs the unit tests of the alert rules with promtool, which knows neither Kubernetes objects nor where ours stand. */
import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { workspaceRoot } from '../workspace/files.js';

export const alertTests = '.config/telemetry/alerts.test.yaml';

export const hasPromtool = (): boolean => spawnSync('promtool', ['--version']).status === 0;

/** The output of promtool for the rules of these groups; it ends in `SUCCESS` when all tests pass. */
export const testRules = async (groups: readonly unknown[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-alerts-'));
  try {
    await writeFile(join(folder, 'alerts.rules.yaml'), stringify({ groups }));
    await copyFile(join(workspaceRoot, alertTests), join(folder, 'alerts.test.yaml'));
    return await new Promise((resolve) => {
      execFile('promtool', ['test', 'rules', join(folder, 'alerts.test.yaml')], (error, output, faults) =>
        resolve(`${faults}${output}`.trim() || `${error?.message}`),
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
