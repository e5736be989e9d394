import { onceFor } from '#server/once-for.ts';
import { type Line, readLine } from '../bets/line.ts';
import { type Play, playOf } from '../bets/play.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import type { Catalogue, OfferedPlayWay } from './catalogue.ts';

/** A play way made ready for bets; its play is nothing where its rules cannot be read. */
export interface BettingPlay {
  readonly playWay: OfferedPlayWay;
  readonly play: Play | undefined;
}

/** The play ways of a catalogue by id, each made ready when it is first bet on. */
export type BettingPlays = (id: number) => BettingPlay | undefined;

function playFor({ latitude, selection, oddsFrom, odds: rows }: OfferedPlayWay, { resultRule }: Catalogue) {
  try {
    return playOf({ latitude, selection, oddsFrom, rows, resultRule });
  } catch (error) {
    if (error instanceof Unreadable || (error instanceof Error && error.name === 'ZodError'))
      return undefined;
    throw error;
  }
}

const LONGEST_REMEMBERED = 40;
const MOST_REMEMBERED = 2_000;
const linesOf = onceFor((_: Play) => new Map<string, Line>());

/** As `readLine`; short selections are read once, because players choose the same ones over and over. */
export function readKnownLine(play: Play, text: string): Line {
  const lines = linesOf(play);
  const known = lines.get(text);
  if (known) return known;
  const line = readLine(play, text);
  if (text.length <= LONGEST_REMEMBERED && lines.size < MOST_REMEMBERED) lines.set(text, line);
  return line;
}

export function bettingPlays(catalogue: Catalogue): BettingPlays {
  const playWays = new Map(catalogue.playWays.map((playWay) => [playWay.id, playWay]));
  const ready = new Map<number, BettingPlay>();
  return (id) => {
    const playWay = playWays.get(id);
    const known = ready.get(id);
    if (known || !playWay) return known;
    const made = { playWay, play: playFor(playWay, catalogue) };
    ready.set(id, made);
    return made;
  };
}
