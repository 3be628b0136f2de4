/** What a person may see, at a glance: figures, the process house, what waits, conversations, areas, and their own access. */
import { useMessages } from '../../language/language-provider.js';
import { homeMessages } from '../../messages/home/catalogue.js';
import { CardGrid } from '../../ui/card.js';
import { TileLink } from '../../ui/navigation-link.js';
import { PageHead } from '../../ui/page-head.js';
import { nameOf, useMay, useMe } from '../session/me.js';
import { useAreas } from '../shell/areas.js';
import styles from './home.module.css';
import { ModelFigures } from './model-figures.js';
import { OwnAccess } from './own-access.js';
import { ProcessHouse } from './process-house.js';
import { RecentConversations } from './recent-conversations.js';

/** The state that the address holds. */
export type HomeSearch = {
  /** The knowledge model whose figures are shown; the first one when absent. */
  readonly model?: string;
};

export type HomeProps = { readonly search: HomeSearch; readonly onSearch: (changed: HomeSearch) => void };

export const Home = ({ search, onSearch }: HomeProps) => {
  const say = useMessages(homeMessages);
  const me = useMe();
  const may = useMay();
  return (
    <>
      <PageHead title={say('title', { name: nameOf(me) })}>{say('lead')}</PageHead>
      <div className={styles['parts']}>
        {may('knowledge-models:read') && (
          <ModelFigures modelId={search.model} onModel={(model) => onSearch({ model })} />
        )}
        {may('content:read') && <ProcessHouse />}
        {may('agents:converse') && <RecentConversations />}
        <AreaTiles />
        <OwnAccess />
      </div>
    </>
  );
};

const AreaTiles = () => {
  const say = useMessages(homeMessages);
  const areas = useAreas();
  if (areas.length === 0) return null;
  return (
    <section aria-label={say('areas')}>
      <CardGrid>
        {areas.map(({ path, icon, title, purpose }) => (
          <TileLink key={path} path={path} icon={icon} title={title}>
            {purpose}
          </TileLink>
        ))}
      </CardGrid>
    </section>
  );
};
