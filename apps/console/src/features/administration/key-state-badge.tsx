import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { stateOfKey, type ApiKey, type KeyState } from './key-draft.js';

const tones: Readonly<Record<KeyState, Tone>> = { live: 'success', expired: 'plain', revoked: 'danger' };

export const KeyStateBadge = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const say = useMessages(administrationMessages);
  const state = stateOfKey(apiKey, Date.now());
  return <Badge tone={tones[state]}>{say(state)}</Badge>;
};
