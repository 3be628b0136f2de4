/** The shapes of symbols, around their middle, and their words. */
import { cultureTag } from '../cultures.js';
import type { DiagramSymbol, SymbolShape } from './diagram-model.js';
import styles from './diagram.module.css';
import { glyphLabelWidth, sizeOfShape } from './layout-diagram.js';
import { wrapLabel } from './wrap-label.js';

const linesMax = 3;
const lineHeight = 16;
const padding = 8;

export const SymbolFigure = ({ shape }: { readonly shape: SymbolShape }) => {
  const { width, height } = sizeOfShape(shape);
  const [right, bottom] = [width / 2, height / 2];
  switch (shape) {
    case 'gateway':
      return <path className={styles['gateway']} d={`M0 ${-bottom}L${right} 0L0 ${bottom}L${-right} 0Z`} />;
    case 'start':
      return <circle className={styles['start']} r={right - 2} />;
    case 'end':
      return <circle className={styles['end']} r={right - 3} />;
    case 'event':
      return (
        <>
          <circle className={styles['event']} r={right - 2} />
          <circle className={styles['event']} r={right - 6} />
        </>
      );
    case 'activity':
    case 'resource':
    case 'lane':
      return (
        <rect
          className={styles[shape === 'resource' ? 'resource' : 'activity']}
          x={-right}
          y={-bottom}
          width={width}
          height={height}
          rx={shape === 'resource' ? 2 : 8}
        />
      );
  }
};

const isBox = (shape: SymbolShape): boolean => sizeOfShape(shape).width > sizeOfShape(shape).height;

/** The words of a symbol as they are seen. */
export const labelLines = ({ shape, label }: Pick<DiagramSymbol, 'shape' | 'label'>): readonly string[] =>
  wrapLabel(label, isBox(shape) ? sizeOfShape(shape).width - 2 * padding : glyphLabelWidth, linesMax);

type SymbolLabelProps = { readonly symbol: DiagramSymbol; readonly lines: readonly string[] };

/** Inside of boxes, below of glyphs. */
export const SymbolLabel = ({ symbol: { shape, culture }, lines }: SymbolLabelProps) => {
  const first = isBox(shape) ? -((lines.length - 1) * lineHeight) / 2 : sizeOfShape(shape).height / 2 + lineHeight;
  return (
    <text className={styles['label']} lang={culture && cultureTag(culture)}>
      {lines.map((line, at) => (
        <tspan key={at} x={0} y={first + at * lineHeight} dy="0.32em">
          {at < lines.length - 1 ? `${line} ` : line}
        </tspan>
      ))}
    </text>
  );
};
