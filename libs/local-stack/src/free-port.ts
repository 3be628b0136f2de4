/** Free ports of the loopback interface. They are not reserved: another process can take one before it is used. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const loopback = '127.0.0.1';

/** Below those that systems give to outgoing connections, which may take one between its choice and its use. */
const portRange = { first: 15_000, behind: 32_000 };
const attemptsMax = 200;

/** A port without a listener. */
export const findFreePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = randomInt(portRange.first, portRange.behind);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no port from ${portRange.first} to ${portRange.behind - 1} is free`);
};

/** Whether `port` can be listened on, at one address or (without one) at all of them. */
export const isPortFree = (port: number, host: string | undefined = loopback): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** `preferred` when it is free, so that addresses stay the same from one start to the next; else any free port. */
export const choosePort = async (preferred: number | undefined): Promise<number> =>
  preferred !== undefined && (await isPortFree(preferred)) ? preferred : findFreePort();
