import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { ServiceModule } from '@tessera/service-kit';
import { testProcess } from '@tessera/service-kit/testing';
import { StorageChanges } from './change/change-storage.js';
import { ContentRepoModule } from './content-repo.module.js';
import { settings } from './settings.js';

describe('the module of the service', () => {
  it('provides every dependency of its handlers', async () => {
    const service = testProcess('content-repo', settings.parse({ DATABASE_URL: 'postgres://nobody@localhost:1/none' }));
    const module = await Test.createTestingModule({
      imports: [ServiceModule.forRoot(service), ContentRepoModule],
    }).compile();
    expect(module.get(StorageChanges)).toBeInstanceOf(StorageChanges);
    await module.close();
  });
});
