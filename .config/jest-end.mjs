/** After the last spec: no server and no file of this run stays. */
import { finishRun } from './test-run.mjs';

export default finishRun;
