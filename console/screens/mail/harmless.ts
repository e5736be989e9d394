const unwanted =
  'script, style, link, meta, base, title, iframe, object, embed, form, input, button, svg, math';

const LOOK = 'data-look';

/**
 * The nodes of a mail for `page`, without what could run, load or submit anything: only tags, texts and their own looks stay.
 * Looks are set through the style engine, as the page's policy forbids them in the markup.
 */
export function harmless(html: string, page: Document): Node[] {
  // Even a parser that shows nothing complains of looks in the markup; so they come under another name.
  const quiet = html
    .replace(/<style\b[\s\S]*?(<\/style\s*>|$)/gi, '')
    .replace(/(<[a-z][^>]*?[\s"'/])style(\s*=)/gi, `$1${LOOK}$2`);
  const parsed = new DOMParser().parseFromString(quiet, 'text/html');
  for (const element of parsed.querySelectorAll(unwanted)) element.remove();
  const looks = new Map<Element, string>();
  for (const element of parsed.body.querySelectorAll('*')) {
    const style = element.getAttribute(LOOK);
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
    if (style) looks.set(element, style);
  }
  const nodes = [...parsed.body.childNodes].map((node) => page.adoptNode(node));
  for (const [element, style] of looks) {
    // What a look would load, such as a background picture, stays away.
    if (element instanceof HTMLElement && !/url\s*\(|image-set|@import/i.test(style))
      element.style.cssText = style;
  }
  return nodes;
}
