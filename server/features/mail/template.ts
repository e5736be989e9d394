import { z } from 'zod';

/** A mail ready to be sent, but for who sends it. */
export const MailContent = z.object({ subject: z.string(), text: z.string(), html: z.string() }).readonly();
export type MailContent = z.output<typeof MailContent>;

type Variables = Readonly<Record<string, string>>;

const place = /\{\{\s*([\w.-]{1,50})\s*\}\}/g;
const subjectLine = /^\s*(?:主题|Subject)\s*[:：][^\S\n]*([^\n]*)\n?/i;
const looksLikeHtml = /<(?:!doctype|[a-z][a-z0-9]*)(?:\s[^<>]*)?\/?>/i;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (value: string): string => value.replace(/[&<>"']/g, (char) => entities[char] ?? '');

/** The names a template wants filled in, each once, in order. */
export const variablesIn = (template: string): string[] => [
  ...new Set([...template.matchAll(place)].map((match) => match[1] ?? '')),
];

const filled = (template: string, read: (name: string) => string): string =>
  template.replace(place, (_, name: string) => read(name));

/** Leaves out what no reader sees. What is never closed stays, and its end is looked for once only. */
function withoutHidden(html: string): string {
  const unclosed = new Set<string>();
  const opening = /<(script|style|head)\b/gi;
  let kept = '';
  let from = 0;
  for (let found = opening.exec(html); found; found = opening.exec(html)) {
    const name = found[1]?.toLowerCase() ?? '';
    if (unclosed.has(name)) continue;
    const closing = new RegExp(`</${name}>`, 'gi');
    closing.lastIndex = found.index;
    if (!closing.exec(html)) unclosed.add(name);
    else {
      kept += html.slice(from, found.index);
      from = closing.lastIndex;
      opening.lastIndex = from;
    }
  }
  return kept + html.slice(from);
}

/** What a reader without HTML sees: tags go, lines stay. No tag reaches over the next one's beginning, so time grows with length alone. */
const textOfHtml = (html: string): string =>
  withoutHidden(html)
    .replace(/<(?:br|\/p|\/div|\/tr|\/h[1-6]|\/li)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]+>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => decoded[entity] ?? ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
const decoded: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entities).map(([char, entity]) => [entity, char]),
);

/**
 * Fills in a template. A first line `主题：…` (or `Subject: …`) is the subject, else `fallbackSubject` is. A template with
 * tags is HTML; any other is plain text whose line breaks stay. Values are escaped in HTML; missing ones become empty.
 */
export function renderMail(template: string, variables: Variables, fallbackSubject: string): MailContent {
  const unix = template.replaceAll('\r\n', '\n');
  const head = subjectLine.exec(unix);
  const body = head ? unix.slice(head[0].length).replace(/^\n+/, '') : unix;
  const raw = (name: string) => (Object.hasOwn(variables, name) ? (variables[name] ?? '') : '');
  const safe = (name: string) => escaped(raw(name));
  const subject = filled(head?.[1]?.trim() || fallbackSubject, raw);
  if (looksLikeHtml.test(body)) {
    const html = filled(body, safe);
    return { subject, html, text: textOfHtml(html) };
  }
  const html = filled(escaped(body), safe).replaceAll('\n', '<br>\n');
  return { subject, html, text: filled(body, raw) };
}
