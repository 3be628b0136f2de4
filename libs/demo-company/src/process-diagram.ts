/**
 * The diagram of a process as its content elements: a lane of the role, the activities from left to right between start
 * and end, a decision, the applications below.
 */
import type { ContentDocument } from '@tessera/contracts';
import { toLocalisedText, type Translations } from './draft.js';
import type { ProcessStep } from './process-house.js';

const stepWidth = 160;

export const createProcessDiagram = ({ id, role, systems, activities }: ProcessStep): readonly ContentDocument[] => {
  const end = 40 + (activities.length + 2) * stepWidth;
  return [
    { ...createDiagramSymbol('lane', 'lane', 0, 0, end + 80, 200), relations: { represents: [`role.${role}`] } },
    withName(createDiagramSymbol('start', 'startEvent', 40, 80, 40, 40), { en: 'Start', de: 'Start', es: 'Inicio' }),
    ...activities.map((activity, index) => ({
      ...withName(
        createDiagramSymbol(activity.key, 'activitySymbol', 40 + (index + 1) * stepWidth, 70, 120, 60),
        activity.name,
      ),
      relations: { represents: [`${id}.${activity.key}`] },
    })),
    withName(createDiagramSymbol('decision', 'decision', end - stepWidth, 80, 40, 40), {
      en: 'In order?',
      de: 'In Ordnung?',
      es: '¿Correcto?',
    }),
    withName(createDiagramSymbol('end', 'endEvent', end, 80, 40, 40), { en: 'Done', de: 'Erledigt' }),
    ...systems.map((system, index) => ({
      ...createDiagramSymbol(`system-${system}`, 'applicationSymbol', 40 + (index + 1) * stepWidth, 230, 120, 40),
      relations: { represents: [`it.${system}`] },
    })),
  ];
};

export const createDiagramSymbol = (
  id: string,
  type: string,
  x: number,
  y: number,
  width: number,
  height: number,
): ContentDocument => ({ id, type, attributes: { x, y, width, height } });

const withName = (element: ContentDocument, name: Translations): ContentDocument => ({
  ...element,
  attributes: { name: toLocalisedText(name), ...element.attributes },
});
