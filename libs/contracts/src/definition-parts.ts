/** What the definitions of all kinds share (models, tables, assets, agents), and how they are applied. */
import { z } from 'zod';

/** Text that PostgreSQL can keep: no NUL, no half of a surrogate pair. `missing` is said where there is none. */
export const storableText = (charactersMax: number, missing?: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? missing : undefined) })
    .max(charactersMax)
    .refine((value) => value.isWellFormed() && !value.includes('\u0000'), 'holds a character that cannot be stored');

/** Models, assets and agents. */
export const definitionId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'expected an id: letters, digits, dot, _ or -, at most 128');

export const displayName = storableText(200).min(1);
export const description = storableText(4_000);

const schemaSizeMax = 64 * 1024;
export const jsonSchemaMember = (what: string) =>
  z
    .record(z.string(), z.unknown())
    .refine((schema) => JSON.stringify(schema).length <= schemaSizeMax, `expected at most ${schemaSizeMax} characters`)
    .refine((schema) => !JSON.stringify(schema).includes('\\u0000'), 'holds a character that cannot be stored')
    .describe(`${what}, a JSON Schema (2020-12) of type object.`);

const applyModes = ['publish', 'draft', 'check'] as const;

/** The mode of an apply of `things`. */
export const applyModeParameter = (things: string) =>
  z
    .enum(applyModes)
    .default('publish')
    .describe(
      `\`draft\` stores ${things} without publishing them; \`check\` tells what would happen and changes nothing.`,
    );

export const applyOperationDescription =
  'Every fault is told at once, with the path in its definition: `definitions.<index>.<member>`. A definition that is there as it is stays untouched, so a second time changes nothing.';

export const DefinitionDifference = z
  .object({
    path: z.string().describe('Members by name, entries by id, e.g. `records.PO_ITEM.attributes.AMOUNT.column`.'),
    change: z.enum(['added', 'removed', 'changed']),
    breaks: z.boolean().describe('Whether who uses the definition as it is may fail afterwards.'),
  })
  .meta({ id: 'DefinitionChange' });
export type DefinitionDifference = z.output<typeof DefinitionDifference>;

/** What an apply did with a definition. */
export const applyResultMembers = {
  id: z.string(),
  state: z.enum(['created', 'changed', 'unchanged']),
  version: z.int().min(1).optional().describe('The published version; absent for a draft.'),
  changes: z.array(DefinitionDifference).describe('At most 200.'),
};

/** A definition as it was applied, for an export. */
export const exportedDefinitionSchema = <Definition extends z.ZodType>(definition: Definition) =>
  z.object({
    id: z.string(),
    version: z.int().min(1).optional().describe('The published version; absent when there is a draft only.'),
    digest: z.string().optional().describe('SHA-256 of what is published.'),
    publishedAt: z.iso.datetime().optional(),
    definition: definition.optional().describe('As it is published.'),
    draft: definition.optional().describe('When it differs from what is published.'),
  });
