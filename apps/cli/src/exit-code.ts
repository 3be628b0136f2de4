export const exitCodes = {
  done: 0,
  /** The files have faults, or a checked service is down. */
  faults: 1,
  /** The command was not understood, or is not possible here. */
  usage: 2,
  /** The gateway or the database could not be reached, or refused. */
  server: 3,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
