/**
 * The setting that names PostgreSQL databases beside the platform's own, which models of the teams named there may read.
 * Refuses: to tell an address; what is wrong is said by the names of members alone.
 */
import { address, jsonByName } from '@tessera/service-kit';
import { z } from 'zod';

const databaseName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const ExternalDatabase = z.strictObject({
  url: address('postgres', 'postgresql'),
  teams: z.array(z.string('a team').min(1, 'a team'), 'a list of teams').min(1, 'at least one team'),
  /** How long an answer may be old, since nobody tells when the data change. */
  freshnessSeconds: z.int('a whole number').min(1, 'at least 1').max(86_400, 'at most 86400').default(60),
  connectionsMax: z.int('a whole number').min(1, 'at least 1').max(100, 'at most 100').default(4),
});
export type ExternalDatabase = Readonly<z.output<typeof ExternalDatabase>>;

const shape = 'a JSON object like {"erp": {"url": "postgres://...", "teams": ["meridian"], "freshnessSeconds": 60}}';

export const externalDatabasesSetting = () =>
  jsonByName(shape, z.string().regex(databaseName, 'of letters, digits, _ and -'), ExternalDatabase);
