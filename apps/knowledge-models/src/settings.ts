import {
  commonSettingsShape,
  databaseSettingsShape,
  eventSettingsShape,
  wholeNumberSetting,
  addressSetting,
  jsonByNameSetting,
  textSetting,
} from '@tessera/service-kit';
import { z } from 'zod';

const databaseName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const ExternalDatabase = z.strictObject({
  url: addressSetting('postgres', 'postgresql'),
  teams: z.array(z.string('a team').min(1, 'a team'), 'a list of teams').min(1, 'at least one team'),
  /** How long an answer may be old, since nobody tells when the data change. */
  freshnessSeconds: z.int('a whole number').min(1, 'at least 1').max(86_400, 'at most 86400').default(60),
  connectionsMax: z.int('a whole number').min(1, 'at least 1').max(100, 'at most 100').default(4),
});
export type ExternalDatabase = Readonly<z.output<typeof ExternalDatabase>>;

const expectedShape =
  'a JSON object like {"erp": {"url": "postgres://...", "teams": ["meridian"], "freshnessSeconds": 60}}';

/** PostgreSQL databases beside the own one, by name. */
const externalDatabases = jsonByNameSetting(
  expectedShape,
  z.string().regex(databaseName, 'of letters, digits, _ and -'),
  ExternalDatabase,
);

const objectStore = () => {
  const expected = 'a bucket and a prefix, like s3://bucket/prefix';
  return z
    .string(expected)
    .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w=-][\w.=-]*)*\/?$/, expected)
    .transform((given) => {
      const [bucket = '', ...names] = given.slice('s3://'.length).replace(/\/$/, '').split('/');
      return { bucket, prefix: names.join('/') };
    });
};

const secretLengthMin = 32;
const longSecret = `at least ${secretLengthMin} characters`;

const ofStore = { onlyWith: ['COLUMNAR_STORE'] };

/** Files by columns that replicas share. */
const columnarStoreShape = {
  COLUMNAR_STORE: objectStore()
    .optional()
    .describe(
      'A store by the S3 protocol, for this installation alone: one replica makes a file by columns and puts it there, the others fetch it. Without it each replica makes its own.',
    ),
  COLUMNAR_STORE_ENDPOINT: addressSetting('http', 'https')
    .optional()
    .describe('Where the store is, when it is not the public one of its region; the bucket is in the path then.')
    .meta(ofStore),
  COLUMNAR_STORE_REGION: textSetting('the name of a region')
    .default('us-east-1')
    .describe('The region of the store; stores of your own take any.')
    .meta(ofStore),
  COLUMNAR_STORE_ACCESS_KEY_ID: textSetting('the id of an access key')
    .optional()
    .describe(
      'The access key for the store. When absent, that of the machine: its role, or the usual variables of the client.',
    )
    .meta(ofStore),
  COLUMNAR_STORE_SECRET_ACCESS_KEY: textSetting('the secret of an access key')
    .optional()
    .meta({ ...ofStore, description: 'The secret of COLUMNAR_STORE_ACCESS_KEY_ID.', secret: true }),
  COLUMNAR_STORE_SIGNING_SECRET: z
    .string(longSecret)
    .min(secretLengthMin, longSecret)
    .optional()
    .meta({
      ...ofStore,
      description:
        'Signs the manifests of files in the store, the same for all replicas; needed with COLUMNAR_STORE. Who can write to the bucket and does not know it can change no figure.',
      secret: true,
    }),
};

/** A making holds two, of which one is its turn among the replicas. */
const sharingLoadConnectionsMin = 3;

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const clusterExpectation = 'an address that begins with https://, or with http:// when it is of this machine';
const clusterAddress = z.string(clusterExpectation).refine((given) => {
  const { protocol, hostname = '' } = URL.parse(given) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname));
}, clusterExpectation);

const settingsShape = z.object({
  ...commonSettingsShape,
  ...databaseSettingsShape,
  ...eventSettingsShape,
  LIGHT_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(4)
    .describe('Connections to the database for definitions and revisions.'),
  QUERY_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(10)
    .describe('Connections to the database for queries, each held as long as its rows are read.'),
  LOAD_CONNECTIONS: wholeNumberSetting(2, 200, 'connections')
    .default(4)
    .describe('Connections to the database for loads.'),
  STATEMENT_TIMEOUT_MS: wholeNumberSetting(100, 600_000, 'milliseconds')
    .default(10_000)
    .describe('PostgreSQL ends a statement that takes longer.'),
  LOAD_STATEMENT_TIMEOUT_MS: wholeNumberSetting(100, 3_600_000, 'milliseconds')
    .default(1_800_000)
    .describe('The same for loads: indexes of a large table are made by few long statements.'),
  LOAD_HISTORY: wholeNumberSetting(0, 100, 'generations')
    .default(1)
    .describe(
      'Generations of each table that are kept behind the one in place, on the disk of the database, so that an undo of a load brings them back; 0 keeps none.',
    ),
  RESULT_CACHE_BYTES: wholeNumberSetting(0, 2_000_000_000, 'bytes')
    .default(64 * 1024 * 1024)
    .describe('What each replica keeps of results; 0 keeps none.'),
  EVIDENCE_KEPT_DAYS: wholeNumberSetting(1, 36_500, 'days')
    .default(365)
    .describe('How long records of evidence are kept.'),
  COLUMNAR: z
    .enum(['on', 'off'], 'on or off')
    .default('on')
    .describe(
      'Whether figures of large tables are computed over files by columns; without them PostgreSQL computes all.',
    ),
  COLUMNAR_URL: clusterAddress.optional().meta({
    description:
      'A ClickHouse server or cluster with user, password and database, such as `https://user:password@host:8443/database`: it keeps the copies by columns and computes over them, in place of files and a process beside each replica. The database belongs to this product alone.',
    secret: true,
  }),
  COLUMNAR_FOLDER: textSetting('the path of a folder that can be written to')
    .optional()
    .describe(
      'Where these files are, for this replica alone. When absent, a folder below the temporary one of the machine, which goes with the process.',
    ),
  COLUMNAR_MIN_ROWS: wholeNumberSetting(1, 1_000_000_000, 'rows')
    .default(200_000)
    .describe(
      'Schemas whose tables have fewer rows have no such files, unless the definition of a table says `columnar: true`.',
    ),
  COLUMNAR_MEMORY_BYTES: wholeNumberSetting(64 * 1024 * 1024, 1_000_000_000_000, 'bytes')
    .default(256 * 1024 * 1024)
    .describe(
      'Memory for the rows that the columnar engine works on, in a process of its own. One share for each processor and one for making files; the process itself takes some 80 MB beside it. With COLUMNAR_URL what each question may take on the server.',
    ),
  COLUMNAR_DISK_BYTES: wholeNumberSetting(0, 999_999_999_999_999, 'bytes')
    .default(10 * 1024 ** 3)
    .describe('What all these files take at most; further ones are not made.'),
  COLUMNAR_TEMPORARY_BYTES: wholeNumberSetting(0, 999_999_999_999_999, 'bytes')
    .default(2 * 1024 ** 3)
    .describe('What questions of the columnar engine write beside them at most when their memory is too small.'),
  COLUMNAR_QUERY_ROWS: wholeNumberSetting(0, 1_000_000_000, 'rows')
    .default(100_000)
    .describe(
      'The columnar engine computes KPIs where PostgreSQL estimates that it would read at least so many rows of a table.',
    ),
  COLUMNAR_FALLBACK: z
    .enum(['on', 'off'], 'on or off')
    .default('on')
    .describe('Whether PostgreSQL answers when the columnar engine fails; off answers 503, so that tests notice.'),
  ...columnarStoreShape,
  EXTERNAL_DATABASES: externalDatabases.meta({
    description: 'PostgreSQL databases beside the own one that models of the named teams may read.',
    secret: true,
  }),
});

export const knowledgeModelsSettings = settingsShape
  .refine((given) => given.COLUMNAR_STORE === undefined || given.COLUMNAR_STORE_SIGNING_SECRET !== undefined, {
    path: ['COLUMNAR_STORE_SIGNING_SECRET'],
    message: `${longSecret}, together with COLUMNAR_STORE`,
  })
  .refine(
    (given) =>
      (given.COLUMNAR_STORE_ACCESS_KEY_ID === undefined) === (given.COLUMNAR_STORE_SECRET_ACCESS_KEY === undefined),
    {
      path: ['COLUMNAR_STORE_ACCESS_KEY_ID'],
      message: 'COLUMNAR_STORE_ACCESS_KEY_ID and COLUMNAR_STORE_SECRET_ACCESS_KEY together',
    },
  )
  .refine(
    ({ COLUMNAR_STORE, COLUMNAR_URL, LOAD_CONNECTIONS }) =>
      (COLUMNAR_STORE ?? COLUMNAR_URL) === undefined || LOAD_CONNECTIONS >= sharingLoadConnectionsMin,
    {
      path: ['LOAD_CONNECTIONS'],
      message: `at least ${sharingLoadConnectionsMin} together with COLUMNAR_STORE or COLUMNAR_URL`,
    },
  );
export type Settings = Readonly<z.output<typeof knowledgeModelsSettings>>;
