const shapes = [/^(\d{4})[/.年-](\d{1,2})[/.月-](\d{1,2})日?$/, /^(\d{4})(\d{2})(\d{2})$/];

/** A day as people and spreadsheets write it, `2030/1/31`, `2030.1.31`, `2030年1月31日` or `20300131`, as `2030-01-31`; other text as it is. */
export function writtenDay(text: string): string {
  const [, year, month = '', day = ''] = shapes.map((shape) => shape.exec(text)).find(Boolean) ?? [];
  return year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
