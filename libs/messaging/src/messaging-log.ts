/** What messaging writes to the log; a pino logger fits. Refuses: payloads and credentials. */
export type MessagingLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export const silentLog: MessagingLog = { info: () => {}, warn: () => {}, error: () => {} };
