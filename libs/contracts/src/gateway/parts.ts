/** The pieces that the operations of the gateway itself share. Refuses: operations (one file each). */
import { z } from 'zod';
import { scopes } from '../operation.js';
import { storableText } from '../storable-text.js';

export const teamId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'expected a team id: lower case letters, digits and -, at most 63')
  .describe('The team, e.g. `meridian`.');

export const keyId = z
  .string()
  .regex(/^[0-9A-Za-z]{12}$/, 'expected the id of a key: 12 letters and digits')
  .describe('The id of the key; it is the second part of the key.');

const scopeList = z.array(z.enum(scopes)).min(1).max(scopes.length).describe('What the key may do.');

const furtherScopes = z
  .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'expected a scope: printable, without spaces'))
  .max(100)
  .describe('Scopes that no operation asks for; policies on data do.');
const attributeText = storableText(200);
const attributes = z
  .record(storableText(128).min(1), z.union([attributeText, z.array(attributeText).max(1_000)]))
  .describe('What policies on data may read of the bearer: name -> text or texts.');

const hourlyLimit = z.int().min(1).max(2_000_000_000).describe('Requests in a UTC hour.');

export const NewKey = z
  .object({
    team: teamId,
    name: z.string().min(1).max(200).describe('What the key is for; people read it.'),
    scopes: scopeList,
    furtherScopes: furtherScopes.optional(),
    attributes: attributes.optional(),
    hourlyLimit: hourlyLimit.optional().describe("Requests in a UTC hour; the platform's standard when absent."),
    expiresAt: z.iso.datetime().optional().describe('When it stops to work; never when absent.'),
  })
  .meta({ id: 'NewKey' });

export const ApiKey = z
  .object({
    keyId,
    name: z.string(),
    scopes: z.array(z.string()),
    furtherScopes,
    attributes,
    hourlyLimit,
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().optional(),
    lastUsedAt: z.iso.datetime().optional().describe('Written every few seconds.'),
    revokedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'ApiKey' });
