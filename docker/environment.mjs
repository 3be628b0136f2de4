/** Before the program of a container: the settings of /run/secrets/environment, when it is there, in place of those that are set. */
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

const file = '/run/secrets/environment';
if (existsSync(file)) Object.assign(process.env, parseEnv(readFileSync(file, 'utf8')));
