/**
 * The request that the running code belongs to, for log lines. Refuses: to be a way of passing arguments.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type RequestScope = { readonly requestId: string; readonly team?: string };

const storage = new AsyncLocalStorage<RequestScope>();

/** Runs `work` so that its log lines carry the request id, across awaits. */
export const runInRequest = <T>(scope: RequestScope, work: () => T): T => storage.run(scope, work);

export const currentRequest = (): RequestScope | undefined => storage.getStore();
