/**
 * Ant-style path patterns: `?` is one character and `*` any run of them inside a segment, `**` any number of segments.
 * Matched by walking, not by a compiled regular expression, so that no pattern can be made to take exponential time.
 */

/** Whether a segment matches; the classic two-pointer walk that returns to the last star only. */
function segmentMatches(pattern: string, segment: string): boolean {
  let p = 0;
  let s = 0;
  let star = -1;
  let resume = 0;
  while (s < segment.length) {
    if (pattern[p] === '*') {
      star = p++;
      resume = s;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === segment[s])) {
      p++;
      s++;
    } else if (star >= 0) {
      p = star + 1;
      s = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

type SegmentTest = (pattern: string, segment: string) => boolean;

/** Segment lists against each other, a row of the table at a time. */
function segmentsMatch(pattern: readonly string[], path: readonly string[], matches: SegmentTest): boolean {
  // reach[i]: the pattern read so far can end exactly before path segment i.
  let reach = path.map(() => false);
  reach = [true, ...reach];
  for (const part of pattern) {
    const next = reach.map(() => false);
    let open = false;
    for (let i = 0; i <= path.length; i++) {
      if (part === '**') {
        open ||= reach[i] === true;
        next[i] = open;
      } else if (i > 0) {
        next[i] = reach[i - 1] === true && matches(part, path[i - 1] ?? '');
      }
    }
    reach = next;
  }
  return reach[path.length] === true;
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

/** The patterns of a 资源匹配表达式: separated by commas, blanks around them ignored. */
export function patternsOf(expression: string | null): string[] {
  return (expression ?? '')
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern.startsWith('/'));
}

/** Whether a pattern grants this path (the part after /api). */
export function matchesPath(pattern: string, path: string): boolean {
  return segmentsMatch(segmentsOf(pattern), segmentsOf(path), segmentMatches);
}

const isPlaceholder = (segment: string): boolean => segment.startsWith('{');

/** Whether the beginnings are the same that neither leaves open: soon told, and false for most of what does not match. */
function beginsAlike(pattern: string, template: string): boolean {
  const literal = pattern.search(/[*?]/);
  const fixed = template.indexOf('{');
  const length = Math.min(literal < 0 ? pattern.length : literal, fixed < 0 ? template.length : fixed);
  return pattern.startsWith(template.slice(0, length));
}

const fitsTemplate = (pattern: string, template: string, placeholder: (part: string) => boolean): boolean =>
  beginsAlike(pattern, template) &&
  segmentsMatch(segmentsOf(pattern), segmentsOf(template), (part, segment) =>
    isPlaceholder(segment) ? placeholder(part) : segmentMatches(part, segment),
  );

/** Whether a pattern grants every path of a call's template, such as `/pms/role/deleteById/{id}`. */
export const matchesTemplate = (pattern: string, template: string): boolean =>
  fitsTemplate(pattern, template, (part) => /^\*+$/.test(part));

/** Whether a pattern grants at least one path of a call's template. */
export const touchesTemplate = (pattern: string, template: string): boolean =>
  fitsTemplate(pattern, template, (part) => part !== '');
