/** A request as bytes on a socket, for what no HTTP client would send. */
import { connect } from 'node:net';

/** All that the server answers until it closes or is silent for `quietMs`. */
export const sendRaw = (port: number, text: string, quietMs = 500): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let answer = '';
    const settle = (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(quietMs, settle);
    socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
    socket.on('close', settle);
    socket.on('error', reject);
    socket.write(text);
  });
