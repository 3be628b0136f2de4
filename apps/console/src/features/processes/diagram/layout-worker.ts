/** Lays a diagram out beside the page: that of 2,000 symbols takes seconds. */
import type { Diagram } from './diagram-model.js';
import { layoutDiagram } from './layout-diagram.js';

self.addEventListener('message', ({ data }: MessageEvent<Diagram>) => self.postMessage(layoutDiagram(data)));
