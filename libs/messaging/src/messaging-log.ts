/** The log of messaging; a pino logger fits. Never gets payloads and credentials. */
export type MessagingLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export const silentLog: MessagingLog = { info: () => {}, warn: () => {}, error: () => {} };
