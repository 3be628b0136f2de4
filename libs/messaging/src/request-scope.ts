/** The request that the running code belongs to, for log lines and spans alone; arguments are passed as arguments. */
import { AsyncLocalStorage } from 'node:async_hooks';

export type RequestScope = {
  readonly requestId: string;
  readonly team?: string;
  /** The span that spans of now are children of. */
  readonly traceparent?: string | undefined;
};

const storage = new AsyncLocalStorage<RequestScope>();

/** Runs `work` so that its log lines and its statements belong to the request, across awaits. */
export const runInRequest = <T>(scope: RequestScope, work: () => T): T => storage.run(scope, work);

export const currentRequest = (): RequestScope | undefined => storage.getStore();
