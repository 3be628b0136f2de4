/** Records as boxes, what they belong to above them; a dot stands where there are many rows. */
import { useMemo } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { classNames } from '../../ui/class-names.js';
import { layoutGraph, linkPath, nodeSize, type GraphLink, type PlacedLink } from './layout-graph.js';
import styles from './record-graph.module.css';
import type { Schema } from './schema.js';

export type RecordGraphProps = {
  readonly schema: Schema;
  readonly selected: string | undefined;
  readonly onSelect: (record: string) => void;
};

const margin = 12;
const dotRadius = 4;

export const RecordGraph = ({ schema, selected, onSelect }: RecordGraphProps) => {
  const say = useMessages(figuresMessages);
  const layout = useMemo(
    () =>
      layoutGraph(
        schema.records.map(({ id }) => id),
        linksOf(schema),
      ),
    [schema],
  );
  const size = { width: layout.width + 2 * margin, height: layout.height + 2 * margin };
  return (
    <section className={styles['frame']} aria-label={say('recordsDrawing')}>
      <div className={styles['drawing']} style={size}>
        <svg
          className={styles['links']}
          viewBox={`${-margin} ${-margin} ${size.width} ${size.height}`}
          aria-hidden="true"
        >
          {layout.links.map((link) => (
            <Link
              key={`${link.from} ${link.to}`}
              link={link}
              isSelected={selected === link.from || selected === link.to}
            />
          ))}
        </svg>
        {layout.nodes.map(({ id, x, y }) => (
          <button
            key={id}
            type="button"
            className={classNames(styles['node'], id === selected && styles['selected'])}
            style={{ left: x + margin, top: y + margin, ...nodeSize }}
            aria-pressed={id === selected}
            onClick={() => onSelect(id)}
          >
            <bdi className={styles['name']}>{schema.recordById.get(id)?.name}</bdi>
            <span className={styles['count']}>
              {say('fieldCount', { count: schema.recordById.get(id)?.fields.length ?? 0 })}
            </span>
          </button>
        ))}
      </div>
      <p className={styles['legend']}>{say('graphLegend')}</p>
    </section>
  );
};

const Link = ({ link, isSelected }: { readonly link: PlacedLink; readonly isSelected: boolean }) => {
  const [first, last] = [link.points[0], link.points.at(-1)];
  return (
    <g className={classNames(styles['link'], isSelected && styles['near'])}>
      <path className={styles['line']} d={linkPath(link.points)} />
      {link.toMany && first !== undefined && <circle cx={first.x} cy={first.y} r={dotRadius} />}
      {link.fromMany && last !== undefined && <circle cx={last.x} cy={last.y} r={dotRadius} />}
    </g>
  );
};

/** Each relationship once, from the side of many rows where there is one. */
const linksOf = ({ records }: Schema): readonly GraphLink[] => {
  const links = new Map<string, GraphLink>();
  for (const { id: from, relationships } of records)
    for (const { record: to, cardinality } of relationships) {
      const [fromMany, toMany] = [cardinality.startsWith('many'), cardinality.endsWith('many')];
      if (toMany && !fromMany) continue;
      if (!links.has(`${to} ${from}`)) links.set(`${from} ${to}`, { from, to, fromMany, toMany });
    }
  return [...links.values()];
};
