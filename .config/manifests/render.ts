/**
 * The output of `kubectl kustomize` for an overlay, kept in a golden file with a digest of its sources, so that the
 * checks run without kubectl. Of production with every component only its reach is kept.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listFiles, readText } from '../workspace/files.js';
import { textAt } from './tree.js';

const run = promisify(execFile);

/** Checked systems by the folder that kustomize is given. `every-option` is production with every component. */
const systems = {
  local: 'k8s/overlays/local',
  production: 'k8s/overlays/production',
  'every-option': '.config/manifests/every-option',
} as const;
export type SystemName = keyof typeof systems;
/** Systems whose output is committed. */
export const committedSystems = ['local', 'production'] as const;

/** Texts of more lines, as the dashboard is, stand in files of their own; of them the digest is kept. */
const longText = /^( *[\w.-]+:) \|[-+]?\n((?:    .*\n|\n){300,})/gm;
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const kustomizeMajorMin = 5;
const outputMax = 16 * 1024 * 1024;

export const hasKubectl = (): boolean => {
  try {
    const version: unknown = JSON.parse(
      execFileSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8', stdio: 'pipe' }),
    );
    return Number(/^v(\d+)/.exec(textAt(version, 'kustomizeVersion') ?? '')?.[1] ?? 0) >= kustomizeMajorMin;
  } catch {
    return false;
  }
};

/** A digest of everything that kustomize reads. */
export const sourcesDigest = (root: string): string => {
  const paths = [...listFiles(root, 'k8s'), ...listFiles(root, systems['every-option'])];
  const digest = createHash('sha256');
  for (const path of paths) digest.update(`${path}\0${readText(root, path)}\0`);
  return digest.digest('hex');
};

export const goldenPath = (system: (typeof committedSystems)[number]): string =>
  `.config/manifests/${system}.golden.yaml`;

/** The first line of a golden file. */
export const headOf = (system: SystemName, root: string): string =>
  `# kubectl kustomize ${systems[system]}, of sources ${sourcesDigest(root)}\n`;

export const rendered = async (root: string, system: SystemName): Promise<string> => {
  const { stdout } = await run('kubectl', ['kustomize', join(root, systems[system])], { maxBuffer: outputMax });
  return (
    headOf(system, root) +
    stdout.replaceAll(longText, (_text, key: string, lines: string) => `${key} ${digestOf(lines)}\n`)
  );
};

/** The digest that a golden file was built of. */
export const digestIn = (golden: string): string | undefined => /^# .* of sources ([0-9a-f]{64})\n/.exec(golden)?.[1];
