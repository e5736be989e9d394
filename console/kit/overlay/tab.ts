import { createContext } from 'react';

/** The tab a part of the console stands in, by its id. */
export const TabContext = createContext('');
