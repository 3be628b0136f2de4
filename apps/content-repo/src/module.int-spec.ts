import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { ServiceModule } from '@tessera/service-kit';
import { createTestProcess } from '@tessera/service-kit/testing';
import { StorageChanges } from './change/change-storage.js';
import { ContentRepoModule } from './content-repo.module.js';
import { contentRepoSettings } from './settings.js';

describe('ContentRepoModule', () => {
  it('provides every dependency of its handlers', async () => {
    const service = createTestProcess(
      'content-repo',
      contentRepoSettings.parse({ DATABASE_URL: 'postgres://nobody@localhost:1/none' }),
    );
    const module = await Test.createTestingModule({
      imports: [ServiceModule.forRoot(service), ContentRepoModule],
    }).compile();
    expect(module.get(StorageChanges)).toBeInstanceOf(StorageChanges);
    await module.close();
  });
});
