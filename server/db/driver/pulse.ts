import { Connection } from './connection.ts';
import { isConnectionLoss } from './outage.ts';

/** Whether a database answers anybody at all. */
export type Pulse = () => Promise<boolean>;

/** Short enough that whoever doubts after a second knows within three. */
const ANSWER_MS = 1_300;

async function beats(url: string): Promise<boolean> {
  const session = { application_name: 'back-office pulse' };
  try {
    const connection = await Connection.open({ url, session, answerMs: ANSWER_MS }, () => {});
    connection.close().catch(() => {});
    return true;
  } catch (error) {
    // One that refuses us, for want of connections for example, lives.
    return !isConnectionLoss(error);
  }
}

/** Feels a database's pulse over a connection made for it; all who doubt at the same time share one look. */
export function pulseOf(url: string): Pulse {
  let look: Promise<boolean> | undefined;
  return () =>
    (look ??= beats(url).finally(() => {
      look = undefined;
    }));
}
