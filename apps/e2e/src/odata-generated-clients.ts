/**
 * Clients that are generated from `$metadata`, each in a project of its own in a temporary folder, made by the commands that
 * its users enter: a typed client by odata2ts, and an application of SAP CAP by `cds import`.
 */
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parseJson } from './json.js';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const folderOf = (name: string): string => dirname(resolve(`${name}/package.json`));
const outputMax = 64 * 1024 * 1024;

export type ODataService = {
  readonly root: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What `$metadata` answers, in XML. */
  readonly metadata: string;
};

/** What the generated client and its program import. */
const clientPackages = [
  '@odata2ts/http-client-api',
  '@odata2ts/http-client-fetch',
  '@odata2ts/odata-query-objects',
  '@odata2ts/odata-service',
];

const install = async (project: string, name: string, source: string): Promise<void> => {
  const place = join(project, 'node_modules', name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(source, place, 'dir');
};

/** Generates the client into `folder/client` and loads `folder/program.mts`, which uses it. */
export const generateClientAndImportProgram = async (
  folder: string,
  metadata: string,
  program: string,
): Promise<unknown> => {
  for (const name of clientPackages) await install(folder, name, folderOf(name));
  await writeFile(join(folder, 'metadata.xml'), metadata);
  // Without a description of its own the project would be what a folder above it says, and what is generated a module.
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'commonjs' }));
  // The generator reads the compiler's options for what it emits.
  const compilerOptions = { target: 'ES2022', module: 'CommonJS', moduleResolution: 'node', strict: true };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const file = join(folder, 'program.mts');
  await writeFile(file, program);
  const generator = join(folderOf('@odata2ts/odata2ts'), 'lib', 'run-cli.js');
  const parameters = ['-s', 'metadata.xml', '-o', 'client', '-m', 'service', '-e', 'js_dts'];
  await run(process.execPath, [generator, ...parameters], { cwd: folder });
  return import(pathToFileURL(file).href);
};

export type CapAnswer = {
  /** Method, path and query of each that was sent. */
  readonly requests: readonly string[];
  readonly rows: unknown;
  readonly count?: number;
  readonly error?: string;
};

/** What a handler of an application would do with each query, which is CQL or a request. */
const capProgram = `
const cds = require('@sap/cds');
const { readFileSync } = require('node:fs');
const { url } = cds.env.requires.tessera.credentials;
const queries = JSON.parse(readFileSync(0, 'utf8'));
const requests = [];
const { fetch: send } = globalThis;
globalThis.fetch = (address, init) => {
  requests.push((init?.method ?? 'GET') + ' ' + decodeURIComponent(String(address).slice(url.length)));
  return send(address, init);
};
(async () => {
  const tessera = await cds.connect.to('tessera');
  const answers = [];
  for (const query of queries) {
    requests.length = 0;
    const outcome = await tessera.run(query.startsWith('SELECT') ? cds.ql(query) : query).then(
      (rows) => ({ rows, count: rows?.$count }),
      (error) => ({ error: error.message }),
    );
    answers.push({ ...outcome, requests: [...requests] });
  }
  process.stdout.write(JSON.stringify(answers));
})();
`;

/** Makes an application that has the service as `tessera`, and returns what runs queries in it. */
export const createCapApplication = async (folder: string, { root, headers, metadata }: ODataService) => {
  const kit = folderOf('@sap/cds-dk');
  // The version that the kit brings.
  await install(folder, '@sap/cds', join(kit, 'node_modules', '@sap', 'cds'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'application', private: true }));
  await writeFile(join(folder, 'tessera.edmx'), metadata);
  await run(process.execPath, [join(kit, 'bin', 'cds.js'), 'import', 'tessera.edmx', '--as', 'csn'], {
    cwd: folder,
    maxBuffer: outputMax,
  });
  const requires = { tessera: { credentials: { url: root, headers } } };
  await writeFile(join(folder, '.cdsrc-private.json'), JSON.stringify({ requires }));
  await writeFile(join(folder, 'program.cjs'), capProgram);
  return async (...queries: readonly string[]): Promise<readonly CapAnswer[]> => {
    const running = run(process.execPath, ['program.cjs'], { cwd: folder, maxBuffer: outputMax });
    running.child.stdin?.end(JSON.stringify(queries));
    const { stdout } = await running;
    const answers = parseJson(stdout);
    if (!Array.isArray(answers)) throw new Error(stdout);
    return answers;
  };
};
