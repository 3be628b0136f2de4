/**
 * Ports of this machine's loopback interface.
 * Refuses: reserving them; between asking and listening somebody else can take one.
 */
import { createServer } from 'node:net';

const loopback = '127.0.0.1';

/** A port that nobody listens on now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, loopback, () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('the listening socket has no port'));
      });
    });
  });

/** Whether `port` can be listened on, at one address or (without one) at all of them. */
export const isPortFree = (port: number, host: string | undefined = loopback): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** `preferred` when it is free, so that addresses stay the same from one start to the next; else any free port. */
export const preferablyPort = async (preferred: number | undefined): Promise<number> =>
  preferred !== undefined && (await isPortFree(preferred)) ? preferred : freePort();
