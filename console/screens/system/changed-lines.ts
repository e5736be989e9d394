/** What a field is called, and the words of its codes. */
export type Labels = Readonly<
  Record<string, { readonly title: string; readonly choices?: Readonly<Record<string, string>> | undefined }>
>;

export interface ChangedLine {
  readonly label: string;
  readonly input: string;
  readonly before: string;
  readonly after: string;
  readonly changed: boolean;
}

interface Change {
  readonly input?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** What is no object, such as a list of ids, counts as one field. */
const fieldsOf = (value: unknown): Fields => {
  if (value === null || value === undefined) return {};
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { 内容: value };
};

function textOf(value: unknown, choices?: Readonly<Record<string, string>>): string {
  if (value === null || value === undefined || value === '') return '—';
  const code = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return choices?.[code] ?? code;
}

/** The fields of a change one by one, in the order they first appear. */
export function changedLines({ input, before, after }: Change, labels: Labels): ChangedLine[] {
  const [sent, old, fresh] = [fieldsOf(input), fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([sent, old, fresh].flatMap((fields) => Object.keys(fields)))];
  return names.map((name) => {
    const { title, choices } = labels[name] ?? { title: name };
    const [was, is] = [textOf(old[name], choices), textOf(fresh[name], choices)];
    const compared = Object.keys(old).length > 0 && Object.keys(fresh).length > 0;
    return {
      label: title === name ? name : `${title}（${name}）`,
      input: textOf(sent[name], choices),
      before: was,
      after: is,
      changed: compared && was !== is,
    };
  });
}
