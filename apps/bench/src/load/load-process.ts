import { sendLoad, type LoadOrder } from './send-load.js';

process.on('message', (order: LoadOrder) => {
  void sendLoad(order).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
