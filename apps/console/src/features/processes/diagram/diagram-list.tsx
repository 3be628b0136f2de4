import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { shorten } from '../../../ui/foreign-text.js';
import type { Diagram, DiagramLink, DiagramSymbol, LinkKind } from './diagram-model.js';
import styles from './diagram.module.css';
import { openHere, type LinkProps } from './symbol-link.js';

const nameLengthMax = 120;

/** What the drawing shows, in words: each symbol with its lane, what follows it, and what it uses. */
export const DiagramList = ({ diagram, ...links }: LinkProps & { readonly diagram: Diagram }) => {
  const all = [...diagram.lanes, ...diagram.symbols];
  const labels = new Map(all.map(({ id, label }) => [id, shorten(label, nameLengthMax)]));
  const following = Map.groupBy(diagram.links, ({ from }) => from);
  return (
    <ol className={styles['list']}>
      {all.map((symbol) => (
        <li key={symbol.id}>
          <Entry symbol={symbol} labels={labels} following={following.get(symbol.id) ?? []} {...links} />
        </li>
      ))}
    </ol>
  );
};

type EntryProps = LinkProps & {
  readonly symbol: DiagramSymbol;
  readonly labels: ReadonlyMap<string, string>;
  /** The links that begin at the symbol. */
  readonly following: readonly DiagramLink[];
};

const Entry = ({ symbol, labels, following, hrefOf, onOpen }: EntryProps) => {
  const say = useMessages(processesEditingMessages);
  const { id, target, typeName, lane } = symbol;
  const label = <bdi>{labels.get(id)}</bdi>;
  const namesBy = (isWanted: (kind: LinkKind) => boolean): string =>
    following
      .filter(({ kind }) => isWanted(kind))
      .flatMap(({ to }) => labels.get(to) ?? [])
      .join(', ');
  const [next, used] = [namesBy((kind) => kind !== 'uses'), namesBy((kind) => kind === 'uses')];
  return (
    <>
      <span className={styles['type']}>{typeName}</span>{' '}
      {target === undefined ? (
        label
      ) : (
        <a href={hrefOf(target)} onClick={(event) => openHere(event, () => onOpen(target))}>
          {label}
        </a>
      )}
      {lane !== undefined && <> {say('inLane', { lane: labels.get(lane) ?? '' })}</>}
      {next !== '' && <> {say('followedBy', { names: next })}</>}
      {used !== '' && <> {say('using', { names: used })}</>}
    </>
  );
};
