import type { openRoutes, ScreenPath } from '#contract/screens.ts';

type OpenPath = (typeof openRoutes)[keyof typeof openRoutes]['path'];

/** A part of the handbook: a screen, or something that holds on all of them. */
export interface Chapter {
  /** The screen it explains; its picture bears the path's last part as its name. */
  readonly path?: ScreenPath | OpenPath | '/login';
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Part {
  readonly title: string;
  readonly chapters: readonly Chapter[];
}

/** The name of a chapter's picture, and the anchor that leads to it. */
export const anchorOf = ({ path, title }: Chapter): string => path?.split('/').at(-1) ?? title;
