/**
 * A local proxy that adds a credential to every request and changes nothing else; Host and Origin arrive as they were
 * sent.
 */
import { createServer, request as send } from 'node:http';

export type CredentialProxy = { readonly url: string; readonly stop: () => Promise<void> };

export const startCredentialProxy = (
  target: string,
  credential: Readonly<Record<string, string>>,
): Promise<CredentialProxy> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(target);
    const server = createServer((incoming, answer) => {
      const { method, headers } = incoming;
      const outgoing = send(
        { hostname, port, path: pathname, method, headers: { ...headers, ...credential } },
        (reply) => {
          answer.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(answer);
        },
      );
      outgoing.once('error', () => answer.destroy());
      answer.once('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    });
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address !== 'object' || address === null) return reject(new Error('No port.'));
      resolve({
        url: `http://127.0.0.1:${address.port}/mcp`,
        stop: () =>
          new Promise((stopped) => {
            server.close(() => stopped());
            server.closeAllConnections();
          }),
      });
    });
  });
