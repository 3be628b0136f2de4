/** The types of the router are there. A circle of imports would make all of them `any`, and nothing else would tell. */
import { expect, it } from '@jest/globals';
import type { LinkProps, RegisteredRouter } from '@tanstack/react-router';

type IsAny<Type> = 0 extends 1 & Type ? true : false;

it('the registered router knows its pages, and no others', () => {
  const isRouterAny: IsAny<RegisteredRouter> = false;
  const isTreeAny: IsAny<RegisteredRouter['routesByPath']> = false;
  const home: LinkProps = { to: '/' };
  // @ts-expect-error there is no such page
  const nowhere: LinkProps = { to: '/nowhere' };
  expect([isRouterAny, isTreeAny, home.to, nowhere.to]).toEqual([false, false, '/', '/nowhere']);
});
