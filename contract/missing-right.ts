import { z } from 'zod';
import type { AnyEndpoint } from './endpoint.ts';
import { type ButtonCode, buttons, type ScreenPath, screens } from './screens.ts';

/** The `data` of a call refused for want of a right: the call's name, and the rights any of which would open it. */
export const MissingRight = z.object({ call: z.string(), needs: z.array(z.string()) });
export type MissingRight = z.infer<typeof MissingRight>;

const screenTitle = (path: ScreenPath): string => {
  const { folder, title } = screens.find((screen) => screen.path === path) ?? { folder: '', title: path };
  return folder === title ? title : `${folder} / ${title}`;
};

/** The screens that make a call, by their titles. */
export const placesOf = ({ access }: AnyEndpoint): string[] =>
  typeof access === 'object' ? access.screens.map(screenTitle) : [];

/** The right that a button is, by the titles as they are seeded. */
export const buttonRight = (code: ButtonCode): string[] =>
  buttons.flatMap((each) => (each.code === code ? `${screenTitle(each.screen)} / ${each.title}` : []));

/** The rights any of which opens a call, by their titles as they are seeded. */
export function rightsFor(endpoint: AnyEndpoint): string[] {
  const { access } = endpoint;
  return typeof access === 'object' && access.button ? buttonRight(access.button) : placesOf(endpoint);
}
