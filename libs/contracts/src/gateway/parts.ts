/** What operations about keys, teams and members share. */
import { z } from 'zod';
import { storableText } from '../definition-parts.js';
import { scopes } from '../operation.js';

export const teamId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'expected a team id: lower case letters, digits and -, at most 63')
  .describe('The team, e.g. `meridian`.');

/** What people call a key or a team. */
export const keyOrTeamName = storableText(200).min(1);

export const scopeList = z.array(z.enum(scopes)).min(1).max(scopes.length).describe('What the key may do.');

export const furtherScopes = z
  .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'expected a scope: printable, without spaces'))
  .max(100)
  .describe('Scopes that no operation asks for; policies on data do.');
export const attributeName = storableText(128).min(1);
export const attributeText = storableText(200);
export const attributes = z
  .record(attributeName, z.union([attributeText, z.array(attributeText).max(1_000)]))
  .describe('What policies on data may read of the bearer: name -> text or texts.');

export const hourlyLimit = z.int().min(1).max(2_000_000_000).describe('Requests in a UTC hour.');
