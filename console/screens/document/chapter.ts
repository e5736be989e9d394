import type { FolderTitle, openRoutes, ScreenPath } from '#contract/screens.ts';

type OpenPath = (typeof openRoutes)[keyof typeof openRoutes]['path'];

/** Of a screen, which gives the chapter its title. */
export interface OfScreen {
  /** The screen it explains; its picture bears the path's last part as its name. */
  readonly path: ScreenPath | OpenPath;
  readonly lines: readonly string[];
}

/** Of something that holds on all screens, or of the one before them. */
interface OfMatter {
  readonly path?: '/login';
  readonly title: string;
  readonly lines: readonly string[];
}

/** What somebody has written of the screens under a folder, in the order in which it is read. */
export interface Explained {
  readonly folder: FolderTitle;
  readonly chapters: readonly OfScreen[];
}

/** What somebody has written that is to be read before any folder. */
export interface Introduction {
  readonly title: string;
  readonly chapters: readonly (OfScreen | OfMatter)[];
}

/** As it is read. */
export interface Chapter {
  readonly path?: OfScreen['path'] | '/login';
  readonly title: string;
  readonly lines: readonly string[];
}

/** A part of the handbook as it is read. */
export interface Part {
  readonly title: string;
  readonly chapters: readonly Chapter[];
}

/** The name of a chapter's picture, and the anchor that leads to it, which holds no blanks: English titles do. */
export const anchorOf = ({ path, title }: Pick<Chapter, 'path' | 'title'>): string =>
  path?.split('/').at(-1) ?? title.replaceAll(' ', '-');
