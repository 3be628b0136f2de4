/** After the last spec: removes every server and file of this run. */
import { finishRun } from './test-run.mjs';

export default finishRun;
