/** Lets a process of the specs run TypeScript from source: `node -C development --import run-typescript.mjs trial.ts`. */
import { transformSync } from '@swc/core';
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const compilation = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2024',
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
      const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(source)) return { url: source.href, shortCircuit: true };
    }
    return next(specifier, context);
  },
  load: (url, context, next) => {
    if (!url.endsWith('.ts')) return next(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    return {
      format: 'module',
      source: transformSync(source, { ...compilation, filename: url }).code,
      shortCircuit: true,
    };
  },
});
