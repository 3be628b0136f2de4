/** A wire to a server that can be cut and joined again. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Wire = {
  /** The address of the server by this wire. */
  readonly url: string;
  readonly cut: () => void;
  readonly join: () => void;
  readonly end: () => void;
};

export const openWire = async (url: string): Promise<Wire> => {
  const server = new URL(url);
  const near = new URL(url);
  const sockets = new Set<Socket>();
  let isWhole = true;
  const wire = createServer((client) => {
    if (!isWhole) return void client.destroy();
    const far = connect(Number(server.port), server.hostname);
    for (const socket of [client, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => [client, far].forEach((end) => end.destroy()));
    }
    client.pipe(far).pipe(client);
  });
  await once(wire.listen(0, '127.0.0.1'), 'listening');
  const address = wire.address();
  if (address && typeof address === 'object') near.port = String(address.port);
  const cut = (): void => {
    isWhole = false;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return { url: near.href, cut, join: () => void (isWhole = true), end: () => (cut(), void wire.close()) };
};
