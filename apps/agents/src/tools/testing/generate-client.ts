/**
 * A process of its own: generates a client of the specification in the file that it is given, as a user of the platform
 * would. Refuses: to know anything of the platform but the specification.
 */
import { createClient } from '@hey-api/openapi-ts';

const [specification = '', folder = ''] = process.argv.slice(2);

await createClient({
  input: specification,
  output: { path: folder, module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
});
