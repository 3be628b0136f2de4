/** The attributes and relations that the server keeps for every element, whatever its type declares. */
import type { AttributeType } from '@tessera/contracts';

type SystemAttribute = {
  readonly name: string;
  readonly type: AttributeType;
  /** Only elements of versioned types have it. */
  readonly versionedOnly: boolean;
  /** Whether a file may give a value in place of the server's. */
  readonly given: boolean;
};

export const systemAttributes: readonly SystemAttribute[] = [
  { name: 'createdOn', type: 'date-time', versionedOnly: false, given: true },
  { name: 'changedOn', type: 'date-time', versionedOnly: false, given: true },
  { name: 'state1', type: 'string', versionedOnly: false, given: false },
  { name: 'gotoUrl', type: 'string', versionedOnly: false, given: false },
  { name: 'authorNote', type: 'string', versionedOnly: false, given: true },
  { name: 'version', type: 'string', versionedOnly: true, given: false },
  { name: 'majorVersion', type: 'number', versionedOnly: true, given: false },
  { name: 'minorVersion', type: 'number', versionedOnly: true, given: false },
  { name: 'isReleased', type: 'boolean', versionedOnly: true, given: false },
];

/** Every type has them; releaseHistory is never given by a file. */
export const systemRelations = ['createdBy', 'changedBy', 'author', 'releaseHistory'] as const;
