/** The variables that the command line reads, for docs/configuration.md. */
import { adminKeyVariable, databasePasswordVariableFor, platformServices } from './operations/secret-names.js';

const fromEnvironmentFile = 'what the file `env` of the data folder says';

export const cliSettingDescriptions = [
  {
    name: 'GATEWAY_URL',
    means: 'The gateway that commands speak to.',
    expected: 'an address that begins with http:// or https://',
    isSecret: false,
    preset: fromEnvironmentFile,
    isRequired: false,
  },
  {
    name: adminKeyVariable,
    means:
      'The API key that administers. `tessera migrate` makes it: a key of the team of operators with every scope; without it `migrate` makes none.',
    expected: 'an API key, such as `tessera secrets` prints',
    isSecret: true,
    preset: fromEnvironmentFile,
    isRequired: false,
  },
  {
    name: 'API_KEY',
    means: 'The API key of whoever reads and writes; ADMIN_KEY when absent, where a command needs a team.',
    expected: 'an API key',
    isSecret: true,
    preset: fromEnvironmentFile,
    isRequired: false,
  },
  {
    name: 'TESSERA_HOME',
    means: 'The data folder of the product that was started here; its file `env` has what is not set.',
    expected: 'the path of a folder; a relative one is below the checkout',
    isSecret: false,
    preset: '.tessera',
    isRequired: false,
  },
  {
    name: 'DATABASE_URL',
    means: 'For `migrate`, `backup` and `restore` alone: the database, with a role that may create schemas and roles.',
    expected: 'an address such as postgres://user:password@host:5432/database',
    isSecret: true,
    preset: undefined,
    isRequired: true,
  },
  ...platformServices.map((service) => ({
    name: databasePasswordVariableFor(service),
    means: `For \`migrate\` alone: the password that the database role of ${service} gets.`,
    expected: 'a password of at least 16 of the letters A-Z, a-z, 0-9 and - . _ ~',
    isSecret: true,
    preset: undefined,
    isRequired: true,
  })),
];
