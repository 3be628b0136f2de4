/**
 * The order of the spec files: the longest first, so that no processor is idle at the end. Jest knows how long a file took
 * the last time; in a fresh clone nothing is known, and most of these are not large, which Jest goes by then.
 */
import Sequencer from '@jest/test-sequencer';

export const longest = [
  'refused-starts',
  'hostile-neighbours',
  'agent-turns',
  'hostile-credentials',
  'cli/src/process.spec',
  'killed-processes.e2e-spec',
  'hostile-requests',
  'agent-questions',
  'postgres-server.int-spec',
  'launch.int-spec',
  'tools.e2e-spec',
  'messaging/src/faults',
  'backup.e2e-spec',
  'indexed-search',
  'streams.int-spec',
  'random-changes',
  'chunked-reply',
  'keyset-properties',
];

const rank = ({ path }) => {
  const at = longest.findIndex((name) => path.replaceAll('\\', '/').includes(name));
  return at === -1 ? longest.length : at;
};

export default class extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
