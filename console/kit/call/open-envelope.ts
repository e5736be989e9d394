import type { Envelope, StaleRow } from '#contract/envelope.ts';
import { failures } from '#contract/failures.ts';
import { CallFailed, noAnswer } from './call-failed.ts';
import type { Answer } from './exchange.ts';
import { httpFailureText } from './failure-text.ts';
import { missingRightIn, needsText, whyHref } from './missing-right.ts';
import { toast } from './notices.ts';
import { isGranted, readMenusAgain } from './rights.ts';
import { isLeaving, leaveForLogin, leaveForPasswordChange } from './session.ts';
import { told } from './told.ts';

/** Whether the system itself has answered: what stands between has bodies of its own, and of half an answer nothing could be read. */
const isOwn = ({ body }: Answer): boolean => typeof body === 'object' && body !== null && 'success' in body;

/** The envelope of an answer, if it is one: only HTTP 200 counts. */
export const envelopeOf = <T>(answer: Answer): Envelope<T> | null =>
  answer.status === 200 && isOwn(answer) ? (answer.body as Envelope<T>) : null;

function fieldErrorsIn(data: unknown): Record<string, string> {
  if (typeof data !== 'object' || data === null || !('errors' in data)) return {};
  const { errors } = data;
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, told(String(text))]));
}

/** The row as it is now, where an edit was refused because somebody else changed it. */
function currentIn(data: unknown): StaleRow['current'] | undefined {
  if (typeof data !== 'object' || data === null || !('current' in data)) return undefined;
  const { current } = data;
  return typeof current === 'object' && current !== null ? { ...current } : undefined;
}

/** Tells that a right is wanting, unless the whole screen is not the operator’s: then that is told in its place. */
async function refused(tell: () => void): Promise<void> {
  const { pathname } = location;
  if (!(await isGranted(pathname))) return;
  if (!isLeaving()) tell();
  readMenusAgain();
}

/**
 * Says what an answer says, unless it is to be quiet, and returns its data; a refusal or failure is thrown after its toast. What is wrong with one
 * of `fields` is told there.
 */
export function openEnvelope<T>(answer: Answer, quiet = false, fields: readonly string[] = []): T {
  const say: typeof toast = (...said) => {
    if (!quiet) toast(...said);
  };
  const envelope = envelopeOf<T>(answer);
  if (!envelope) {
    const missing = missingRightIn(answer.body);
    const said = httpFailureText(answer.status, answer.body);
    const words = said && told(said);
    const text = words && missing ? `${words} ${needsText(missing.needs)}` : words;
    const href = missing && whyHref(missing.call);
    const tell = () => say('error', text ?? '', href ? { href, text: '为什么' } : undefined);
    if (answer.status === 403) void refused(tell);
    else if (text && !isLeaving()) tell();
    throw new CallFailed(text ?? noAnswer().message, answer.status < 500 && isOwn(answer), {
      told: text !== null && !quiet,
    });
  }
  if (envelope.success) {
    if (envelope.msg !== null) say('success', told(envelope.msg));
    return envelope.data as T;
  }
  const message = told(envelope.msg ?? '');
  const current = currentIn(envelope.data);
  // What changed is for the form to show.
  if (current) throw new CallFailed(message, true, { current });
  if (envelope.code === failures.passwordTemporary.code) leaveForPasswordChange();
  const fieldErrors = fieldErrorsIn(envelope.data);
  const [first = ''] = Object.keys(fieldErrors);
  if (message && !isLeaving()) say(fields.includes(first) ? 'shown' : 'error', message);
  if (envelope.code === failures.unauthenticated.code) leaveForLogin(message);
  throw new CallFailed(message, true, {
    fieldErrors,
    told: message !== '' && !quiet,
  });
}
