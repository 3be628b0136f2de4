/**
 * The setting that names PostgreSQL databases beside the platform's own, which models of the teams named there may read.
 * Refuses: to tell an address; what is wrong is said by the names of members alone.
 */
import { address } from '@tessera/service-kit';
import { z } from 'zod';

const databaseName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const ExternalDatabase = z.strictObject({
  url: address('postgres', 'postgresql'),
  teams: z.array(z.string('a team').min(1, 'a team'), 'a list of teams').min(1, 'at least one team'),
  /** How long an answer may be old, since nobody tells when the data change. */
  freshnessSeconds: z.int('a whole number').min(1, 'at least 1').max(86_400, 'at most 86400').default(60),
  connectionsMax: z.int('a whole number').min(1, 'at least 1').max(100, 'at most 100').default(4),
});
const Databases = z.record(
  z.string().regex(databaseName, 'a name of letters, digits, _ and -'),
  ExternalDatabase,
  'an object',
);

export type ExternalDatabase = Readonly<z.output<typeof ExternalDatabase>>;

const shape = 'a JSON object like {"erp": {"url": "postgres://...", "teams": ["meridian"], "freshnessSeconds": 60}}';

export const externalDatabasesSetting = () =>
  z
    .string()
    .default('{}')
    .transform((text, context): Readonly<Record<string, ExternalDatabase>> => {
      const parsed = Databases.safeParse(jsonOf(text));
      if (parsed.success) return parsed.data;
      const faults = parsed.error.issues.map(faultText).filter((fault) => fault !== '');
      context.addIssue({ code: 'custom', message: [shape, ...new Set(faults)].join('; ') });
      return z.NEVER;
    });

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const faultText = (issue: z.core.$ZodIssue): string => {
  if (issue.path.length === 0) return '';
  const member = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return `${member} has no member ${issue.keys.join(', ')}`;
  return issue.code === 'invalid_key'
    ? `the name ${member} should be of letters, digits, _ and -`
    : `${member} should be ${issue.message}`;
};
