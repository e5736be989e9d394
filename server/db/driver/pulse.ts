import { Connection } from './connection.ts';
import { isConnectionLoss } from './outage.ts';

/** Whether a database answers anybody at all. */
export interface Pulse {
  (): Promise<boolean>;
  /** Told of each answer that came, whoever had asked. */
  felt(): void;
}

/** Short enough that whoever doubts after a second knows within three. */
const USUAL_ANSWER_MS = 1_300;

async function beats(url: string, answerMs: number): Promise<boolean> {
  const session = { application_name: 'back-office pulse' };
  try {
    const connection = await Connection.open({ url, session, answerMs, connectMs: answerMs }, () => {});
    connection.close().catch(() => {});
    return true;
  } catch (error) {
    // One that refuses us, for want of connections for example, lives.
    return !isConnectionLoss(error);
  }
}

/**
 * Feels a database's pulse over a connection made for it; all who doubt at the same time share one look. Whatever answer comes meanwhile is
 * a beat as well: on a busy machine a new connection may take longer than a dead database deserves.
 */
export function pulseOf(url: string, answerMs = USUAL_ANSWER_MS): Pulse {
  let last = Number.NEGATIVE_INFINITY;
  let look: Promise<boolean> | undefined;
  const looking = async (): Promise<boolean> => {
    const began = performance.now();
    const isThere = await beats(url, answerMs);
    look = undefined;
    return isThere || last >= began;
  };
  const pulse = (): Promise<boolean> => {
    look ??= looking();
    return look;
  };
  return Object.assign(pulse, {
    felt: () => {
      last = performance.now();
    },
  });
}
