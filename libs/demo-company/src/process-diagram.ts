/**
 * The diagram of a process as its content elements: a lane of the role, the activities from left to right between start
 * and end, a decision, the applications below.
 */
import type { ContentDocument } from '@tessera/contracts';
import { localised, type Texts } from './draft.js';
import type { ProcessStep } from './process-house.js';

const stepWidth = 160;

export const diagramOf = ({ id, role, systems, activities }: ProcessStep): readonly ContentDocument[] => {
  const end = 40 + (activities.length + 2) * stepWidth;
  return [
    { ...symbol('lane', 'lane', 0, 0, end + 80, 200), relations: { represents: [`role.${role}`] } },
    named(symbol('start', 'startEvent', 40, 80, 40, 40), { en: 'Start', de: 'Start', es: 'Inicio' }),
    ...activities.map((activity, index) => ({
      ...named(symbol(activity.key, 'activitySymbol', 40 + (index + 1) * stepWidth, 70, 120, 60), activity.name),
      relations: { represents: [`${id}.${activity.key}`] },
    })),
    named(symbol('decision', 'decision', end - stepWidth, 80, 40, 40), {
      en: 'In order?',
      de: 'In Ordnung?',
      es: '¿Correcto?',
    }),
    named(symbol('end', 'endEvent', end, 80, 40, 40), { en: 'Done', de: 'Erledigt' }),
    ...systems.map((system, index) => ({
      ...symbol(`system-${system}`, 'applicationSymbol', 40 + (index + 1) * stepWidth, 230, 120, 40),
      relations: { represents: [`it.${system}`] },
    })),
  ];
};

export const symbol = (
  id: string,
  type: string,
  x: number,
  y: number,
  width: number,
  height: number,
): ContentDocument => ({ id, type, attributes: { x, y, width, height } });

const named = (element: ContentDocument, name: Texts): ContentDocument => ({
  ...element,
  attributes: { name: localised(name), ...element.attributes },
});
