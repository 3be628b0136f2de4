/** A diagram as SVG, and the same as a list for who does not see it. Symbols that stand for something lead there. */
import { useId, useState, type ReactNode } from 'react';
import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { shorten } from '../../../ui/foreign-text.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { CallFault } from '../../faults/call-fault.js';
import { DiagramList } from './diagram-list.js';
import type { Diagram, DiagramSymbol } from './diagram-model.js';
import styles from './diagram.module.css';
import { laneTitleHeight, type Layout, type PlacedSymbol } from './layout-diagram.js';
import { labelLines, SymbolFigure, SymbolLabel } from './symbol-figure.js';
import { openHere, type LinkProps } from './symbol-link.js';
import { useLayout } from './use-layout.js';
import { wrapLabel } from './wrap-label.js';

export const DiagramView = ({ diagram, ...links }: LinkProps & { readonly diagram: Diagram }) => {
  const say = useMessages(processesEditingMessages);
  const layout = useLayout(diagram);
  const [isListed, setListed] = useState(false);
  const isByOrder = diagram.links.some(({ kind }) => kind === 'order');
  return (
    <div className={styles['diagram']}>
      {layout.isPending && <Skeleton shape="box" label={say('drawing')} />}
      {layout.isError && <CallFault error={layout.error} onRetry={() => void layout.refetch()} />}
      {layout.isSuccess && <Drawing diagram={diagram} layout={layout.data} {...links} />}
      {isByOrder && <p className={styles['note']}>{say('byOrder')}</p>}
      <details className={styles['details']} onToggle={(event) => setListed(event.currentTarget.open)}>
        <summary>{say('asList')}</summary>
        {isListed && <DiagramList diagram={diagram} {...links} />}
      </details>
    </div>
  );
};

type DrawingProps = LinkProps & { readonly diagram: Diagram; readonly layout: Layout };

/** Exported for its spec. */
export const Drawing = ({ diagram, layout, ...links }: DrawingProps) => {
  const say = useMessages(processesEditingMessages);
  const arrow = useId();
  const places = new Map(layout.symbols.map((placed) => [placed.id, placed]));
  return (
    <div className={styles['frame']}>
      <svg
        className={styles['drawing']}
        width={layout.width}
        height={layout.height}
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        role="group"
        aria-label={say('diagram')}
      >
        <defs>
          <marker id={arrow} viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path className={styles['arrow']} d="M0 0L8 4L0 8Z" />
          </marker>
        </defs>
        <Lanes diagram={diagram} layout={layout} {...links} />
        {layout.links.map(({ from, to, kind, path }) => (
          <path
            key={`${from} ${to}`}
            className={styles[kind === 'uses' ? 'uses' : 'flow']}
            d={path}
            markerEnd={kind === 'uses' ? undefined : `url(#${arrow})`}
          />
        ))}
        {diagram.symbols.map((symbol) => (
          <PlacedFigure key={symbol.id} symbol={symbol} place={places.get(symbol.id)} {...links} />
        ))}
      </svg>
    </div>
  );
};

const Lanes = ({ diagram, layout, ...links }: DrawingProps) => {
  const lanes = new Map(diagram.lanes.map((lane) => [lane.id, lane]));
  return layout.lanes.map(({ id, y, height }) => {
    const lane = lanes.get(id);
    if (lane === undefined) return null;
    const [title = ''] = wrapLabel(lane.label, layout.width - 2 * laneTitleHeight, 1);
    return (
      <g key={id}>
        <rect className={styles['lane']} x={0.5} y={y + 0.5} width={layout.width - 1} height={height - 1} rx={6} />
        <SymbolLink symbol={lane} lines={[title]} {...links}>
          <text className={styles['laneTitle']} x={12} y={y + 21}>
            {title}
          </text>
        </SymbolLink>
      </g>
    );
  });
};

type PlacedFigureProps = LinkProps & { readonly symbol: DiagramSymbol; readonly place: PlacedSymbol | undefined };

const PlacedFigure = ({ symbol, place, ...links }: PlacedFigureProps) => {
  const lines = labelLines(symbol);
  return (
    place !== undefined && (
      <g transform={`translate(${place.x} ${place.y})`}>
        <SymbolLink symbol={symbol} lines={lines} {...links}>
          <SymbolFigure shape={symbol.shape} />
          <SymbolLabel symbol={symbol} lines={lines} />
        </SymbolLink>
      </g>
    )
  );
};

type SymbolLinkProps = LinkProps & {
  readonly symbol: DiagramSymbol;
  /** As they are seen: who says what is read finds it so. */
  readonly lines: readonly string[];
  readonly children: ReactNode;
};

const nameLengthMax = 200;

const SymbolLink = ({ symbol, lines, hrefOf, onOpen, children }: SymbolLinkProps) => {
  const say = useMessages(processesEditingMessages);
  const { target, label, typeName } = symbol;
  const name = shorten(label, nameLengthMax);
  const words = say('symbol', { type: typeName, name: lines.join(' ') });
  if (target === undefined)
    return (
      <g role="img" aria-label={words}>
        <title>{name}</title>
        {children}
      </g>
    );
  return (
    <a
      className={styles['link']}
      href={hrefOf(target)}
      aria-label={words}
      onClick={(event) => openHere(event, () => onOpen(target))}
    >
      <title>{name}</title>
      {children}
    </a>
  );
};
