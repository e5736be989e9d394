import { bigSmallHandler } from './big-small.ts';
import { colourWaveHandler } from './colour-wave.ts';
import { containsHandler } from './contains.ts';
import { dragonTigerHandler } from './dragon-tiger.ts';
import { oddEvenHandler } from './odd-even.ts';
import { prizesHandler } from './prizes.ts';
import type { ResultHandler } from './result-handler.ts';
import { shapeHandler } from './shape.ts';
import { sumHandler } from './sum.ts';
import { sumBigSmallHandler } from './sum-big-small.ts';
import { sumCombinationHandler } from './sum-combination.ts';
import { sumOddEvenHandler } from './sum-odd-even.ts';
import { sumRangeHandler } from './sum-range.ts';
import { tailHandler } from './tail.ts';
import { valueHandler } from './value.ts';
import { zodiacHandler } from './zodiac.ts';

/** Every result handler in its newest version, in the order operators choose from. */
export const resultHandlers: readonly ResultHandler[] = [
  valueHandler,
  sumHandler,
  bigSmallHandler,
  oddEvenHandler,
  sumBigSmallHandler,
  sumOddEvenHandler,
  sumCombinationHandler,
  sumRangeHandler,
  dragonTigerHandler,
  containsHandler,
  prizesHandler,
  tailHandler,
  shapeHandler,
  zodiacHandler,
  colourWaveHandler,
];

/** Earlier versions that slips may still keep, each as it was; nothing new is judged by them. */
export const formerHandlers: readonly ResultHandler[] = [];

const plain = (name: string): string => name.toLowerCase().replace(/(result)?handler$/, '');
const byName = new Map(
  resultHandlers.flatMap((handler) => [plain(handler.name), handler.title].map((name) => [name, handler])),
);

/** The handler of that name; its ending and the case of its letters may be left out, and its Chinese title does as well. */
export const findResultHandler = (name: string): ResultHandler | undefined => byName.get(plain(name.trim()));

/** The handler of that name in that version; nothing where it is no longer there. */
export const findHandlerVersion = (name: string, version: number): ResultHandler | undefined =>
  [...resultHandlers, ...formerHandlers].find(
    (handler) => handler.name === name && handler.version === version,
  );
