/** The floor's process: listens on a free port and sends it to its parent. */
import { createFloorServer } from './floor-server.js';

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing.`);
  return value;
};

const app = createFloorServer({
  databaseUrl: setting('FLOOR_DATABASE_URL'),
  tenant: setting('FLOOR_TENANT'),
  publicUrl: setting('FLOOR_PUBLIC_URL'),
});
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => void app.close().then(() => process.exit()));
