/** Before the first spec: the folder that the servers of this run live in, known to every worker by its environment. */
import { beginRun } from './test-run.mjs';

export default async () => {
  process.env.TESSERA_TEST_RUN = await beginRun();
};
