import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { connectNats, silentLog } from '@tessera/messaging';
import { makeMetrics, openLog, ServiceModule } from '@tessera/service-kit';
import { StorageChanges } from './change/change-storage.js';
import { ContentRepoModule } from './content-repo.module.js';
import { settings } from './settings.js';

describe('the module of the service', () => {
  it('has a provider for everything that its handlers are made with', async () => {
    const service = {
      configuration: settings.parse({ DATABASE_URL: 'postgres://nobody@localhost:1/none' }),
      log: openLog('content-repo', 'silent').log,
      metrics: makeMetrics('content-repo'),
      link: connectNats({ url: 'nats://127.0.0.1:1', service: 'content-repo', log: silentLog }),
      stopping: new AbortController().signal,
    };
    const module = await Test.createTestingModule({
      imports: [ServiceModule.forRoot(service), ContentRepoModule],
    }).compile();
    expect(module.get(StorageChanges)).toBeInstanceOf(StorageChanges);
    await module.close();
  });
});
