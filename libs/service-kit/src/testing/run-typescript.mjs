/** Lets a process of the specs run TypeScript from source: `node -C development --import run-typescript.mjs trial.ts`. */
import { transformSync } from '@swc/core';
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const compilationOf = (filename) => ({
  filename,
  jsc: {
    parser: { syntax: 'typescript', decorators: true, tsx: filename.endsWith('.tsx') },
    transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    target: 'es2024',
    keepClassNames: true,
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
});

/** A query tells the copies of a module apart. */
const isTypeScript = (url) => /\.tsx?(\?|$)/.test(url ?? '');

process.setSourceMapsEnabled(true);
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.startsWith('.') && specifier.endsWith('.js') && isTypeScript(context.parentURL)) {
      for (const extension of ['.ts', '.tsx']) {
        const source = new URL(specifier.replace(/\.js$/, extension), context.parentURL);
        if (existsSync(source)) return { url: source.href, shortCircuit: true };
      }
    }
    return next(specifier, { ...context, conditions: ['development', ...context.conditions] });
  },
  load: (url, context, next) => {
    if (!isTypeScript(url)) return next(url, context);
    const filename = fileURLToPath(url);
    const source = transformSync(readFileSync(filename, 'utf8'), compilationOf(filename)).code;
    return { format: 'module', source, shortCircuit: true };
  },
});
