/** The key of a page: where its last row stands in the tree, short and opaque. Refuses: keys that it did not make. */
import { fail, succeed, type Result } from '@tessera/failures';

const keyPattern = /^[A-Za-z0-9_-]{1,200}$/;
const bytesPerLevel = 4;

export const pageKeyOf = (treePath: string): string => Buffer.from(treePath, 'hex').toString('base64url');

export const treePathOf = (key: string): Result<string> => {
  const bytes = Buffer.from(keyPattern.test(key) ? key : '', 'base64url');
  const isOurs = bytes.length > 0 && bytes.length % bytesPerLevel === 0 && bytes.toString('base64url') === key;
  return isOurs ? succeed(bytes.toString('hex')) : notOurs;
};

const message = 'The page key is not one that an answer carried in X-Page-Selection-Key.';
const notOurs = fail('GENERAL_PARAMETER_ILLEGAL', message, {
  faults: [{ in: 'query', path: '$pageSelectionKey', message, rule: 'pageKey' }],
});
