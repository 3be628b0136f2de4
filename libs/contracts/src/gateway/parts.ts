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

/** What people call a key or a team. */
export const givenName = storableText(200).min(1);

const scopeList = z.array(z.enum(scopes)).min(1).max(scopes.length).describe('What the key may do.');

const furtherScopes = z
  .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'expected a scope: printable, without spaces'))
  .max(100)
  .describe('Scopes that no operation asks for; policies on data do.');
const attributeName = storableText(128).min(1);
const attributeText = storableText(200);
const attributes = z
  .record(attributeName, z.union([attributeText, z.array(attributeText).max(1_000)]))
  .describe('What policies on data may read of the bearer: name -> text or texts.');

const hourlyLimit = z.int().min(1).max(2_000_000_000).describe('Requests in a UTC hour.');

export const NewKey = z
  .strictObject({
    team: teamId,
    name: givenName.describe('What the key is for; people read it.'),
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
    madeBy: z
      .enum(['operators', 'team'])
      .describe('A key that the team made is worth no more than the team is granted, whenever it is used.'),
  })
  .meta({ id: 'ApiKey' });

const attributeGrants = z
  .record(attributeName, z.union([z.literal(true), z.array(attributeText).min(1).max(1_000)]))
  .refine((granted) => Object.keys(granted).length <= 100, 'expected at most 100 names')
  .describe('Attributes: name -> the texts that a key may carry, or `true` for every text.');

/** What members are left out is as in a team that has no grants set. */
export const TeamGrants = z
  .strictObject({
    scopes: z.array(z.enum(scopes)).max(scopes.length).optional().describe('All of them when absent.'),
    furtherScopes: furtherScopes.optional().describe('None when absent.'),
    attributes: attributeGrants.optional(),
    hourlyLimit: hourlyLimit.optional().describe("The highest of a key; the platform's standard when absent."),
  })
  .meta({ id: 'TeamGrants' });
export type TeamGrants = z.output<typeof TeamGrants>;

export const Team = z
  .object({ team: teamId, name: z.string(), grants: TeamGrants.required() })
  .meta({ id: 'Team', description: 'A team, and what its administrators may give to keys.' });
