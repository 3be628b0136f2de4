/** Before the first spec: makes the folder for the servers of this run, unless `npm test` has made one for several runs. */
import { linkNewProjects } from '../apps/launcher/bin/prepare.mjs';
import { beginRun } from './test-run.mjs';

export default async () => {
  linkNewProjects();
  process.env.TESSERA_TEST_RUN ??= await beginRun();
};
