/**
 * Runs a spec file by Jest's own runner, but loads it as Node loads every module: what one file has imported is there for
 * the next one of the same worker. Jest's loader would read and link all of Nest again for each of them, which was more
 * than half of the processor time of all specs. A file that changes what the process has once, as the provider of traces,
 * says `@own-modules` in its first comment: then our modules are loaded anew for it, and it sees no global of a library.
 */
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import '../libs/service-kit/src/testing/run-typescript.mjs';

const require = createRequire(import.meta.url);
const globalsUrl = 'jest:globals';
const eventHandlers = Symbol.for('EVENT_HANDLERS');
const traces = Symbol.for('opentelemetry.js.api.1');
const names = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'];

/** Those of the file that runs: helpers stay loaded, so what they have imported asks for them at each use. */
let jestGlobals = {};
globalThis[Symbol.for(globalsUrl)] = Object.fromEntries(
  names.map((name) => [
    name,
    new Proxy(() => undefined, {
      apply: (_target, _self, parameters) => jestGlobals[name](...parameters),
      get: (_target, property) => jestGlobals[name][property],
    }),
  ]),
);

/** What Vite makes of files of the console: style sheets are objects of their class names, and addresses of operations a module. */
const operationsUrl = new URL('../apps/console/build/operations.mjs', import.meta.url).href;
const classNames = 'export default new Proxy({}, { get: (_target, name) => String(name) });';
const isStyleSheet = (url) => url.endsWith('.css');

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === '@jest/globals') return { url: globalsUrl, shortCircuit: true };
    if (specifier === 'virtual:operations') return { url: operationsUrl, shortCircuit: true };
    const resolved = next(specifier, context);
    const { search } = new URL(context.parentURL ?? globalsUrl);
    return search !== '' && resolved.url.endsWith('.ts') ? { ...resolved, url: `${resolved.url}${search}` } : resolved;
  },
  load: (url, context, next) => {
    if (isStyleSheet(url)) return { format: 'module', source: classNames, shortCircuit: true };
    if (url !== globalsUrl) return next(url, context);
    const source = `export const { ${names.join(', ')} } = globalThis[Symbol.for('${globalsUrl}')];`;
    return { format: 'module', source, shortCircuit: true };
  },
});

/** The runner keeps the tests of a file in its module and on the global object; a fresh copy begins with none. */
const requireAnew = (path) => {
  delete require.cache[path];
  delete globalThis[eventHandlers];
  return require(path);
};

let copies = 0;
const loadAlone = async (url) => {
  delete globalThis[traces];
  copies += 1;
  await import(`${url}?own=${copies}`);
};

export default (globalConfig, config, environment, runtime, file, ...others) => {
  // Node maps the stacks of what it has loaded to the source; Jest only those of what it has loaded itself.
  Error.prepareStackTrace = undefined;
  const setGlobals = runtime.setGlobalsForRuntime.bind(runtime);
  const { href } = pathToFileURL(file);
  const isAlone = /^\/\*\*[^/]*@own-modules/.test(readFileSync(file, 'utf8'));
  const kept = globalThis[traces];
  Object.assign(runtime, {
    requireInternalModule: requireAnew,
    setGlobalsForRuntime: (globals) => {
      setGlobals(globals);
      jestGlobals = runtime.requireModuleOrMock(file, '@jest/globals');
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: () => (isAlone ? loadAlone(href) : import(href)),
  });
  // Not awaited here, so that no stack of a failure names this file.
  return circus.default(globalConfig, config, environment, runtime, file, ...others).finally(() => {
    if (isAlone) globalThis[traces] = kept;
  });
};
