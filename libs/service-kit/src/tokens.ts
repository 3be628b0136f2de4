/** Injection tokens of what is no class; `ServiceModule` provides them. */

/** The settings of the service, as its `settings.ts` types them. */
export const settingsToken = Symbol('settings');
/** A `Log`. */
export const logToken = Symbol('log');
/** `Metrics`. */
export const metricsToken = Symbol('metrics');
/** An `AbortSignal`: from now on the service takes no new work; what runs may still be answered. */
export const stopSignalToken = Symbol('stopping');
