/**
 * The process of the write floor: receives what to replay from its parent, listens on a free port and sends it back.
 */
import { createWriteFloorServer, type WriteFloorOptions } from './write-floor.js';

process.once('message', (options: WriteFloorOptions) => {
  const app = createWriteFloorServer(options);
  process.on('SIGTERM', () => void app.close().then(() => process.exit()));
  void app.listen({ host: '127.0.0.1', port: 0 }).then((origin) => process.send?.(origin));
});
process.on('disconnect', () => process.exit());
