/** Where requests of credentials are counted, by the hour. */
import type { RateWindowTable } from '../rate-windows.js';

export const credentialWindows: RateWindowTable = {
  schema: 'gateway',
  subject: 'credential',
  limit: 'hourly_limit',
  window: 'hour',
};
