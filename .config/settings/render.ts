/** Renders docs/configuration.md from the schemas of the settings. */
import type { DescribedSetting } from './described.js';

export type Program = { readonly name: string; readonly settings: readonly DescribedSetting[] };

const intro = `# Configuration

Generated from the code by \`.config/settings.spec.ts\`; edit the descriptions beside the settings, then run it with
\`UPDATE_GOLDENS=1\`.

Every process reads its settings from its environment once, when it starts. Blanks around a value are ignored, and an empty
value counts as absent. Every wrong or missing setting is reported on standard error, one line each, with the expected value and
never with the actual one; a service then ends with exit code 78:

\`\`\`
gateway: DATABASE_URL is missing; expected an address that begins with postgres:// or postgresql://
gateway: MANAGEMENT_PORT is wrong; expected a whole number from 1 to 65535
gateway: JWT_ISSUER is set and counts for nothing; expected JWT_JWKS_URL or JWT_SECRET beside it, or neither
\`\`\`

A setting that has an effect only with or without another one says so in its meaning; where it has none, it stops the start as well.

A service ends in the same way when a server does not fit: a password, user or database that PostgreSQL refuses, an untrusted
certificate, a server older than PostgreSQL 18 or without UTF8, a schema of a later version, a NATS user without the permissions
of the service, a port in use. When a server is away, or \`tessera migrate\` has not run, the service waits: it is not ready,
logs the reason once, and \`/health/ready\` names what is missing. A service that was ready once never ends for any of these reasons.

The log names variables that look like a setting but are none (\`MANAGEMENT_PROT\`).

Keep **secret** settings in a Secret or in a file that only its owner can read; the product never logs them.
`;

const outro = `## The file \`env\` of the data folder

\`npm start\` writes it with mode 600, in shell format: \`. .tessera/env\` exports these variables and puts the command
\`tessera\` on the \`PATH\`, for any folder.

| Name | Meaning |
| --- | --- |
| \`TESSERA_HOME\` | The data folder. |
| \`GATEWAY_URL\` | The address of the gateway; with more than one \`GATEWAY_URLS\` has all of them. |
| \`ADMIN_KEY\` | A key with the scope \`admin\` over all teams. |
| \`DEMO_KEY\`, \`READONLY_KEY\` | Keys of the team \`meridian\`: with every scope but \`admin\`, and for reading alone. |
| \`NORTHGATE_KEY\` | A key of the team \`northgate\` with every scope but \`admin\`. |
| \`TINY_KEY\` | A key of the team \`tinyco\` with five requests an hour. |
| \`VIEWER_PASSWORD\`, \`ANALYST_PASSWORD\`, \`AUTHOR_PASSWORD\`, \`ADMIN_PASSWORD\` | Of the members \`vera.klein\`, \`anton.berg\`, \`paula.lindt\`, \`robert.novak\` of the team \`meridian\`; not without a demo. |
| \`DATABASE_URL\`, \`NATS_URL\` | PostgreSQL and NATS, as their administrator. |
| \`LAUNCHER_SERVERS\` | Those of the two that \`npm start\` has started: another start in the same shell does not take them for servers of yours. |

Settings of the services, such as \`GATEWAY_HOST\`, \`PUBLIC_URL\`, \`MCP_ALLOWED_ORIGINS\` or \`MODEL_HOSTS\`, are handed on by \`npm start\`
when they are set where it is called.

## What libraries read

- Node.js: \`NODE_EXTRA_CA_CERTS\` (further certificates that are trusted), \`NODE_OPTIONS\`, \`SSL_CERT_FILE\` with
  \`--use-openssl-ca\`.
- PostgreSQL: what \`DATABASE_URL\` does not say is taken from \`PGHOST\`, \`PGPORT\`, \`PGUSER\`, \`PGDATABASE\`, \`PGPASSWORD\` and
  \`PGSSLMODE\`; so put everything into the address.
- OpenTelemetry: other \`OTEL_\` variables of its specification, such as \`OTEL_EXPORTER_OTLP_HEADERS\`.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${text}\``;

const presetOf = ({ preset, isRequired }: DescribedSetting): string => {
  if (isRequired) return '**required**';
  if (preset === undefined) return '-';
  return preset.includes(' ') ? cell(preset) : code(preset);
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
