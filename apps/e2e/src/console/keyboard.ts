/**
 * What people do by keys alone: they move the focus to a place that is shown, and press a key there. A step fails when the keys do
 * not lead there, when nobody would see the focus there, and when what was done before has left the focus nowhere.
 */
import type { Locator, Page } from 'playwright-core';

/** More than anybody would press. */
const pressesMax = 100;
/** Dialogs and pages that close give the focus back a moment later. */
const focusTimeoutMs = 10_000;

type Place = NonNullable<Awaited<ReturnType<Locator['elementHandle']>>>;

/** The focus as it is now, seen from a place. */
const readFocus = (place: Place, isWithin: boolean) =>
  place.evaluate((wanted, within) => {
    const { activeElement, body, defaultView } = wanted.ownerDocument;
    const active = activeElement ?? body;
    // A combobox keeps the focus and names the option that is next.
    const listed = wanted.ownerDocument.getElementById(active.getAttribute('aria-activedescendant') ?? '');
    const isThere = within ? wanted.contains(active) : wanted === active || wanted === listed;
    // The frame may be that of the box around a field, or that of the tick in a label.
    const shown = listed ?? active;
    const around = [shown, shown.parentElement, shown.parentElement?.parentElement];
    const framed = [...around, ...(shown.closest('label')?.querySelectorAll('*') ?? [])];
    return {
      isThere,
      isSeen: framed.some((each) => each && defaultView?.getComputedStyle(each).outlineStyle !== 'none'),
      isGone: !wanted.isConnected,
      isBefore: (active.compareDocumentPosition(wanted) & active.DOCUMENT_POSITION_PRECEDING) !== 0,
      at: `${shown.getAttribute('role') ?? shown.localName} "${shown.getAttribute('aria-label') ?? shown.textContent.slice(0, 80)}"`,
    };
  }, isWithin);

type Way = { readonly key?: string; readonly isWithin?: boolean };

/** Presses a key until the focus is at a place; Tab, or Shift and Tab, whichever is the shorter way, when left out. */
const moveTo = async (page: Page, place: Locator, { key, isWithin = false }: Way): Promise<void> => {
  await place.waitFor();
  await expectFocusKept(page, `before it is moved to ${place.toString()}`);
  let [element, focus] = await look(place, isWithin);
  const pressed = key ?? (focus.isBefore ? 'Shift+Tab' : 'Tab');
  for (let presses = 0; !focus.isThere && presses < pressesMax; presses += 1) {
    await page.keyboard.press(pressed);
    // An open list hides everything else from who looks for roles, so it is not looked for again unless it was drawn anew.
    focus = await readFocus(element, isWithin);
    if (focus.isGone) [element, focus] = await look(place, isWithin);
  }
  if (!focus.isThere)
    throw new Error(`${pressed} does not lead to ${place.toString()}. At last the focus is on ${focus.at}.`);
  if (!focus.isSeen) throw new Error(`Nobody sees that ${place.toString()} has the focus.`);
};

const look = async (place: Locator, isWithin: boolean) => {
  const element = await place.elementHandle();
  if (element === null) throw new Error(`${place.toString()} is not there.`);
  return [element, await readFocus(element, isWithin)] as const;
};

/** Who has begun to use keys on a page is never left without a place; a page that was opened just now has none yet. */
export const expectFocusKept = async (page: Page, moment: string): Promise<void> => {
  const isBegun = await page.evaluate('[window.isUsedByKeys, (window.isUsedByKeys = true)][0] === true');
  if (isBegun !== true) return;
  await page
    .locator(':focus')
    .first()
    .waitFor({ state: 'attached', timeout: focusTimeoutMs })
    .catch(() => {
      throw new Error(`The focus is nowhere ${moment}.`);
    });
};

export const tabTo = (page: Page, place: Locator): Promise<void> => moveTo(page, place, {});

/** Presses a key at a place. */
export const press = async (page: Page, place: Locator, key = 'Enter'): Promise<void> => {
  await tabTo(page, place);
  await page.keyboard.press(key);
};

/** In what is one stop of the tabulator: to a row of a table or tree, a tab, an entry of a menu. */
export const arrowTo = async (page: Page, stop: Locator, place: Locator, key = 'ArrowDown'): Promise<void> => {
  await moveTo(page, stop, { isWithin: true });
  await moveTo(page, place, { key });
};

/** In place of what a field has. */
export const typeInto = async (page: Page, field: Locator, text: string): Promise<void> => {
  await press(page, field, 'ControlOrMeta+A');
  await page.keyboard.type(text);
};

const chooseEntry = async (page: Page, entry: Locator): Promise<void> => {
  await moveTo(page, entry, { key: 'ArrowDown' });
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').or(page.getByRole('menu')).waitFor({ state: 'detached' });
};

/** Of what a combobox offers for a text. */
export const chooseByTyping = async (page: Page, field: Locator, text: string, option: Locator): Promise<void> => {
  await typeInto(page, field, text);
  await chooseEntry(page, option);
};

/** Of the list or the menu that a button opens. */
export const chooseFrom = async (page: Page, button: Locator, entry: Locator): Promise<void> => {
  await press(page, button);
  await chooseEntry(page, entry);
};
