/** Before the first spec: makes the folder for the servers of this run and puts it into the environment. */
import { beginRun } from './test-run.mjs';

export default async () => {
  process.env.TESSERA_TEST_RUN = await beginRun();
};
