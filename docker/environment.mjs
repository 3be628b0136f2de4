/** Before the program of a container: the settings of /run/secrets/environment, when it is there; those that are set stay. */
import { existsSync } from 'node:fs';

const file = '/run/secrets/environment';
if (existsSync(file)) process.loadEnvFile(file);
