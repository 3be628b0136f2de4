/**
 * Who may import what, and who may call whom, as data. Paths that end in `/` are folders. Tests of a project may import
 * what the project may, and `forTests`.
 */

/** Projects of this workspace that a project's code may import; a project that is not listed may import none. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  'libs/failures': [],
  'libs/fair-queue': [],
  'libs/outgoing-http': ['libs/fair-queue'],
  'libs/contracts': ['libs/failures', 'libs/fair-queue'],
  'libs/filter': ['libs/failures', 'libs/sql'],
  'libs/sql': ['libs/failures'],
  'libs/content-model': ['libs/failures', 'libs/fair-queue', 'libs/contracts'],
  'libs/knowledge-model': ['libs/failures', 'libs/fair-queue', 'libs/contracts', 'libs/filter', 'libs/sql'],
  'libs/json-schema': ['libs/failures'],
  'libs/definitions': ['libs/failures', 'libs/contracts', 'libs/persistence', 'libs/service-kit'],
  'libs/demo-company': ['libs/content-model', 'libs/contracts', 'libs/knowledge-model'],
  'libs/odata': ['libs/failures', 'libs/contracts', 'libs/filter', 'libs/knowledge-model'],
  'libs/messaging': ['libs/failures', 'libs/fair-queue', 'libs/contracts'],
  'libs/persistence': ['libs/failures', 'libs/fair-queue', 'libs/contracts'],
  'libs/service-kit': ['libs/failures', 'libs/contracts', 'libs/messaging'],
  'libs/local-stack': [],
  'libs/testing': ['libs/failures', 'libs/contracts', 'libs/messaging', 'libs/persistence', 'libs/local-stack'],
  'libs/rate-limit': ['libs/failures', 'libs/persistence', 'libs/service-kit'],
  'apps/gateway': [
    'libs/failures',
    'libs/fair-queue',
    'libs/contracts',
    'libs/messaging',
    'libs/outgoing-http',
    'libs/persistence',
    'libs/rate-limit',
    'libs/service-kit',
  ],
  'apps/agents': [
    'libs/failures',
    'libs/fair-queue',
    'libs/contracts',
    'libs/definitions',
    'libs/json-schema',
    'libs/messaging',
    'libs/outgoing-http',
    'libs/persistence',
    'libs/service-kit',
  ],
  'apps/tool-gateway': [
    'libs/failures',
    'libs/fair-queue',
    'libs/contracts',
    'libs/definitions',
    'libs/json-schema',
    'libs/messaging',
    'libs/outgoing-http',
    'libs/persistence',
    'libs/rate-limit',
    'libs/service-kit',
  ],
  'apps/knowledge-models': [
    'libs/failures',
    'libs/fair-queue',
    'libs/contracts',
    'libs/definitions',
    'libs/filter',
    'libs/knowledge-model',
    'libs/messaging',
    'libs/odata',
    'libs/persistence',
    'libs/service-kit',
    'libs/sql',
  ],
  'apps/content-repo': [
    'libs/failures',
    'libs/fair-queue',
    'libs/contracts',
    'libs/content-model',
    'libs/filter',
    'libs/messaging',
    'libs/persistence',
    'libs/service-kit',
    'libs/sql',
  ],
  'apps/cli': ['libs/failures', 'libs/contracts', 'libs/content-model', 'libs/knowledge-model', 'libs/persistence'],
  'apps/launcher': ['libs/contracts', 'libs/demo-company', 'libs/local-stack', 'libs/persistence'],
  'apps/console': ['libs/failures', 'libs/contracts'],
  'apps/bench': ['libs/knowledge-model', 'libs/local-stack', 'libs/testing'],
  'apps/e2e': ['libs/failures', 'libs/contracts', 'libs/local-stack', 'libs/testing'],
};

/** Projects of which another one may import types alone: none of their code reaches its users. */
export const typesOnly: Readonly<Record<string, readonly string[]>> = {
  'apps/console': ['libs/failures', 'libs/contracts'],
};

/** Parts of these that have code for browsers too. */
export const codeForBrowsers: readonly string[] = ['@tessera/contracts/record-files'];

export const consoleSource = 'apps/console/src/';
/** Folder of the console -> the folders below it. What starts the console may import all. */
export const consoleLayers: Readonly<Record<string, readonly string[]>> = {
  routes: ['features', 'ui', 'api', 'language', 'messages'],
  features: ['ui', 'api', 'language', 'messages'],
  ui: ['language', 'messages'],
  api: [],
  messages: ['language'],
  language: [],
};
/** Areas of features that all others may import. */
export const sharedAreas: readonly string[] = ['session', 'faults', 'shell'];

/** Projects that tests may import anywhere. */
export const forTests: readonly string[] = ['libs/testing', 'libs/local-stack'];

/** Parts of a library that only some may import; the longest folder that fits decides. */
export const partsOf: Readonly<Record<string, readonly string[]>> = {
  'libs/persistence/src/gateway/': ['apps/gateway', 'apps/cli', 'apps/launcher', 'libs/testing'],
  'libs/persistence/src/content-repo/': ['apps/content-repo', 'apps/launcher', 'libs/testing'],
  'libs/persistence/src/knowledge-models/': ['apps/knowledge-models', 'apps/launcher', 'libs/testing'],
  'libs/persistence/src/agents/': ['apps/agents', 'apps/launcher', 'libs/testing'],
  'libs/persistence/src/tool-gateway/': ['apps/tool-gateway', 'apps/launcher', 'libs/testing'],
  'libs/persistence/src/backup/': ['apps/cli'],
  'libs/persistence/src/migrate.ts': ['apps/cli', 'apps/launcher', 'libs/testing'],
};

/** Who may send SQL: libraries and programs for it, and in a service its repositories and its bulk import and export. */
const speaksSql =
  /^(libs\/(persistence|local-stack|testing)|apps\/(launcher|bench|e2e))\/|^apps\/content-repo\/src\/(database|import|export)\/|^apps\/knowledge-models\/src\/(database|loads)\/|\.(repository|entity)\.ts$/;

/** Services, whose files send SQL only when they are repositories. */
export const queriesOnlyIn = {
  projects: /^apps\/(gateway|content-repo|agents|tool-gateway|knowledge-models)$/,
  files: speaksSql,
};

/**
 * Packages that only these files may import; the first line that fits the package decides. A type of a package that
 * others pass along may be imported anywhere when `typesEverywhere` says so.
 */
export const packagesFor: readonly {
  readonly packages: RegExp;
  readonly files: RegExp;
  readonly why: string;
  readonly typesEverywhere?: boolean;
}[] = [
  {
    packages: /^@nats-io\//,
    files: /^(libs\/(messaging|testing|local-stack)|apps\/e2e)\//,
    why: 'only libs/messaging speaks NATS',
  },
  {
    packages: /^typeorm$/,
    files: /^libs\/persistence\/|^apps\/(gateway|content-repo|agents|tool-gateway|knowledge-models)\/src\//,
    typesEverywhere: true,
    why: 'only libs/persistence and services know TypeORM',
  },
  {
    packages: /^(pg|pg-copy-streams)$/,
    files: speaksSql,
    typesEverywhere: true,
    why: 'only libs/persistence and repositories speak to PostgreSQL',
  },
  {
    packages: /^@duckdb\//,
    files: /^(apps\/knowledge-models\/src\/columnar\/engine|libs\/knowledge-model\/src\/testing)\//,
    why: 'only the process of the columnar engine loads it',
  },
  {
    packages: /^@aws-sdk\//,
    files: /^apps\/knowledge-models\/src\/columnar\/object-store\.ts$/,
    why: 'only the bucket of columnar files knows its client, and loads it when it is needed',
  },
  {
    packages: /^@clickhouse\//,
    files: /^apps\/knowledge-models\/src\/columnar\/clickhouse\.repository\.ts$/,
    why: 'only the connection to a columnar cluster speaks to it',
  },
  {
    packages: /^@modelcontextprotocol\//,
    files: /^apps\/(tool-gateway\/src\/mcp|e2e|bench)\//,
    why: 'only the door of the protocol knows its SDK',
  },
  {
    packages: /^(react-aria-components|uplot)$/,
    files: /^apps\/console\/src\/(ui\/|main\.tsx$)/,
    why: 'only elements of the console know the library of widgets',
  },
  {
    packages: /^@tanstack\/react-query$/,
    files: /^apps\/console\/src\/(api|features)\/|^apps\/console\/src\/main\.tsx$/,
    why: 'only what knows data asks for it',
  },
  {
    packages: /^(react|react-dom|@tanstack\/.*)$/,
    files: /^apps\/console\//,
    why: 'only the console is shown in browsers',
  },
  {
    packages: /^@ai-sdk\//,
    files: /^apps\/agents\/src\/(models|planner)\//,
    why: 'only what stands between agents and language models knows the SDK',
    typesEverywhere: true,
  },
  {
    packages: /^(@nestjs\/|rxjs$|reflect-metadata$|fastify$|@fastify\/)/,
    files:
      /^(apps\/(gateway|agents|tool-gateway|knowledge-models|content-repo)|libs\/(messaging|service-kit))\/|^libs\/persistence\/.*\.entity\.ts$|^libs\/persistence\/src\/migrate\.ts$|^apps\/bench\/src\/floor\//,
    why: 'only services and what they are built on know the framework',
  },
];

/** Libraries that compute and do nothing else: no package beside these, and of Node only what computes. */
export const pureLibraries: Readonly<Record<string, readonly string[]>> = {
  'libs/failures': [],
  'libs/fair-queue': [],
  'libs/contracts': ['zod'],
  'libs/filter': [],
  'libs/sql': [],
  'libs/content-model': ['yaml'],
  'libs/knowledge-model': [],
  'libs/json-schema': ['ajv', 'ajv-formats'],
};
export const pureNodeModules: readonly string[] = ['node:crypto', 'node:util'];

/** Files of the gateway that know the database: its keys, tokens, members and sessions, its limit, and the place that makes them. */
export const gatewayPersistence =
  /^apps\/gateway\/src\/(auth|oauth|keys|limits|rate-limit|admin|sessions)\/|^apps\/gateway\/src\/[^/]+$/;

/** The services and whom each may call; forward only. */
export const mayCall: Readonly<Record<string, readonly string[]>> = {
  gateway: ['agents', 'tool-gateway', 'knowledge-models', 'content-repo'],
  agents: ['tool-gateway', 'knowledge-models', 'content-repo'],
  'tool-gateway': ['knowledge-models', 'content-repo'],
  'knowledge-models': [],
  'content-repo': [],
};

/** Packages that are declared though no file imports them, and the package that needs them at run time. */
export const neededBy: Readonly<Record<string, string>> = {
  '@fastify/static': '@nestjs/swagger',
  'reflect-metadata': '@nestjs/common',
  rxjs: '@nestjs/common',
  '@nestjs/core': '@nestjs/common',
  // In its vite.config.mjs, which is no TypeScript.
  '@tanstack/router-plugin': '@tanstack/react-router',
  '@vitejs/plugin-react': 'react',
  vite: 'react',
};
