/** Renders docs/configuration.md from the schemas of the settings. */
import type { DescribedSetting } from './described.js';

export type Program = { readonly name: string; readonly settings: readonly DescribedSetting[] };

const intro = `# Configuration

Generated from the code by \`.config/settings.spec.ts\`; edit the descriptions beside the settings, then run it with
\`UPDATE_GOLDENS=1\`.

Every process reads its settings from its environment, once, when it starts. Blanks around a value do not count, and an empty
value is an absent one. Every setting that is wrong or missing is named on standard error, one line each, with what is
expected and never with what it held; a service then ends with exit code 78:

\`\`\`
gateway: DATABASE_URL is missing; expected an address that begins with postgres:// or postgresql://
gateway: MANAGEMENT_PORT is wrong; expected a whole number from 1 to 65535
\`\`\`

The same line and the same exit code follow when a server does not agree: a password, a user or a database that PostgreSQL
refuses, a certificate that is not trusted, a server older than PostgreSQL 18 or without UTF8, a schema that a later version
has migrated, a NATS user without the permissions of the service, a port that is in use. A server that is away is waited for,
and so is \`tessera migrate\`: the service is not ready meanwhile, says once why, and \`/health/ready\` names what is missing.
Once a service was ready it never ends by itself for any of that.

A variable that looks like a setting of the service and is none (\`MANAGEMENT_PROT\`) is named in the log.

What is **secret** belongs into a Secret or a file that only its owner reads; the product never logs it.
`;

const outro = `## The file \`env\` of the data folder

\`npm start\` writes it with mode 600, in shell format: \`. .tessera/env\` exports what follows to the programs that the shell
starts, and puts the folder of the command \`tessera\` on the \`PATH\`; from then on it can be called from any folder.

| Name | Meaning |
| --- | --- |
| \`TESSERA_HOME\` | The data folder. |
| \`GATEWAY_URL\` | The address of the gateway; with more than one \`GATEWAY_URLS\` has all of them. |
| \`ADMIN_KEY\` | A key with the scope \`admin\` over all teams. |
| \`DEMO_KEY\`, \`READONLY_KEY\` | Keys of the team \`meridian\`: with every scope but \`admin\`, and for reading alone. |
| \`NORTHGATE_KEY\` | A key of the team \`northgate\` with every scope but \`admin\`. |
| \`TINY_KEY\` | A key of the team \`tinyco\` with five requests an hour. |
| \`DATABASE_URL\`, \`NATS_URL\` | PostgreSQL and NATS, as their administrator. |
| \`LAUNCHER_SERVERS\` | Those of the two that \`npm start\` has started: another start in the same shell does not take them for servers of yours. |

Settings of the services, such as \`GATEWAY_HOST\`, \`PUBLIC_URL\`, \`MCP_ALLOWED_ORIGINS\` or \`MODEL_HOSTS\`, are handed on by \`npm start\`
when they are set where it is called.

## What libraries read

- Node.js: \`NODE_EXTRA_CA_CERTS\` (further certificates that are trusted), \`NODE_OPTIONS\`, \`SSL_CERT_FILE\` with
  \`--use-openssl-ca\`.
- PostgreSQL: what \`DATABASE_URL\` does not say is taken from \`PGHOST\`, \`PGPORT\`, \`PGUSER\`, \`PGDATABASE\`, \`PGPASSWORD\` and
  \`PGSSLMODE\`; say all of it in the address.
- OpenTelemetry: further \`OTEL_\` variables of its specification, such as \`OTEL_EXPORTER_OTLP_HEADERS\`.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${text}\``;

const presetOf = ({ preset, isRequired }: DescribedSetting): string => {
  if (isRequired) return '**required**';
  return preset === undefined ? '-' : code(preset);
};

const row = ({ name, expected, isSecret, means, ...rest }: DescribedSetting, users?: string): string =>
  `| ${[code(name), ...(users === undefined ? [] : [users]), cell(expected), presetOf({ name, expected, isSecret, means, ...rest }), isSecret ? 'secret' : 'no', cell(means)].join(' | ')} |`;

const table = (settings: readonly DescribedSetting[]): string =>
  [
    '| Setting | Expected | Default | Secret | Meaning |',
    '| --- | --- | --- | --- | --- |',
    ...settings.map((each) => row(each)),
  ].join('\n');

/** What several services have alike, with who they are, and what is left to each. */
const shareOf = (services: readonly Program[]) => {
  const users = new Map<string, { readonly setting: DescribedSetting; readonly names: string[] }>();
  for (const { name, settings } of services)
    for (const setting of settings) {
      const key = JSON.stringify(setting);
      const known = users.get(key);
      if (known === undefined) users.set(key, { setting, names: [name] });
      else known.names.push(name);
    }
  const all = [...users.values()];
  return {
    shared: all.filter(({ names }) => names.length > 1),
    ownOf: (name: string) =>
      all.flatMap(({ setting, names }) => (names.length === 1 && names[0] === name ? [setting] : [])),
  };
};

const usersOf = (names: readonly string[], services: readonly Program[]): string => {
  const others = services.filter(({ name }) => !names.includes(name)).map(({ name }) => name);
  if (others.length === 0) return 'all';
  return others.length === 1 ? `all but ${others[0]}` : names.join(', ');
};

export const renderConfiguration = (services: readonly Program[], others: readonly Program[]): string => {
  const { shared, ownOf } = shareOf(services);
  const sharedTable = [
    '| Setting | Services | Expected | Default | Secret | Meaning |',
    '| --- | --- | --- | --- | --- | --- |',
    ...shared.map(({ setting, names }) => row(setting, usersOf(names, services))),
  ].join('\n');
  const sections = [
    `## Several services\n\n${sharedTable}\n`,
    ...services.map(({ name }) => `## ${name}\n\n${table(ownOf(name))}\n`),
    ...others.map(({ name, settings }) => `## ${name}\n\n${table(settings)}\n`),
  ];
  return [intro, ...sections, outro].join('\n');
};
