/**
 * What a client would like beside the answer (RFC 7240): `Prefer: evidence` keeps a record by which the answer can be shown to be
 * right. The answer then carries the address of the record.
 */
import { z } from 'zod';
import { parseHeaderParameter, splitOutsideQuotes } from './header-value.js';

/** The member of a request whose answer can be kept as evidence. */
export const evidenceParameter = {
  prefer: z
    .string()
    .max(2_000)
    .optional()
    .describe('`evidence`: a record of the question and its answer is kept; the header `Evidence` is its address.'),
};
/** Where it travels. */
export const evidenceHeaders = { prefer: 'prefer' } as const;

/** On an answer that is kept: the address of the record, without scheme and host. */
export const evidenceHeader = 'evidence';
/** On an answer: the preferences that were heeded. */
export const preferenceAppliedHeader = 'preference-applied';
/** As one service asks another. */
export const evidencePreference = 'evidence';
/** Over MCP: the member of `_meta` of a call that asks for evidence (`true`), and of its result that has the address. */
export const evidenceMetaKey = 'tessera/evidence';

/** The name in lower case and the value of each, without their parameters. */
export const parsePreferences = (prefer: string): readonly (readonly [name: string, value: string])[] =>
  splitOutsideQuotes(prefer, ',').map((preference) =>
    parseHeaderParameter(splitOutsideQuotes(preference, ';')[0] ?? ''),
  );

export const prefersEvidence = (prefer: string | undefined): boolean =>
  prefer !== undefined && parsePreferences(prefer).some(([name]) => name === evidencePreference);
