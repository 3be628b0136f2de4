/** The process of the floor of writes: is told by its parent what to replay, listens on a free port and answers which. */
import { makeWriteFloor, type WriteFloorOptions } from './write-floor.js';

process.once('message', (options: WriteFloorOptions) => {
  const app = makeWriteFloor(options);
  process.on('SIGTERM', () => void app.close().then(() => process.exit()));
  void app.listen({ host: '127.0.0.1', port: 0 }).then((origin) => process.send?.(origin));
});
process.on('disconnect', () => process.exit());
