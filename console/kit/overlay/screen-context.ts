import { type ComponentType, createContext } from 'react';

/** Every screen by its route, for the shell that draws those which are open. */
export const ScreenContext = createContext<ReadonlyMap<string, ComponentType>>(new Map());
