/** Proofs that hold for every operation of group A, since their tests go over all that the contracts declare. */
import { suite, type OperationProofs, type Proof } from './proof.js';

const product = suite('apps/e2e/src/operations.e2e-spec.ts', 'every operation of group A');
const reads = suite('apps/e2e/src/operations.e2e-spec.ts', 'every read that takes');
const writes = suite('apps/e2e/src/operations.e2e-spec.ts', 'every write under an Idempotency-Key');
const edge = suite('apps/gateway/src/http/every-parameter.int-spec.ts', 'every operation of group A');
const etag = suite('apps/content-repo/src/etag.int-spec.ts', 'the ETag of an answer');
const asOf = suite('apps/content-repo/src/storage/as-of.int-spec.ts', 'a read as of an instant');

const nothingOfOthers = product('%s: finds the same nothing in storages of others and of nobody');

export const proofsOfAll: OperationProofs = {
  success: [product('%s: answers 200 with what its contract describes')],
  members: {
    collectionId: [nothingOfOthers],
    storageId: [nothingOfOthers],
    facetId: [product('%s: knows facet and view in any case, and no others')],
    apiVersion: [
      product('%s: takes its versions, by header and by query'),
      edge('%s: refuses another api-version and names those that it has'),
    ],
    asOf: [
      reads('asOf, %s: answers what was there at that instant'),
      asOf('answers byte for byte what was answered then, whatever happened since'),
      asOf('takes an instant with any zone, and without one as UTC'),
      asOf("is refused when the instant is still to come, with the server's time"),
    ],
    ifNoneMatch: [
      reads('If-None-Match, %s: answers 304 for what the caller has'),
      etag('lets a caller ask only for what has changed, and shows every write at once'),
    ],
    idempotencyKey: [
      writes('%s: does it once and answers the same bytes again'),
      writes('%s: refuses the key for another request'),
      edge('refuses an Idempotency-Key of more than 255 characters, wherever one is taken'),
    ],
  },
  failures: {
    CONTENT_NOTFOUND: [nothingOfOthers],
    CONTENT_FILTER_SYNTAX: [product('%s: refuses a filter that does not parse, with the position')],
  },
};

/** Of the way that every request goes, whatever it asks for. */
export const proofsOfTheWay: Readonly<Record<string, readonly Proof[]>> = {
  'Every member of a request arrives from its place in the path, the query, the headers or the body': [
    edge('%s: takes each member of its request from its place and passes it on'),
    edge('%s: is called without what may be left out'),
  ],
  'A parameter that is wrong or misspelt is 400 and told with what was expected': [
    suite('apps/gateway/src/http/answers.int-spec.ts', 'a request that does not fit')('is told what was expected: %s'),
  ],
  'A missing or bad credential is 401, a missing scope 403': [
    edge('%s: is 401 without a credential and 403 without its scope'),
  ],
  'Past the hourly limit is 429': [
    suite(
      'apps/gateway/src/limits/rate-limit.int-spec.ts',
      'the rate limit',
    )('lets exactly 5 of 5 through and tells the rest when to come back'),
    suite(
      'apps/e2e/src/reads.e2e-spec.ts',
      'the hourly limit',
    )('lets exactly five of twenty through two gateways at once and then says when to come back'),
  ],
  'A call that is still running under the same Idempotency-Key is 409': [
    suite(
      'libs/persistence/src/idempotency.int-spec.ts',
      'a key',
    )('is told as running while its call is at work, and is free again when that is rolled back'),
  ],
  'A bug is 500 and tells nothing of itself': [
    suite(
      'apps/gateway/src/http/answers.int-spec.ts',
      'a bug',
    )('of a service is an internal error without a word of it'),
  ],
  'What is down, busy or late is 503': [
    suite(
      'apps/gateway/src/outages.int-spec.ts',
      'a service that is not there',
    )('is 503 at once, and 200 when it is back'),
    suite(
      'apps/content-repo/src/database/outage.int-spec.ts',
      'an outage of PostgreSQL',
    )('is answered as unavailable and over as soon as the server is back'),
  ],
  'A failure is an OperationResult': [
    suite('apps/gateway/src/http/send-failure.spec.ts', 'a failure as an answer')('is an OperationResult in group A'),
  ],
  'Every address in an answer leads to 200': [
    suite('apps/e2e/src/reads.e2e-spec.ts', 'the lists and reports of a storage')('gives only addresses that answer'),
    suite(
      'apps/e2e/src/writes.e2e-spec.ts',
      'the answers of writes',
    )('give only addresses that answer, also to what was deleted'),
  ],
};
