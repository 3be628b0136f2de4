/** A request as bytes on a socket, for what no HTTP client would send. */
import { connect } from 'node:net';

/** All that the server answers until it closes; it does after what is no good request, and when it is told to. */
export const sendRawRequest = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let answer = '';
    socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    socket.write(text);
  });
