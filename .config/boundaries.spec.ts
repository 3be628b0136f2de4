/**
 * The structure of the workspace: who may import what, who may call whom, and that every declared package is used. A
 * planted violation proves each rule.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { violationsOf } from './boundaries/check.js';
import { inventoryOf } from './boundaries/inventory.js';
import { readWorkspace } from './boundaries/read-workspace.js';
import { workspaceRoot } from './workspace/files.js';

const golden = join(workspaceRoot, '.config', 'who-imports-whom.golden.txt');

describe('the workspace', () => {
  const workspace = readWorkspace(workspaceRoot);

  it('imports, calls and declares only what the rules allow', () => {
    expect(violationsOf(workspace)).toEqual([]);
  });

  it('matches the committed structure (UPDATE_GOLDENS=1 rewrites it)', () => {
    const inventory = inventoryOf(workspace);
    if (process.env['UPDATE_GOLDENS'] === '1' || !existsSync(golden)) writeFileSync(golden, inventory);
    expect(inventory).toBe(readFileSync(golden, 'utf8'));
  });

  it('finds the operations of the contracts', () => {
    expect(workspace.operations.get('listFacets')).toEqual({ owner: 'content-repo', name: 'content.facets.list' });
  });
});

describe('a planted violation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-boundaries-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const manifest = (name: string, dependencies: readonly string[] = []): string =>
    JSON.stringify({
      name: `@tessera/${name}`,
      exports: { '.': { development: './src/index.ts' } },
      dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '1.0.0'])),
    });

  const sound = {
    'package.json': '{}',
    'libs/failures/package.json': manifest('failures'),
    'libs/failures/src/index.ts': `export const fail = 1;`,
    'libs/contracts/package.json': manifest('contracts'),
    'libs/contracts/src/index.ts': `export * from './ask-agent.js';`,
    'libs/contracts/src/ask-agent.ts': `export const askAgent = operation({ owner: 'agents', name: 'agents.ask' });`,
    'libs/persistence/package.json': manifest('persistence'),
    'libs/persistence/src/index.ts': `export * from './gateway/keys.js';\nexport * from './pool.js';`,
    'libs/persistence/src/gateway/keys.ts': `export class Keys {}`,
    'libs/persistence/src/pool.ts': `export type Pool = { readonly size: number };`,
    'apps/gateway/package.json': manifest('gateway'),
    'apps/console/package.json': manifest('console', ['@tessera/contracts', 'react']),
    'apps/console/src/routes/index.tsx': `import { Home } from '../features/home/home.js';\nimport type { Scope } from '@tessera/contracts';`,
    'apps/console/src/features/home/home.tsx': `import { useMe } from '../session/me.js';\nimport { use } from 'react';`,
    'apps/content-repo/package.json': manifest('content-repo', ['@tessera/contracts', '@tessera/persistence', 'zod']),
    'apps/content-repo/src/app.ts': `import { Pool } from '@tessera/persistence';\nimport { z } from 'zod';\nimport { other } from '@tessera/contracts';`,
  };

  let count = 0;
  const violationsWith = (planted: Readonly<Record<string, string>>): readonly string[] => {
    const root = join(folder, String(count++));
    for (const [path, text] of Object.entries({ ...sound, ...planted })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return violationsOf(readWorkspace(root));
  };

  it('is absent from a valid workspace', () => {
    expect(violationsWith({})).toEqual([]);
  });

  it.each([
    [
      'an import against the direction',
      { 'libs/failures/src/bad.ts': `\nimport { askAgent } from '@tessera/contracts';` },
      'libs/failures/src/bad.ts:2 libs/failures must not import libs/contracts',
    ],
    [
      'an app that imports another app',
      { 'apps/content-repo/src/bad.ts': `const other = await import('@tessera/gateway');` },
      'apps/content-repo/src/bad.ts:1 apps/content-repo must not import apps/gateway',
    ],
    [
      'a relative path out of the project',
      { 'apps/content-repo/src/bad.ts': `export { x } from '../../gateway/src/x.js';` },
      'apps/content-repo/src/bad.ts:1 ../../gateway/src/x.js leaves apps/content-repo',
    ],
    [
      "another service's part of the persistence",
      { 'apps/content-repo/src/bad.ts': `import { Keys } from '@tessera/persistence';` },
      'apps/content-repo/src/bad.ts:1 apps/content-repo must not import libs/persistence/src/gateway/',
    ],
    [
      'a gateway controller that reads the database',
      { 'apps/gateway/src/content/bad.ts': `import type { Pool } from '@tessera/persistence';` },
      'apps/gateway/src/content/bad.ts:1 the gateway uses libs/persistence for keys, tokens and limits only',
    ],
    [
      'a service that speaks NATS itself',
      { 'apps/content-repo/src/bad.ts': `import { connect } from '@nats-io/transport-node';` },
      'apps/content-repo/src/bad.ts:1 must not import @nats-io/transport-node: only libs/messaging speaks NATS',
    ],
    [
      'SQL outside a repository',
      { 'apps/content-repo/src/bad.handler.ts': `import type pg from 'pg';\nvoid client.query('select');` },
      'apps/content-repo/src/bad.handler.ts:2 sends SQL; only a repository does',
    ],
    [
      'a database driver outside a repository',
      { 'apps/content-repo/src/bad.handler.ts': `import pg from 'pg';` },
      'apps/content-repo/src/bad.handler.ts:1 must not import pg: only libs/persistence and repositories speak to PostgreSQL',
    ],
    [
      'a framework in a library that is pure',
      { 'libs/failures/src/bad.ts': `type Module = import('@nestjs/common').Module;` },
      'libs/failures/src/bad.ts:1 libs/failures is pure and must not import @nestjs/common',
    ],
    [
      'input and output in a library that is pure',
      { 'libs/failures/src/bad.ts': `import { readFileSync } from 'node:fs';` },
      'libs/failures/src/bad.ts:1 libs/failures is pure and must not import node:fs',
    ],
    [
      'a call against the direction',
      { 'apps/content-repo/src/bad.ts': `\n\nimport { askAgent } from '@tessera/contracts';` },
      'apps/content-repo/src/bad.ts:3 content-repo must not call agents (agents.ask)',
    ],
    [
      'code of the contracts in a browser',
      { 'apps/console/src/api/bad.ts': `import { other } from '@tessera/contracts';` },
      'apps/console/src/api/bad.ts:1 apps/console must import types alone of libs/contracts ("import type")',
    ],
    [
      'an element that fetches',
      { 'apps/console/src/ui/bad.tsx': `import { call } from '../api/call.js';` },
      'apps/console/src/ui/bad.tsx:1 ui of the console must not import api',
    ],
    [
      'an area that knows another',
      { 'apps/console/src/features/ask/bad.tsx': `import type { Figure } from '../figures/figure.js';` },
      'apps/console/src/features/ask/bad.tsx:1 features/ask must not import features/figures; what both need belongs below them',
    ],
    [
      'a module of Node in a browser',
      { 'apps/console/src/ui/bad.ts': `import { join } from 'node:path';` },
      'apps/console/src/ui/bad.ts:1 there is no node:path in a browser',
    ],
    [
      'widgets outside the elements',
      { 'apps/console/src/features/ask/bad.tsx': `import { Button } from 'react-aria-components';` },
      'apps/console/src/features/ask/bad.tsx:1 must not import react-aria-components: only elements of the console know the library of widgets',
    ],
    [
      'a package that is not declared',
      { 'apps/content-repo/src/bad.ts': `import { parse } from 'yaml';` },
      'apps/content-repo/src/bad.ts:1 imports yaml, which apps/content-repo/package.json does not declare',
    ],
    [
      'a declared package that is not used',
      {
        'apps/content-repo/package.json': manifest('content-repo', [
          '@tessera/contracts',
          '@tessera/persistence',
          'yaml',
          'zod',
        ]),
      },
      'apps/content-repo/package.json declares yaml, which nothing uses',
    ],
    [
      'two versions of a package',
      { 'apps/gateway/package.json': `{"name":"@tessera/gateway","dependencies":{"zod":"2.0.0"}}` },
      'apps/gateway/package.json wants zod 2.0.0, apps/content-repo wants zod 1.0.0',
    ],
  ])('is reported with its file and line: %s', (_what, planted: Readonly<Record<string, string>>, expected) => {
    expect(violationsWith(planted)).toContain(expected);
  });
});
