import { sendRequestLoad, type RequestLoadOptions } from './send-load.js';

process.on('message', (order: RequestLoadOptions) => {
  void sendRequestLoad(order).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
