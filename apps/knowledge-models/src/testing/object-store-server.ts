/** A server that speaks the S3 protocol, with one bucket in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { ObjectStore, type ObjectStoreOptions } from '../columnar/object-store.js';

const bucket = 'figures';
/** The only ones that the server knows. */
const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export type ObjectStoreServer = {
  readonly open: (options?: Partial<ObjectStoreOptions>) => ObjectStore;
  /** Nobody is connected any more. */
  readonly end: () => Promise<void>;
};

export const startObjectStore = async (): Promise<ObjectStoreServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'tessera-objects-'));
  const configureBuckets = [{ name: bucket, configs: [] }];
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  const opened: ObjectStore[] = [];
  return {
    open: (options = {}) => {
      const endpoint = `http://127.0.0.1:${port}`;
      const store = new ObjectStore({ bucket, prefix: 'tessera', endpoint, region: 'us-east-1', keys, ...options });
      opened.push(store);
      return store;
    },
    end: async () => {
      for (const store of opened) await store.close();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
