/** All areas: each is an `area.ts` in its folder below `features`, and found there. */
import { usePreferences } from '../../language/language-provider.js';
import { useMe } from '../session/me.js';
import { openAreas, type Area } from './open-areas.js';

const found = import.meta.glob<Area>('../*/area.ts', { eager: true, import: 'area' });
const areas = Object.values(found);

/** The areas that are open to the person, with their words in the language of the page. */
export const useAreas = () => {
  const { language } = usePreferences();
  const { scopes } = useMe();
  return openAreas(areas, scopes).map(({ path, icon, title, purpose }) => ({
    ...{ path, icon, title: title[language], purpose: purpose[language] },
  }));
};
